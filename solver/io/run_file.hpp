// SPDX-License-Identifier: Apache-2.0
// The HDF5 file of a run (schema version 1), written collectively by all ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solver/base/ids.hpp"
#include "solver/comm/communicator.hpp"
#include "topology/graph.hpp"

namespace tailrace {

inline constexpr int schema_version = 1;

/// Attributes of the root group.
struct RunHeader {
  std::string deck;  ///< full text
  std::string command;
  std::int64_t seed = 0;
  std::int32_t ranks = 1, threads = 1;
  std::string backend;  ///< Kokkos execution space
  std::vector<std::string> classes;
};

/// What the series hold; fixed when the file is made.
struct SeriesLayout {
  std::int64_t lane_slots = 0;          ///< K of /series/lanes
  std::vector<std::int64_t> flow_ids;   ///< of /series/flows, ascending
  std::vector<std::string> tier_names;  ///< of /series/tiers
};

/// One field of a table: name, unit, description.
struct FieldInfo {
  std::string name, units, description;
};

/// One sample of the series. Rank-local parts name their slots; root-only parts are read on rank 0.
struct Sample {
  double time_ns = 0;
  // this rank's lanes: slot in [0, lane_slots), lane id, and one value per field (fields x count)
  std::vector<std::int64_t> lane_slot, lane_id;
  std::vector<std::vector<float>> lane_values;  ///< [field][this rank's lanes]
  // this rank's kept flows: index into SeriesLayout::flow_ids and rate
  std::vector<std::int64_t> flow_slot;
  std::vector<float> flow_rate_gbps;
  // root only
  std::vector<std::vector<double>> tier_values;  ///< [tier field][tier]
  std::vector<double> fabric_values;             ///< [fabric field]
};

/// A table with one row per global index (flows, messages, collectives): each rank passes the rows
/// it has, with their indices, ascending; together they are 0..n-1.
struct Column {
  FieldInfo info;
  enum class Type { float64, int64, int32, uint8, text } type = Type::float64;
  std::vector<double> float64;
  std::vector<std::int64_t> int64;  ///< also for int32 and uint8 columns, narrowed on writing
  std::vector<std::string> text;    ///< fixed-length strings in the file
  int components = 1;               ///< values per row; [rows, components] when more than one
  std::string names_attribute;      ///< "" or e.g. "tier_names": what the numbers stand for
  std::vector<std::string> names;   ///< its value
};

/// All calls are collective and throw on all ranks alike: TailraceError when the file cannot be
/// written ("output file 'x.h5': No space left on device (...)"). After that the file stays as the
/// last append() left it, and every further call throws.
class RunFile {
 public:
  struct Options {
    std::string path;
    int compression = 4;  ///< 0..9 (deflate, with shuffle)
  };
  /// Collective. Makes `path` (its folder must exist: InputError otherwise, on all ranks), writes
  /// attributes and /topology. While the run goes on the file carries the root attribute
  /// `complete` = 0; close() sets 1.
  RunFile(const Options& options, const Communicator& communicator, const RunHeader& header,
          const Graph& graph);
  ~RunFile();  ///< closes the file as it is, without throwing
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;

  void define_series(const SeriesLayout& layout, const std::vector<FieldInfo>& lane_fields,
                     const std::vector<FieldInfo>& tier_fields,
                     const std::vector<FieldInfo>& fabric_fields);
  /// Appends one row to every dataset under /series and flushes. Collective.
  void append(const Sample& sample);
  /// Writes /<group>/<column> for all columns, rows redistributed to blocks by index. Collective.
  void write_table(const std::string& group, std::int64_t rows,
                   std::span<const std::int64_t> indices, const std::vector<Column>& columns);
  /// Writes /<group>/<name> as the concatenation of one list per index, and <name>_offset.
  void write_ragged(const std::string& group, const FieldInfo& info, std::int64_t rows,
                    std::span<const std::int64_t> indices,
                    const std::vector<std::vector<std::int32_t>>& lists);
  /// Root's scalars: /<group>/<name>. Collective (all ranks pass the same names).
  void write_scalars(const std::string& group, const std::vector<FieldInfo>& infos,
                     const std::vector<double>& values);
  /// Marks the file complete and closes it. Collective.
  void close();
  std::int64_t bytes_on_disk() const;  ///< after close

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tailrace
