// SPDX-License-Identifier: Apache-2.0
// Contradictions between keys of a deck that are each valid for themselves.
#include <optional>
#include <set>
#include <string>

#include "solver/base/deck_validate.hpp"
#include "solver/base/numbers.hpp"
#include "solver/base/parameters.hpp"

namespace tailrace {

namespace {

// The value of a key when it stands in the deck or has a default, holds and is valid.
std::optional<double> valid_number(const DeckNode& root, const std::string& path) {
  const PathEntry* entry = find_entry(path);
  const Parameter* row = entry ? value_row(*entry, root) : nullptr;
  if (!row || holds(*row, root) != Holds::yes) return std::nullopt;
  const DeckNode* node = root.find_path(path);
  if (node && node->kind != DeckNode::Kind::scalar) return std::nullopt;
  const std::string& text = node ? node->scalar : row->default_text;
  if (text.empty() || row->is_word(text) || !check_value(*row, text).empty()) return std::nullopt;
  return parse_quantity(text, dimension_of(row->type));
}

Mark mark_of(const DeckNode& root, const std::string& path) {
  const DeckNode* node = root.find_path(path);
  return node ? node->mark : root.mark;
}

// a <= b, when both are known.
void require_at_most(const DeckNode& root, const std::string& smaller, const std::string& larger,
                     const std::string& reason, Faults& faults) {
  const auto low = valid_number(root, smaller);
  const auto high = valid_number(root, larger);
  if (!low || !high || *low <= *high) return;
  const DeckNode* place = root.find_path(smaller);
  const std::string large_text = root.find_path(larger)
                                     ? root.find_path(larger)->scalar
                                     : value_row(*find_entry(larger), root)->default_text;
  faults.add(mark_of(root, place ? smaller : larger), smaller,
             (place ? place->scalar : value_row(*find_entry(smaller), root)->default_text) +
                 " is above " + larger + " (" + large_text + "); " + reason);
}

void check_buffer(const DeckNode& root, Faults& faults) {
  const auto buffer = valid_number(root, "fabric.switch.buffer");
  const auto mtu = valid_number(root, "endpoint.mtu");
  const auto header = valid_number(root, "endpoint.header");
  if (!buffer || !mtu || !header) return;
  const double packet = 64.0 * static_cast<double>((static_cast<long>(*mtu + *header) + 63) / 64);
  if (*buffer >= packet) return;
  faults.add(mark_of(root, "fabric.switch.buffer"), "fabric.switch.buffer",
             shortest(*buffer) + " B holds no packet; allowed: at least " + shortest(packet) +
                 " B (endpoint.mtu and endpoint.header in blocks of 64 B)");
}

void check_class_names(const DeckNode& root, Faults& faults) {
  const DeckNode* classes = root.find_path("fabric.classes");
  if (!classes) return;
  std::set<std::string> names;
  for (std::size_t i = 0; i < classes->items.size(); ++i) {
    const DeckNode* name = classes->items[i].find("name");
    if (!name || name->kind != DeckNode::Kind::scalar || names.insert(name->scalar).second)
      continue;
    faults.add(name->mark, "fabric.classes[" + std::to_string(i) + "].name",
               quoted(name->scalar) + " is the name of an earlier class; names must differ");
  }
}

void check_lane_choice(const DeckNode& root, Faults& faults) {
  const DeckNode* lanes = root.find_path("output.lanes");
  if (!lanes || lanes->kind != DeckNode::Kind::mapping || lanes->members.size() < 2) return;
  faults.add(lanes->mark, "output.lanes", "give exactly one of fullest, tiers and list");
}

}  // namespace

void check_relations(const DeckNode& root, Faults& faults) {
  const std::string pfc = "fabric.switch.pfc.";
  require_at_most(root, pfc + "xon", pfc + "xoff", "a pause that ends above XOFF has no end",
                  faults);
  require_at_most(root, pfc + "xoff", "fabric.switch.shared_buffer", "no lane could reach it",
                  faults);
  require_at_most(root, pfc + "headroom", "fabric.switch.shared_buffer",
                  "the headroom is taken out of it", faults);
  require_at_most(root, "run.dt", "fabric.link.latency", "a step is at most the smallest latency",
                  faults);
  require_at_most(root, "run.dt", "run.time_limit", "a run has at least one step", faults);
  check_buffer(root, faults);
  check_class_names(root, faults);
  check_lane_choice(root, faults);
}

}  // namespace tailrace
