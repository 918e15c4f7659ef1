// SPDX-License-Identifier: Apache-2.0
// Compresses one chunk exactly as HDF5's own shuffle and deflate filters would, on any rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tailrace {

/// A chunk as it is stored in the file.
struct StoredChunk {
  std::vector<std::byte> bytes;
  std::uint32_t skipped_filters = 0;  ///< HDF5's filter mask: bit 1 when deflate did not shrink it
};

/// Keeps zlib's working memory (256 KiB) from chunk to chunk: HDF5's filter allocates it anew for
/// each, which costs far more than the compression of a small chunk.
class ChunkCodec {
 public:
  /// `compression` 0 (bytes are stored as they are) to 9.
  explicit ChunkCodec(int compression);
  ~ChunkCodec();
  ChunkCodec(const ChunkCodec&) = delete;
  ChunkCodec& operator=(const ChunkCodec&) = delete;
  /// `value_bytes`: size of one number, by which bytes are shuffled; divides raw.size().
  StoredChunk pack(std::span<const std::byte> raw, std::size_t value_bytes);

 private:
  struct Stream;
  int compression_;
  std::unique_ptr<Stream> stream_;
  std::vector<std::byte> shuffled_;
};

}  // namespace tailrace
