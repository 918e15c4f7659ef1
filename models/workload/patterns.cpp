// SPDX-License-Identifier: Apache-2.0
// The patterns that send one message per flow: permutation, incast, shift, all-to-all in groups.
#include "models/workload/patterns.hpp"

#include <numeric>
#include <tuple>
#include <utility>

#include "models/random.hpp"
#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

/// One message per flow, all alike; a pattern says who the ends of flow i are.
class PatternWorkload : public Workload {
 public:
  PatternWorkload(const PatternInput& input, std::int64_t flows) : input_(input), flows_(flows) {
    TAILRACE_REQUIRE(input.endpoint_count >= 2, "a pattern needs two endpoints");
    TAILRACE_REQUIRE(input.bytes >= 1, "a message has at least one byte");
  }
  std::int64_t flow_count() const final { return flows_; }
  FlowSpec flow(FlowId id) const final {
    TAILRACE_REQUIRE(id.value >= 0 && id.value < flows_, "no such flow");
    FlowSpec spec;
    std::tie(spec.source, spec.target) = ends(id.value);
    spec.traffic_class = input_.traffic_class;
    return spec;
  }
  void messages(FlowId, std::vector<MessageSpec>& messages) const final {
    messages.assign(1, {input_.bytes, input_.start_ns, -1});
  }
  WorkloadSize size() const final {
    return {flows_, flows_, static_cast<double>(flows_) * input_.bytes};
  }

 protected:
  virtual std::pair<NodeId, NodeId> ends(std::int64_t flow) const = 0;
  const PatternInput input_;

 private:
  const std::int64_t flows_;
};

NodeId node(std::int64_t value) { return NodeId{static_cast<std::int32_t>(value)}; }

class Permutation final : public PatternWorkload {
 public:
  Permutation(const PatternInput& input, std::uint64_t seed)
      : PatternWorkload(input, input.endpoint_count),
        target_(random_derangement(input.endpoint_count, seed)) {}

 private:
  std::pair<NodeId, NodeId> ends(std::int64_t flow) const override {
    return {node(flow), node(target_[static_cast<std::size_t>(flow)])};
  }
  std::vector<std::int32_t> target_;
};

class Incast final : public PatternWorkload {
 public:
  Incast(const PatternInput& input, NodeId target, std::int32_t senders)
      : PatternWorkload(input, senders), target_(target) {
    TAILRACE_REQUIRE(senders >= 1 && senders < input.endpoint_count, "senders out of range");
  }

 private:
  std::pair<NodeId, NodeId> ends(std::int64_t flow) const override {
    return {node((target_.value + 1 + flow) % input_.endpoint_count), target_};
  }
  NodeId target_;
};

class Shift final : public PatternWorkload {
 public:
  Shift(const PatternInput& input, std::int32_t distance)
      : PatternWorkload(input, input.endpoint_count), distance_(distance) {
    TAILRACE_REQUIRE(distance >= 1 && distance < input.endpoint_count, "distance out of range");
  }

 private:
  std::pair<NodeId, NodeId> ends(std::int64_t flow) const override {
    return {node(flow), node((flow + distance_) % input_.endpoint_count)};
  }
  std::int64_t distance_;
};

class GroupAllToAll final : public PatternWorkload {
 public:
  GroupAllToAll(const PatternInput& input, std::int32_t size, std::int32_t stride)
      : PatternWorkload(input, std::int64_t{input.endpoint_count} * (size - 1)),
        size_(size),
        stride_(stride) {
    TAILRACE_REQUIRE(size >= 2 && stride >= 1 && input.endpoint_count % (size_ * stride_) == 0,
                     "groups do not tile the endpoints");
  }

 private:
  std::pair<NodeId, NodeId> ends(std::int64_t flow) const override {
    const std::int64_t source = flow / (size_ - 1);
    const std::int64_t step = 1 + flow % (size_ - 1);
    const std::int64_t in_block = source % (size_ * stride_);
    const std::int64_t member = in_block / stride_;
    const std::int64_t first_member = source - member * stride_;
    return {node(source), node(first_member + (member + step) % size_ * stride_)};
  }
  std::int64_t size_, stride_;
};

}  // namespace

std::vector<std::int32_t> random_derangement(std::int32_t count, std::uint64_t seed) {
  TAILRACE_REQUIRE(count >= 2, "one endpoint can only send to itself");
  Random random(seed);
  std::vector<std::int32_t> target(static_cast<std::size_t>(count));
  std::iota(target.begin(), target.end(), 0);
  for (bool again = true; again;) {
    for (std::size_t i = target.size() - 1; i > 0; --i) {
      std::swap(target[i], target[static_cast<std::size_t>(random.below(i + 1))]);
    }
    again = false;
    for (std::size_t i = 0; i < target.size() && !again; ++i) {
      again = target[i] == static_cast<std::int32_t>(i);
    }
  }
  return target;
}

std::unique_ptr<Workload> make_permutation(const PatternInput& input, std::uint64_t seed) {
  return std::make_unique<Permutation>(input, seed);
}

std::unique_ptr<Workload> make_incast(const PatternInput& input, NodeId target,
                                      std::int32_t senders) {
  return std::make_unique<Incast>(input, target, senders);
}

std::unique_ptr<Workload> make_shift(const PatternInput& input, std::int32_t distance) {
  return std::make_unique<Shift>(input, distance);
}

std::unique_ptr<Workload> make_group_all_to_all(const PatternInput& input, std::int32_t size,
                                                std::int32_t stride) {
  return std::make_unique<GroupAllToAll>(input, size, stride);
}

}  // namespace tailrace
