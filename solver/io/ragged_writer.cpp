// SPDX-License-Identifier: Apache-2.0
// Lengths travel to the owners of blocks, which answer with offsets; then all is a table.
#include "solver/io/ragged_writer.hpp"

#include <numeric>

#include "solver/base/errors.hpp"
#include "solver/comm/attempt.hpp"
#include "solver/io/byte_stream.hpp"
#include "solver/io/chunk_gather.hpp"
#include "solver/io/table_writer.hpp"

namespace tailrace {

namespace {

struct Entry {
  std::int64_t index, value;  // value: a length on the way there, an offset on the way back
};

// This rank's blocks of lengths, by index; 0 for rows of others.
class LengthBlocks {
 public:
  LengthBlocks(const Communicator& communicator, std::int64_t rows)
      : communicator_(communicator),
        block_rows_(chunk_length(rows)),
        values_(static_cast<std::size_t>((rows + block_rows_ - 1) / block_rows_)),
        totals_(values_.size()) {
    for (std::size_t b = 0; b < values_.size(); ++b) {
      if (owner(static_cast<std::int64_t>(b) * block_rows_) == communicator.rank()) {
        values_[b].resize(static_cast<std::size_t>(block_rows_));
      }
    }
  }
  Rank owner(std::int64_t index) const {
    return unit_owner(index / block_rows_, communicator_.size());
  }
  std::int64_t& at(std::int64_t index) {
    return values_[static_cast<std::size_t>(index / block_rows_)]
                  [static_cast<std::size_t>(index % block_rows_)];
  }
  // Turns lengths into offsets; returns the sum of all lengths. Collective.
  std::int64_t scan() {
    for (std::size_t b = 0; b < values_.size(); ++b) {
      totals_[b] = std::reduce(values_[b].begin(), values_[b].end(), std::int64_t{0});
    }
    communicator_.sum_in_place(totals_);
    std::int64_t before = 0;
    for (std::size_t b = 0; b < values_.size(); ++b) {
      std::exclusive_scan(values_[b].begin(), values_[b].end(), values_[b].begin(), before);
      before += totals_[b];
    }
    return before;
  }

 private:
  const Communicator& communicator_;
  std::int64_t block_rows_;
  std::vector<std::vector<std::int64_t>> values_;
  std::vector<std::int64_t> totals_;
};

std::vector<Entry> entries_of(const std::vector<std::byte>& bytes) {
  return ByteReader(bytes).get_all<Entry>(bytes.size() / sizeof(Entry));
}

}  // namespace

ListOffsets list_offsets(const Communicator& communicator, std::int64_t rows,
                         std::span<const std::int64_t> indices,
                         std::span<const std::int64_t> lengths) {
  agree(communicator, [&] {
    TAILRACE_REQUIRE(indices.size() == lengths.size(), "one list per index");
    for (const auto index : indices) {
      TAILRACE_REQUIRE(index >= 0 && index < rows, "an index of a list is out of range");
    }
  });
  LengthBlocks blocks(communicator, rows);
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<ByteWriter> there(ranks), back(ranks);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    there[static_cast<std::size_t>(blocks.owner(indices[i]))].put(Entry{indices[i], lengths[i]});
  }
  std::vector<std::vector<std::byte>> send(ranks);
  for (std::size_t r = 0; r < ranks; ++r) send[r] = there[r].take();
  const auto asked = communicator.all_to_all(send);
  for (const auto& bytes : asked) {
    for (const auto& entry : entries_of(bytes)) blocks.at(entry.index) = entry.value;
  }
  ListOffsets offsets;
  offsets.total = blocks.scan();
  for (std::size_t r = 0; r < ranks; ++r) {
    for (const auto& entry : entries_of(asked[r])) {
      back[r].put(Entry{entry.index, blocks.at(entry.index)});
    }
    send[r] = back[r].take();
  }
  const auto answers = communicator.all_to_all(send);
  std::vector<ByteReader> readers(answers.begin(), answers.end());
  for (const auto index : indices) {
    auto& reader = readers[static_cast<std::size_t>(blocks.owner(index))];
    offsets.first.push_back(reader.get<Entry>().value);
  }
  return offsets;
}

void write_ragged_lists(OutputFile* file, const Communicator& communicator, int compression,
                        const std::string& group, const FieldInfo& info, std::int64_t rows,
                        std::span<const std::int64_t> indices,
                        const std::vector<std::vector<std::int32_t>>& lists) {
  if (rows == 0) return;
  std::vector<std::int64_t> lengths;
  for (const auto& list : lists) lengths.push_back(static_cast<std::int64_t>(list.size()));
  const ListOffsets offsets = list_offsets(communicator, rows, indices, lengths);

  std::vector<std::int64_t> places;
  Column values{info, Column::Type::int32, {}, {}, {}, 1, {}, {}};
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t j = 0; j < lists[i].size(); ++j) {
      places.push_back(offsets.first[i] + static_cast<std::int64_t>(j));
      values.int64.push_back(lists[i][j]);
    }
  }
  write_stored_table(file, communicator, compression, group, offsets.total, places,
                     store_columns(communicator, places.size(), {values}));

  Column offset{{info.name + "_offset", "1", "where each row's part of " + info.name + " starts"},
                Column::Type::int64,
                {},
                offsets.first,
                {},
                1,
                {},
                {}};
  std::vector<std::int64_t> offset_rows(indices.begin(), indices.end());
  if (communicator.is_root()) {  // the end of the last list
    offset_rows.push_back(rows);
    offset.int64.push_back(offsets.total);
  }
  write_stored_table(file, communicator, compression, group, rows + 1, offset_rows,
                     store_columns(communicator, offset_rows.size(), {offset}));
}

}  // namespace tailrace
