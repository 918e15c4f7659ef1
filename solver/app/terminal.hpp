// SPDX-License-Identifier: Apache-2.0
// Results on standard output: written by rank 0, and checked.
#pragma once

#include <string>

#include "solver/comm/communicator.hpp"

namespace tailrace {

/// Writes `text` to stdout on rank 0. Collective; throws TailraceError on all ranks when it could
/// not be written (a full disk, a closed stream).
void print_result(const std::string& text, const Communicator& communicator);

/// Writes `text` into the file at `path` on rank 0, whole or not at all. Collective; throws
/// TailraceError on all ranks when it could not be written.
void write_file(const std::string& path, const std::string& text, const Communicator& communicator);

/// Refuses, before any work is done, a path that no file could be written to: its folder does not
/// exist or is closed to us, or it is a folder itself. `what` names the option ("-o"). Collective;
/// throws InputError on all ranks.
void require_writable(const std::string& path, const std::string& what,
                      const Communicator& communicator);

}  // namespace tailrace
