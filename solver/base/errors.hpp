// SPDX-License-Identifier: Apache-2.0
// The two exceptions of the project and the check that throws ours.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace tailrace {

/// Where something stands in a deck. Lines and columns count from 1; 0 means unknown.
struct Mark {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text() const;  ///< "file:line:column", or what of it is known
};

/// The user's fault: exit code 2. what() holds one line per fault, each complete in itself.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  InputError(const Mark& mark, const std::string& message);
};

/// Our fault, or the machine's: exit code 1.
class TailraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void throw_requirement(const char* condition, const char* file, int line,
                                    const std::string& message);

}  // namespace tailrace

/// Throws TailraceError with file, line and message when `condition` does not hold.
#define TAILRACE_REQUIRE(condition, message)                                    \
  do {                                                                          \
    if (!(condition)) {                                                         \
      ::tailrace::throw_requirement(#condition, __FILE__, __LINE__, (message)); \
    }                                                                           \
  } while (false)
