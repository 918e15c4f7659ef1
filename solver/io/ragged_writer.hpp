// SPDX-License-Identifier: Apache-2.0
// Lists of different lengths, one per global index, as one long dataset and the offsets into it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "solver/comm/communicator.hpp"
#include "solver/io/output_file.hpp"
#include "solver/io/run_file.hpp"

namespace tailrace {

/// Where each list of this rank starts in the concatenation of all lists by index, and the length
/// of that. Collective; throws on all ranks alike. `indices` ascend; those of all ranks together
/// are 0..rows-1; `lengths` go with them.
struct ListOffsets {
  std::vector<std::int64_t> first;
  std::int64_t total = 0;
};
ListOffsets list_offsets(const Communicator& communicator, std::int64_t rows,
                         std::span<const std::int64_t> indices,
                         std::span<const std::int64_t> lengths);

/// Collective; throws on all ranks alike. Writes /`group`/<name> [total], int32, and
/// /`group`/<name>_offset [rows + 1]: list i is [offset[i], offset[i + 1]). `file`: on rank 0, null
/// elsewhere.
void write_ragged_lists(OutputFile* file, const Communicator& communicator, int compression,
                        const std::string& group, const FieldInfo& info, std::int64_t rows,
                        std::span<const std::int64_t> indices,
                        const std::vector<std::vector<std::int32_t>>& lists);

}  // namespace tailrace
