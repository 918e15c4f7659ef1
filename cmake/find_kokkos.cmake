# SPDX-License-Identifier: Apache-2.0
# Finds Kokkos: first where the user says (Kokkos_ROOT, CMAKE_PREFIX_PATH), then where scripts/setup puts it, then in the
# system. Sets Kokkos_FOUND, and tailrace_kokkos_parallel: its parallel backends, empty for one with Serial only.

set(_deps "$ENV{TAILRACE_DEPS}")
if(NOT _deps AND DEFINED ENV{HOME})
  set(_deps "$ENV{HOME}/.local/share/tailrace")
endif()
file(GLOB _kokkos_prefixes "${_deps}/kokkos-*")
list(SORT _kokkos_prefixes COMPARE NATURAL ORDER DESCENDING)
find_package(Kokkos 3.4 CONFIG QUIET HINTS ${_kokkos_prefixes})

set(tailrace_kokkos_parallel "")
if(Kokkos_FOUND)
  foreach(_device IN LISTS Kokkos_DEVICES)
    string(TOUPPER "${_device}" _device)
    if(_device MATCHES "^(OPENMP|THREADS|CUDA|HIP|SYCL|HPX|OPENMPTARGET|OPENACC)$")
      list(APPEND tailrace_kokkos_parallel "${_device}")
    endif()
  endforeach()
endif()
