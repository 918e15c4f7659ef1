// SPDX-License-Identifier: Apache-2.0
// An output file says the same whatever the number of ranks that its rows are spread over.
#include "solver/io/run_file.hpp"

#include <gtest/gtest.h>

#include "solver/base/errors.hpp"
#include "solver/comm/communicator.hpp"
#include "tests/run_file_support.hpp"

namespace tailrace {
namespace {

using testing_support::read_texts;
using testing_support::read_values;
using testing_support::small_graph;
using testing_support::small_header;
using testing_support::TemporaryFolder;

// This rank's rows: dealt out in turn to all ranks but the last one, which has nothing.
std::vector<std::int64_t> rows_of_rank(const Communicator& world, std::int64_t rows) {
  const Rank owners = std::max(1, world.size() - 1);
  std::vector<std::int64_t> mine;
  for (std::int64_t i = world.rank(); i < rows && world.rank() < owners; i += owners) {
    mine.push_back(i);
  }
  return mine;
}

// 150,000 rows are three chunks of 50,000 (the fewest of at most 65,536, equally long).
TEST(RunFile, TablesAreTheSameOnAnyNumberOfRanks) {
  const auto world = Communicator::world();
  const TemporaryFolder folder(world);
  const std::string path = folder / "run.h5";
  const std::int64_t rows = 150000;
  const auto mine = rows_of_rank(world, rows);
  std::vector<Column> columns(3);
  columns[0].info = {"start_ns", "ns", "start"};
  columns[1].info = {"class", "1", "class"};
  columns[1].type = Column::Type::uint8;
  columns[2].info = {"label", "1", "label"};
  columns[2].type = Column::Type::text;
  for (const auto i : mine) {
    columns[0].float64.push_back(0.5 * static_cast<double>(i));
    columns[1].int64.push_back(i % 8);
    columns[2].text.push_back("row" + std::to_string(i));
  }
  {
    RunFile file({path, 4}, world, small_header(), small_graph());
    file.write_table("flows", rows, mine, columns);
    file.close();
    EXPECT_GT(file.bytes_on_disk(), 0);
  }
  if (!world.is_root()) return;
  const auto start = read_values<double>(path, "/flows/start_ns");
  const auto group = read_values<std::int64_t>(path, "/flows/class");
  const auto label = read_texts(path, "/flows/label");
  ASSERT_EQ(start.size(), static_cast<std::size_t>(rows));
  ASSERT_EQ(label.size(), static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < start.size(); ++i) {
    ASSERT_EQ(start[i], 0.5 * static_cast<double>(i));
    ASSERT_EQ(group[i], static_cast<std::int64_t>(i % 8));
    ASSERT_EQ(label[i], "row" + std::to_string(i));
  }
}

// List i holds i mod 4 values, each i: offset[i] = 6 (i div 4) + {0, 0, 1, 3}[i mod 4].
TEST(RunFile, RaggedListsAreConcatenatedByIndex) {
  const auto world = Communicator::world();
  const TemporaryFolder folder(world);
  const std::string path = folder / "run.h5";
  const std::int64_t rows = 70001;  // two blocks of lengths
  const auto mine = rows_of_rank(world, rows);
  std::vector<std::vector<std::int32_t>> lists;
  for (const auto i : mine) {
    lists.emplace_back(static_cast<std::size_t>(i % 4), static_cast<std::int32_t>(i));
  }
  {
    RunFile file({path, 4}, world, small_header(), small_graph());
    file.write_ragged("flows", {"route", "1", "links"}, rows, mine, lists);
    file.close();
  }
  if (!world.is_root()) return;
  const auto route = read_values<std::int64_t>(path, "/flows/route");
  const auto offset = read_values<std::int64_t>(path, "/flows/route_offset");
  ASSERT_EQ(offset.size(), static_cast<std::size_t>(rows + 1));
  const std::int64_t within[] = {0, 0, 1, 3};
  for (std::int64_t i = 0; i <= rows; ++i) {
    ASSERT_EQ(offset[static_cast<std::size_t>(i)], 6 * (i / 4) + within[i % 4]);
  }
  ASSERT_EQ(static_cast<std::int64_t>(route.size()), offset.back());
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (auto k = offset[i]; k < offset[i + 1]; ++k) {
      ASSERT_EQ(route[static_cast<std::size_t>(k)], static_cast<std::int64_t>(i));
    }
  }
}

// 70,000 lanes are two chunks per sample. Slot s holds lane 2 s with the value 1000 t + s (below
// 2^24, exact in float32), but for every seventh slot, which is empty: id -1, values 0.
TEST(RunFile, SeriesAreTheSameOnAnyNumberOfRanks) {
  const auto world = Communicator::world();
  const TemporaryFolder folder(world);
  const std::string path = folder / "run.h5";
  const std::int64_t slots = 70000, samples = 3;
  const std::vector<std::int64_t> flow_ids{4, 9};
  {
    RunFile file({path, 1}, world, small_header(), small_graph());
    file.define_series({slots, flow_ids, {"up", "down"}}, {{"backlog_bytes", "bytes", "b"}},
                       {{"peak_bytes", "bytes", "p"}}, {{"queued_bytes", "bytes", "q"}});
    for (std::int64_t t = 0; t < samples; ++t) {
      Sample sample;
      sample.time_ns = 100.0 * static_cast<double>(t + 1);
      sample.lane_values.resize(1);
      for (const auto slot : rows_of_rank(world, slots)) {
        if (slot % 7 == 0) continue;
        sample.lane_slot.push_back(slot);
        sample.lane_id.push_back(2 * slot);
        sample.lane_values[0].push_back(static_cast<float>(1000 * t + slot));
      }
      for (std::int64_t f = 0; f < 2; ++f) {
        if (f % world.size() != world.rank()) continue;
        sample.flow_slot.push_back(f);
        sample.flow_rate_gbps.push_back(static_cast<float>(10 * t + f));
      }
      if (world.is_root()) {
        sample.tier_values = {{static_cast<double>(t), -static_cast<double>(t)}};
        sample.fabric_values = {0.25 * static_cast<double>(t)};
      }
      file.append(sample);
    }
    file.close();
  }
  if (!world.is_root()) return;
  const auto id = read_values<std::int64_t>(path, "/series/lanes/id");
  const auto backlog = read_values<double>(path, "/series/lanes/backlog_bytes");
  ASSERT_EQ(id.size(), static_cast<std::size_t>(slots * samples));
  for (std::int64_t t = 0; t < samples; ++t) {
    for (std::int64_t s = 0; s < slots; ++s) {
      const auto i = static_cast<std::size_t>(t * slots + s);
      ASSERT_EQ(id[i], s % 7 == 0 ? -1 : 2 * s);
      ASSERT_EQ(backlog[i], s % 7 == 0 ? 0 : static_cast<double>(1000 * t + s));
    }
  }
  EXPECT_EQ(read_values<double>(path, "/series/time_ns"), (std::vector<double>{100, 200, 300}));
  EXPECT_EQ(read_values<std::int64_t>(path, "/series/flows/id"), flow_ids);
  EXPECT_EQ(read_values<double>(path, "/series/flows/rate_gbps"),
            (std::vector<double>{0, 1, 10, 11, 20, 21}));
  EXPECT_EQ(read_values<double>(path, "/series/tiers/peak_bytes"),
            (std::vector<double>{0, 0, 1, -1, 2, -2}));
  EXPECT_EQ(read_values<double>(path, "/series/fabric/queued_bytes"),
            (std::vector<double>{0, 0.25, 0.5}));
}

// What goes wrong on one rank is an exception on all of them; nobody waits for ever. After that the
// file is given up.
class RunFileFailure : public testing::Test {
 protected:
  // `use` is expected to fail.
  template <class Use>
  void expect_failure(Use use) {
    RunFile file({folder_ / "run.h5", 4}, world_, small_header(), small_graph());
    EXPECT_THROW(use(file), TailraceError);
    EXPECT_THROW(file.close(), TailraceError);
  }
  void expect_table_failure(const std::vector<std::int64_t>& indices,
                            const std::vector<std::int64_t>& values) {
    Column column;
    column.info = {"value", "1", "v"};
    column.type = Column::Type::uint8;
    if (last_) column.int64 = values;
    expect_failure([&](RunFile& file) {
      file.write_table("table", 3, last_ ? indices : std::vector<std::int64_t>{}, {column});
    });
  }
  void expect_sample_failure(const std::vector<std::int64_t>& slots,
                             const std::vector<float>& values) {
    Sample sample;
    sample.lane_values.resize(1);
    if (last_) {
      sample.lane_slot = slots;
      sample.lane_id = slots;
      sample.lane_values[0] = values;
    }
    expect_failure([&](RunFile& file) {
      file.define_series({4, {}, {}}, {{"backlog_bytes", "bytes", "b"}}, {}, {});
      file.append(sample);
    });
  }

  Communicator world_ = Communicator::world();
  bool last_ = world_.rank() == world_.size() - 1;
  TemporaryFolder folder_{world_};
};

TEST_F(RunFileFailure, NoPlaceForTheFile) {
  EXPECT_THROW(RunFile({folder_ / "no/such/run.h5", 4}, world_, small_header(), small_graph()),
               InputError);
}

TEST_F(RunFileFailure, TablesNeedEveryRowOnce) {
  expect_table_failure({0, 1, 2}, {1, 1, 256});  // does not fit
  expect_table_failure({0, 2}, {1, 1});          // a row is missing
  expect_table_failure({0, 1, 2}, {1});          // two values are
  expect_table_failure({0, 1, 3}, {1, 1, 1});    // outside
  expect_table_failure({0, 1, 1}, {1, 1, 1});    // twice
  expect_table_failure({0, 2, 1}, {1, 1, 1});    // not ascending
}

TEST_F(RunFileFailure, SamplesFitTheirSeries) {
  expect_sample_failure({4}, {1});        // one past the last
  expect_sample_failure({-1}, {1});       // before the first
  expect_sample_failure({3}, {1, 2});     // two values for one column
  expect_sample_failure({2, 2}, {1, 2});  // a column twice
}

TEST_F(RunFileFailure, ListsNeedOneIndexEach) {
  expect_failure([&](RunFile& file) {
    file.write_ragged("lists", {"list", "1", "l"}, 3, std::vector<std::int64_t>{}, {{1}, {2}});
  });
  const std::vector<std::int64_t> outside{0, 3};
  expect_failure([&](RunFile& file) {
    file.write_ragged("lists", {"list", "1", "l"}, 3, outside, {{1}, {2}});
  });
}

}  // namespace
}  // namespace tailrace
