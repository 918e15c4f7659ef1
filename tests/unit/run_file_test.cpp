// SPDX-License-Identifier: Apache-2.0
// What an output file holds, and what happens when it cannot be written.
#include "solver/io/run_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>

#include "solver/base/errors.hpp"
#include "solver/io/chunk_codec.hpp"
#include "solver/io/dataset.hpp"
#include "tests/run_file_support.hpp"

namespace tailrace {
namespace {

using testing_support::has;
using testing_support::read_attribute;
using testing_support::read_texts;
using testing_support::read_values;
using testing_support::small_graph;
using testing_support::small_header;
using testing_support::TemporaryFolder;

class RunFileTest : public testing::Test {
 protected:
  std::string write_header_only(const RunHeader& header) {
    RunFile file({path_, 4}, world_, header, small_graph());
    file.close();
    return path_;
  }
  // The message of the InputError or TailraceError that opening `path` for writing ends with.
  template <class Error>
  std::string refusal(const std::string& path) {
    try {
      RunFile file({path, 4}, world_, small_header(), small_graph());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Communicator world_ = Communicator::world();
  TemporaryFolder folder_{world_};
  std::string path_ = folder_ / "run.h5";
};

Sample sample_with(std::int64_t lanes, double time_ns) {
  Sample sample;
  sample.time_ns = time_ns;
  sample.lane_values.resize(1);
  for (std::int64_t i = 0; i < lanes; ++i) {
    sample.lane_slot.push_back(i);
    sample.lane_id.push_back(i);
    // Digits of an irrational number, so that compression gains little.
    sample.lane_values[0].push_back(static_cast<float>(std::sin(1e4 * static_cast<double>(i))));
  }
  return sample;
}

// --- Contents
// --------------------------------------------------------------------------------------

TEST_F(RunFileTest, RootSaysHowTheRunWasStarted) {
  RunHeader header = small_header();
  header.deck = std::string(200000, 'd') + " ü\n";  // an attribute of fixed length ends at 64 KiB
  header.command = "";
  header.ranks = 3;
  write_header_only(header);
  EXPECT_EQ(read_attribute(path_, "schema_version"), "1");
  EXPECT_EQ(read_attribute(path_, "complete"), "1");
  EXPECT_EQ(read_attribute(path_, "deck"), header.deck);
  EXPECT_EQ(read_attribute(path_, "command"), "");
  EXPECT_EQ(read_attribute(path_, "seed"), "42");
  EXPECT_EQ(read_attribute(path_, "ranks"), "3");
  EXPECT_EQ(read_attribute(path_, "threads"), "1");
  EXPECT_EQ(read_attribute(path_, "backend"), "Serial");
  EXPECT_EQ(read_attribute(path_, "classes"), "default, storage");
  EXPECT_NE(read_attribute(path_, "tailrace_version"), "");
  EXPECT_NE(read_attribute(path_, "git_hash"), "");
}

TEST_F(RunFileTest, TopologyHoldsNodesAndLinks) {
  write_header_only(small_header());
  using Integers = std::vector<std::int64_t>;
  EXPECT_EQ(read_values<std::int64_t>(path_, "/topology/nodes/kind"), (Integers{0, 0, 1}));
  EXPECT_EQ(read_values<std::int64_t>(path_, "/topology/nodes/tier"), (Integers{0, 0, 1}));
  EXPECT_EQ(read_values<std::int64_t>(path_, "/topology/nodes/pod"), (Integers{0, 1, -1}));
  EXPECT_EQ(read_texts(path_, "/topology/nodes/name"),
            (std::vector<std::string>{"left", "right", "middle"}));
  EXPECT_EQ(read_values<std::int64_t>(path_, "/topology/links/source"), (Integers{0, 2, 1, 2}));
  EXPECT_EQ(read_values<std::int64_t>(path_, "/topology/links/target"), (Integers{2, 0, 2, 1}));
  EXPECT_EQ(read_values<double>(path_, "/topology/links/capacity_gbps"),
            (std::vector<double>{200, 200, 400, 400}));
  EXPECT_EQ(read_values<double>(path_, "/topology/links/latency_ns"),
            (std::vector<double>{600, 600, 700, 700}));
  EXPECT_NE(read_attribute(path_, "tier_names", "/topology/links/tier"), "");
}

// The formula of topology_tables.hpp with R = 5 m, 1 tier above the endpoints, 2 pods: endpoints
// alone in their pods stand in the middle of the sectors, at 1/4 and 3/4 of a turn, at r = 5 m; the
// switch, alone in its tier, at half a turn, r = 2.5 m, z = 2.5 m.
TEST_F(RunFileTest, NodesStandWhereTheFormulaSays) {
  write_header_only(small_header());
  const auto position = read_values<double>(path_, "/topology/nodes/position_m");
  const std::vector<double> expected{0, 5, 0, 0, -5, 0, -2.5, 0, 2.5};
  ASSERT_EQ(position.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(position[i], expected[i], 1e-12);
}

TEST_F(RunFileTest, EveryDatasetSaysUnitsAndDescription) {
  {
    RunFile file({path_, 4}, world_, small_header(), small_graph());
    file.define_series({2, {7}, {"up"}}, {{"backlog_bytes", "bytes", "backlog"}},
                       {{"peak_bytes", "bytes", "peak"}}, {{"queued_bytes", "bytes", "queued"}});
    file.write_scalars("run", {{"steps", "1", "steps of the run"}}, {17});
    file.close();
  }
  const auto file = hdf5::open_for_reading(path_);
  const auto check = [](hid_t root, const char* name, const H5L_info_t*, void*) -> herr_t {
    const hdf5::Handle object(H5Oopen(root, name, H5P_DEFAULT), H5Oclose, "H5Oopen");
    if (H5Iget_type(object.get()) != H5I_DATASET) return 0;
    EXPECT_NE(hdf5::read_attribute_text(object.get(), "units"), "") << name;
    EXPECT_NE(hdf5::read_attribute_text(object.get(), "description"), "") << name;
    return 0;
  };
  EXPECT_GE(H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, check, nullptr), 0);
  EXPECT_EQ(read_values<double>(path_, "/run/steps"), std::vector<double>{17});
  EXPECT_EQ(read_attribute(path_, "units", "/series/flows/rate_gbps"), "Gbps");
  EXPECT_EQ(read_attribute(path_, "tier_names", "/series/tiers/peak_bytes"), "up");
}

TEST_F(RunFileTest, EmptyPartsAreLeftOut) {
  {
    RunFile file({path_, 4}, world_, small_header(), small_graph());
    file.define_series({0, {}, {}}, {{"backlog_bytes", "bytes", "b"}},
                       {{"peak_bytes", "bytes", "p"}}, {{"queued_bytes", "bytes", "q"}});
    Sample sample;
    sample.time_ns = 5;
    sample.lane_values.resize(1);
    sample.fabric_values = {2};
    file.append(sample);
    file.write_table("collectives", 0, {}, {Column{}});
    file.close();
  }
  EXPECT_FALSE(has(path_, "/series/lanes"));
  EXPECT_FALSE(has(path_, "/series/flows"));
  EXPECT_FALSE(has(path_, "/series/tiers"));
  EXPECT_FALSE(has(path_, "/collectives"));
  EXPECT_EQ(read_values<double>(path_, "/series/time_ns"), std::vector<double>{5});
  EXPECT_EQ(read_values<double>(path_, "/series/fabric/queued_bytes"), std::vector<double>{2});
}

TEST_F(RunFileTest, ReadersSeeEverySampleWhileTheRunGoesOn) {
  RunFile file({path_, 4}, world_, small_header(), small_graph());
  file.define_series({10, {}, {}}, {{"backlog_bytes", "bytes", "b"}}, {}, {});
  for (int t = 1; t <= 3; ++t) {
    file.append(sample_with(10, 10.0 * t));
    // Another process reads the file as it is on the disk; so does this copy.
    const std::string copy = folder_ / "copy.h5";
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(read_attribute(copy, "complete"), "0");
    const auto time = read_values<double>(copy, "/series/time_ns");
    ASSERT_EQ(time.size(), static_cast<std::size_t>(t));
    EXPECT_EQ(time.back(), 10.0 * t);
    EXPECT_EQ(read_values<double>(copy, "/series/lanes/backlog_bytes").size(),
              static_cast<std::size_t>(10 * t));
  }
}

TEST_F(RunFileTest, CompressionZeroKeepsTheValues) {
  RunFile file({path_, 0}, world_, small_header(), small_graph());
  file.define_series({3, {}, {}}, {{"backlog_bytes", "bytes", "b"}}, {}, {});
  Sample sample = sample_with(3, 1);
  sample.lane_values[0] = {1.5F, -2.0F, std::nanf("")};
  file.append(sample);
  file.close();
  const auto values = read_values<double>(path_, "/series/lanes/backlog_bytes");
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0], 1.5);
  EXPECT_EQ(values[1], -2.0);
  EXPECT_TRUE(std::isnan(values[2]));
}

// Shuffling and deflating is undone by HDF5's own filters, whether it shrinks (all equal) or not
// (one value: 8 bytes do not get shorter).
TEST(ChunkCodec, TellsWhenDeflateWasOfNoUse) {
  ChunkCodec codec(6);
  const std::vector<double> equal(1000, 3.25), single{3.25};
  const auto shrunk = codec.pack(std::as_bytes(std::span(equal)), sizeof(double));
  EXPECT_LT(shrunk.bytes.size(), 200U);
  EXPECT_EQ(shrunk.skipped_filters, 0U);
  const auto kept = codec.pack(std::as_bytes(std::span(single)), sizeof(double));
  EXPECT_EQ(kept.bytes.size(), 8U);
  EXPECT_EQ(kept.skipped_filters, 2U);
}

// The fewest chunks of at most 65,536: n / ceil(n / 65536), rounded up.
TEST(ChunkLength, CutsIntoEqualChunks) {
  EXPECT_EQ(chunk_length(1), 1);
  EXPECT_EQ(chunk_length(65536), 65536);
  EXPECT_EQ(chunk_length(65537), 32769);
  EXPECT_EQ(chunk_length(150000), 50000);
}

// --- Refusals
// --------------------------------------------------------------------------------------

TEST_F(RunFileTest, RefusesPlacesThatCannotHoldAFile) {
  EXPECT_NE(refusal<InputError>(folder_ / "none/run.h5").find("there is no folder"),
            std::string::npos);
  EXPECT_NE(refusal<InputError>(folder_ / "").find("name of a file"), std::string::npos);
  EXPECT_NE(refusal<InputError>("").find("name of a file"), std::string::npos);
  std::filesystem::create_directory(folder_ / "folder.h5");
  EXPECT_NE(refusal<InputError>(folder_ / "folder.h5").find("is a folder"), std::string::npos);
  EXPECT_NE(refusal<InputError>("/dev/null").find("not a regular file"), std::string::npos);
  EXPECT_NE(refusal<InputError>(folder_ / std::string(300, 'n')).find("too long"),
            std::string::npos);
}

TEST_F(RunFileTest, RefusesAFolderWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const std::string closed = folder_ / "closed";
  std::filesystem::create_directory(closed);
  std::filesystem::permissions(
      closed, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_NE(refusal<InputError>(closed + "/run.h5").find("Permission denied"), std::string::npos);
}

TEST_F(RunFileTest, RefusesAFileThatAnotherRunWrites) {
  RunFile first({path_, 4}, world_, small_header(), small_graph());
  EXPECT_NE(refusal<InputError>(path_).find("another run is writing it"), std::string::npos);
  first.close();
  EXPECT_EQ(read_attribute(path_, "complete"), "1");
  EXPECT_EQ(refusal<InputError>(path_), "");
}

TEST_F(RunFileTest, AFailedStartLeavesTheOldFileAlone) {
  std::ofstream(path_) << "old";
  rlimit old_limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1000, old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string message = refusal<TailraceError>(path_);
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_action);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_NE(message.find(path_), std::string::npos) << message;
  std::string text;
  std::ifstream(path_) >> text;
  EXPECT_EQ(text, "old");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".part"));
}

TEST_F(RunFileTest, ReplacesAnOldFileAndFollowsLinks) {
  std::ofstream(folder_ / "target.h5") << "old";
  std::filesystem::create_symlink("target.h5", path_);
  write_header_only(small_header());
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(read_attribute(folder_ / "target.h5", "complete"), "1");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "target.h5.part"));
}

// A limit of the process on the size of files stands for a full disk: the system refuses to write
// in the same way, with another reason.
TEST_F(RunFileTest, AFullDiskIsAnErrorThatNamesFileAndReason) {
  rlimit old_limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  std::string message;
  {
    RunFile file({path_, 0}, world_, small_header(), small_graph());
    file.define_series({20000, {}, {}}, {{"backlog_bytes", "bytes", "b"}}, {}, {});
    file.append(sample_with(20000, 1));
    const rlimit limit{300000, old_limit.rlim_max};  // 240,000 bytes per sample
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    try {
      file.append(sample_with(20000, 2));
    } catch (const TailraceError& error) {
      message = error.what();
    }
    EXPECT_THROW(file.close(), TailraceError);
  }  // and the destructor gives up quietly
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_action);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_NE(message.find(path_), std::string::npos) << message;
}

}  // namespace
}  // namespace tailrace
