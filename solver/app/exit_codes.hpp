// SPDX-License-Identifier: Apache-2.0
// What the program's exit code tells.
#pragma once

namespace tailrace {

inline constexpr int exit_done = 0;
inline constexpr int exit_different = 1;  ///< `tailrace diff`: the runs differ
inline constexpr int exit_failed = 1;     ///< our fault, or the machine's
inline constexpr int exit_input = 2;      ///< the command line, a deck or a file is wrong
inline constexpr int exit_stopped = 3;    ///< by a signal, or by the wall-clock limit

}  // namespace tailrace
