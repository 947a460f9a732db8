# Tests that read the sources rather than run them.
function(fr_lint name)
    add_test(NAME lint_${name}
        COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/${name}.sh ${ARGN})
    set_tests_properties(lint_${name} PROPERTIES LABELS lint
        SKIP_RETURN_CODE 77)
endfunction()

if(CMAKE_C_COMPILER_ID MATCHES Clang)
    set(FR_CXX clang++)
else()
    set(FR_CXX g++)
endif()
fr_lint(covered $<TARGET_FILE:freshet-cli>)
fr_lint(counts)
fr_lint(documents)
fr_lint(figures)
fr_lint(format)
fr_lint(generated $<TARGET_FILE:freshet-cli>)
fr_lint(header ${CMAKE_C_COMPILER} ${FR_CXX})
fr_lint(layers)
fr_lint(man)
fr_lint(results $<TARGET_FILE:freshet-cli>)
fr_lint(shell)
add_test(NAME lint_transcript COMMAND bash
    ${PROJECT_SOURCE_DIR}/doc/transcript.sh $<TARGET_FILE:freshet-cli>)
set_tests_properties(lint_transcript PROPERTIES LABELS lint SKIP_RETURN_CODE 77)
if(NOT FRESHET_COVERAGE) # libgcov exports symbols of its own
    fr_lint(symbols $<TARGET_FILE:freshet>)
endif()
