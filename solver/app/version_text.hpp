// SPDX-License-Identifier: Apache-2.0
// Which Tailrace this is and what it runs with.
#pragma once

#include <string>

namespace tailrace {

/// "Tailrace 0.1.0 (1a2b3c4d5e6f)".
std::string program_version();

/// One line each for program, Kokkos with its backend, MPI and HDF5. Kokkos and MPI must run.
std::string version_text();

}  // namespace tailrace
