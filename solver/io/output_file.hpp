// SPDX-License-Identifier: Apache-2.0
// The output file as rank 0 holds it: made beside the final name, put in its place, closed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "solver/io/hdf5.hpp"

namespace tailrace {

/// An HDF5 file being written, on one rank. A lock of our own (not HDF5's, which would keep readers
/// out) refuses a second run with the same output.
class OutputFile {
 public:
  /// Makes `path`.part. Throws InputError when the place cannot be written to (no such folder, no
  /// permission, a folder, another run writes it), TailraceError for the machine's faults.
  explicit OutputFile(const std::string& path);
  /// Closes the file as it is; removes it when it was never published.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  hid_t id() const { return file_.get(); }
  /// Gives the file up after a failure: it stays on the disk as the last flush left it, and what
  /// HDF5 still holds goes nowhere, so that closing succeeds on a full disk, too.
  void abandon() noexcept;
  void flush();    ///< to the operating system: survives the end of the process
  void publish();  ///< flushes and replaces what stood under the final name
  /// Flushes, sets the attribute `complete` to 1, closes; returns the file's size.
  std::int64_t finish();

 private:
  /// A file descriptor that holds a lock.
  class Lock {
   public:
    Lock() = default;
    ~Lock() { release(); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    void acquire(const std::string& path, bool create, const std::string& shown_path);
    void release();

   private:
    int descriptor_ = -1;
  };

  std::string path_, part_path_;  ///< with symbolic links followed
  std::string shown_path_;        ///< as the user gave it
  Lock lock_;
  hdf5::Handle file_;
  bool published_ = false;
};

}  // namespace tailrace
