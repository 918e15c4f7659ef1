// SPDX-License-Identifier: Apache-2.0
// How the processes of a job start and, above all, leave together when something failed.
#pragma once

#include <string>

#include "solver/comm/communicator.hpp"

namespace tailrace {

/// Before MPI starts: keeps Open MPI from warning about what does not matter here, and from
/// starting a daemon, a network and a folder of its own for a process that is alone (the folders of
/// processes that start and end at the same time get into each other's way). What the user has set
/// stays.
void prepare_mpi();

/// Threads for each rank where the user has set no number: the processors that this process may
/// use (affinity, quota of its container), shared among the job's ranks on this machine.
/// Collective.
int default_thread_count();

/// "Open MPI 4.1.4" or the first line of what the library says of itself.
std::string mpi_library_version();

/// The way out of a failed job. Made on all ranks right after MPI's start.
class JobEnd {
 public:
  JobEnd() : communicator_(Communicator::world()) {}

  /// Called by a rank that has failed, from outside all other communication. When every rank
  /// arrives here within `patience_s`, rank 0 prints its message on stderr, once, and all return
  /// rank 0's exit code. When not, the others may be waiting for this one for ever: it prints its
  /// message and ends the whole job with its exit code.
  int leave(const std::string& message, int exit_code, double patience_s = 10) const;

 private:
  Communicator communicator_;  // used for nothing else, so that nothing stands in its way
};

}  // namespace tailrace
