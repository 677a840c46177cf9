# One interface target carries the warnings and sanitizers; every target of the project links it privately.
add_library(ridgepoint_build_flags INTERFACE)
set(ridgepoint_warnings -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
                        -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wformat=2)
# GCC 12 reports both wrongly for std::variant and std::string that the optimiser sees through (GCC bugs 105562, 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND ridgepoint_warnings -Wno-maybe-uninitialized -Wno-restrict)
endif()
# And these of std::string's own code, when that comes from a precompiled header.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND RIDGEPOINT_PRECOMPILED_HEADERS)
  list(APPEND ridgepoint_warnings -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# GCC warns of a type with members from an unnamed namespace unless it stands in the file that is compiled. Sources that are
# compiled together are included by that file.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND RIDGEPOINT_UNITY)
  list(APPEND ridgepoint_warnings -Wno-subobject-linkage)
endif()
target_compile_options(ridgepoint_build_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${ridgepoint_warnings}>"
                                                        "$<$<COMPILE_LANGUAGE:CXX>:-fvisibility=hidden>")
target_compile_options(ridgepoint_build_flags
                       INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>")
if(RIDGEPOINT_WERROR)
  target_compile_options(ridgepoint_build_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>"
                                                          "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>"
                                                          "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror>")
endif()
if(RIDGEPOINT_SANITIZE)
  target_compile_options(ridgepoint_build_flags
                         INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-omit-frame-pointer;-fno-sanitize-recover=undefined>")
  target_link_options(ridgepoint_build_flags INTERFACE -fsanitize=address,undefined)
endif()
if(RIDGEPOINT_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "RIDGEPOINT_FUZZ needs clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  # fuzzer-no-link instruments the libraries; the programs in fuzz/ link the driver.
  target_compile_options(ridgepoint_build_flags
                         INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link,address,undefined;-fno-omit-frame-pointer;-fno-sanitize-recover=undefined>")
  target_link_options(ridgepoint_build_flags INTERFACE -fsanitize=address,undefined)
endif()
