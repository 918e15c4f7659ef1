// SPDX-License-Identifier: Apache-2.0
// Results on standard output and in small files: written by rank 0, and checked.
#include "solver/app/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "solver/base/errors.hpp"

namespace tailrace {

namespace {

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// "" or what went wrong.
std::string try_write(const std::string& path, const std::string& text) {
  std::error_code ignored;
  // Devices and pipes are written to; files appear only when they are whole.
  const bool is_in_place = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  const std::string partial = is_in_place ? path : path + ".partial";
  errno = 0;
  File file(std::fopen(partial.c_str(), "w"), &std::fclose);
  const bool is_written =
      file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  const bool is_closed = file && std::fclose(file.release()) == 0;
  if (is_written && is_closed && (is_in_place || std::rename(partial.c_str(), path.c_str()) == 0)) {
    return "";
  }
  const std::string reason = std::strerror(errno);
  if (!is_in_place) std::remove(partial.c_str());
  return fmt::format("cannot write {}: {}", path, reason);
}

// "" or why no file can be written there.
std::string find_obstacle(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  if (!fs::is_directory(folder, error)) {
    return fmt::format("the folder {} does not exist; make it first", folder.string());
  }
  if (fs::is_directory(path, error)) return path + " is a folder; name a file in it";
  const bool exists = fs::exists(path, error);
  // A file is replaced, a device (/dev/stdout) is written to.
  const std::string needed = exists ? path : folder.string();
  if (access(needed.c_str(), exists ? W_OK : W_OK | X_OK) != 0) {
    return fmt::format("cannot write {}: {}", path, std::strerror(errno));
  }
  return "";
}

}  // namespace

void print_result(const std::string& text, const Communicator& communicator) {
  std::string error;
  if (communicator.is_root()) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
        std::fflush(stdout) != 0) {
      error = fmt::format("cannot write to standard output: {}", std::strerror(errno));
    }
  }
  error = communicator.first_error(error);
  if (!error.empty()) throw TailraceError(error);
}

void write_file(const std::string& path, const std::string& text,
                const Communicator& communicator) {
  const std::string error =
      communicator.first_error(communicator.is_root() ? try_write(path, text) : "");
  if (!error.empty()) throw TailraceError(error);
}

void require_writable(const std::string& path, const std::string& what,
                      const Communicator& communicator) {
  const std::string error =
      communicator.first_error(communicator.is_root() ? find_obstacle(path) : "");
  if (!error.empty()) throw InputError(what + ": " + error);
}

}  // namespace tailrace
