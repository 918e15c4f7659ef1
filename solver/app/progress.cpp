// SPDX-License-Identifier: Apache-2.0
// How far a run is: one rewritten line on a terminal, log lines with time stamps in a batch file.
#include "solver/app/progress.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "solver/app/quantity_text.hpp"
#include "solver/app/text_table.hpp"

namespace tailrace {

namespace {

constexpr double log_interval_s = 30;
constexpr double long_log_interval_s = 300;
constexpr double long_run_s = 3600;
constexpr std::size_t terminal_columns = 79;  // what the narrowest usual terminal shows

// "14:05:10", with the date when it is not today.
std::string end_text(std::time_t now, double remaining_s) {
  const std::time_t end = now + static_cast<std::time_t>(std::llround(remaining_s));
  const std::tm today = fmt::localtime(now), day = fmt::localtime(end);
  const bool is_today = today.tm_year == day.tm_year && today.tm_yday == day.tm_yday;
  return is_today ? fmt::format("{:%H:%M:%S}", day) : fmt::format("{:%Y-%m-%d %H:%M}", day);
}

}  // namespace

std::string progress_text(const Progress& progress) {
  return fmt::format("{:5.1f} % delivered, {} simulated, {} steps/s",
                     100 * progress.payload_done_frac, time_text(progress.simulated_ns),
                     large_count_text(progress.steps_per_s));
}

std::optional<double> remaining_wall_s(const Progress& first, const Progress& now) {
  constexpr double least_progress = 0.002;  // of the whole, before a pace means anything
  const double elapsed_s = now.wall_s - first.wall_s;
  if (elapsed_s <= 0) return std::nullopt;
  std::optional<double> remaining_s;
  const auto consider = [&](double done, double all, double done_at_first) {
    if (!(all > 0) || done - done_at_first < least_progress * all) return;
    const double candidate = elapsed_s * std::max(0.0, all - done) / (done - done_at_first);
    remaining_s = std::min(remaining_s.value_or(candidate), candidate);
  };
  consider(now.payload_done_frac, 1, first.payload_done_frac);
  consider(now.simulated_ns, now.time_limit_ns, first.simulated_ns);
  return remaining_s;
}

void ProgressReporter::report(const Progress& progress, std::time_t now) {
  if (!first_) first_ = progress;
  if (is_terminal_) {
    rewrite_line(progress, now);
  } else if (progress.wall_s - first_->wall_s >= next_log_wall_s_) {
    write_log_line(progress, now);
    const double elapsed_s = progress.wall_s - first_->wall_s;
    next_log_wall_s_ = elapsed_s + (elapsed_s < long_run_s ? log_interval_s : long_log_interval_s);
  }
}

void ProgressReporter::rewrite_line(const Progress& progress, std::time_t now) {
  std::string line = progress_text(progress);
  if (const auto remaining_s = remaining_wall_s(*first_, progress)) {
    line += fmt::format(", {} left", wall_text(*remaining_s));
    if (*remaining_s >= 60) line += " (" + end_text(now, *remaining_s) + ")";
  }
  write("\r" + shortened(line, terminal_columns) + "\x1b[K");
  has_line_ = true;
}

void ProgressReporter::write_log_line(const Progress& progress, std::time_t now) {
  const auto remaining_s = remaining_wall_s(*first_, progress);
  const std::string end =
      remaining_s ? fmt::format("{} (in {})", end_text(now, *remaining_s), wall_text(*remaining_s))
                  : "not known yet";
  write(fmt::format("{:%Y-%m-%d %H:%M:%S} {}, expected end {}\n", fmt::localtime(now),
                    progress_text(progress), end));
}

void ProgressReporter::finish() {
  if (!has_line_) return;
  write("\r\x1b[K");
  has_line_ = false;
}

void ProgressReporter::write(const std::string& text) {
  std::fputs(text.c_str(), stream_);  // a run goes on although nobody can read how far it is
  std::fflush(stream_);
}

bool stderr_is_terminal() {
  if (isatty(STDERR_FILENO)) return true;
  if (!std::getenv("OMPI_COMM_WORLD_SIZE")) return false;
  const std::string path = fmt::format("/proc/{}/fd/2", getppid());
  const int descriptor = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_terminal = isatty(descriptor) != 0;
  close(descriptor);
  return is_terminal;
}

}  // namespace tailrace
