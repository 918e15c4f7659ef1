// SPDX-License-Identifier: Apache-2.0
// Runs a deck inside a test and hands back its summary, message times and series.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/base/deck_load.hpp"
#include "solver/comm/communicator.hpp"
#include "solver/simulation.hpp"
#include "tests/run_file_support.hpp"
#include "topology/fabric.hpp"

namespace tailrace::testing_support {

/// Runs `deck` without an output file. Collective.
inline RunSummary run_deck(const Deck& deck) {
  const Communicator world = Communicator::world();
  Simulation simulation(deck, world);
  return simulation.run({});
}

inline RunSummary run_deck(const std::string& text, const std::vector<std::string>& sets = {}) {
  return run_deck(load_deck_text(text, "test.yaml", sets));
}

/// A deck of inputs/, by its path there.
inline Deck input_deck(const std::string& path, const std::vector<std::string>& sets = {}) {
  const char* source = std::getenv("TAILRACE_SOURCE");
  return load_deck((std::filesystem::path(source ? source : ".") / "inputs" / path).string(), sets);
}

/// A run with an output file: what of it the tests read back.
class RecordedRun {
 public:
  explicit RecordedRun(const Deck& deck) : graph_(build_fabric(deck)) {
    const Communicator world = Communicator::world();
    const TemporaryFolder folder(world);
    const std::string path = folder / "run.h5";
    SimulationOptions options;
    options.output_path = path;
    {
      Simulation simulation(deck, world);
      summary = simulation.run(options);
    }
    start_ns = read_values<double>(path, "/messages/start_ns");
    finish_ns = read_values<double>(path, "/messages/finish_ns");
    if (!has(path, "/series")) return;
    time_ns = read_values<double>(path, "/series/time_ns");
    lane_ids_ = read_values<std::int64_t>(path, "/series/lanes/id");
    for (const char* field : {"backlog_max_bytes", "occupancy_max_bytes", "throughput_gbps"}) {
      lane_fields_.push_back(
          {field, read_values<double>(path, std::string("/series/lanes/") + field)});
    }
    if (has(path, "/series/flows/rate_gbps")) {
      flow_rates_ = read_values<double>(path, "/series/flows/rate_gbps");
    }
  }
  explicit RecordedRun(const std::string& text, const std::vector<std::string>& sets = {})
      : RecordedRun(load_deck_text(text, "test.yaml", sets)) {}

  /// A field of the lane (of a fabric with one class) from one node to another, one value per
  /// sample. The deck says `output.lanes: all` or names the lane.
  std::vector<double> lane(const std::string& field, const std::string& source,
                           const std::string& target) const {
    std::int64_t id = -1;
    for (const LinkId link : graph_.links_from(graph_.find_node(source))) {
      if (graph_.link_target[static_cast<std::size_t>(link.value)] == graph_.find_node(target)) {
        id = link.value;
      }
    }
    std::vector<double> values;
    for (const Field& candidate : lane_fields_) {
      for (std::size_t i = 0; candidate.name == field && i < lane_ids_.size(); ++i) {
        if (lane_ids_[i] == id) values.push_back(candidate.values[i]);
      }
    }
    EXPECT_EQ(values.size(), time_ns.size()) << "no series of " << source << "->" << target;
    values.resize(time_ns.size());
    return values;
  }

  /// Rate of a flow on the wire, one value per sample. The deck says `output.flows: all`.
  std::vector<double> flow_rate_gbps(std::size_t flow) const {
    const std::size_t flows = time_ns.empty() ? 0 : flow_rates_.size() / time_ns.size();
    EXPECT_LT(flow, flows);
    std::vector<double> values;
    for (std::size_t i = flow; flow < flows && i < flow_rates_.size(); i += flows) {
      values.push_back(flow_rates_[i]);
    }
    values.resize(time_ns.size());
    return values;
  }

  /// Mean of interval means over the samples in (from, to].
  double mean(const std::vector<double>& values, double from_ns, double to_ns) const {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (time_ns[i] > from_ns && time_ns[i] <= to_ns) {
        sum += values[i];
        ++count;
      }
    }
    EXPECT_GT(count, 0) << "no samples between " << from_ns << " and " << to_ns << " ns";
    return sum / count;
  }

  RunSummary summary;
  std::vector<double> start_ns, finish_ns;  ///< of the messages, flow by flow
  std::vector<double> time_ns;              ///< end of each sample's interval

 private:
  struct Field {
    std::string name;
    std::vector<double> values;  ///< [samples * lanes kept]
  };
  Graph graph_;
  std::vector<std::int64_t> lane_ids_;
  std::vector<Field> lane_fields_;
  std::vector<double> flow_rates_;
};

}  // namespace tailrace::testing_support
