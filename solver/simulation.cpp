// SPDX-License-Identifier: Apache-2.0
// Puts a run together: deck, fabric, routes, partition, layout, state, loop, file, summary.
#include "solver/simulation.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "models/workload/workload.hpp"
#include "solver/base/units.hpp"
#include "solver/comm/attempt.hpp"
#include "solver/comm/gather_values.hpp"
#include "solver/comm/halo.hpp"
#include "solver/io/run_file.hpp"
#include "solver/layout.hpp"
#include "solver/output_settings.hpp"
#include "solver/results.hpp"
#include "solver/run_checks.hpp"
#include "solver/sampling.hpp"
#include "solver/settings.hpp"
#include "solver/state.hpp"
#include "solver/time_loop.hpp"
#include "topology/fabric.hpp"
#include "topology/partition.hpp"
#include "topology/routing.hpp"

namespace tailrace {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Largest resident memory of this process so far, in bytes.
double peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// A route that the fabric does not have, with the place of the workload that asks for it.
InputError route_fault(const Deck& deck, const InputError& fault) {
  return InputError(deck.mark("workload"), std::string("workload: ") + fault.what());
}

std::vector<Rank> partition(const Deck& deck, const Graph& graph, const Workload& workload,
                            const Router& router, const Communicator& communicator) {
  const std::int64_t flows = workload.flow_count();
  std::vector<std::int64_t> weights(static_cast<std::size_t>(graph.node_count()), 0);
  if (communicator.size() > 1) {
    const std::int64_t first = flows * communicator.rank() / communicator.size();
    const std::int64_t last = flows * (communicator.rank() + 1) / communicator.size();
    agree(communicator, [&] {  // the part of one rank may be the faulty one
      try {
        count_hops(workload, router, graph, first, last, weights);
      } catch (const InputError& fault) {
        throw route_fault(deck, fault);
      }
    });
    communicator.sum_in_place(weights);
  }
  return partition_nodes(graph, communicator.size(), weights);
}

Layout lay_out(const Deck& deck, const Graph& graph, const Router& router, const Workload& workload,
               const std::vector<Rank>& owner, Rank rank, const RunSettings& settings) {
  try {
    return build_layout(graph, router, workload, owner, rank, settings);
  } catch (const InputError& fault) {  // on one rank, no partition has tried the routes before
    throw route_fault(deck, fault);
  }
}

}  // namespace

struct Simulation::Implementation {
  Implementation(const Deck& run_deck, const Communicator& job)
      : begin(Clock::now()),
        deck(run_deck),
        communicator(job),
        graph(build_fabric(deck)),
        settings(read_settings(deck, graph)),
        output(read_output_settings(deck, graph)),
        router(graph, deck),
        workload(make_workload(deck, graph)),
        size(workload->size()),
        owner(partition(deck, graph, *workload, router, communicator)),
        layout(lay_out(deck, graph, router, *workload, owner, communicator.rank(), settings)),
        unit(2 * size.payload_bytes *
             (1 + (settings.header_bytes + settings.acknowledgement_bytes) /
                      std::max(1.0, smallest_payload()))) {
    check_buffers(graph, deck, settings);
    for (const std::string& warning : workload->warnings()) {
      settings.warnings.push_back(warning);
    }
    setup_wall_s = seconds_since(begin);
  }

  /// A message has at least one header per mtu, and at least one: bounds the wire bytes.
  double smallest_payload() const {
    return std::min(
        settings.mtu_bytes,
        size.payload_bytes / static_cast<double>(std::max<std::int64_t>(1, size.messages)));
  }

  std::vector<std::int64_t> kept_flows() const;
  RunSummary summarise(const State& state, const Halo& halo, const Sampler& sampler,
                       const LoopResult& loop, const FinishTimes& finish_ns) const;
  void write_run(RunFile& file, const RunSummary& summary) const;

  Clock::time_point begin;
  Deck deck;
  const Communicator& communicator;
  Graph graph;
  RunSettings settings;
  OutputSettings output;
  Router router;
  std::unique_ptr<Workload> workload;
  WorkloadSize size;
  std::vector<Rank> owner;
  Layout layout;
  FixedPoint unit;
  double setup_wall_s = 0;
};

Simulation::Simulation(const Deck& deck, const Communicator& communicator)
    : implementation_(std::make_unique<Implementation>(deck, communicator)) {}

Simulation::~Simulation() = default;

std::vector<std::int64_t> Simulation::Implementation::kept_flows() const {
  if (output.flows == OutputSettings::Flows::chosen) {
    return choose_flows(output, *workload, graph);
  }
  std::vector<std::int64_t> flows;
  if (output.flows == OutputSettings::Flows::all) {
    flows.resize(static_cast<std::size_t>(workload->flow_count()));
    for (std::size_t f = 0; f < flows.size(); ++f) {
      flows[f] = static_cast<std::int64_t>(f);
    }
  }
  return flows;
}

Estimate Simulation::estimate() const {
  const Implementation& run = *implementation_;
  Estimate estimate;
  estimate.endpoints = run.graph.endpoint_count;
  estimate.switches = run.graph.node_count() - run.graph.endpoint_count;
  estimate.links = run.graph.link_count();
  estimate.flows = run.size.flows;
  estimate.messages = run.size.messages;
  estimate.payload_bytes = run.size.payload_bytes;
  estimate.hops = run.communicator.sum(std::int64_t{run.layout.hop_count()});
  estimate.lanes = run.communicator.sum(std::int64_t{run.layout.lane_count()});
  estimate.dt_ns = run.settings.dt_ns;
  estimate.max_steps =
      static_cast<std::int64_t>(std::ceil(run.settings.time_limit_ns / run.settings.dt_ns));
  const State state(run.layout, run.settings, run.graph);
  estimate.memory_bytes_by_rank =
      gather_values(std::vector<double>{peak_memory_bytes()}, run.communicator);
  estimate.output_bytes_max =
      output_bytes_bound(run.output, run.settings, run.size, run.graph,
                         LaneSelection(run.layout, run.output, run.communicator).slot_count());
  estimate.warnings = run.settings.warnings;
  return estimate;
}

RunSummary Simulation::run(const SimulationOptions& options) {
  Implementation& run = *implementation_;
  const RunSettings& settings = run.settings;
  std::unique_ptr<RunFile> file;
  if (!options.output_path.empty()) {
    RunHeader header;
    header.deck = run.deck.source_text();
    header.command = options.command;
    header.seed = settings.seed;
    header.ranks = run.communicator.size();
    header.threads = Execution().concurrency();
    header.backend = Execution::name();
    for (const TrafficClass& traffic_class : settings.classes) {
      header.classes.push_back(traffic_class.name);
    }
    file = std::make_unique<RunFile>(RunFile::Options{options.output_path, run.output.compression},
                                     run.communicator, header, run.graph);
  }
  const auto begin = Clock::now();
  State state(run.layout, settings, run.graph);
  Halo halo(run.layout.halo, run.communicator);
  Sampler sampler(run.graph, run.layout, settings, run.output, run.communicator, run.unit);
  if (file && run.output.interval_ns > 0) {
    sampler.define(*file, run.kept_flows());
  }
  LoopPlan plan;
  plan.last_step = static_cast<std::int64_t>(std::ceil(settings.time_limit_ns / settings.dt_ns));
  TAILRACE_REQUIRE(plan.last_step < std::numeric_limits<std::int32_t>::max(),
                   "run.time_limit / run.dt is over 2e9 steps");
  plan.messages = run.size.messages * (settings.acknowledgements ? 2 : 1);
  plan.wire_units = run.unit.of(run.communicator.sum(wire_bytes_here(run.layout)));
  if (file && run.output.interval_ns > 0) {
    plan.sample_steps =
        std::max<std::int64_t>(1, std::llround(run.output.interval_ns / settings.dt_ns));
  }
  run.setup_wall_s += seconds_since(begin);
  const auto loop_begin = Clock::now();
  const bool with_series = file && run.output.interval_ns > 0;
  const LoopResult loop = run_time_loop(state, halo, sampler, with_series ? file.get() : nullptr,
                                        run.unit, run.communicator, settings, plan, options);
  const double loop_wall_s = seconds_since(loop_begin);
  check_conservation(sampler, run.unit);
  check_losslessness(sampler, settings);

  const auto finish_h =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.message_finish_steps);
  FinishTimes finish_ns(finish_h.data(), finish_h.data() + finish_h.extent(0));
  for (double& time : finish_ns) {
    time *= settings.dt_ns;
  }
  RunSummary summary = run.summarise(state, halo, sampler, loop, finish_ns);
  summary.solve_wall_s = loop_wall_s - sampler.sampling_wall_s();
  const auto tables_begin = Clock::now();
  if (file) {
    write_result_tables(*file, run.layout, finish_ns, *run.workload, run.router, run.output,
                        settings.acknowledgements, summary.collectives, run.communicator);
  }
  summary.output_wall_s = sampler.sampling_wall_s() + seconds_since(tables_begin);
  summary.wall_s = seconds_since(run.begin);
  summary.hop_updates_per_s =
      static_cast<double>(summary.hop_updates) / std::max(summary.solve_wall_s, 1e-9);
  if (file) {
    run.write_run(*file, summary);
    if (!summary.stopped) {
      file->close();  // else it stays marked as not finished
    }
  }
  return summary;
}

RunSummary Simulation::Implementation::summarise(const State& state, const Halo& halo,
                                                 const Sampler& sampler, const LoopResult& loop,
                                                 const FinishTimes& finish_ns) const {
  RunSummary summary;
  summary.endpoints = graph.endpoint_count;
  summary.switches = graph.node_count() - graph.endpoint_count;
  summary.links = graph.link_count();
  summary.flows = size.flows;
  summary.messages = size.messages;
  summary.hops = communicator.sum(std::int64_t{layout.hop_count()});
  summary.lanes = communicator.sum(std::int64_t{layout.lane_count()});
  summary.queues = communicator.sum(std::int64_t{layout.queue_count()});
  summary.payload_bytes = size.payload_bytes;
  summary.wire_bytes = communicator.sum(wire_bytes_here(layout));
  summary.dt_ns = settings.dt_ns;
  summary.steps = loop.steps;
  summary.simulated_ns = static_cast<double>(loop.steps) * settings.dt_ns;
  summary.hop_updates = summary.hops * loop.steps;
  summary.lane_steps = summary.lanes * loop.steps;
  summary.setup_wall_s = setup_wall_s;
  summary.memory_bytes_per_rank_max = communicator.max(peak_memory_bytes());
  summary.bytes_per_hop = static_cast<double>(communicator.sum(state.bytes())) /
                          static_cast<double>(std::max<std::int64_t>(1, summary.hops));
  const double steps = static_cast<double>(std::max<std::int64_t>(1, loop.steps));
  summary.messages_sent_per_step = static_cast<std::int64_t>(
      std::llround(static_cast<double>(communicator.sum(halo.messages_sent())) / steps));
  summary.bytes_sent_per_step = static_cast<double>(communicator.sum(halo.bytes_sent())) / steps;
  summary.ranks = communicator.size();
  summary.threads = Execution().concurrency();
  summary.backend = Execution::name();
  summarise_completion(layout, finish_ns, workload->groups(), communicator, summary);
  summary.stopped = loop.stopped;
  summary.time_limit_reached = summary.completion.unfinished > 0 && !loop.stopped;
  summary.collectives = collective_results(layout, finish_ns, *workload, communicator);
  summary.tiers = sampler.tier_results();
  const ByteTotals& totals = sampler.totals();
  summary.injected_bytes = unit.bytes(totals.injected);
  summary.delivered_bytes = unit.bytes(totals.delivered);
  summary.queued_bytes = unit.bytes(totals.queued);
  summary.in_flight_bytes = unit.bytes(totals.between - totals.queued);
  summary.dropped_bytes = sampler.dropped_bytes();
  summary.conservation_error_bytes = unit.bytes(sampler.conservation_error());
  summary.warnings = settings.warnings;
  add_run_warnings(summary, sampler, output);
  return summary;
}

void Simulation::Implementation::write_run(RunFile& file, const RunSummary& summary) const {
  file.write_scalars(
      "run",
      {{"steps", "1", "time steps"},
       {"dt_ns", "ns", "time step"},
       {"simulated_ns", "ns", "simulated time"},
       {"hops", "1", "flows times the queues that they pass"},
       {"hop_updates", "1", "hops times steps"},
       {"lane_steps", "1", "lanes times steps"},
       {"awake_frac", "1", "share of the lane steps that were computed"},
       {"setup_wall_s", "s", "wall time from the deck to the first step"},
       {"solve_wall_s", "s", "wall time of the steps"},
       {"output_wall_s", "s", "wall time of samples and tables"},
       {"wall_s", "s", "wall time of the run, until the tables were written"},
       {"memory_bytes_per_rank", "bytes", "largest resident memory of a rank"},
       {"bytes_per_hop", "bytes", "solver state per hop"},
       {"messages_sent_per_step", "1", "messages among ranks per step"},
       {"bytes_sent_per_step", "bytes", "bytes among ranks per step"},
       {"conservation_error_bytes", "bytes", "injected less delivered, queued and in flight"}},
      {static_cast<double>(summary.steps), summary.dt_ns, summary.simulated_ns,
       static_cast<double>(summary.hops), static_cast<double>(summary.hop_updates),
       static_cast<double>(summary.lane_steps), summary.awake_frac, summary.setup_wall_s,
       summary.solve_wall_s, summary.output_wall_s, summary.wall_s,
       summary.memory_bytes_per_rank_max, summary.bytes_per_hop,
       static_cast<double>(summary.messages_sent_per_step), summary.bytes_sent_per_step,
       summary.conservation_error_bytes});
}

}  // namespace tailrace
