// SPDX-License-Identifier: Apache-2.0
// Which Tailrace this is and what it runs with.
#include "solver/app/version_text.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>

#include "solver/comm/job.hpp"
#include "solver/io/hdf5_version.hpp"
#include "tailrace_version.hpp"

namespace tailrace {

std::string program_version() { return fmt::format("Tailrace {} ({})", project_version, git_hash); }

std::string version_text() {
  return fmt::format(
      "Tailrace {} (git {}, {} build)\n"
      "Kokkos   {}.{}.{}, backend {}\n"
      "MPI      {}\n"
      "HDF5     {}\n",
      project_version, git_hash, build_type, KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
      KOKKOS_VERSION % 100, Kokkos::DefaultExecutionSpace::name(), mpi_library_version(),
      hdf5_version());
}

}  // namespace tailrace
