// SPDX-License-Identifier: Apache-2.0
// One run from deck to result: fabric, routes, partition, state, time loop, output.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/base/deck.hpp"
#include "solver/comm/communicator.hpp"
#include "solver/summary.hpp"

namespace tailrace {

/// What a progress line needs; given about twice a second, on rank 0 only.
struct Progress {
  double simulated_ns = 0, time_limit_ns = 0;
  std::int64_t step = 0;
  std::int64_t messages_done = 0, messages = 0;  ///< of all ranks, as of the last check
  double payload_done_frac = 0;                  ///< delivered / to deliver, as of the last check
  double wall_s = 0, steps_per_s = 0;
};

/// What --dry-run prints.
struct Estimate {
  std::int64_t endpoints = 0, switches = 0, links = 0;
  std::int64_t flows = 0, messages = 0, hops = 0, lanes = 0;
  double payload_bytes = 0;
  double dt_ns = 0;
  std::int64_t max_steps = 0;  ///< time_limit / dt
  std::vector<double> memory_bytes_by_rank;
  double output_bytes_max = 0;  ///< upper bound, before compression
  std::vector<std::string> warnings;
};

struct SimulationOptions {
  std::string output_path;               ///< "" : no file
  std::string command;                   ///< for the file's attribute
  std::function<bool()> stop_requested;  ///< asked now and then on every rank; may be empty
  std::function<void(const Progress&)> on_progress;  ///< may be empty
};

/// All calls are collective over the communicator.
class Simulation {
 public:
  /// Builds everything but the output file. Throws InputError and TailraceError on all ranks alike.
  Simulation(const Deck& deck, const Communicator& communicator);
  ~Simulation();
  Estimate estimate() const;
  RunSummary run(const SimulationOptions& options);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tailrace
