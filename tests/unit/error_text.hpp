// SPDX-License-Identifier: Apache-2.0
// The text of the InputError that a call throws, for tests of what users are told.
#pragma once

#include <string>

#include "solver/base/errors.hpp"

namespace tailrace {

/// what() of the InputError; "no error" when none is thrown.
template <class Call>
std::string input_error_text(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tailrace
