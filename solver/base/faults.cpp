// SPDX-License-Identifier: Apache-2.0
// Sorting and joining of faults into one message.
#include "solver/base/faults.hpp"

#include <algorithm>
#include <tuple>

namespace tailrace {

void Faults::add(const Mark& mark, const std::string& key, const std::string& message) {
  std::string line = mark.text();
  if (!line.empty()) line += ": ";
  if (!key.empty()) line += key + ": ";
  faults_.push_back({mark, line + message});
}

std::string Faults::text(std::size_t most) const {
  std::vector<const Fault*> sorted;
  for (const Fault& fault : faults_) sorted.push_back(&fault);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Fault* a, const Fault* b) {
    return std::tie(a->mark.file, a->mark.line, a->mark.column) <
           std::tie(b->mark.file, b->mark.line, b->mark.column);
  });
  std::string result;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) {
    if (i > 0) result += "\n";
    result += sorted[i]->line;
  }
  if (sorted.size() > most) {
    result += "\nand " + std::to_string(sorted.size() - most) + " more faults";
  }
  return result;
}

void Faults::throw_if_any() const {
  if (!empty()) throw InputError(text());
}

}  // namespace tailrace
