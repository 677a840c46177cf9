include(GoogleTest)

# Compiled once for all tests: every one of them includes GoogleTest.
add_library(ridgepoint_test_headers STATIC "${CMAKE_CURRENT_LIST_DIR}/empty.cpp")
target_link_libraries(ridgepoint_test_headers PRIVATE ridgepoint_build_flags GTest::gmock)
target_precompile_headers(ridgepoint_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <filesystem> <fstream>)

# ridgepoint_test(NAME SOURCES ... LIBS ... [LABELS gpu gui ...] [ENVIRONMENT A=b ...] [TIMEOUT s] [OWN_MAIN])
# One test binary `NAME_test`. Tests read recordings and data files below the source tree through
# RIDGEPOINT_SOURCE_DIR and the built programs through RIDGEPOINT_BIN_DIR.
# GPU tests carry the label `gpu` and call GTEST_SKIP with a reason where there is no usable GPU.
function(ridgepoint_test name)
  cmake_parse_arguments(ARG "OWN_MAIN" "TIMEOUT" "SOURCES;LIBS;LABELS;ENVIRONMENT" ${ARGN})
  add_executable(${name}_test ${ARG_SOURCES})
  target_include_directories(${name}_test PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name}_test PRIVATE ridgepoint_build_flags ${ARG_LIBS} GTest::gmock GTest::gtest)
  if(NOT ARG_OWN_MAIN)
    target_link_libraries(${name}_test PRIVATE GTest::gtest_main)
    target_precompile_headers(${name}_test REUSE_FROM ridgepoint_test_headers)
  endif()
  target_compile_definitions(${name}_test PRIVATE RIDGEPOINT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                  RIDGEPOINT_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  add_dependencies(${name}_test ridgepoint_data)
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  list(APPEND ARG_ENVIRONMENT "RIDGEPOINT_DATA=${RIDGEPOINT_DATA_OUTPUT}")
  gtest_discover_tests(${name}_test DISCOVERY_MODE PRE_TEST
                       PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT "${ARG_TIMEOUT}" ENVIRONMENT "${ARG_ENVIRONMENT}")
endfunction()
