# Finds every library and tool, and collects in RIDGEPOINT_LEFT_OUT what the build goes without.
set(RIDGEPOINT_LEFT_OUT "")

function(ridgepoint_left_out what remedy)
  set(RIDGEPOINT_LEFT_OUT "${RIDGEPOINT_LEFT_OUT};${what}|${remedy}" PARENT_SCOPE)
endfunction()

find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(tl-expected REQUIRED)
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
add_library(ridgepoint_zstd INTERFACE)
target_include_directories(ridgepoint_zstd SYSTEM INTERFACE "${ZSTD_INCLUDE_DIR}")
target_link_libraries(ridgepoint_zstd INTERFACE "${ZSTD_LIBRARY}")

find_path(MUSTACHE_INCLUDE_DIR kainjow/mustache.hpp REQUIRED)
add_library(ridgepoint_mustache INTERFACE)
target_include_directories(ridgepoint_mustache SYSTEM INTERFACE "${MUSTACHE_INCLUDE_DIR}")

# --- SQLite: one report format. ---
set(RIDGEPOINT_HAS_SQLITE OFF)
find_package(SQLite3 QUIET)
if(SQLite3_FOUND)
  set(RIDGEPOINT_HAS_SQLITE ON)
else()
  ridgepoint_left_out("the report format sqlite" "apt install libsqlite3-dev, then configure again")
endif()

# --- CUDA: the compiler, CUPTI's headers and NVTX 3. Nothing here links libcuda, libcupti or NVML. ---
set(RIDGEPOINT_HAS_CUDA OFF)
if(NOT RIDGEPOINT_CUDA STREQUAL "OFF")
  # sm_80 with its PTX runs on every later GPU by JIT; sm_90a holds the Hopper-only instructions.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80;90a-real")
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit 12.6 QUIET)
  endif()
  if(CUDAToolkit_FOUND)
    find_path(RIDGEPOINT_CUPTI_INCLUDE cupti_range_profiler.h
              HINTS ${CUDAToolkit_INCLUDE_DIRS} "${CUDAToolkit_ROOT}/extras/CUPTI/include"
                    "${CUDAToolkit_BIN_DIR}/../extras/CUPTI/include")
    find_path(RIDGEPOINT_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    if(RIDGEPOINT_CUPTI_INCLUDE AND RIDGEPOINT_NVTX_INCLUDE)
      set(RIDGEPOINT_HAS_CUDA ON)
      set(CMAKE_CUDA_STANDARD 17)
      set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    endif()
  endif()
  if(NOT RIDGEPOINT_HAS_CUDA)
    if(RIDGEPOINT_CUDA STREQUAL "ON")
      message(FATAL_ERROR "RIDGEPOINT_CUDA=ON, but the CUDA toolkit (12.6 or later, with CUPTI and NVTX 3) was "
                          "not found. Install it, or set CMAKE_CUDA_COMPILER to its nvcc, or use -DRIDGEPOINT_CUDA=OFF.")
    endif()
    ridgepoint_left_out("measuring (kernels, collector, `ridgepoint attention`)"
                        "install the CUDA Toolkit 13 with CUPTI, then configure again")
  endif()
else()
  ridgepoint_left_out("measuring (kernels, collector, `ridgepoint attention`)" "it was switched off: RIDGEPOINT_CUDA=OFF")
endif()

# --- Qt: the window only. qt6-charts-dev needs libqt6opengl6-dev named beside it on Debian 12. ---
set(RIDGEPOINT_HAS_GUI OFF)
if(NOT RIDGEPOINT_GUI STREQUAL "OFF")
  find_package(Qt6 6.4 QUIET COMPONENTS Widgets Charts Svg Concurrent Test)
  if(Qt6_FOUND)
    set(RIDGEPOINT_HAS_GUI ON)
  else()
    if(RIDGEPOINT_GUI STREQUAL "ON")
      message(FATAL_ERROR "RIDGEPOINT_GUI=ON, but Qt 6.4 with Widgets, Charts, Svg, Concurrent and Test was not found. "
                          "On Debian or Ubuntu: apt install qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev")
    endif()
    ridgepoint_left_out("the window (`ridgepoint view`, ridgepoint-gui)"
                        "apt install qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev, then configure again")
  endif()
else()
  ridgepoint_left_out("the window (`ridgepoint view`, ridgepoint-gui)" "it was switched off: RIDGEPOINT_GUI=OFF")
endif()

# --- Google Benchmark: bench/scale only, which measures the tool itself. ---
find_package(benchmark QUIET)
set(RIDGEPOINT_HAS_BENCHMARK ${benchmark_FOUND})
if(NOT benchmark_FOUND)
  ridgepoint_left_out("the benchmark of the tool itself (bench/scale)" "apt install libbenchmark-dev, then configure again")
endif()

if(RIDGEPOINT_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  # JSON Schema: the tests hold every JSON report against data/schemas/.
  find_path(VALIJSON_INCLUDE_DIR valijson/validator.hpp REQUIRED)
  add_library(ridgepoint_valijson INTERFACE)
  target_include_directories(ridgepoint_valijson SYSTEM INTERFACE "${VALIJSON_INCLUDE_DIR}")
endif()
