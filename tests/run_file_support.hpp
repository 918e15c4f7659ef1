// SPDX-License-Identifier: Apache-2.0
// What the tests of output files share: a folder, a small fabric, reading a dataset back.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/comm/communicator.hpp"
#include "solver/io/hdf5.hpp"
#include "solver/io/run_file.hpp"
#include "topology/graph.hpp"

namespace tailrace::testing_support {

/// A new folder, the same on all ranks; rank 0 removes it. Collective.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const Communicator& communicator) : communicator_(communicator) {
    std::string path;
    if (communicator.is_root()) {
      path = (std::filesystem::temp_directory_path() / "tailrace_test_XXXXXX").string();
      if (mkdtemp(path.data()) == nullptr) path.clear();
    }
    path_ = communicator.broadcast(path);
    EXPECT_NE(path_, "");
  }
  ~TemporaryFolder() {
    communicator_.barrier();
    std::error_code ignored;
    if (communicator_.is_root()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  Communicator communicator_;
  std::string path_;
};

/// Two endpoints (pods 0 and 1) on one switch without a pod.
inline Graph small_graph() {
  Graph graph;
  graph.node_kind = {NodeKind::endpoint, NodeKind::endpoint, NodeKind::switch_};
  graph.node_tier = {0, 0, 1};
  graph.node_pod = {0, 1, -1};
  graph.node_names = {"left", "right", "middle"};
  for (const int endpoint : {0, 1}) {
    graph.link_source.insert(graph.link_source.end(), {NodeId{endpoint}, NodeId{2}});
    graph.link_target.insert(graph.link_target.end(), {NodeId{2}, NodeId{endpoint}});
  }
  graph.link_capacity_bytes_per_ns = {25, 25, 50, 50};  // 200 and 400 Gbps
  graph.link_latency_ns = {600, 600, 700, 700};
  graph.endpoint_count = 2;
  graph.tier_count = 1;
  graph.pod_count = 2;
  graph.build_rows();
  return graph;
}

inline RunHeader small_header() {
  RunHeader header;
  header.deck = "fabric: {}\n";
  header.command = "tailrace run";
  header.backend = "Serial";
  header.seed = 42;
  header.classes = {"default", "storage"};
  return header;
}

/// All values of a dataset, in the order of the file; empty and a test failure when it is missing.
template <class Value>
std::vector<Value> read_values(const std::string& file_path, const std::string& dataset_path) {
  const auto file = hdf5::open_for_reading(file_path);
  std::vector<Value> values;
  if (H5Lexists(file.get(), dataset_path.c_str(), H5P_DEFAULT) <= 0) {
    ADD_FAILURE() << dataset_path << " is missing";
    return values;
  }
  const hdf5::Handle dataset(H5Dopen2(file.get(), dataset_path.c_str(), H5P_DEFAULT), H5Dclose,
                             "H5Dopen2");
  const hdf5::Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  const hid_t type = std::is_same_v<Value, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  hdf5::checked(H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                "H5Dread");
  return values;
}

inline std::vector<std::string> read_texts(const std::string& file_path,
                                           const std::string& dataset_path) {
  const auto file = hdf5::open_for_reading(file_path);
  const hdf5::Handle dataset(H5Dopen2(file.get(), dataset_path.c_str(), H5P_DEFAULT), H5Dclose,
                             "H5Dopen2");
  const hdf5::Handle type(H5Dget_type(dataset.get()), H5Tclose, "H5Dget_type");
  const hdf5::Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
  const std::size_t bytes = H5Tget_size(type.get());
  std::vector<char> buffer(count * bytes);
  hdf5::checked(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.data()),
                "H5Dread");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const char* first = buffer.data() + i * bytes;
    texts.emplace_back(first, std::find(first, first + bytes, '\0'));
  }
  return texts;
}

/// Root attribute, or attribute of `object_path`, as text.
inline std::string read_attribute(const std::string& file_path, const std::string& name,
                                  const std::string& object_path = "/") {
  const auto file = hdf5::open_for_reading(file_path);
  const hdf5::Handle object(H5Oopen(file.get(), object_path.c_str(), H5P_DEFAULT), H5Oclose,
                            "H5Oopen");
  return hdf5::read_attribute_text(object.get(), name);
}

inline bool has(const std::string& file_path, const std::string& object_path) {
  const auto file = hdf5::open_for_reading(file_path);
  const bool found = H5Oexists_by_name(file.get(), object_path.c_str(), H5P_DEFAULT) > 0;
  H5Eclear2(H5E_DEFAULT);
  return found;
}

}  // namespace tailrace::testing_support
