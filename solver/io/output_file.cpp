// SPDX-License-Identifier: Apache-2.0
// Making, locking, publishing and closing the output file.
#include "solver/io/output_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "solver/base/errors.hpp"

namespace tailrace {

namespace fs = std::filesystem;
using hdf5::checked;

namespace {

// Where `path` leads to, so that publishing replaces the file and not a link to it.
fs::path follow_links(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

// The user can do something about most reasons; the rest is the machine's.
[[noreturn]] void throw_errno(const std::string& what, int reason) {
  const std::string text = what + ": " + std::strerror(reason);
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
    case EIO:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ESTALE:
      throw TailraceError(text);
    default:
      throw InputError(text);
  }
}

void check_place(const fs::path& path, const std::string& shown) {
  if (path.empty() || path.filename().empty()) {
    throw InputError("output file '" + shown + "': give the name of a file, e.g. results/run.h5");
  }
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const auto folder_status = fs::status(folder, error);
  if (folder_status.type() == fs::file_type::not_found) {
    throw InputError("output file '" + shown + "': there is no folder '" + folder.string() +
                     "'; make it first");
  }
  const auto status = fs::status(path, error);
  if (fs::is_directory(status)) {
    throw InputError("output file '" + shown + "': is a folder; give the name of a file");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError("output file '" + shown + "': is not a regular file; give the name of one");
  }
}

}  // namespace

void OutputFile::Lock::acquire(const std::string& path, bool create,
                               const std::string& shown_path) {
  const std::string what = "output file '" + shown_path + "'";
  descriptor_ = open(path.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0), 0666);
  if (descriptor_ < 0) throw_errno(what + ": cannot be written", errno);
#ifdef F_OFD_SETLK
  // Of this open file, not of the process: HDF5's own opening and closing does not release it.
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const bool refused = fcntl(descriptor_, F_OFD_SETLK, &whole) != 0;
  if (refused && (errno == EACCES || errno == EAGAIN)) {
    release();
    throw InputError(what + ": another run is writing it; wait for its end or give another name");
  }
  // Other reasons: a file system without locks; then there is none.
#endif
}

void OutputFile::Lock::release() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

OutputFile::OutputFile(const std::string& path) : shown_path_(path) {
  const fs::path final_path = follow_links(path);
  check_place(final_path, shown_path_);
  path_ = final_path.string();
  part_path_ = path_ + ".part";
  lock_.acquire(part_path_, true, shown_path_);
  try {
    std::error_code error;
    if (fs::exists(path_, error)) {
      Lock old;
      old.acquire(path_, false, shown_path_);
    }
    const auto access_list = hdf5::file_access();
    file_ =
        hdf5::Handle(H5Fcreate(part_path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_list.get()),
                     H5Fclose, "H5Fcreate");
  } catch (...) {
    unlink(part_path_.c_str());
    throw;
  }
}

OutputFile::~OutputFile() {
  if (!published_) unlink(part_path_.c_str());
  file_.reset();
}

void OutputFile::abandon() noexcept {
#ifdef __linux__
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &handle) < 0 || handle == nullptr) return;
  const int memory = memfd_create("abandoned", MFD_CLOEXEC);
  if (memory < 0) return;
  dup2(memory, *static_cast<const int*>(handle));
  ::close(memory);
#endif
}

void OutputFile::flush() { checked(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "H5Fflush"); }

void OutputFile::publish() {
  flush();
  if (std::rename(part_path_.c_str(), path_.c_str()) != 0) {
    throw_errno("cannot replace the old file", errno);
  }
  published_ = true;
}

std::int64_t OutputFile::finish() {
  flush();
  hdf5::overwrite_attribute(file_.get(), "complete", 1);
  flush();
  hsize_t bytes = 0;
  checked(H5Fget_filesize(file_.get(), &bytes), "H5Fget_filesize");
  if (!file_.reset()) throw TailraceError(hdf5::last_reason() + " (H5Fclose)");
  lock_.release();
  return static_cast<std::int64_t>(bytes);
}

}  // namespace tailrace
