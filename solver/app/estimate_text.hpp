// SPDX-License-Identifier: Apache-2.0
// What a run would be, as text for people: what `tailrace run --dry-run` prints.
#pragma once

#include <string>

#include "solver/simulation.hpp"

namespace tailrace {

/// What the estimate's text names besides the estimate itself.
struct EstimateContext {
  std::string deck_path;
  std::string output_path;  ///< "": no file would be written
  std::string version;      ///< "Tailrace 0.1.0 (1a2b3c4)"
};

std::string estimate_text(const Estimate& estimate, const EstimateContext& context);

}  // namespace tailrace
