// SPDX-License-Identifier: Apache-2.0
// The ranks of the job: a thin, checked wrapper around MPI that shows no MPI type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/base/ids.hpp"

namespace tailrace {

/// All ranks of the run. Every call but rank() and size() is collective and checks MPI's result
/// (TailraceError). world() is collective too: it makes a communicator of our own, so that no
/// message of a library can be taken for one of ours; copies share it. Reductions on doubles are
/// only for figures of merit and maxima (no NaN: its place in the order would matter); sums that go
/// into physics datasets are done on integers, so that they do not depend on the rank count.
class Communicator {
 public:
  static Communicator world();
  Rank rank() const;
  Rank size() const;
  bool is_root() const { return rank() == 0; }

  std::int64_t sum(std::int64_t value) const;
  std::int64_t max(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  double sum(double value) const;
  double max(double value) const;
  double min(double value) const;
  void sum_in_place(std::vector<std::int64_t>& values) const;
  void max_in_place(std::vector<double>& values) const;
  std::int64_t exclusive_scan_sum(std::int64_t value) const;
  bool any(bool value) const;
  void barrier() const;
  std::string broadcast(const std::string& text, Rank root = 0) const;

  /// Every rank's bytes, concatenated by rank, on every rank (`counts[r]` bytes from rank r).
  std::vector<std::byte> all_gather(const std::vector<std::byte>& bytes,
                                    std::vector<std::int64_t>& counts) const;
  /// send[r] goes to rank r; returns what came from each rank. Sizes need not be known before.
  /// What a rank sends to itself is moved, not copied, out of a temporary.
  std::vector<std::vector<std::byte>> all_to_all(std::vector<std::vector<std::byte>>&& send) const;
  std::vector<std::vector<std::byte>> all_to_all(
      const std::vector<std::vector<std::byte>>& send) const;

  /// Every rank's bytes on `root`, one list per rank; nothing on the others.
  std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes,
                                             Rank root = 0) const;

  /// Every rank's `error` text ("" for none): the first non-empty one by rank, on every rank. Lets
  /// one rank's failure become an exception on all, so that nobody hangs.
  std::string first_error(const std::string& error) const;

 private:
  struct Native;
  std::shared_ptr<const Native> native_;
  friend struct NativeAccess;  ///< solver/comm/native.hpp: the MPI_Comm, for solver/io
};

}  // namespace tailrace
