// SPDX-License-Identifier: Apache-2.0
// The summary of a run for machines: JSON with the names and units of solver/summary.hpp.
#pragma once

#include <string>

#include "solver/summary.hpp"

namespace tailrace {

/// An object with tailrace_version, git_hash and command, then every field of RunSummary under its
/// own name, nested as there; numbers that are not finite become null. Ends with a newline. Text
/// that is not UTF-8 keeps its valid part.
std::string summary_json(const RunSummary& summary, const std::string& command);

}  // namespace tailrace
