# ridgepoint_library(NAME SOURCES a.cpp ... [PUBLIC lib ...] [PRIVATE lib ...])
# A static library `ridgepoint_NAME`, included from the repository root ("analyzer/session/session.h"),
# with the project's flags. Headers stand beside their sources.
function(ridgepoint_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(ridgepoint_${name} STATIC ${ARG_SOURCES})
  add_library(ridgepoint::${name} ALIAS ridgepoint_${name})
  target_include_directories(ridgepoint_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(ridgepoint_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ridgepoint_build_flags ${ARG_PRIVATE})
  set_target_properties(ridgepoint_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# ridgepoint_program(NAME SOURCES ... LIBS ...): an installed executable in bin/.
function(ridgepoint_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ridgepoint_build_flags ${ARG_LIBS})
  install(TARGETS ${name} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()
