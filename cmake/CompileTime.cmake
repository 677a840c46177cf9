# How the same sources compile in less time: from a cache, where there is one, or with less to read.

find_program(RIDGEPOINT_CCACHE ccache)
if(RIDGEPOINT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${RIDGEPOINT_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${RIDGEPOINT_CCACHE}")
endif()

# Headers that every file of a target parses anew (GoogleTest, CLI11, the rules' own). ccache cannot serve files that use a
# precompiled header from another tree, so where it is found the header is left out unless asked for.
if(RIDGEPOINT_CCACHE)
  option(RIDGEPOINT_PRECOMPILED_HEADERS "Precompile the headers that most files of a target read" OFF)
else()
  option(RIDGEPOINT_PRECOMPILED_HEADERS "Precompile the headers that most files of a target read" ON)
endif()
if(NOT RIDGEPOINT_PRECOMPILED_HEADERS)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# Most of a build from nothing goes into reading headers and instantiating templates: once for eight sources instead of
# once for each. For who builds once (the preset `ci`); after a change to one source all eight are compiled.
option(RIDGEPOINT_UNITY "Compile the C++ sources of a target eight at a time" OFF)
if(RIDGEPOINT_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
endif()

# ridgepoint_compile_alone(SOURCE...): sources of this folder that share no translation unit, because names that they keep
# to themselves are those of a neighbour.
function(ridgepoint_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
