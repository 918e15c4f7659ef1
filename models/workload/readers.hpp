// SPDX-License-Identifier: Apache-2.0
// Reads the kinds of workload from a deck; each throws InputError with all faults and their places.
#pragma once

#include <memory>

#include "models/workload/flows.hpp"
#include "solver/base/deck.hpp"
#include "topology/graph.hpp"

namespace tailrace {

FlowList read_flows(const Deck& deck, const Graph& graph);
std::unique_ptr<Workload> read_pattern(const Deck& deck, const Graph& graph);
std::unique_ptr<Workload> read_collective(const Deck& deck, const Graph& graph);

}  // namespace tailrace
