# HiGHS is compiled in batches of sources that read its headers once, and where Cargo builds for tests, optimised less:
# half of the processor time (benches/BUILD.md). What it computes is the same: GCC and Clang keep the order of sums of
# floats at every level.
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
if("$ENV{PROFILE}" STREQUAL "debug")
  set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
endif()
