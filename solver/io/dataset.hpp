// SPDX-License-Identifier: Apache-2.0
// Datasets of an output file: made with units and description, filled chunk by chunk or row by row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/io/chunk_codec.hpp"
#include "solver/io/hdf5.hpp"
#include "solver/io/run_file.hpp"

namespace tailrace {

/// Rows or values that one chunk holds at most, as long as nothing else limits it.
inline constexpr std::int64_t chunk_rows_max = 65536;

/// `length` cut into the fewest equal chunks of at most chunk_rows_max: the size of one (>= 1).
std::int64_t chunk_length(std::int64_t length);

/// How one value is stored: as it is in memory.
struct ValueType {
  enum class Kind { float64, float32, int64, int32, uint8, text } kind = Kind::float64;
  std::size_t bytes = 8;  ///< of one value; of texts: their fixed length

  static ValueType of(Kind kind);  ///< of numbers
  hdf5::Handle handle() const;
};

/// A list of texts that goes with a dataset, as an attribute ("tier_names").
struct NameList {
  std::string attribute;
  std::vector<std::string> names;
};

struct DatasetShape {
  std::vector<hsize_t> size, size_max, chunk;  ///< chunk empty: a scalar
};

/// Makes /`path`, with the groups above it. Nothing is filled in: every chunk is written once.
/// `compression` 0: no filters. `info.name` is not used.
hdf5::Handle create_dataset(hid_t file, const std::string& path, const ValueType& type,
                            const DatasetShape& shape, int compression, const FieldInfo& info,
                            const NameList& names = {});

/// Writes one whole chunk whose first value is at `offset`.
void write_chunk(const hdf5::Handle& dataset, const std::vector<hsize_t>& offset,
                 const StoredChunk& chunk);

/// Makes the first dimension `rows` long.
void set_rows(const hdf5::Handle& dataset, hsize_t rows);

/// Writes row `row` of an uncompressed [T] or [T, n] dataset of doubles.
void write_row(const hdf5::Handle& dataset, hsize_t row, const std::vector<double>& values);

}  // namespace tailrace
