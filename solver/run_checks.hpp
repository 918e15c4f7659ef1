// SPDX-License-Identifier: Apache-2.0
// What must hold before, during and after a run, and what the user should be told of.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/workload.hpp"
#include "solver/base/deck.hpp"
#include "solver/layout.hpp"
#include "solver/output_settings.hpp"
#include "solver/sampling.hpp"
#include "solver/settings.hpp"
#include "solver/summary.hpp"
#include "topology/graph.hpp"

namespace tailrace {

/// PFC: thresholds and headroom of all lanes into a switch must fit its shared buffer (InputError).
void check_buffers(const Graph& graph, const Deck& deck, const RunSettings& settings);

/// Injected = delivered + queued + in flight, to rounding (TailraceError).
void check_conservation(const Sampler& sampler, const FixedPoint& unit);

/// A lossless lane with its computed headroom must not have run over (TailraceError).
void check_losslessness(const Sampler& sampler, const RunSettings& settings);

/// Wire bytes of all messages that end on this rank.
double wire_bytes_here(const Layout& layout);

/// Ids of the flows that the deck's `output.flows.list` names, ascending (InputError).
std::vector<std::int64_t> choose_flows(const OutputSettings& output, const Workload& workload,
                                       const Graph& graph);

/// Upper bound of the output file before compression, in bytes.
double output_bytes_bound(const OutputSettings& output, const RunSettings& settings,
                          const WorkloadSize& size, const Graph& graph, std::int64_t lane_slots);

/// Adds to the summary what a user should know about this run.
void add_run_warnings(RunSummary& summary, const Sampler& sampler, const OutputSettings& output);

}  // namespace tailrace
