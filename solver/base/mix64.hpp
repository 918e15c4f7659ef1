// SPDX-License-Identifier: Apache-2.0
// The mixing of 64 bits that seeds, streams and route hashes share.
#pragma once

#include <cstdint>

namespace tailrace {

/// Finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
/// OOPSLA 2014): a bijection of 64-bit numbers in which every input bit moves every output bit.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace tailrace
