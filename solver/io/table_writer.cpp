// SPDX-License-Identifier: Apache-2.0
// Rows travel to the rank that owns their block, which compresses it; rank 0 writes block by block.
#include "solver/io/table_writer.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "solver/base/errors.hpp"
#include "solver/comm/attempt.hpp"
#include "solver/io/byte_stream.hpp"
#include "solver/io/chunk_gather.hpp"

namespace tailrace {

namespace {

constexpr std::int64_t round_bytes = 32 << 20;  // rows that are on their way at one time

/// One table on its way to the file.
class TableWriter {
 public:
  TableWriter(OutputFile* file, const Communicator& communicator, int compression,
              const std::string& group, std::int64_t rows, std::span<const std::int64_t> indices,
              const std::vector<StoredColumn>& columns)
      : file_(file),
        communicator_(communicator),
        codec_(compression),
        compression_(compression),
        group_(group),
        rows_(rows),
        block_rows_(chunk_length(rows)),
        indices_(indices),
        columns_(columns) {
    for (const auto& column : columns) row_bytes_ += static_cast<std::int64_t>(column.row_bytes());
  }

  void write() {
    agree(communicator_, [&] {
      check();
      if (file_ != nullptr) create_datasets();
    });
    const std::int64_t blocks = (rows_ + block_rows_ - 1) / block_rows_;
    const std::int64_t per_round =
        std::max<std::int64_t>(1, round_bytes / (block_rows_ * row_bytes_));
    for (std::int64_t first = 0; first < blocks; first += per_round) {
      write_round(first, std::min(blocks, first + per_round));
    }
  }

 private:
  void check() const {
    TAILRACE_REQUIRE(std::is_sorted(indices_.begin(), indices_.end()), "indices must ascend");
    TAILRACE_REQUIRE(indices_.empty() || (indices_.front() >= 0 && indices_.back() < rows_),
                     "an index is outside of the table /" + group_);
    for (const auto& column : columns_) {
      TAILRACE_REQUIRE(column.rows.size() == indices_.size() * column.row_bytes(),
                       "/" + group_ + "/" + column.info.name + " has not one value per row");
    }
  }

  void create_datasets() {
    for (const auto& column : columns_) {
      DatasetShape shape{{static_cast<hsize_t>(rows_)}, {}, {static_cast<hsize_t>(block_rows_)}};
      if (column.components > 1) {
        shape.size.push_back(column.components);
        shape.chunk.push_back(column.components);
      }
      datasets_.push_back(create_dataset(file_->id(), group_ + "/" + column.info.name, column.type,
                                         shape, compression_, column.info, column.names));
    }
  }

  void write_round(std::int64_t first_block, std::int64_t end_block) {
    Attempt attempt;
    const auto received = communicator_.all_to_all(send_rows(first_block, end_block));
    std::vector<StoredChunk> mine;
    attempt.run([&] { mine = pack_blocks(received, first_block, end_block); });
    const auto chunks = gather_chunks(communicator_, mine, end_block - first_block,
                                      static_cast<std::int64_t>(columns_.size()));
    attempt.run([&] { write_chunks(chunks, first_block); });
    attempt.settle(communicator_);
  }

  // Indices ascend, so the rows of a block stand together.
  std::pair<std::size_t, std::size_t> rows_of(std::int64_t block) const {
    const auto first = std::lower_bound(indices_.begin(), indices_.end(), block * block_rows_);
    const auto end = std::lower_bound(first, indices_.end(), (block + 1) * block_rows_);
    return {static_cast<std::size_t>(first - indices_.begin()),
            static_cast<std::size_t>(end - indices_.begin())};
  }

  std::vector<std::vector<std::byte>> send_rows(std::int64_t first_block,
                                                std::int64_t end_block) const {
    const auto ranks = static_cast<std::size_t>(communicator_.size());
    std::vector<ByteWriter> writers(ranks);
    std::vector<std::size_t> bytes(ranks);
    for (std::int64_t block = first_block; block < end_block; ++block) {
      const auto [first, end] = rows_of(block);
      const Rank owner = unit_owner(block - first_block, communicator_.size());
      bytes[static_cast<std::size_t>(owner)] +=
          2 * sizeof(std::int64_t) +
          (end - first) * (sizeof(std::int64_t) + static_cast<std::size_t>(row_bytes_));
    }
    for (std::size_t r = 0; r < ranks; ++r) writers[r].reserve(bytes[r]);
    for (std::int64_t block = first_block; block < end_block; ++block) {
      const auto [first, end] = rows_of(block);
      if (first == end) continue;
      const Rank owner = unit_owner(block - first_block, communicator_.size());
      ByteWriter& writer = writers[static_cast<std::size_t>(owner)];
      writer.put(block);
      writer.put(end - first);
      writer.put_all(indices_.subspan(first, end - first));
      for (const auto& column : columns_) {
        const std::size_t width = column.row_bytes();
        writer.put_all(
            std::span<const std::byte>(column.rows).subspan(first * width, (end - first) * width));
      }
    }
    std::vector<std::vector<std::byte>> send;
    for (auto& writer : writers) send.push_back(writer.take());
    return send;
  }

  // This rank's blocks, one chunk per column each.
  std::vector<StoredChunk> pack_blocks(const std::vector<std::vector<std::byte>>& received,
                                       std::int64_t first_block, std::int64_t end_block) {
    std::vector<ByteReader> readers(received.begin(), received.end());
    std::vector<std::int64_t> next_block(readers.size(), -1);
    std::vector<StoredChunk> chunks;
    for (std::int64_t block = first_block; block < end_block; ++block) {
      if (unit_owner(block - first_block, communicator_.size()) != communicator_.rank()) continue;
      std::vector<std::vector<std::byte>> buffers;
      for (const auto& column : columns_) {
        buffers.emplace_back(static_cast<std::size_t>(block_rows_) * column.row_bytes());
      }
      std::vector<bool> seen(static_cast<std::size_t>(block_rows_));
      std::int64_t count = 0;
      for (std::size_t r = 0; r < readers.size(); ++r) {
        if (next_block[r] < 0 && !readers[r].at_end()) {
          next_block[r] = readers[r].get<std::int64_t>();
        }
        if (next_block[r] != block) continue;
        count += place_rows(readers[r], block * block_rows_, buffers, seen);
        next_block[r] = -1;
      }
      TAILRACE_REQUIRE(count == std::min(block_rows_, rows_ - block * block_rows_),
                       "rows are missing in the table /" + group_);
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        chunks.push_back(codec_.pack(buffers[c], columns_[c].type.bytes));
      }
    }
    return chunks;
  }

  std::int64_t place_rows(ByteReader& reader, std::int64_t first_row,
                          std::vector<std::vector<std::byte>>& buffers, std::vector<bool>& seen) {
    const auto count = reader.get<std::size_t>();
    const auto indices = reader.get_all<std::int64_t>(count);
    for (const auto index : indices) {
      const auto row = static_cast<std::size_t>(index - first_row);
      TAILRACE_REQUIRE(!seen[row], "a row came twice in the table /" + group_);
      seen[row] = true;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::size_t width = columns_[c].row_bytes();
      const auto values = reader.get_bytes(count * width);
      for (std::size_t i = 0; i < count; ++i) {
        const auto row = static_cast<std::size_t>(indices[i] - first_row);
        std::copy_n(values.data() + i * width, width, buffers[c].data() + row * width);
      }
    }
    return static_cast<std::int64_t>(count);
  }

  void write_chunks(const std::vector<StoredChunk>& chunks, std::int64_t first_block) {
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const std::size_t column = i % columns_.size();
      const auto block = first_block + static_cast<std::int64_t>(i / columns_.size());
      std::vector<hsize_t> offset{static_cast<hsize_t>(block * block_rows_)};
      if (columns_[column].components > 1) offset.push_back(0);
      write_chunk(datasets_[column], offset, chunks[i]);
    }
  }

  OutputFile* file_;
  const Communicator& communicator_;
  ChunkCodec codec_;
  int compression_;
  const std::string& group_;
  std::int64_t rows_, block_rows_, row_bytes_ = 0;
  std::span<const std::int64_t> indices_;
  const std::vector<StoredColumn>& columns_;
  std::vector<hdf5::Handle> datasets_;  // on rank 0
};

template <class Value, class Source>
void narrow(const std::vector<Source>& values, StoredColumn& column) {
  column.rows.resize(values.size() * sizeof(Value));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if constexpr (!std::is_same_v<Value, Source>) {
      TAILRACE_REQUIRE(
          values[i] >= std::numeric_limits<Value>::min() &&
              values[i] <= std::numeric_limits<Value>::max(),
          std::to_string(values[i]) + " does not fit into the column " + column.info.name);
    }
    const auto value = static_cast<Value>(values[i]);
    std::memcpy(column.rows.data() + i * sizeof(Value), &value, sizeof(Value));
  }
}

void store_texts(const Communicator& communicator, const std::vector<std::string>& texts,
                 StoredColumn& stored) {
  std::int64_t longest = 1;
  for (const auto& text : texts) {
    longest = std::max(longest, static_cast<std::int64_t>(text.size()));
  }
  stored.type.bytes = static_cast<std::size_t>(communicator.max(longest));
  stored.rows.resize(texts.size() * stored.type.bytes);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::memcpy(stored.rows.data() + i * stored.type.bytes, texts[i].data(), texts[i].size());
  }
}

}  // namespace

std::vector<StoredColumn> store_columns(const Communicator& communicator,
                                        std::size_t rows_of_this_rank,
                                        const std::vector<Column>& columns) {
  std::vector<StoredColumn> stored(columns.size());
  Attempt attempt;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    stored[c].info = column.info;
    stored[c].names = {column.names_attribute, column.names};
    switch (column.type) {
      case Column::Type::float64:
        stored[c].type = ValueType::of(ValueType::Kind::float64);
        attempt.run([&] { narrow<double>(column.float64, stored[c]); });
        break;
      case Column::Type::int64:
        stored[c].type = ValueType::of(ValueType::Kind::int64);
        attempt.run([&] { narrow<std::int64_t>(column.int64, stored[c]); });
        break;
      case Column::Type::int32:
        stored[c].type = ValueType::of(ValueType::Kind::int32);
        attempt.run([&] { narrow<std::int32_t>(column.int64, stored[c]); });
        break;
      case Column::Type::uint8:
        stored[c].type = ValueType::of(ValueType::Kind::uint8);
        attempt.run([&] { narrow<std::uint8_t>(column.int64, stored[c]); });
        break;
      case Column::Type::text:
        stored[c].type.kind = ValueType::Kind::text;
        store_texts(communicator, column.text, stored[c]);
        break;
    }
    stored[c].components = static_cast<std::size_t>(column.components);
    attempt.run([&] {
      TAILRACE_REQUIRE(stored[c].rows.size() == rows_of_this_rank * stored[c].row_bytes(),
                       column.info.name + " has not one value per row");
    });
  }
  attempt.settle(communicator);
  return stored;
}

void write_stored_table(OutputFile* file, const Communicator& communicator, int compression,
                        const std::string& group, std::int64_t rows,
                        std::span<const std::int64_t> indices,
                        const std::vector<StoredColumn>& columns) {
  if (rows == 0 || columns.empty()) return;
  TableWriter(file, communicator, compression, group, rows, indices, columns).write();
}

}  // namespace tailrace
