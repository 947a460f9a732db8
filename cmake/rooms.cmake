# A room is a folder of sources: compiled once, as the object library
# fr_ROOM_objects, with an archive fr_ROOM of it for programs that need only a part.
# What a room sees, and so what it is linked with, stands in tests/layers.txt.
set(FR_LAYERS ${PROJECT_SOURCE_DIR}/tests/layers.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${FR_LAYERS})
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # freshet.so takes some of it

# The rooms that a room may see; "lib" is the public header.
function(fr_rooms_below room out)
    file(STRINGS ${FR_LAYERS} row REGEX "^${room}:")
    string(REGEX REPLACE "^${room}: *" "" row "${row}")
    separate_arguments(row)
    set(${out} ${row} PARENT_SCOPE)
endfunction()

# fr_room(ROOM [LIBRARY...]): the sources here and in the folders below, with
# the libraries from outside that they need.
function(fr_room room)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.c)
    list(FILTER sources EXCLUDE REGEX "/(main\\.c|programs/.*)$")
    fr_rooms_below(${room} below)
    add_library(fr_${room}_objects OBJECT ${sources})
    add_library(fr_${room} STATIC $<TARGET_OBJECTS:fr_${room}_objects>)
    target_link_libraries(fr_${room}_objects PRIVATE fr_flags)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS *.h)
    set(folders ${CMAKE_CURRENT_SOURCE_DIR})
    foreach(header IN LISTS headers)
        cmake_path(GET header PARENT_PATH folder)
        list(APPEND folders ${folder})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    target_include_directories(fr_${room} PUBLIC ${folders})
    target_include_directories(fr_${room}_objects PRIVATE
        $<TARGET_PROPERTY:fr_${room},INCLUDE_DIRECTORIES>)
    target_link_libraries(fr_${room}_objects PRIVATE ${ARGN})
    target_link_libraries(fr_${room} PUBLIC ${ARGN})
    foreach(other IN LISTS below)
        target_link_libraries(fr_${room} PUBLIC fr_${other})
    endforeach()
endfunction()
