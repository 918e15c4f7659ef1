// SPDX-License-Identifier: Apache-2.0
// HDF5 with handles that close themselves and calls that throw; the only header that shows hdf5.h.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tailrace::hdf5 {

/// One HDF5 identifier; closed when it goes out of scope. Move only.
class Handle {
 public:
  Handle() = default;
  /// Throws (see checked) when `id` is not valid. `call` names the function that gave it.
  Handle(hid_t id, herr_t (*close)(hid_t), const char* call);
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Closes; returns false when HDF5 could not.
  bool reset() noexcept;

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// Returns `result` when it is not negative; else throws TailraceError with the system's reason
/// ("No space left on device") where HDF5's error stack holds one, else with HDF5's own text.
/// Overloads for the types that HDF5 returns: herr_t, htri_t and int; hid_t, ssize_t.
int checked(int result, const char* call);
std::int64_t checked(std::int64_t result, const char* call);

/// Reason of the last failure from HDF5's error stack, for people; clears the stack.
std::string last_reason();

/// File access as the project wants it: no lock (readers may open a file that is being written),
/// a format that HDF5 1.8 reads, no writing of metadata between flushes, all closed with the file.
Handle file_access();

Handle open_for_reading(const std::string& path);  ///< InputError: missing, a folder, not HDF5

// Attributes, of files, groups and datasets. Texts are UTF-8 of any length.
void write_attribute(hid_t owner, const std::string& name, const std::string& text);
void write_attribute(hid_t owner, const std::string& name, const std::vector<std::string>& texts);
void write_attribute(hid_t owner, const std::string& name, std::int64_t value);
void overwrite_attribute(hid_t owner, const std::string& name, std::int64_t value);

/// An attribute as text, whatever its type: integers in decimal, lists as "a, b"; "" when absent.
std::string read_attribute_text(hid_t owner, const std::string& name);
/// Names of all attributes, sorted.
std::vector<std::string> attribute_names(hid_t owner);

/// Fixed-length UTF-8 text of `bytes` >= 1 bytes, padded with zeros.
Handle text_type(std::size_t bytes);

}  // namespace tailrace::hdf5
