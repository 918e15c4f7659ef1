// SPDX-License-Identifier: Apache-2.0
// Hands out the slots of the series to lanes.
#include "solver/lane_selection.hpp"

#include <algorithm>
#include <iterator>

#include "solver/comm/gather_values.hpp"

namespace tailrace {

namespace {

struct Candidate {
  double peak_bytes;
  std::int64_t lane;
  bool operator<(const Candidate& other) const {  // fuller first, then by id
    return peak_bytes != other.peak_bytes ? peak_bytes > other.peak_bytes : lane < other.lane;
  }
};

}  // namespace

LaneSelection::LaneSelection(const Layout& layout, const OutputSettings& settings,
                             const Communicator& communicator)
    : layout_(layout),
      communicator_(communicator),
      fullest_(settings.lanes == OutputSettings::Lanes::fullest) {
  const std::int64_t all_lanes = communicator.sum(std::int64_t{layout.lane_count()});
  if (fullest_) {
    slot_lane_.assign(static_cast<std::size_t>(std::min(settings.fullest, all_lanes)), -1);
  } else if (settings.lanes != OutputSettings::Lanes::none) {
    fix(settings);
  }
  left_out_ = all_lanes - slot_count();
}

void LaneSelection::fix(const OutputSettings& settings) {
  std::vector<std::int64_t> own;
  for (std::int32_t lane = 0; lane < layout_.lane_count(); ++lane) {
    const LinkId link = layout_.links[static_cast<std::size_t>(lane / layout_.class_count)];
    if (settings.lanes == OutputSettings::Lanes::all ||
        settings.link_chosen[static_cast<std::size_t>(link.value)] != 0) {
      own.push_back(layout_.global_lane(lane));
    }
  }
  slot_lane_ = gather_values(own, communicator_);
  std::sort(slot_lane_.begin(), slot_lane_.end());
  find_own_slots();
}

void LaneSelection::find_own_slots() {
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;  // lane, slot
  for (std::size_t slot = 0; slot < slot_lane_.size(); ++slot) {
    if (slot_lane_[slot] >= 0) {
      taken.emplace_back(slot_lane_[slot], static_cast<std::int64_t>(slot));
    }
  }
  std::sort(taken.begin(), taken.end());
  lanes_.clear();
  slots_.clear();
  auto place = taken.begin();
  for (std::int32_t lane = 0; lane < layout_.lane_count(); ++lane) {
    const std::int64_t global = layout_.global_lane(lane);
    while (place != taken.end() && place->first < global) {
      ++place;
    }
    if (place != taken.end() && place->first == global) {
      lanes_.push_back(lane);
      slots_.push_back(place->second);
    }
  }
}

void LaneSelection::update(const std::vector<double>& backlog_peak_bytes) {
  if (!fullest_) {
    return;
  }
  const std::size_t places = slot_lane_.size();
  std::vector<Candidate> own;
  for (std::int32_t lane = 0; lane < layout_.lane_count(); ++lane) {
    const std::size_t l = static_cast<std::size_t>(lane);
    if (layout_.link_at_endpoint[l / static_cast<std::size_t>(layout_.class_count)] == 0) {
      own.push_back({backlog_peak_bytes[l], layout_.global_lane(lane)});
    }
  }
  const auto cut = [places](std::vector<Candidate>& candidates) {
    if (candidates.size() > places) {
      std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(places),
                       candidates.end());
      candidates.resize(places);
    }
  };
  cut(own);
  std::vector<Candidate> best = gather_values(own, communicator_);
  cut(best);
  std::vector<std::int64_t> kept;
  for (const Candidate& candidate : best) {
    kept.push_back(candidate.lane);
  }
  std::sort(kept.begin(), kept.end());
  std::vector<std::int64_t> held;
  for (std::int64_t& lane : slot_lane_) {
    if (!std::binary_search(kept.begin(), kept.end(), lane)) {
      lane = -1;
    } else {
      held.push_back(lane);
    }
  }
  std::sort(held.begin(), held.end());
  std::vector<std::int64_t> newcomers;
  std::set_difference(kept.begin(), kept.end(), held.begin(), held.end(),
                      std::back_inserter(newcomers));
  auto newcomer = newcomers.begin();
  for (std::int64_t& lane : slot_lane_) {
    if (lane < 0 && newcomer != newcomers.end()) {
      lane = *newcomer++;
    }
  }
  find_own_slots();
}

}  // namespace tailrace
