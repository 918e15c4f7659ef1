// SPDX-License-Identifier: Apache-2.0
// Pattern `uniform`: Poisson messages to random others, made again from the seed whenever needed.
#include <algorithm>
#include <atomic>

#include "models/random.hpp"
#include "models/workload/patterns.hpp"
#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

/// What one endpoint sends, by peer and time.
struct SourceSchedule {
  struct Message {
    std::int32_t peer;
    double start_ns;
  };
  std::vector<Message> messages;
  std::vector<std::size_t> first;  ///< of each peer that gets any, and the end: [peers + 1]
};

std::atomic<std::uint64_t> next_instance{1};

class Uniform final : public Workload {
 public:
  Uniform(const PatternInput& input, const UniformInput& uniform);
  std::int64_t flow_count() const override { return first_flow_.back(); }
  FlowSpec flow(FlowId id) const override;
  void messages(FlowId id, std::vector<MessageSpec>& messages) const override;
  WorkloadSize size() const override {
    return {flow_count(), message_count_, static_cast<double>(message_count_) * input_.bytes};
  }

 private:
  void generate(std::int32_t source, SourceSchedule& schedule) const;
  std::vector<std::int32_t> choose_peers(std::int32_t source, Random& random) const;
  std::int32_t source_of(FlowId id) const;
  const SourceSchedule& cached(std::int32_t source) const;

  const PatternInput input_;
  const UniformInput uniform_;
  const std::uint64_t instance_ = next_instance++;
  std::vector<std::int64_t> first_flow_;  // [endpoint_count + 1]
  std::int64_t message_count_ = 0;
};

Uniform::Uniform(const PatternInput& input, const UniformInput& uniform)
    : input_(input), uniform_(uniform) {
  TAILRACE_REQUIRE(uniform.peers >= 0 && uniform.peers < input.endpoint_count, "peers");
  TAILRACE_REQUIRE(uniform.mean_gap_ns.size() == static_cast<std::size_t>(input.endpoint_count),
                   "one mean gap per endpoint");
  SourceSchedule schedule;
  first_flow_.push_back(0);
  for (std::int32_t source = 0; source < input.endpoint_count; ++source) {
    generate(source, schedule);
    message_count_ += static_cast<std::int64_t>(schedule.messages.size());
    first_flow_.push_back(first_flow_.back() + static_cast<std::int64_t>(schedule.first.size()) -
                          1);
  }
  if (message_count_ == 0) {
    throw InputError(
        "not one message starts within workload.duration at this load; make the duration longer, "
        "the load higher or the messages smaller");
  }
}

/// The endpoints that `source` may send to; empty when that is all others.
std::vector<std::int32_t> Uniform::choose_peers(std::int32_t source, Random& random) const {
  const std::int32_t others = input_.endpoint_count - 1;
  std::vector<std::int32_t> peers;
  if (uniform_.peers == 0 || uniform_.peers == others) return peers;
  // Floyd's sampling: every subset is equally likely, one draw per member.
  std::vector<bool> taken(static_cast<std::size_t>(others), false);
  for (std::int32_t last = others - uniform_.peers; last < others; ++last) {
    auto pick = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(last) + 1));
    if (taken[static_cast<std::size_t>(pick)]) pick = last;
    taken[static_cast<std::size_t>(pick)] = true;
    peers.push_back(pick + (pick >= source ? 1 : 0));
  }
  return peers;
}

void Uniform::generate(std::int32_t source, SourceSchedule& schedule) const {
  Random random(uniform_.seed, static_cast<std::uint64_t>(source));
  const std::vector<std::int32_t> peers = choose_peers(source, random);
  const auto choices =
      peers.empty() ? static_cast<std::uint64_t>(input_.endpoint_count) - 1 : peers.size();
  const double mean_gap_ns = uniform_.mean_gap_ns[static_cast<std::size_t>(source)];
  schedule.messages.clear();
  for (double t = random.exponential(mean_gap_ns); t < uniform_.duration_ns;
       t += random.exponential(mean_gap_ns)) {
    const auto pick = static_cast<std::int32_t>(random.below(choices));
    const std::int32_t peer =
        peers.empty() ? pick + (pick >= source ? 1 : 0) : peers[static_cast<std::size_t>(pick)];
    schedule.messages.push_back({peer, input_.start_ns + t});
  }
  std::stable_sort(schedule.messages.begin(), schedule.messages.end(),
                   [](const auto& a, const auto& b) { return a.peer < b.peer; });
  schedule.first.clear();
  for (std::size_t i = 0; i < schedule.messages.size(); ++i) {
    if (i == 0 || schedule.messages[i].peer != schedule.messages[i - 1].peer) {
      schedule.first.push_back(i);
    }
  }
  schedule.first.push_back(schedule.messages.size());
}

std::int32_t Uniform::source_of(FlowId id) const {
  TAILRACE_REQUIRE(id.value >= 0 && id.value < flow_count(), "no such flow");
  const auto after = std::upper_bound(first_flow_.begin(), first_flow_.end(), id.value);
  return static_cast<std::int32_t>(after - first_flow_.begin()) - 1;
}

/// Flows are asked for one after the other as a rule, so each thread keeps the source that it
/// asked for last.
const SourceSchedule& Uniform::cached(std::int32_t source) const {
  thread_local std::uint64_t cached_instance = 0;
  thread_local std::int32_t cached_source = -1;
  thread_local SourceSchedule schedule;
  if (cached_instance != instance_ || cached_source != source) {
    generate(source, schedule);
    cached_instance = instance_;
    cached_source = source;
  }
  return schedule;
}

FlowSpec Uniform::flow(FlowId id) const {
  const std::int32_t source = source_of(id);
  const SourceSchedule& schedule = cached(source);
  const auto k = static_cast<std::size_t>(id.value - first_flow_[static_cast<std::size_t>(source)]);
  FlowSpec spec;
  spec.source = NodeId{source};
  spec.target = NodeId{schedule.messages[schedule.first[k]].peer};
  spec.traffic_class = input_.traffic_class;
  return spec;
}

void Uniform::messages(FlowId id, std::vector<MessageSpec>& messages) const {
  const std::int32_t source = source_of(id);
  const SourceSchedule& schedule = cached(source);
  const auto k = static_cast<std::size_t>(id.value - first_flow_[static_cast<std::size_t>(source)]);
  messages.clear();
  for (std::size_t i = schedule.first[k]; i < schedule.first[k + 1]; ++i) {
    messages.push_back({input_.bytes, schedule.messages[i].start_ns, -1});
  }
}

}  // namespace

std::unique_ptr<Workload> make_uniform(const PatternInput& input, const UniformInput& uniform) {
  return std::make_unique<Uniform>(input, uniform);
}

}  // namespace tailrace
