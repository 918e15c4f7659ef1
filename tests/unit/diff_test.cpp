// SPDX-License-Identifier: Apache-2.0
// When two output files are the same, and what is said when not.
#include "solver/io/diff.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include "solver/base/errors.hpp"
#include "tests/run_file_support.hpp"

namespace tailrace {
namespace {

using testing_support::small_graph;
using testing_support::TemporaryFolder;

// What the two files of a test differ in.
struct Contents {
  RunHeader header = testing_support::small_header();
  Graph graph = small_graph();
  std::vector<double> finish_ns{100, 200, std::nan("")};
  std::vector<std::int64_t> messages{1, 2, 3};
  std::vector<std::string> names{"a", "b", "c"};
  std::string units = "ns";
  double wall_s = 1;
  std::vector<float> backlog{1, 2, 3, 4};
  bool with_collectives = false, closed = true;
};

class DiffTest : public testing::Test {
 protected:
  void write(const std::string& path, const Contents& contents) {
    RunFile file({path, 4}, world_, contents.header, contents.graph);
    file.define_series({4, {}, {}}, {{"backlog_bytes", "bytes", "b"}}, {}, {});
    for (int t = 0; t < 2; ++t) {
      Sample sample;
      sample.time_ns = t + 1;
      sample.lane_slot = sample.lane_id = {0, 1, 2, 3};
      sample.lane_values = {contents.backlog};
      file.append(sample);
    }
    std::vector<Column> columns(3);
    columns[0].info = {"finish_ns", contents.units, "end"};
    columns[0].float64 = contents.finish_ns;
    columns[1].info = {"messages", "1", "number"};
    columns[1].type = Column::Type::int64;
    columns[1].int64 = contents.messages;
    columns[2].info = {"name", "1", "name"};
    columns[2].type = Column::Type::text;
    columns[2].text = contents.names;
    std::vector<std::int64_t> indices(contents.messages.size());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i);
    file.write_table("flows", static_cast<std::int64_t>(indices.size()), indices, columns);
    if (contents.with_collectives) file.write_table("collectives", 3, indices, {columns[1]});
    file.write_scalars("run", {{"wall_s", "s", "time"}}, {contents.wall_s});
    if (contents.closed) file.close();
  }

  DiffResult diff(const std::function<void(Contents&)>& change, double tolerance = 0) {
    write(a_, Contents{});
    Contents other;
    change(other);
    write(b_, other);
    return diff_runs(a_, b_, tolerance);
  }

  // Expects a difference that is told with all of `parts`.
  void expect_told(const DiffResult& result, const std::vector<std::string>& parts) {
    EXPECT_FALSE(result.equal);
    for (const auto& part : parts) {
      EXPECT_NE(result.text.find(part), std::string::npos) << part << "\nin\n" << result.text;
    }
  }

  Communicator world_ = Communicator::world();
  TemporaryFolder folder_{world_};
  std::string a_ = folder_ / "a.h5", b_ = folder_ / "b.h5";
};

TEST_F(DiffTest, HowARunWasMadeDoesNotMatter) {
  const auto result = diff([](Contents& other) {
    other.header.command = "other";
    other.header.ranks = 7;
    other.header.threads = 2;
    other.header.backend = "OpenMP";
    other.wall_s = 99;
  });
  EXPECT_TRUE(result.equal) << result.text;
  EXPECT_NE(result.text.find("bit for bit"), std::string::npos) << result.text;
  EXPECT_EQ(result.text.find("note"), std::string::npos) << result.text;
}

TEST_F(DiffTest, AnotherDeckOrAnUnfinishedRunIsNoted) {
  const auto result = diff([](Contents& other) {
    other.header.deck = "other";
    other.closed = false;
  });
  EXPECT_TRUE(result.equal) << result.text;
  EXPECT_NE(result.text.find("not the same deck"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("has not finished"), std::string::npos) << result.text;
}

// The last bit of 200 is 200 * 2^-52 rounded to the spacing there, 2.84e-14.
TEST_F(DiffTest, OneBitIsADifference) {
  const auto result =
      diff([](Contents& other) { other.finish_ns[1] = std::nextafter(200.0, 300.0); });
  expect_told(result, {"/flows/finish_ns: 1 of 3 values differ", "first at [1]",
                       "200 against 200.00000000000003", "2.84217e-14"});
}

TEST_F(DiffTest, ZeroAndMinusZeroAreDifferentBits) {
  const auto result = diff([](Contents& other) { other.backlog[0] = -1; });
  expect_told(result, {"/series/lanes/backlog_bytes: 2 of 8 values differ", "first at [0, 0]"});
  Contents zero, minus_zero;
  zero.finish_ns[0] = 0.0;
  minus_zero.finish_ns[0] = -0.0;
  write(a_, zero);
  write(b_, minus_zero);
  EXPECT_FALSE(diff_runs(a_, b_, 0).equal);
  EXPECT_TRUE(diff_runs(a_, b_, 1e-15).equal);
}

// |200 - 200.002| = 0.002 = 1.0e-5 of the larger.
TEST_F(DiffTest, ToleranceIsRelativeToTheLargerValue) {
  const auto change = [](Contents& other) { other.finish_ns[1] = 200.002; };
  EXPECT_TRUE(diff(change, 1.1e-5).equal);
  expect_told(diff(change, 0.9e-5), {"relative 1e-05 at [1]"});
}

// Below 1 the tolerance is absolute: 0 against 1e-7.
TEST_F(DiffTest, ToleranceIsAbsoluteForSmallValues) {
  Contents zero, small;
  zero.finish_ns[0] = 0;
  small.finish_ns[0] = 1e-7;
  write(a_, zero);
  write(b_, small);
  EXPECT_TRUE(diff_runs(a_, b_, 2e-7).equal);
  EXPECT_FALSE(diff_runs(a_, b_, 0.5e-7).equal);
}

TEST_F(DiffTest, NotANumberOrInfinityIsNeverWithinATolerance) {
  expect_told(diff([](Contents& other) { other.finish_ns[2] = 1; }, 1e3), {"nan against 1"});
  expect_told(
      diff([](Contents& other) { other.finish_ns[0] = std::numeric_limits<double>::infinity(); },
           1e3),
      {"100 against inf"});
}

TEST_F(DiffTest, CountsAndNamesStayExactWithATolerance) {
  expect_told(diff([](Contents& other) { other.messages[2] = 4; }, 10),
              {"/flows/messages: 1 of 3 values differ; first at [2]: 3 against 4"});
  expect_told(diff([](Contents& other) { other.names[0] = "long name"; }, 10),
              {"/flows/name", "'a' against 'long name'"});
}

TEST_F(DiffTest, StructureCounts) {
  expect_told(diff([](Contents& other) { other.with_collectives = true; }),
              {"only in B: /collectives/messages"});
  expect_told(diff([](Contents& other) { other.units = "us"; }),
              {"/flows/finish_ns: attribute units: 'ns' against 'us'"});
  expect_told(diff([](Contents& other) {
                other.finish_ns.pop_back();
                other.messages.pop_back();
                other.names.pop_back();
              }),
              {"/flows/finish_ns: size [3] against [2]"});
  expect_told(diff([](Contents& other) { other.header.classes = {"default"}; }),
              {"attribute classes"});
  expect_told(diff([](Contents& other) { other.graph.link_latency_ns[3] = 650; }),
              {"/topology/links/latency_ns"});
}

TEST_F(DiffTest, RefusesWhatIsNotAPairOfRuns) {
  write(a_, Contents{});
  const auto refused = [&](const std::string& path, const std::string& reason) {
    try {
      diff_runs(a_, path, 0);
      ADD_FAILURE() << path << " was accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
  };
  refused(folder_ / "none.h5", "no such file");
  refused(folder_ / ".", "is a folder");
  std::ofstream(folder_ / "text.h5") << "text";
  refused(folder_ / "text.h5", "not an HDF5 file");
  {
    const auto access = hdf5::file_access();
    const hdf5::Handle empty(
        H5Fcreate((folder_ / "empty.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()),
        H5Fclose, "H5Fcreate");
  }
  refused(folder_ / "empty.h5", "not the file of a run");
  std::filesystem::copy_file(a_, folder_ / "cut.h5");
  std::filesystem::resize_file(folder_ / "cut.h5", 3000);
  refused(folder_ / "cut.h5", "cut short or damaged");
  EXPECT_THROW(diff_runs(a_, a_, -1), InputError);
  EXPECT_THROW(diff_runs(a_, a_, std::nan("")), InputError);
}

}  // namespace
}  // namespace tailrace
