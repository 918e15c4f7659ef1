// SPDX-License-Identifier: Apache-2.0
// Values of all ranks on all ranks, of any type that may be copied byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "solver/comm/communicator.hpp"

namespace tailrace {

/// Every rank's values on every rank, by rank. Collective.
template <class T>
std::vector<T> gather_values(const std::vector<T>& own, const Communicator& communicator) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::byte> bytes(own.size() * sizeof(T));
  if (!own.empty()) {
    std::memcpy(bytes.data(), own.data(), bytes.size());
  }
  std::vector<std::int64_t> counts;
  const std::vector<std::byte> all_bytes = communicator.all_gather(bytes, counts);
  std::vector<T> all(all_bytes.size() / sizeof(T));
  if (!all.empty()) {
    std::memcpy(static_cast<void*>(all.data()), all_bytes.data(), all_bytes.size());
  }
  return all;
}

}  // namespace tailrace
