// SPDX-License-Identifier: Apache-2.0
// Workload `pattern`: who sends to whom by a rule, computed flow by flow instead of stored.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/workload/workload.hpp"

namespace tailrace {

/// What all patterns have. Endpoints are the nodes 0 .. endpoint_count-1.
struct PatternInput {
  std::int32_t endpoint_count = 0;  ///< at least 2
  double bytes = 0;                 ///< payload per message, whole, at least 1
  double start_ns = 0;
  std::int32_t traffic_class = 0;
};

/// `permutation`: every endpoint sends one message to one other and receives one; all such
/// assignments are equally likely. Shuffles (Fisher and Yates) with Random(seed) until nobody sends
/// to itself: e = 2.7 shuffles on average. Flow i leaves endpoint i.
std::unique_ptr<Workload> make_permutation(const PatternInput& input, std::uint64_t seed);

/// The permutation itself: target of each endpoint.
std::vector<std::int32_t> random_derangement(std::int32_t count, std::uint64_t seed);

/// `incast`: the `senders` endpoints that follow `target` (the first follows the last) send it one
/// message each. Flow i leaves endpoint target + 1 + i. 1 <= senders < endpoint_count.
std::unique_ptr<Workload> make_incast(const PatternInput& input, NodeId target,
                                      std::int32_t senders);

/// `shift`: endpoint i sends one message to endpoint i + distance, around the end. Flow i leaves
/// endpoint i. 1 <= distance < endpoint_count.
std::unique_ptr<Workload> make_shift(const PatternInput& input, std::int32_t distance);

/// `all_to_all`: in every group, each member sends one message to each other member. Blocks of
/// size * stride endpoints hold `stride` groups each: member m of group k of block b is endpoint
/// b * size * stride + k + stride * m. A source's flows go to the members after it, nearest first
/// (m+1, m+2, ..., around), so that not all begin with member 0. Flows are numbered source by
/// source. 2 <= size, and size * stride divides endpoint_count.
std::unique_ptr<Workload> make_group_all_to_all(const PatternInput& input, std::int32_t size,
                                                std::int32_t stride);

/// Parameters of `uniform`.
struct UniformInput {
  std::uint64_t seed = 1;
  std::int32_t peers = 0;           ///< number of others that an endpoint sends to; 0: all others
  double duration_ns = 0;           ///< messages start in [start, start + duration)
  std::vector<double> mean_gap_ns;  ///< mean time between an endpoint's messages, [endpoint_count]
};

/// `uniform`: every endpoint sends messages to others chosen at random for each message, at the
/// times of a Poisson process. With `peers`, each endpoint first chooses that many others at
/// random. A flow is a pair with at least one message.
/// An endpoint's messages come from Random(seed, endpoint), so no list of messages is held. Throws
/// InputError when not one message falls into the duration.
std::unique_ptr<Workload> make_uniform(const PatternInput& input, const UniformInput& uniform);

}  // namespace tailrace
