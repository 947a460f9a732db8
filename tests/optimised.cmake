# Tests that run on the optimised build: see optimised.txt.  FRESHET_BARE is the
# directory in which bare/run.sh makes it, before the tests that need it; where
# there is none, these tests are programs of this build like all others.
set(FRESHET_BARE "" CACHE PATH "Where tests/bare/run.sh builds the release")
set(table ${CMAKE_CURRENT_SOURCE_DIR}/optimised.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
file(STRINGS ${table} FR_OPTIMISED REGEX "^[^#]")
list(TRANSFORM FR_OPTIMISED REPLACE " .*" "")
add_custom_target(optimised) # the programs among them

if(FRESHET_BARE)
    set(FR_OPTIMISED_BUILD "${FRESHET_BARE}/the sources/build/release")
    add_test(NAME bare_run COMMAND bash
        ${CMAKE_CURRENT_SOURCE_DIR}/bare/run.sh ${FRESHET_BARE})
    set_tests_properties(bare_run PROPERTIES LABELS bare TIMEOUT 1800
        SKIP_RETURN_CODE 77 FIXTURES_SETUP bare)
    add_test(NAME bare_optimised COMMAND bash
        ${CMAKE_CURRENT_SOURCE_DIR}/bare/optimised.sh ${FRESHET_BARE})
    set_tests_properties(bare_optimised PROPERTIES LABELS bare TIMEOUT 1800
        FIXTURES_REQUIRED bare FIXTURES_SETUP optimised)
endif()

# A program of the optimised build, at the same place in it; here it is built
# only if asked for by name.
function(fr_optimised_test name label)
    set(program ${name})
    if(FRESHET_BARE)
        cmake_path(RELATIVE_PATH CMAKE_CURRENT_BINARY_DIR BASE_DIRECTORY
            ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE folder)
        set(program ${FR_OPTIMISED_BUILD}/${folder}/${name})
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
    add_test(NAME ${name} COMMAND ${program})
    set_tests_properties(${name} PROPERTIES LABELS "${label};optimised"
        TIMEOUT 600)
    if(FRESHET_BARE)
        set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED optimised)
    endif()
    add_dependencies(optimised ${name})
endfunction()
