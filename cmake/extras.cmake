# What the program can do without: libraries that it loads when they are needed
# (base/library.h), so that only their headers are used here.  FRESHET_HAVE_NAME
# says that a library is there, FRESHET_NAME which file is to be loaded.
find_package(Threads REQUIRED)

# The name by which the dynamic linker looks for a library: its DT_SONAME.
function(fr_soname file out)
    execute_process(COMMAND ${CMAKE_READELF} -d ${file} OUTPUT_VARIABLE dynamic
        ERROR_QUIET)
    string(REGEX MATCH "SONAME[^[]*\\[([^]]+)\\]" found "${dynamic}")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# fr_loaded(TARGET NAME LIBRARY INCLUDE...): what is linked with TARGET may load
# the library; what is linked with TARGET_linked, as tests are, is linked with it.
function(fr_loaded target name library)
    find_library(FR_${name}_FILE NAMES ${library} HINTS ${${name}_LIBRARY_DIRS})
    mark_as_advanced(FR_${name}_FILE)
    fr_soname("${FR_${name}_FILE}" soname)
    if(NOT soname)
        message(WARNING "No shared library ${library}: built without it")
        return()
    endif()
    target_include_directories(${target} SYSTEM INTERFACE ${ARGN})
    target_compile_definitions(${target} INTERFACE FRESHET_HAVE_${name}
        FRESHET_${name}="${soname}")
    target_link_libraries(${target}_linked INTERFACE ${FR_${name}_FILE})
endfunction()

# The same for what pkg-config knows as the module.
function(fr_extra target name library module)
    pkg_check_modules(${name} ${module})
    if(${name}_FOUND)
        fr_loaded(${target} ${name} ${library} ${${name}_INCLUDE_DIRS})
    endif()
endfunction()

foreach(target IN ITEMS fr_regex fr_compression fr_tls fr_rdkafka fr_http)
    add_library(${target} INTERFACE)
    add_library(${target}_linked INTERFACE)
endforeach()
fr_extra(fr_regex PCRE2 pcre2-8 libpcre2-8)
fr_extra(fr_compression ISAL isal libisal)
fr_extra(fr_compression ZLIB z zlib)
fr_extra(fr_compression ZSTD zstd libzstd)
fr_extra(fr_compression LZ4 lz4 liblz4)
fr_extra(fr_compression LZMA lzma liblzma)
fr_extra(fr_tls OPENSSL ssl openssl>=3)
fr_extra(fr_rdkafka RDKAFKA rdkafka rdkafka>=1.9)
fr_extra(fr_http MICROHTTPD microhttpd libmicrohttpd>=0.9.71)
find_package(BZip2) # has no pkg-config file
if(BZIP2_FOUND)
    fr_loaded(fr_compression BZIP2 bz2 ${BZIP2_INCLUDE_DIRS})
endif()
