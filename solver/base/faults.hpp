// SPDX-License-Identifier: Apache-2.0
// A collection of the faults of an input, so that all of them are reported together.
#pragma once

#include <string>
#include <vector>

#include "solver/base/errors.hpp"

namespace tailrace {

/// The faults found so far. Each is one line: "file:line:column: key: what is wrong; what is
/// allowed".
class Faults {
 public:
  void add(const Mark& mark, const std::string& key, const std::string& message);
  bool empty() const { return faults_.empty(); }
  std::size_t size() const { return faults_.size(); }
  /// All faults sorted by place, at most `most` of them and then how many more there are.
  std::string text(std::size_t most = 50) const;
  /// Throws InputError(text()) when there are any.
  void throw_if_any() const;

 private:
  struct Fault {
    Mark mark;
    std::string line;
  };
  std::vector<Fault> faults_;
};

}  // namespace tailrace
