# What a builder may choose. AUTO means: use it when it is found, and say so when it is not.
set(RIDGEPOINT_CUDA AUTO CACHE STRING "Build the kernels and the collector: AUTO, ON or OFF")
set(RIDGEPOINT_GUI AUTO CACHE STRING "Build the Qt window: AUTO, ON or OFF")
set_property(CACHE RIDGEPOINT_CUDA PROPERTY STRINGS AUTO ON OFF)
set_property(CACHE RIDGEPOINT_GUI PROPERTY STRINGS AUTO ON OFF)
option(RIDGEPOINT_TESTS "Build the tests" ON)
option(RIDGEPOINT_WERROR "Treat warnings as errors" OFF)
option(RIDGEPOINT_FUZZ "Build the libFuzzer programs (clang), with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(RIDGEPOINT_SANITIZE "Build host code with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The install tree and the build tree have the same shape (bin/, share/ridgepoint/), so that programs find
# their data relative to themselves in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(RIDGEPOINT_DATA_OUTPUT "${CMAKE_BINARY_DIR}/share/ridgepoint")
