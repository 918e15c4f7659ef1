// SPDX-License-Identifier: Apache-2.0
// Work that may fail on some ranks only: the failure of one becomes the same exception on all.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "solver/comm/communicator.hpp"

namespace tailrace {

/// Collects the first failure of this rank, so that it still takes part in the collective calls
/// which the others wait in, and settles with them at the end:
///
///     Attempt attempt;
///     attempt.run([&] { part that may throw; });
///     communicator.all_to_all(...);             // reached by every rank
///     attempt.run([&] { another part; });       // left out where the first one failed
///     attempt.settle(communicator);             // throws on all ranks or on none
class Attempt {
 public:
  template <class Function>
  void run(Function&& function) {
    if (failed()) return;
    try {
      std::forward<Function>(function)();
    } catch (const std::exception&) {
      note(std::current_exception());
    }
  }
  bool failed() const { return !error_.empty(); }
  /// Collective. Throws the error of the lowest rank that failed, on every rank, as InputError or
  /// TailraceError as it was thrown there (anything else becomes TailraceError).
  void settle(const Communicator& communicator) const;

 private:
  void note(const std::exception_ptr& exception);
  std::string error_;  ///< kind (one letter) and text; empty: none
};

/// Collective: an Attempt of one part.
template <class Function>
void agree(const Communicator& communicator, Function&& function) {
  Attempt attempt;
  attempt.run(std::forward<Function>(function));
  attempt.settle(communicator);
}

}  // namespace tailrace
