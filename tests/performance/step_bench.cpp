// SPDX-License-Identifier: Apache-2.0
// Hop-updates per second of the step and of its phases, in three states that differ in what a link
// carries.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "tests/performance/stepped_run.hpp"

namespace tailrace::performance {
namespace {

struct Case {
  const char* deck;
  std::vector<std::string> sets;
  std::int64_t warm_steps, steps;  ///< the measured ones follow the warm ones, from rest each time
};

void add_counters(benchmark::State& bench, const SteppedRun& run, const PhaseTimes& sum,
                  double updates) {
  const auto part = [&](double seconds) { return seconds / sum.total_s(); };
  bench.counters["hop_updates/s"] = updates / sum.total_s();
  bench.counters["serve_links"] = part(sum.serve_links_s);
  bench.counters["sum_returns"] = part(sum.sum_returns_s);
  bench.counters["finish_messages"] = part(sum.finish_messages_s);
  bench.counters["rest"] = part(sum.rest_s);
  bench.counters["bytes/hop"] = run.bytes_per_hop();
  bench.counters["hops"] = static_cast<double>(run.hop_count());
  bench.counters["hops/link"] =
      static_cast<double>(run.hop_count()) / static_cast<double>(run.link_count());
}

void measure(benchmark::State& bench, const Case& c) {
  SteppedRun run(c.deck, c.sets);
  PhaseTimes sum;
  double busy_frac = 0;
  for ([[maybe_unused]] auto _ : bench) {
    run.restart();
    run.advance(c.warm_steps);
    busy_frac = run.busy_hops_frac();
    const PhaseTimes times = run.advance(c.steps);
    bench.SetIterationTime(times.total_s());
    sum.serve_links_s += times.serve_links_s;
    sum.sum_returns_s += times.sum_returns_s;
    sum.finish_messages_s += times.finish_messages_s;
    sum.rest_s += times.rest_s;
  }
  add_counters(bench, run, sum,
               static_cast<double>(bench.iterations() * c.steps * run.hop_count()));
  bench.counters["busy"] = busy_frac;
}

// One hop per link, all of them in motion, no contention. Most flows stay under one leaf.
void ring_10k(benchmark::State& bench) {
  measure(bench, {"quickstart/allreduce_10k_ib200.yaml", {}, 50, 100});
}

// One to some ten hops per link, pauses, in the middle of a run: most flows are under way.
void permutation_8k_middle(benchmark::State& bench) {
  measure(bench, {"patterns/permutation_8k_roce400.yaml", {}, 20, 20});
}

// The whole of the same run, with its long end in which little moves.
void permutation_8k_whole(benchmark::State& bench) {
  measure(bench, {"patterns/permutation_8k_roce400.yaml", {}, 0, 170});
}

// Some hundred hops per link, long queues: 64,512 flows of 1,024 endpoints.
const std::vector<std::string> all_to_all_1k = {
    "fabric.topology={kind: fat_tree, tiers: 3, radix: 16, endpoints: 1024}",
    "workload.group_stride=16"};

void all_to_all_pauses(benchmark::State& bench) {
  measure(bench, {"patterns/all_to_all_8k_roce400.yaml", all_to_all_1k, 100, 50});
}

void all_to_all_credits(benchmark::State& bench) {
  std::vector<std::string> sets = all_to_all_1k;
  sets.emplace_back(
      "fabric.switch={flow_control: credit, arbitration: round_robin, buffer: 128 KiB}");
  measure(bench, {"patterns/all_to_all_8k_roce400.yaml", sets, 100, 50});
}

BENCHMARK(ring_10k)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(permutation_8k_middle)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(permutation_8k_whole)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(all_to_all_pauses)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(all_to_all_credits)->UseManualTime()->Unit(benchmark::kMillisecond);

// From the text of the deck to the state at rest.
void set_up(benchmark::State& bench, const char* deck) {
  std::int64_t hops = 0;
  for ([[maybe_unused]] auto _ : bench) {
    const SteppedRun run(deck, {});
    hops = run.hop_count();
  }
  bench.counters["hops/s"] =
      benchmark::Counter(static_cast<double>(hops), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(set_up, ring_10k, "quickstart/allreduce_10k_ib200.yaml")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(set_up, permutation_8k, "patterns/permutation_8k_roce400.yaml")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tailrace::performance
