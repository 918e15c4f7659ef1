// SPDX-License-Identifier: Apache-2.0
// All-to-all: every rank sends share j of its S bytes to rank j, all at once.
#pragma once

#include "models/collectives/collective.hpp"

namespace tailrace {

/// n (n-1) flows, numbered source by source; those of rank i go to ranks i+1, i+2, ..., around, and
/// carry the share of the rank that they go to (share_bytes; S / n when n divides S). The NIC
/// serves them in turns, as it does the queue pairs of grouped sends. A rank's own share
/// stays where it is. S >= n bytes: what each rank sends and keeps, nccl-tests' size.
std::unique_ptr<Workload> make_all_to_all(CollectiveInput input);

}  // namespace tailrace
