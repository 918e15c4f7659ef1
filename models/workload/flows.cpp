// SPDX-License-Identifier: Apache-2.0
// Merges the entries of a flow list into blocks of flows and finds a flow's block by its number.
#include "models/workload/flows.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

constexpr std::int64_t max_expanded_pairs = 16'000'000;

/// Messages of one entry, on every flow of a block.
struct MessageRun {
  std::size_t entry;  ///< order among messages of the same start
  double bytes, start_ns, period_ns;
  std::int64_t repeat;
  std::int32_t group;
};

/// All pairs of two ends: consecutive flows with the same messages.
struct Block {
  EndpointRef from, to;
  std::int32_t traffic_class;
  std::vector<NodeId> via;
  std::vector<MessageRun> runs;
};

using EndKey = std::pair<std::int32_t, std::int32_t>;  // group or -1, node or -1
using BlockKey = std::tuple<std::int32_t, std::vector<NodeId>, EndKey, EndKey>;

EndKey key_of(const EndpointRef& end) { return {end.group, end.group >= 0 ? -1 : end.node.value}; }

BlockKey key_of(const Block& block) {
  return {block.traffic_class, block.via, key_of(block.from), key_of(block.to)};
}

class FlowListWorkload final : public Workload {
 public:
  explicit FlowListWorkload(FlowList list);
  std::int64_t flow_count() const override { return first_flow_.back(); }
  FlowSpec flow(FlowId id) const override;
  void messages(FlowId id, std::vector<MessageSpec>& messages) const override;
  WorkloadSize size() const override;
  std::vector<std::string> groups() const override { return labels_; }

 private:
  std::vector<Block> merge_entries(const std::vector<FlowEntry>& entries);
  std::vector<Block> separate_overlaps(std::vector<Block> blocks) const;
  std::int64_t pair_count(const Block& block) const;
  std::pair<NodeId, NodeId> pair(const Block& block, std::int64_t index) const;
  std::size_t block_of(FlowId id) const;
  std::int64_t end_size(const EndpointRef& end) const;
  NodeId member(const EndpointRef& end, std::int64_t index) const;
  std::int64_t position(const EndpointRef& set, NodeId node) const;
  EndKey widest(const EndpointRef& end) const;

  std::vector<std::vector<NodeId>> groups_;
  std::unordered_map<NodeId, std::pair<std::int32_t, std::int64_t>> membership_;  // group, position
  std::vector<std::string> labels_;
  std::vector<Block> blocks_;
  std::vector<std::int64_t> first_flow_;  // [blocks + 1]
};

FlowListWorkload::FlowListWorkload(FlowList list) : groups_(std::move(list.groups)) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t m = 0; m < groups_[g].size(); ++m) {
      const bool is_new = membership_
                              .try_emplace(groups_[g][m], static_cast<std::int32_t>(g),
                                           static_cast<std::int64_t>(m))
                              .second;
      TAILRACE_REQUIRE(is_new, "an endpoint is in two groups");
    }
  }
  blocks_ = separate_overlaps(merge_entries(list.entries));
  first_flow_.push_back(0);
  for (Block& block : blocks_) {
    std::sort(block.runs.begin(), block.runs.end(),
              [](const MessageRun& a, const MessageRun& b) { return a.entry < b.entry; });
    first_flow_.push_back(first_flow_.back() + pair_count(block));
  }
  if (flow_count() == 0) throw InputError("the workload has no flow");
}

/// Entries with the same ends, class and way points become one block.
std::vector<Block> FlowListWorkload::merge_entries(const std::vector<FlowEntry>& entries) {
  std::vector<Block> blocks;
  std::map<BlockKey, std::size_t> known;
  std::map<std::string, std::int32_t> label_index;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const FlowEntry& entry = entries[i];
    std::int32_t label = -1;
    if (!entry.group.empty()) {
      const auto [it, is_new] =
          label_index.try_emplace(entry.group, static_cast<std::int32_t>(labels_.size()));
      if (is_new) labels_.push_back(entry.group);
      label = it->second;
    }
    Block block{entry.from, entry.to, entry.traffic_class, entry.via, {}};
    const auto [it, is_new] = known.try_emplace(key_of(block), blocks.size());
    if (is_new) blocks.push_back(std::move(block));
    blocks[it->second].runs.push_back(
        {i, entry.bytes, entry.start_ns, entry.period_ns, entry.repeat, label});
  }
  return blocks;
}

/// A pair may be in several blocks only when a group's name and a member's name, or two groups'
/// names, meet on the same two ends: such blocks are replaced by their single pairs and merged.
std::vector<Block> FlowListWorkload::separate_overlaps(std::vector<Block> blocks) const {
  struct Bucket {
    int blocks = 0;
    bool has_group = false;
  };
  const auto bucket_key = [this](const Block& b) {
    return BlockKey{b.traffic_class, b.via, widest(b.from), widest(b.to)};
  };
  std::map<BlockKey, Bucket> buckets;
  for (const Block& block : blocks) {
    Bucket& bucket = buckets[bucket_key(block)];
    ++bucket.blocks;
    bucket.has_group = bucket.has_group || block.from.group >= 0 || block.to.group >= 0;
  }
  std::vector<Block> result;
  std::map<BlockKey, std::size_t> known;
  std::int64_t expanded = 0;
  for (Block& block : blocks) {
    const Bucket& bucket = buckets[bucket_key(block)];
    if (bucket.blocks == 1 || !bucket.has_group) {
      result.push_back(std::move(block));
      continue;
    }
    const std::int64_t pairs = pair_count(block);
    expanded += pairs;
    if (expanded > max_expanded_pairs) {
      throw InputError(
          "workload.flows: entries that name a group and its members on the same sides overlap in "
          "more than 16 million pairs; give them different classes, or name the group once");
    }
    for (std::int64_t k = 0; k < pairs; ++k) {
      const auto [source, target] = pair(block, k);
      Block single{{-1, source}, {-1, target}, block.traffic_class, block.via, {}};
      const auto [it, is_new] = known.try_emplace(key_of(single), result.size());
      if (is_new) result.push_back(std::move(single));
      std::vector<MessageRun>& runs = result[it->second].runs;
      runs.insert(runs.end(), block.runs.begin(), block.runs.end());
    }
  }
  return result;
}

/// The group that the end is or belongs to, or else the endpoint.
EndKey FlowListWorkload::widest(const EndpointRef& end) const {
  if (end.group >= 0) return {end.group, -1};
  const auto it = membership_.find(end.node);
  return it == membership_.end() ? EndKey{-1, end.node.value} : EndKey{it->second.first, -1};
}

std::int64_t FlowListWorkload::end_size(const EndpointRef& end) const {
  if (end.group < 0) return 1;
  return static_cast<std::int64_t>(groups_[static_cast<std::size_t>(end.group)].size());
}

NodeId FlowListWorkload::member(const EndpointRef& end, std::int64_t index) const {
  if (end.group < 0) return end.node;
  return groups_[static_cast<std::size_t>(end.group)][static_cast<std::size_t>(index)];
}

/// Where `node` stands in a set, or -1 when it is not in it.
std::int64_t FlowListWorkload::position(const EndpointRef& set, NodeId node) const {
  if (set.group < 0) return set.node == node ? 0 : -1;
  const auto it = membership_.find(node);
  return it != membership_.end() && it->second.first == set.group ? it->second.second : -1;
}

std::int64_t FlowListWorkload::pair_count(const Block& block) const {
  const std::int64_t all = end_size(block.from) * end_size(block.to);
  if (block.from.group >= 0 && block.from == block.to) return all - end_size(block.from);
  const bool from_is_smaller = block.from.group < 0;
  const EndpointRef& small = from_is_smaller ? block.from : block.to;
  const EndpointRef& large = from_is_smaller ? block.to : block.from;
  const bool both_sides = small.group < 0 && position(large, small.node) >= 0;
  return all - (both_sides ? 1 : 0);
}

/// The pair number `index` of a block, source by source; the pair with itself has no number.
std::pair<NodeId, NodeId> FlowListWorkload::pair(const Block& block, std::int64_t index) const {
  if (block.from.group < 0) {
    const std::int64_t self = position(block.to, block.from.node);
    return {block.from.node, member(block.to, index + (self >= 0 && index >= self ? 1 : 0))};
  }
  if (block.to.group < 0) {
    const std::int64_t self = position(block.from, block.to.node);
    return {member(block.from, index + (self >= 0 && index >= self ? 1 : 0)), block.to.node};
  }
  const std::int64_t row = end_size(block.to) - (block.from == block.to ? 1 : 0);
  const std::int64_t i = index / row;
  const std::int64_t j = index % row;
  return {member(block.from, i), member(block.to, j + (block.from == block.to && j >= i ? 1 : 0))};
}

std::size_t FlowListWorkload::block_of(FlowId id) const {
  TAILRACE_REQUIRE(id.value >= 0 && id.value < flow_count(), "no such flow");
  const auto after = std::upper_bound(first_flow_.begin(), first_flow_.end(), id.value);
  return static_cast<std::size_t>(after - first_flow_.begin()) - 1;
}

FlowSpec FlowListWorkload::flow(FlowId id) const {
  const std::size_t b = block_of(id);
  const Block& block = blocks_[b];
  FlowSpec spec;
  std::tie(spec.source, spec.target) = pair(block, id.value - first_flow_[b]);
  spec.traffic_class = block.traffic_class;
  spec.hash_key = static_cast<std::uint64_t>(block.traffic_class);
  spec.via = block.via;
  return spec;
}

void FlowListWorkload::messages(FlowId id, std::vector<MessageSpec>& messages) const {
  messages.clear();
  for (const MessageRun& run : blocks_[block_of(id)].runs) {
    for (std::int64_t k = 0; k < run.repeat; ++k) {
      messages.push_back(
          {run.bytes, run.start_ns + static_cast<double>(k) * run.period_ns, run.group});
    }
  }
  std::stable_sort(
      messages.begin(), messages.end(),
      [](const MessageSpec& a, const MessageSpec& b) { return a.start_ns < b.start_ns; });
}

WorkloadSize FlowListWorkload::size() const {
  WorkloadSize size;
  size.flows = flow_count();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::int64_t flows = first_flow_[b + 1] - first_flow_[b];
    for (const MessageRun& run : blocks_[b].runs) {
      size.messages += flows * run.repeat;
      size.payload_bytes += static_cast<double>(flows * run.repeat) * run.bytes;
    }
  }
  return size;
}

}  // namespace

std::unique_ptr<Workload> make_flows(FlowList list) {
  return std::make_unique<FlowListWorkload>(std::move(list));
}

}  // namespace tailrace
