// SPDX-License-Identifier: Apache-2.0
// Texts of places in decks and of failed requirements.
#include "solver/base/errors.hpp"

#include <string_view>

namespace tailrace {

namespace {

// The part of a source file's path that is the same on every machine.
std::string_view path_in_project(std::string_view path) {
  for (const std::string_view folder : {"/solver/", "/models/", "/topology/", "/tests/"}) {
    const std::size_t at = path.rfind(folder);
    if (at != std::string_view::npos) return path.substr(at + 1);
  }
  return path;
}

}  // namespace

std::string Mark::text() const {
  std::string result = file;
  if (line > 0) {
    result += ":" + std::to_string(line);
    if (column > 0) result += ":" + std::to_string(column);
  }
  return result;
}

InputError::InputError(const Mark& mark, const std::string& message)
    : std::runtime_error(mark.text().empty() ? message : mark.text() + ": " + message) {}

void throw_requirement(const char* condition, const char* file, int line,
                       const std::string& message) {
  throw TailraceError(std::string(path_in_project(file)) + ":" + std::to_string(line) + ": " +
                      message + " (required: " + condition + ")");
}

}  // namespace tailrace
