// SPDX-License-Identifier: Apache-2.0
// The summary of a run as text for people: what `tailrace run` prints at its end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/summary.hpp"

namespace tailrace {

/// Groups and collectives beyond this number are left out of the text, with a note.
inline constexpr std::size_t summary_rows_max = 20;

/// What the summary's text names besides the run's own figures.
struct SummaryContext {
  std::string deck_path;
  std::string output_path;  ///< "": no file was written
  std::string version;      ///< "Tailrace 0.1.0 (1a2b3c4)"
};

/// The whole text; every line is at most page_columns wide.
std::string summary_text(const RunSummary& summary, const SummaryContext& context);

/// Warnings as a section of a text, with its heading; "" when there are none.
std::string warnings_text(const std::vector<std::string>& warnings);

}  // namespace tailrace
