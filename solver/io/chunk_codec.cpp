// SPDX-License-Identifier: Apache-2.0
// Shuffle (first bytes of all values, then second bytes, ...) and zlib's deflate.
#include "solver/io/chunk_codec.hpp"

#include <zlib.h>

#include "solver/base/errors.hpp"

namespace tailrace {

struct ChunkCodec::Stream {
  z_stream state{};
};

ChunkCodec::ChunkCodec(int compression)
    : compression_(compression), stream_(std::make_unique<Stream>()) {
  TAILRACE_REQUIRE(compression >= 0 && compression <= 9, "compression is 0 to 9");
  if (compression_ > 0) {
    TAILRACE_REQUIRE(deflateInit(&stream_->state, compression_) == Z_OK, "zlib cannot start");
  }
}

ChunkCodec::~ChunkCodec() {
  if (compression_ > 0) deflateEnd(&stream_->state);
}

StoredChunk ChunkCodec::pack(std::span<const std::byte> raw, std::size_t value_bytes) {
  if (compression_ == 0) return {{raw.begin(), raw.end()}, 0};
  const std::size_t count = raw.size() / value_bytes;
  TAILRACE_REQUIRE(count * value_bytes == raw.size(), "a chunk holds whole values");
  shuffled_.resize(raw.size());
  for (std::size_t byte = 0; byte < value_bytes; ++byte) {
    std::byte* plane = shuffled_.data() + byte * count;
    for (std::size_t i = 0; i < count; ++i) plane[i] = raw[i * value_bytes + byte];
  }
  auto& state = stream_->state;
  StoredChunk chunk;
  chunk.bytes.resize(raw.size());  // a longer result is of no use
  TAILRACE_REQUIRE(deflateReset(&state) == Z_OK, "zlib cannot restart");
  state.next_in = reinterpret_cast<Bytef*>(shuffled_.data());
  state.avail_in = static_cast<uInt>(shuffled_.size());
  state.next_out = reinterpret_cast<Bytef*>(chunk.bytes.data());
  state.avail_out = static_cast<uInt>(chunk.bytes.size());
  if (deflate(&state, Z_FINISH) == Z_STREAM_END) {
    chunk.bytes.resize(chunk.bytes.size() - state.avail_out);
  } else {
    chunk.bytes = shuffled_;
    chunk.skipped_filters = 2;
  }
  return chunk;
}

}  // namespace tailrace
