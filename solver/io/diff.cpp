// SPDX-License-Identifier: Apache-2.0
// The comparison of two files, dataset by dataset.
#include "solver/io/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/base/errors.hpp"
#include "solver/io/diff_values.hpp"
#include "solver/io/hdf5.hpp"

namespace tailrace {

using hdf5::checked;
using hdf5::Handle;

namespace {

// One of the two files.
struct File {
  std::string path;
  Handle handle;
  std::vector<std::string> datasets;  // paths, sorted
};

// What a run did with the machine; it says nothing about the fabric.
bool is_compared(const std::string& path) {
  return path.rfind("/run/", 0) != 0 && path.find("wall_s") == std::string::npos;
}

void collect_datasets(hid_t group, const std::string& prefix, std::vector<std::string>& paths) {
  H5G_info_t info;
  checked(H5Gget_info(group, &info), "H5Gget_info");
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto name_at = [&](char* name, std::size_t bytes) {
      return checked(std::int64_t{H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                                     name, bytes, H5P_DEFAULT)},
                     "H5Lget_name_by_idx");
    };
    std::string name(static_cast<std::size_t>(name_at(nullptr, 0)), '\0');
    name_at(name.data(), name.size() + 1);
    const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
    const std::string path = prefix + "/" + name;
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_GROUP) collect_datasets(object.get(), path, paths);
    if (kind == H5I_DATASET && is_compared(path)) paths.push_back(path);
  }
}

File open_run(const std::string& path) {
  File file{path, hdf5::open_for_reading(path), {}};
  try {
    if (hdf5::read_attribute_text(file.handle.get(), "schema_version").empty()) {
      throw InputError(path + ": is not the file of a run (no attribute schema_version)");
    }
    collect_datasets(file.handle.get(), "", file.datasets);
  } catch (const TailraceError& error) {
    throw InputError(path + ": is damaged: " + error.what());
  }
  std::sort(file.datasets.begin(), file.datasets.end());
  return file;
}

std::string size_text(const std::vector<hsize_t>& size) {
  return fmt::format("[{}]", fmt::join(size, ", "));
}

class Comparison {
 public:
  Comparison(const File& a, const File& b, double tolerance)
      : a_(a), b_(b), tolerance_(tolerance) {}

  DiffResult run() {
    compare_root("schema_version");
    compare_root("classes");
    const auto only = [&](const File& file, const File& other, const char* letter) {
      for (const auto& path : file.datasets) {
        if (!std::binary_search(other.datasets.begin(), other.datasets.end(), path)) {
          lines_.push_back(fmt::format("only in {}: {}", letter, path));
        }
      }
    };
    only(a_, b_, "A");
    only(b_, a_, "B");
    for (const auto& path : a_.datasets) {
      if (!std::binary_search(b_.datasets.begin(), b_.datasets.end(), path)) continue;
      ++datasets_;
      try {
        compare_dataset(path);
      } catch (const TailraceError& error) {
        throw InputError(fmt::format("{} or {}: {} cannot be compared: {}", a_.path, b_.path, path,
                                     error.what()));
      }
    }
    return {lines_.empty(), text()};
  }

 private:
  void compare_root(const std::string& name) {
    const std::string value_a = hdf5::read_attribute_text(a_.handle.get(), name);
    const std::string value_b = hdf5::read_attribute_text(b_.handle.get(), name);
    if (value_a != value_b) {
      lines_.push_back(fmt::format("attribute {}: '{}' against '{}'", name, value_a, value_b));
    }
  }

  void compare_dataset(const std::string& path) {
    const auto open = [&path](const File& file) {
      return Handle(H5Dopen2(file.handle.get(), path.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2");
    };
    const Handle a = open(a_), b = open(b_);
    compare_attributes(path, a.get(), b.get());
    const std::string type_a = dataset_type(a.get()), type_b = dataset_type(b.get());
    if (type_a != type_b) {
      lines_.push_back(fmt::format("{}: {} against {}", path, type_a, type_b));
      return;
    }
    const auto size_a = dataset_size(a.get()), size_b = dataset_size(b.get());
    if (size_a != size_b) {
      lines_.push_back(
          fmt::format("{}: size {} against {}", path, size_text(size_a), size_text(size_b)));
      return;
    }
    const bool exact = type_a.find("int") != std::string::npos &&
                       hdf5::read_attribute_text(a.get(), "units") == "1";
    const auto found = compare_values(a.get(), b.get(), exact ? 0 : tolerance_);
    values_ += found.values;
    note_largest(path, size_a, found);
    if (found.differing > 0) lines_.push_back(differences_text(path, size_a, found));
  }

  void compare_attributes(const std::string& path, hid_t a, hid_t b) {
    auto names = hdf5::attribute_names(a);
    const auto names_b = hdf5::attribute_names(b);
    names.insert(names.end(), names_b.begin(), names_b.end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const auto& name : names) {
      const std::string value_a = hdf5::read_attribute_text(a, name);
      const std::string value_b = hdf5::read_attribute_text(b, name);
      if (value_a == value_b) continue;
      lines_.push_back(
          fmt::format("{}: attribute {}: '{}' against '{}'", path, name, value_a, value_b));
    }
  }

  static std::string differences_text(const std::string& path, const std::vector<hsize_t>& size,
                                      const ValueDifferences& found) {
    std::string text =
        fmt::format("{}: {} of {} values differ; first at {}: {} against {}", path, found.differing,
                    found.values, place_text(size, found.first), found.first_a, found.first_b);
    if (size.empty()) {
      text = fmt::format("{}: {} against {}", path, found.first_a, found.first_b);
    }
    if (found.largest_absolute_at < 0) return text;  // texts
    return text + fmt::format("; largest difference {:.6g} at {}, relative {:.3g} at {}",
                              found.largest_absolute, place_text(size, found.largest_absolute_at),
                              found.largest_relative, place_text(size, found.largest_relative_at));
  }

  void note_largest(const std::string& path, const std::vector<hsize_t>& size,
                    const ValueDifferences& found) {
    if (found.largest_relative_at < 0 || found.largest_relative < largest_relative_) return;
    largest_relative_ = found.largest_relative;
    largest_at_ = path + place_text(size, found.largest_relative_at);
  }

  std::string text() const {
    std::string text;
    const std::string how =
        tolerance_ > 0 ? fmt::format("within the tolerance {}", tolerance_) : "bit for bit";
    if (lines_.empty()) {
      text = fmt::format("{} and {} agree {}: {} datasets, {} values\n", a_.path, b_.path, how,
                         datasets_, values_);
      if (!largest_at_.empty()) {
        text += fmt::format("largest relative difference: {:.3g} in {}\n", largest_relative_,
                            largest_at_);
      }
    } else {
      text = fmt::format("A {}\nB {}\ndo not agree {}; {} datasets compared, {} values\n", a_.path,
                         b_.path, how, datasets_, values_);
      for (const auto& line : lines_) text += "  " + line + "\n";
    }
    return text + notes();
  }

  std::string notes() const {
    std::string text;
    for (const char* name : {"deck", "seed", "tailrace_version"}) {
      if (hdf5::read_attribute_text(a_.handle.get(), name) !=
          hdf5::read_attribute_text(b_.handle.get(), name)) {
        text += fmt::format("note: the runs have not the same {}\n", name);
      }
    }
    for (const File* file : {&a_, &b_}) {
      if (hdf5::read_attribute_text(file->handle.get(), "complete") != "1") {
        text += fmt::format("note: {}: the run has not finished, or was stopped\n", file->path);
      }
    }
    return text;
  }

  const File &a_, &b_;
  double tolerance_;
  std::int64_t datasets_ = 0, values_ = 0;
  std::vector<std::string> lines_;
  double largest_relative_ = 0;
  std::string largest_at_;
};

}  // namespace

DiffResult diff_runs(const std::string& path_a, const std::string& path_b, double tolerance) {
  if (!(tolerance >= 0) || std::isinf(tolerance)) {
    throw InputError(
        fmt::format("the tolerance is {}; it must be a number of at least 0", tolerance));
  }
  const File a = open_run(path_a), b = open_run(path_b);
  return Comparison(a, b, tolerance).run();
}

}  // namespace tailrace
