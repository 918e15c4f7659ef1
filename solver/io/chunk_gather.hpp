// SPDX-License-Identifier: Apache-2.0
// Chunks compressed by all ranks come together on rank 0, in an order that no rank count changes.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/comm/communicator.hpp"
#include "solver/io/chunk_codec.hpp"

namespace tailrace {

/// Work on chunks is dealt out in units: unit u belongs to rank u % ranks.
inline Rank unit_owner(std::int64_t unit, Rank ranks) { return static_cast<Rank>(unit % ranks); }

/// Collective. `mine`: the chunks of this rank's units, ascending, `chunks_per_unit` for each.
/// Returns on rank 0 all chunks by unit; nothing on the others, and nothing when some rank gave
/// fewer than it owns (it failed).
std::vector<StoredChunk> gather_chunks(const Communicator& communicator,
                                       const std::vector<StoredChunk>& mine, std::int64_t units,
                                       std::int64_t chunks_per_unit);

}  // namespace tailrace
