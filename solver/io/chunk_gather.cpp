// SPDX-License-Identifier: Apache-2.0
// One gather of everything that the ranks have compressed.
#include "solver/io/chunk_gather.hpp"

#include "solver/io/byte_stream.hpp"

namespace tailrace {

std::vector<StoredChunk> gather_chunks(const Communicator& communicator,
                                       const std::vector<StoredChunk>& mine, std::int64_t units,
                                       std::int64_t chunks_per_unit) {
  ByteWriter writer;
  for (const auto& chunk : mine) {
    writer.put(chunk.skipped_filters);
    writer.put(chunk.bytes.size());
    writer.put_all(std::span<const std::byte>(chunk.bytes));
  }
  const auto received = communicator.gather(writer.take());
  std::vector<StoredChunk> chunks;
  if (!communicator.is_root()) return chunks;
  std::vector<ByteReader> readers(received.begin(), received.end());
  for (std::int64_t unit = 0; unit < units; ++unit) {
    auto& reader = readers[static_cast<std::size_t>(unit_owner(unit, communicator.size()))];
    for (std::int64_t i = 0; i < chunks_per_unit; ++i) {
      if (reader.at_end()) return {};
      StoredChunk& chunk = chunks.emplace_back();
      chunk.skipped_filters = reader.get<std::uint32_t>();
      chunk.bytes = reader.get_all<std::byte>(reader.get<std::size_t>());
    }
  }
  return chunks;
}

}  // namespace tailrace
