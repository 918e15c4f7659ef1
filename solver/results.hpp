// SPDX-License-Identifier: Apache-2.0
// From finish times to tables and statistics: flows, messages, collectives, completion times.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/workload.hpp"
#include "solver/comm/communicator.hpp"
#include "solver/io/run_file.hpp"
#include "solver/layout.hpp"
#include "solver/output_settings.hpp"
#include "solver/settings.hpp"
#include "solver/summary.hpp"
#include "topology/routing.hpp"

namespace tailrace {

/// Finish times of this rank's messages, in the order of layout.arrivals; ns, NaN if unfinished.
using FinishTimes = std::vector<double>;

/// Statistics of completion times (finish - start) over all ranks: of all messages, of their
/// acknowledgements where they are simulated, and by group.
/// Collective; the same on every rank.
void summarise_completion(const Layout& layout, const FinishTimes& finish_ns,
                          const std::vector<std::string>& groups, const Communicator& communicator,
                          RunSummary& summary);

/// One result per collective of the workload. Collective.
std::vector<CollectiveResult> collective_results(const Layout& layout, const FinishTimes& finish_ns,
                                                 const Workload& workload,
                                                 const Communicator& communicator);

/// Writes /flows, /messages and /collectives. Collective.
void write_result_tables(RunFile& file, const Layout& layout, const FinishTimes& finish_ns,
                         const Workload& workload, const Router& router,
                         const OutputSettings& output, bool with_acknowledgements,
                         const std::vector<CollectiveResult>& collectives,
                         const Communicator& communicator);

}  // namespace tailrace
