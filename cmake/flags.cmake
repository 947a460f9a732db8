# fr_flags: how our own code is compiled.  Never exported, never inherited.
include(CheckCCompilerFlag)
add_library(fr_flags INTERFACE)

# What files named *_avx512.c are compiled for: see lib/cpu.h.
set(FR_AVX512 -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl
    -mavx512vbmi -mavx512vbmi2 -mbmi -mbmi2 -mpopcnt)

set(FR_WARNINGS
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wdouble-promotion -Wstrict-prototypes -Wmissing-prototypes
    -Wold-style-definition -Wcast-qual -Wcast-align=strict -Wpointer-arith
    -Wwrite-strings -Wformat=2 -Wvla -Wundef -Wnull-dereference -Wswitch-enum
    -Wimplicit-fallthrough -Wduplicated-cond -Wduplicated-branches
    -Wlogical-op -Wtrampolines -Walloc-zero)
# gcc knows all of them; another compiler is asked about each.
list(JOIN FR_WARNINGS " " flags)
check_c_compiler_flag("${flags}" FR_HAS_WARNINGS)
if(NOT FR_HAS_WARNINGS)
    foreach(flag IN LISTS FR_WARNINGS)
        string(MAKE_C_IDENTIFIER "FR_HAS${flag}" has)
        check_c_compiler_flag(${flag} ${has})
        if(NOT ${has})
            list(REMOVE_ITEM FR_WARNINGS ${flag})
        endif()
    endforeach()
endif()
target_compile_options(fr_flags INTERFACE ${FR_WARNINGS})
if(FRESHET_WERROR)
    target_compile_options(fr_flags INTERFACE -Werror)
endif()

target_compile_definitions(fr_flags INTERFACE _DEFAULT_SOURCE)
target_compile_options(fr_flags INTERFACE -fno-common
    -fstack-protector-strong)
# What the loader relocates is read-only before main(), and no stack is code.
target_link_options(fr_flags INTERFACE
    -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
if(FRESHET_SANITIZE)
    target_compile_options(fr_flags INTERFACE -fsanitize=${FRESHET_SANITIZE}
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(fr_flags INTERFACE -fsanitize=${FRESHET_SANITIZE})
    # Links a hundred test programs in a third of the other linker's time.  From
    # libraries it exports symbols of its own.
    include(CheckLinkerFlag)
    check_linker_flag(C -fuse-ld=gold FR_HAS_GOLD)
    if(FR_HAS_GOLD AND CMAKE_C_COMPILER_ID STREQUAL GNU) # clang: warnings
        set(type $<TARGET_PROPERTY:TYPE>)
        target_link_options(fr_flags INTERFACE
            $<$<STREQUAL:${type},EXECUTABLE>:-fuse-ld=gold>)
    endif()
else()
    target_compile_options(fr_flags INTERFACE
        "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
endif()
if(FRESHET_COVERAGE)
    target_compile_options(fr_flags INTERFACE --coverage
        -fprofile-update=atomic) # tests with threads lose counts else
    target_link_options(fr_flags INTERFACE --coverage)
endif()
