// SPDX-License-Identifier: Apache-2.0
// Tables with one row per global index, spread over all ranks: compressed by all, written by rank
// 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "solver/comm/communicator.hpp"
#include "solver/io/dataset.hpp"
#include "solver/io/output_file.hpp"

namespace tailrace {

/// A column as it is stored: this rank's rows, one after the other.
struct StoredColumn {
  FieldInfo info;
  ValueType type;
  std::size_t components = 1;  ///< values per row; more than one makes the dataset two-dimensional
  std::vector<std::byte> rows;
  NameList names;

  std::size_t row_bytes() const { return type.bytes * components; }
};

/// Collective; throws on all ranks alike. Writes /`group`/<column> for all columns; none when
/// `rows` is 0. `indices`: of this rank's rows, ascending; those of all ranks together are
/// 0..rows-1. `file`: on rank 0, null elsewhere. All ranks pass the same columns but for their
/// rows. Needs some 100 MB on a rank at most, whatever the size of the table.
void write_stored_table(OutputFile* file, const Communicator& communicator, int compression,
                        const std::string& group, std::int64_t rows,
                        std::span<const std::int64_t> indices,
                        const std::vector<StoredColumn>& columns);

/// Collective. Turns columns as callers have them into stored ones; numbers that do not fit into
/// the column's type are errors.
std::vector<StoredColumn> store_columns(const Communicator& communicator,
                                        std::size_t rows_of_this_rank,
                                        const std::vector<Column>& columns);

}  // namespace tailrace
