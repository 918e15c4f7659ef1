// SPDX-License-Identifier: Apache-2.0
// The command line: its commands, their options and help, and which function each runs.
#pragma once

#include "solver/comm/communicator.hpp"

namespace tailrace {

/// Reads the command line and runs its command. Collective; text for the user goes to stdout on
/// rank 0. Returns the exit code. Throws InputError and TailraceError on all ranks alike, and
/// CLI11's CLI::ParseError for options that lack their value.
int run_command_line(int argc, char** argv, const Communicator& communicator);

}  // namespace tailrace
