// SPDX-License-Identifier: Apache-2.0
// How far a run is: one rewritten line on a terminal, log lines with time stamps in a batch file.
#pragma once

#include <cstdio>
#include <ctime>
#include <optional>
#include <string>

#include "solver/simulation.hpp"

namespace tailrace {

/// Percent of the payload delivered, simulated time, steps per second; no newline.
std::string progress_text(const Progress& progress);

/// Wall seconds still needed: by the payload's pace since `first`, but no more than the time limit
/// leaves; nothing while too little is known.
std::optional<double> remaining_wall_s(const Progress& first, const Progress& now);

/// Rewrites one line for each report on a terminal. Elsewhere writes whole lines: the first after
/// 5 s, then every 30 s, after an hour every 5 min.
class ProgressReporter {
 public:
  /// `stream` stays the caller's.
  ProgressReporter(std::FILE* stream, bool is_terminal)
      : stream_(stream), is_terminal_(is_terminal) {}
  ~ProgressReporter() { finish(); }
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  /// `now`: the time of day, for stamps and the expected end.
  void report(const Progress& progress, std::time_t now);
  /// Clears the terminal's line, so that what follows starts on an empty one.
  void finish();

 private:
  void rewrite_line(const Progress& progress, std::time_t now);
  void write_log_line(const Progress& progress, std::time_t now);
  void write(const std::string& text);

  std::FILE* stream_;
  bool is_terminal_;
  bool has_line_ = false;
  std::optional<Progress> first_;
  double next_log_wall_s_ = 5;  // since the first report
};

/// Does what this process writes to stderr reach a terminal? Open MPI's mpirun passes it on through
/// a pipe: then what counts is where mpirun's own goes.
bool stderr_is_terminal();

}  // namespace tailrace
