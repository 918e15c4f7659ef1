// SPDX-License-Identifier: Apache-2.0
// Which lanes have a place in the series, and which place.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/comm/communicator.hpp"
#include "solver/layout.hpp"
#include "solver/output_settings.hpp"

namespace tailrace {

/// Slots of /series/lanes. With `fullest`, the switches' lanes with the largest backlog so far hold
/// the slots (the smallest ids where backlogs are equal); a lane keeps its slot until a fuller one
/// takes it. All ranks agree on the table.
class LaneSelection {
 public:
  LaneSelection(const Layout& layout, const OutputSettings& settings,
                const Communicator& communicator);
  std::int64_t slot_count() const { return static_cast<std::int64_t>(slot_lane_.size()); }
  /// Given the largest backlog of each lane since the start, this rank's lanes and their slots.
  /// Collective.
  void update(const std::vector<double>& backlog_peak_bytes);
  const std::vector<std::int32_t>& lanes() const { return lanes_; }  ///< local lanes kept
  const std::vector<std::int64_t>& slots() const { return slots_; }  ///< of those lanes
  std::int64_t lanes_left_out() const { return left_out_; }          ///< of the whole run

 private:
  void fix(const OutputSettings& settings);
  void find_own_slots();

  const Layout& layout_;
  const Communicator& communicator_;
  bool fullest_ = false;
  std::vector<std::int64_t> slot_lane_;  ///< global lane of each slot, -1: empty
  std::vector<std::int32_t> lanes_;
  std::vector<std::int64_t> slots_;
  std::int64_t left_out_ = 0;
};

}  // namespace tailrace
