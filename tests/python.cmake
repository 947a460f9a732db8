# The Python package, with Debian's interpreter.  A module with sanitizers needs
# their library to be loaded first, and Python's own allocator hides errors from
# them; leaks are the interpreter's own.
if(NOT FRESHET_PYTHON)
    return()
endif()
if(FRESHET_SANITIZE AND NOT FRESHET_SANITIZE MATCHES address)
    return() # these would need an interpreter that is built with them
endif()
set(FR_PYTHON_ENVIRONMENT FRESHET=$<TARGET_FILE:freshet-cli>
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$<TARGET_FILE_DIR:freshet-python>/..)
if(FRESHET_SANITIZE MATCHES address)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so
        OUTPUT_VARIABLE preload OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND FR_PYTHON_ENVIRONMENT LD_PRELOAD=${preload} PYTHONMALLOC=malloc
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1)
endif()
file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/tests/test_*.py)
foreach(source IN LISTS tests)
    cmake_path(GET source STEM name)
    string(REGEX REPLACE "^test_" "python_" name ${name})
    add_test(NAME ${name} COMMAND /usr/bin/python3 ${source})
    set_tests_properties(${name} PROPERTIES LABELS python SKIP_RETURN_CODE 77
        TIMEOUT 600 ENVIRONMENT "${FR_PYTHON_ENVIRONMENT}")
endforeach()

# A site of 100,000 links; and the wheel, in a virtual environment of its own.
add_test(NAME python_crawl COMMAND /usr/bin/python3
    ${PROJECT_SOURCE_DIR}/python/tests/test_scrapy.py)
set_tests_properties(python_crawl PROPERTIES LABELS slow SKIP_RETURN_CODE 77
    TIMEOUT 1200 ENVIRONMENT "${FR_PYTHON_ENVIRONMENT};PAGES=10000")
add_test(NAME python_wheel COMMAND bash
    ${CMAKE_CURRENT_SOURCE_DIR}/install/wheel.sh ${PROJECT_BINARY_DIR}/wheel
    $<TARGET_FILE:freshet-cli>)
set_tests_properties(python_wheel PROPERTIES LABELS slow SKIP_RETURN_CODE 77
    TIMEOUT 1200)
add_test(NAME python_valgrind COMMAND bash
    ${CMAKE_CURRENT_SOURCE_DIR}/valgrind_python.sh ${PROJECT_BINARY_DIR}/valgrind
    $<TARGET_FILE:freshet-cli>)
set_tests_properties(python_valgrind PROPERTIES LABELS slow SKIP_RETURN_CODE 77
    TIMEOUT 1200)
add_test(NAME python_example COMMAND /usr/bin/python3
    ${PROJECT_SOURCE_DIR}/examples/python/crawl.py 20000)
set_tests_properties(python_example PROPERTIES LABELS python
    ENVIRONMENT "${FR_PYTHON_ENVIRONMENT}"
    PASS_REGULAR_EXPRESSION "pocket, 256K")
