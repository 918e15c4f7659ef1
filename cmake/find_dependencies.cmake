# SPDX-License-Identifier: Apache-2.0
# Finds every library of Tailrace, or says in one line each which one is missing and which Debian package holds it.
# Read by the project itself and, installed, by tailraceConfig.cmake.

set(tailrace_missing "")
macro(tailrace_missing_library _what _package)
  string(APPEND tailrace_missing "\n  ${_what} not found: Debian package ${_package}, or load its module, or set CMAKE_PREFIX_PATH")
endmacro()

set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  tailrace_missing_library("MPI" "libopenmpi-dev")
endif()

find_package(OpenMP QUIET COMPONENTS CXX)
find_package(Threads QUIET)

# Only looked for once MPI is there: FindHDF5 asks for it itself.
set(HDF5_PREFER_PARALLEL ON)
find_package(HDF5 QUIET COMPONENTS C)
if(NOT HDF5_FOUND)
  tailrace_missing_library("Parallel HDF5" "libhdf5-openmpi-dev")
elseif(NOT HDF5_IS_PARALLEL)
  tailrace_missing_library("Parallel HDF5 (the one in ${HDF5_INCLUDE_DIRS} is serial)" "libhdf5-openmpi-dev")
endif()

find_package(ZLIB QUIET)
if(NOT ZLIB_FOUND)
  tailrace_missing_library("zlib" "zlib1g-dev")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/find_kokkos.cmake")
if(NOT Kokkos_FOUND)
  tailrace_missing_library("Kokkos" "libkokkos-dev (Debian 12 has none: scripts/setup builds it)")
elseif(NOT tailrace_kokkos_parallel AND NOT TAILRACE_ALLOW_SERIAL)
  string(APPEND tailrace_missing "\n  Kokkos in ${Kokkos_DIR} has no parallel backend (${Kokkos_DEVICES}): run scripts/setup, which builds one with OpenMP, or give -DTAILRACE_ALLOW_SERIAL=ON")
endif()

find_package(yaml-cpp CONFIG QUIET)
if(NOT yaml-cpp_FOUND)
  tailrace_missing_library("yaml-cpp" "libyaml-cpp-dev")
elseif(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp INTERFACE IMPORTED GLOBAL) # before yaml-cpp 0.8
  target_link_libraries(yaml-cpp::yaml-cpp INTERFACE yaml-cpp)
endif()

find_package(fmt CONFIG QUIET)
if(NOT fmt_FOUND)
  tailrace_missing_library("fmt" "libfmt-dev")
endif()

find_package(CLI11 CONFIG QUIET)
if(NOT CLI11_FOUND)
  tailrace_missing_library("CLI11" "libcli11-dev")
endif()

find_package(nlohmann_json 3 CONFIG QUIET)
if(NOT nlohmann_json_FOUND)
  tailrace_missing_library("nlohmann_json" "nlohmann-json3-dev")
endif()

# METIS brings no package description of its own.
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)
if(NOT METIS_INCLUDE_DIR OR NOT METIS_LIBRARY)
  tailrace_missing_library("METIS" "libmetis-dev")
elseif(NOT TARGET METIS::METIS)
  add_library(METIS::METIS UNKNOWN IMPORTED GLOBAL)
  set_target_properties(METIS::METIS PROPERTIES IMPORTED_LOCATION "${METIS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${METIS_INCLUDE_DIR}")
endif()
