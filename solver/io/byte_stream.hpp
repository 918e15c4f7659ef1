// SPDX-License-Identifier: Apache-2.0
// Plain values as bytes, for messages between ranks of one job (same machine type on all).
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "solver/base/errors.hpp"

namespace tailrace {

class ByteWriter {
 public:
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  template <class Value>
  void put(const Value& value) {
    put_all(std::span<const Value>(&value, 1));
  }
  template <class Value>
  void put_all(std::span<const Value> values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    const auto* first = reinterpret_cast<const std::byte*>(values.data());
    bytes_.insert(bytes_.end(), first, first + values.size_bytes());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  bool at_end() const { return rest_.empty(); }
  template <class Value>
  Value get() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value;
    std::memcpy(&value, get_bytes(sizeof(Value)).data(), sizeof(Value));
    return value;
  }
  template <class Value>
  std::vector<Value> get_all(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::vector<Value> values(count);
    const auto bytes = get_bytes(count * sizeof(Value));
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::span<const std::byte> get_bytes(std::size_t count) {
    TAILRACE_REQUIRE(count <= rest_.size(), "a message between ranks is too short");
    const auto bytes = rest_.first(count);
    rest_ = rest_.subspan(count);
    return bytes;
  }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace tailrace
