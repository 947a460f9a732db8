include(${CMAKE_CURRENT_LIST_DIR}/freshet-targets.cmake)
