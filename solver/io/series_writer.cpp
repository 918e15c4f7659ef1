// SPDX-License-Identifier: Apache-2.0
// A sample's way: values to the ranks that compress their chunk, chunks to rank 0, rows to the
// file.
#include "solver/io/series_writer.hpp"

#include <algorithm>

#include "solver/base/errors.hpp"
#include "solver/comm/attempt.hpp"
#include "solver/io/byte_stream.hpp"
#include "solver/io/chunk_gather.hpp"

namespace tailrace {

namespace {

constexpr hsize_t plain_chunk_rows = 1024;  // of uncompressed series, written in place

hdf5::Handle create_plain(OutputFile& file, const std::string& path, hsize_t width,
                          const FieldInfo& info, const std::vector<std::string>& tier_names) {
  DatasetShape shape{{0}, {H5S_UNLIMITED}, {plain_chunk_rows}};
  if (!tier_names.empty()) {
    shape.size.push_back(width);
    shape.size_max.push_back(width);
    shape.chunk.push_back(width);
  }
  return create_dataset(file.id(), path, ValueType::of(ValueType::Kind::float64), shape, 0, info,
                        tier_names.empty() ? NameList{} : NameList{"tier_names", tier_names});
}

}  // namespace

SeriesWriter::SeriesWriter(OutputFile* file, const Communicator& communicator, int compression,
                           const SeriesLayout& layout, const Fields& fields)
    : file_(file), communicator_(communicator), codec_(compression), compression_(compression) {
  const auto cut = [](Block& block, std::int64_t columns) {
    block.columns = columns;
    block.chunk_columns = chunk_length(columns);
    block.chunks = (columns + block.chunk_columns - 1) / block.chunk_columns;
  };
  lanes_.with_ids = true;
  lanes_.value_datasets = static_cast<std::int64_t>(fields.lane.size());
  cut(lanes_, layout.lane_slots);
  flows_.value_datasets = 1;
  cut(flows_, static_cast<std::int64_t>(layout.flow_ids.size()));
  tier_count_ = layout.tier_names.size();
  tier_fields_ = tier_count_ > 0 ? fields.tier.size() : 0;
  fabric_fields_ = fields.fabric.size();
  agree(communicator_, [&] {
    if (file_ != nullptr) create_datasets(layout, fields);
  });
}

void SeriesWriter::create_datasets(const SeriesLayout& layout, const Fields& fields) {
  const auto create_block = [&](Block& block, const std::string& group, const FieldInfo& info,
                                ValueType::Kind kind) {
    if (block.columns == 0) return;
    const auto columns = static_cast<hsize_t>(block.columns);
    const DatasetShape shape{
        {0, columns}, {H5S_UNLIMITED, columns}, {1, static_cast<hsize_t>(block.chunk_columns)}};
    block.datasets.push_back(create_dataset(file_->id(), group + "/" + info.name,
                                            ValueType::of(kind), shape, compression_, info));
  };
  time_ = create_plain(*file_, "series/time_ns", 1,
                       {"time_ns", "ns", "end of the interval that the sample stands for"}, {});
  create_block(lanes_, "series/lanes",
               {"id", "1", "lane in this column (link * number of classes + class); -1: none"},
               ValueType::Kind::int64);
  for (const auto& info : fields.lane) {
    create_block(lanes_, "series/lanes", info, ValueType::Kind::float32);
  }
  create_block(flows_, "series/flows",
               {"rate_gbps", "Gbps", "rate on the wire at the receiver, mean over the interval"},
               ValueType::Kind::float32);
  for (std::size_t f = 0; f < tier_fields_; ++f) {
    tiers_.push_back(create_plain(*file_, "series/tiers/" + fields.tier[f].name, tier_count_,
                                  fields.tier[f], layout.tier_names));
  }
  for (const auto& info : fields.fabric) {
    fabric_.push_back(create_plain(*file_, "series/fabric/" + info.name, 1, info, {}));
  }
}

void SeriesWriter::append(const Sample& sample) {
  Attempt attempt;
  std::vector<std::vector<std::byte>> send(static_cast<std::size_t>(communicator_.size()));
  attempt.run([&] {
    const auto parts = parts_of(sample);
    check(parts, sample);
    send = send_units(parts);
  });
  const std::int64_t units = lanes_.units() + flows_.units();
  std::vector<StoredChunk> chunks;
  if (units > 0) {
    const auto received = communicator_.all_to_all(std::move(send));
    std::vector<StoredChunk> mine;
    attempt.run([&] { mine = pack_units(received); });
    chunks = gather_chunks(communicator_, mine, units, 1);
  }
  attempt.run([&] {
    // Fewer chunks: another rank failed, and says so below.
    const bool whole = static_cast<std::int64_t>(chunks.size()) == units;
    if (file_ != nullptr && whole) write(chunks, sample);
  });
  attempt.settle(communicator_);
  ++samples_;
}

std::vector<SeriesWriter::Part> SeriesWriter::parts_of(const Sample& sample) const {
  Part lanes{&lanes_, &sample.lane_slot, &sample.lane_id, {}};
  for (const auto& values : sample.lane_values) lanes.values.push_back(&values);
  return {lanes, Part{&flows_, &sample.flow_slot, nullptr, {&sample.flow_rate_gbps}}};
}

void SeriesWriter::check(const std::vector<Part>& parts, const Sample& sample) const {
  for (const auto& part : parts) {
    const std::size_t count = part.slots->size();
    if (part.block->columns == 0 && count == 0) continue;
    TAILRACE_REQUIRE(std::all_of(part.slots->begin(), part.slots->end(),
                                 [&](auto s) { return s >= 0 && s < part.block->columns; }),
                     "a sample has a value outside of the series' columns");
    TAILRACE_REQUIRE(part.ids == nullptr || part.ids->size() == count, "one lane id per slot");
    TAILRACE_REQUIRE(part.values.size() == static_cast<std::size_t>(part.block->value_datasets) &&
                         std::all_of(part.values.begin(), part.values.end(),
                                     [&](const auto* values) { return values->size() == count; }),
                     "a sample needs one value per field and column");
  }
  if (file_ == nullptr) return;
  TAILRACE_REQUIRE(sample.fabric_values.size() == fabric_fields_, "one value per fabric field");
  if (tier_count_ == 0) return;
  TAILRACE_REQUIRE(sample.tier_values.size() == tier_fields_ &&
                       std::all_of(sample.tier_values.begin(), sample.tier_values.end(),
                                   [&](const auto& v) { return v.size() == tier_count_; }),
                   "a sample needs one value per tier field and tier");
}

// To the owner of each unit: number of values, their columns within the chunk, the values.
std::vector<std::vector<std::byte>> SeriesWriter::send_units(const std::vector<Part>& parts) const {
  std::vector<ByteWriter> writers(static_cast<std::size_t>(communicator_.size()));
  std::int64_t unit = 0;
  for (const auto& part : parts) {
    const Block& block = *part.block;
    std::vector<std::vector<std::int32_t>> columns(static_cast<std::size_t>(block.chunks));
    std::vector<std::vector<std::size_t>> places(columns.size());
    for (std::size_t i = 0; i < part.slots->size(); ++i) {
      const std::int64_t slot = (*part.slots)[i];
      const auto chunk = static_cast<std::size_t>(slot / block.chunk_columns);
      columns[chunk].push_back(static_cast<std::int32_t>(slot % block.chunk_columns));
      places[chunk].push_back(i);
    }
    const std::int64_t first_value = block.with_ids ? 1 : 0;
    for (std::int64_t dataset = 0; dataset < block.datasets_count(); ++dataset) {
      for (std::size_t chunk = 0; chunk < columns.size(); ++chunk, ++unit) {
        auto& writer = writers[static_cast<std::size_t>(unit_owner(unit, communicator_.size()))];
        writer.put(columns[chunk].size());
        writer.put_all(std::span<const std::int32_t>(columns[chunk]));
        for (const std::size_t i : places[chunk]) {
          if (dataset < first_value) {
            writer.put((*part.ids)[i]);
          } else {
            writer.put((*part.values[static_cast<std::size_t>(dataset - first_value)])[i]);
          }
        }
      }
    }
  }
  std::vector<std::vector<std::byte>> send;
  for (auto& writer : writers) send.push_back(writer.take());
  return send;
}

namespace {

// Puts what each rank sent for one unit into the row of its chunk.
template <class Value>
std::vector<Value> merge(std::vector<ByteReader>& readers, std::int64_t chunk_columns,
                         Value empty) {
  std::vector<Value> row(static_cast<std::size_t>(chunk_columns), empty);
  std::vector<bool> taken(row.size());
  for (auto& reader : readers) {
    const auto columns = reader.get_all<std::int32_t>(reader.get<std::size_t>());
    for (const std::int32_t column : columns) {
      const auto place = static_cast<std::size_t>(column);
      TAILRACE_REQUIRE(!taken[place], "two ranks give a value for one column of a series");
      taken[place] = true;
      row[place] = reader.get<Value>();
    }
  }
  return row;
}

}  // namespace

std::vector<StoredChunk> SeriesWriter::pack_units(
    const std::vector<std::vector<std::byte>>& received) {
  std::vector<ByteReader> readers;
  for (const auto& bytes : received) {
    if (!bytes.empty()) readers.emplace_back(bytes);
  }
  std::vector<StoredChunk> chunks;
  std::int64_t unit = 0;
  for (const Block* block : {&lanes_, &flows_}) {
    for (std::int64_t dataset = 0; dataset < block->datasets_count(); ++dataset) {
      for (std::int64_t chunk = 0; chunk < block->chunks; ++chunk, ++unit) {
        if (unit_owner(unit, communicator_.size()) != communicator_.rank()) continue;
        if (block->with_ids && dataset == 0) {
          const auto row = merge<std::int64_t>(readers, block->chunk_columns, -1);
          chunks.push_back(codec_.pack(std::as_bytes(std::span(row)), sizeof(std::int64_t)));
        } else {
          const auto row = merge<float>(readers, block->chunk_columns, 0.0F);
          chunks.push_back(codec_.pack(std::as_bytes(std::span(row)), sizeof(float)));
        }
      }
    }
  }
  return chunks;
}

void SeriesWriter::write(const std::vector<StoredChunk>& chunks, const Sample& sample) {
  auto next = chunks.begin();
  for (Block* block : {&lanes_, &flows_}) {
    for (const auto& dataset : block->datasets) {
      set_rows(dataset, samples_ + 1);
      for (std::int64_t chunk = 0; chunk < block->chunks; ++chunk) {
        write_chunk(dataset, {samples_, static_cast<hsize_t>(chunk * block->chunk_columns)},
                    *next++);
      }
    }
  }
  const auto append_row = [&](const hdf5::Handle& dataset, const std::vector<double>& values) {
    set_rows(dataset, samples_ + 1);
    write_row(dataset, samples_, values);
  };
  for (std::size_t f = 0; f < tiers_.size(); ++f) append_row(tiers_[f], sample.tier_values[f]);
  for (std::size_t f = 0; f < fabric_.size(); ++f) {
    append_row(fabric_[f], {sample.fabric_values[f]});
  }
  append_row(time_, {sample.time_ns});
  file_->flush();
}

}  // namespace tailrace
