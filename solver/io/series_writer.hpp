// SPDX-License-Identifier: Apache-2.0
// Everything under /series: one row per sample, compressed by all ranks, written by rank 0.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/comm/communicator.hpp"
#include "solver/io/chunk_codec.hpp"
#include "solver/io/dataset.hpp"
#include "solver/io/output_file.hpp"

namespace tailrace {

/// The one place that knows how samples reach the disk; RunFile holds one of these, so that another
/// way (segments, say) can take its place.
class SeriesWriter {
 public:
  struct Fields {
    std::vector<FieldInfo> lane, tier, fabric;
  };

  /// Collective; throws on all ranks alike. `file`: on rank 0, null elsewhere; it and the
  /// communicator must outlive the writer. Parts without columns (no lanes, no flows, ...) are
  /// left out.
  SeriesWriter(OutputFile* file, const Communicator& communicator, int compression,
               const SeriesLayout& layout, const Fields& fields);

  /// Collective; throws on all ranks alike. Appends one row everywhere and flushes.
  void append(const Sample& sample);

 private:
  /// Several [T, columns] datasets that share their columns, cut into chunks of one row. A unit of
  /// work (chunk_gather.hpp) is one chunk of one dataset.
  struct Block {
    std::int64_t columns = 0, chunk_columns = 1, chunks = 0;
    bool with_ids = false;               ///< the first dataset holds int64 ids, -1 where empty
    std::int64_t value_datasets = 0;     ///< float32
    std::vector<hdf5::Handle> datasets;  ///< on rank 0: ids first
    std::int64_t datasets_count() const { return value_datasets + (with_ids ? 1 : 0); }
    std::int64_t units() const { return datasets_count() * chunks; }
  };
  /// This rank's part of one row of a block.
  struct Part {
    const Block* block;
    const std::vector<std::int64_t>*slots, *ids;
    std::vector<const std::vector<float>*> values;
  };

  void create_datasets(const SeriesLayout& layout, const Fields& fields);
  std::vector<Part> parts_of(const Sample& sample) const;
  void check(const std::vector<Part>& parts, const Sample& sample) const;
  std::vector<std::vector<std::byte>> send_units(const std::vector<Part>& parts) const;
  std::vector<StoredChunk> pack_units(const std::vector<std::vector<std::byte>>& received);
  void write(const std::vector<StoredChunk>& chunks, const Sample& sample);

  OutputFile* file_;
  const Communicator& communicator_;
  ChunkCodec codec_;
  int compression_;
  hsize_t samples_ = 0;
  Block lanes_, flows_;
  hdf5::Handle time_;
  std::size_t tier_count_ = 0, tier_fields_ = 0, fabric_fields_ = 0;
  std::vector<hdf5::Handle> tiers_, fabric_;
};

}  // namespace tailrace
