// SPDX-License-Identifier: Apache-2.0
// The MPI communicator behind a Communicator, for code under solver/comm only.
#pragma once

#include <mpi.h>

#include <string>

#include "solver/comm/communicator.hpp"

namespace tailrace {

/// Way through to MPI. The handle belongs to the Communicator (a duplicate of MPI_COMM_WORLD that
/// returns errors instead of aborting) and lives as long as any copy of it.
struct NativeAccess {
  static MPI_Comm mpi_communicator(const Communicator& communicator);
};

/// Tag of the messages inside Communicator's own calls; other messages use smaller ones.
inline constexpr int collective_tag = 32000;

/// Throws TailraceError with MPI's own text when `result` is not MPI_SUCCESS. `call` names the
/// function.
void check_mpi(int result, const char* call);

}  // namespace tailrace
