// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same with every compiler, standard library, rank and thread.
#pragma once

#include <cmath>
#include <cstdint>

#include "solver/base/mix64.hpp"

namespace tailrace {

/// xoshiro256** (Blackman, Vigna: "Scrambled linear pseudorandom number generators", ACM TOMS 47,
/// 2021). A `stream` (an endpoint's number, say) gives a sequence of its own under the same seed,
/// so that whoever needs it can make it again without drawing what others draw.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t word = mix64(seed) ^ mix64(~stream);
    for (std::uint64_t& s : state_) s = word = mix64(word);
  }

  /// 64 random bits.
  std::uint64_t next() {
    const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate_left(state_[3], 45);
    return result;
  }

  /// Uniform over 0 .. n-1, without bias; n >= 1.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t unusable = (0 - n) % n;  // 2^64 mod n: these would favour small results
    std::uint64_t bits = next();
    while (bits < unusable) bits = next();
    return bits % n;
  }

  /// Uniform over [0, 1): a multiple of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// Exponentially distributed with the given mean: the gaps of a Poisson process.
  double exponential(double mean) { return -mean * std::log1p(-unit()); }

 private:
  static constexpr std::uint64_t rotate_left(std::uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
  }
  std::uint64_t state_[4];
};

}  // namespace tailrace
