// SPDX-License-Identifier: Apache-2.0
// How a failure travels between ranks: as one letter for its kind, and its text.
#include "solver/comm/attempt.hpp"

#include <new>

#include "solver/base/errors.hpp"

namespace tailrace {

namespace {
constexpr char input_kind = 'i';
constexpr char machine_kind = 'm';
}  // namespace

void Attempt::note(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    error_ = input_kind + std::string(error.what());
  } catch (const std::bad_alloc&) {
    error_ = machine_kind + std::string("out of memory");
  } catch (const std::exception& error) {
    error_ = machine_kind + std::string(error.what());
  }
}

void Attempt::settle(const Communicator& communicator) const {
  const std::string first = communicator.first_error(error_);
  if (first.empty()) return;
  if (first.front() == input_kind) throw InputError(first.substr(1));
  throw TailraceError(first.substr(1));
}

}  // namespace tailrace
