// SPDX-License-Identifier: Apache-2.0
// Completion statistics and the tables at the end of a run.
#include "solver/results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "models/collectives/closed_forms.hpp"
#include "solver/comm/gather_values.hpp"

namespace tailrace {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Value below which a share `part` of the sorted values lies (nearest rank).
double quantile(const std::vector<double>& sorted, double part) {
  const double rank = std::ceil(part * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(0.0, rank - 1))];
}

CompletionStatistics statistics_of(std::vector<double> times, std::vector<double> ideals,
                                   std::vector<double> slowdowns, std::int64_t unfinished) {
  CompletionStatistics result;
  result.count = static_cast<std::int64_t>(times.size());
  result.unfinished = unfinished;
  if (times.empty()) {
    return result;
  }
  for (std::vector<double>* values : {&times, &ideals, &slowdowns}) {
    std::sort(values->begin(), values->end());
  }
  double sum = 0;
  for (const double time : times) {  // sorted: the same order on any number of ranks
    sum += time;
  }
  result.min_ns = times.front();
  result.median_ns = quantile(times, 0.5);
  result.mean_ns = sum / static_cast<double>(times.size());
  result.p99_ns = quantile(times, 0.99);
  result.max_ns = times.back();
  result.ideal_median_ns = quantile(ideals, 0.5);
  result.slowdown_median = quantile(slowdowns, 0.5);
  result.slowdown_p99 = quantile(slowdowns, 0.99);
  result.slowdown_max = slowdowns.back();
  return result;
}

/// Statistics over the messages in [first, last) that `wanted` accepts.
template <class Wanted>
CompletionStatistics statistics(const ArrivalTable& arrivals, const FinishTimes& finish_ns,
                                std::int64_t first, std::int64_t last,
                                const Communicator& communicator, const Wanted& wanted) {
  std::vector<double> times, ideals, slowdowns;
  std::int64_t unfinished = 0;
  for (auto m = static_cast<std::size_t>(first); m < static_cast<std::size_t>(last); ++m) {
    if (!wanted(m)) {
      continue;
    }
    if (std::isnan(finish_ns[m])) {
      ++unfinished;
      continue;
    }
    const double time = finish_ns[m] - arrivals.start_ns[m];
    times.push_back(time);
    ideals.push_back(arrivals.ideal_ns[m]);
    slowdowns.push_back(time / arrivals.ideal_ns[m]);
  }
  return statistics_of(gather_values(times, communicator), gather_values(ideals, communicator),
                       gather_values(slowdowns, communicator), communicator.sum(unfinished));
}

Column number_column(const FieldInfo& info, std::vector<double> values) {
  Column column;
  column.info = info;
  column.type = Column::Type::float64;
  column.float64 = std::move(values);
  return column;
}

Column integer_column(const FieldInfo& info, Column::Type type, std::vector<std::int64_t> values) {
  Column column;
  column.info = info;
  column.type = type;
  column.int64 = std::move(values);
  return column;
}

Column text_column(const FieldInfo& info, std::vector<std::string> values) {
  Column column;
  column.info = info;
  column.type = Column::Type::text;
  column.text = std::move(values);
  return column;
}

void write_flows(RunFile& file, const Layout& layout, const FinishTimes& finish_ns,
                 const Workload& workload, const Router& router, const Communicator& communicator) {
  const ArrivalTable& arrivals = layout.arrivals;
  std::vector<std::int64_t> source, target, traffic_class, messages;
  std::vector<double> bytes, start, finish;
  std::vector<std::vector<std::int32_t>> routes;
  std::vector<LinkId> route;
  const auto own = static_cast<std::size_t>(arrivals.data_flows);
  for (std::size_t a = 0; a < own; ++a) {
    const FlowSpec spec = workload.flow(FlowId{arrivals.flow[a]});
    router.route({spec.source, spec.target, spec.hash_key, spec.via}, route);
    source.push_back(spec.source.value);
    target.push_back(spec.target.value);
    traffic_class.push_back(spec.traffic_class);
    routes.emplace_back();
    for (const LinkId link : route) {
      routes.back().push_back(link.value);
    }
    const auto first = static_cast<std::size_t>(arrivals.message_begin[a]);
    const auto last = static_cast<std::size_t>(arrivals.message_begin[a + 1]);
    messages.push_back(static_cast<std::int64_t>(last - first));
    double sum = 0, begin = not_a_number, end = first == last ? not_a_number : 0;
    for (std::size_t m = first; m < last; ++m) {
      sum += arrivals.bytes[m];
      begin = std::isnan(begin) ? arrivals.start_ns[m] : std::min(begin, arrivals.start_ns[m]);
      end = std::isnan(finish_ns[m]) ? not_a_number : std::max(end, finish_ns[m]);
    }
    bytes.push_back(sum);
    start.push_back(begin);
    finish.push_back(end);
  }
  using Type = Column::Type;
  const std::int64_t rows = communicator.sum(arrivals.data_flows);
  const std::span<const std::int64_t> numbers(arrivals.flow.data(), own);
  file.write_table(
      "flows", rows, numbers,
      {integer_column({"source", "1", "node that sends, index into /topology/nodes"}, Type::int32,
                      source),
       integer_column({"target", "1", "node that receives"}, Type::int32, target),
       integer_column({"class", "1", "traffic class, index into the root attribute classes"},
                      Type::uint8, traffic_class),
       number_column({"bytes", "bytes", "payload of all messages"}, bytes),
       integer_column({"messages", "1", "number of messages"}, Type::int64, messages),
       number_column({"start_ns", "ns", "start of the first message"}, start),
       number_column({"finish_ns", "ns", "arrival of the last byte; NaN: did not end"}, finish)});
  file.write_ragged("flows",
                    {"route", "1", "links of the route in order, index into /topology/links"}, rows,
                    numbers, routes);
}

/// Number of the first message of each flow of the workload.
std::vector<std::int64_t> first_messages(const Layout& layout, std::int64_t flows,
                                         const Communicator& communicator) {
  const ArrivalTable& arrivals = layout.arrivals;
  std::vector<double> own;
  for (std::size_t a = 0; a < static_cast<std::size_t>(arrivals.data_flows); ++a) {
    own.push_back(static_cast<double>(arrivals.flow[a]));
    own.push_back(static_cast<double>(arrivals.message_begin[a + 1] - arrivals.message_begin[a]));
  }
  const std::vector<double> all = gather_values(own, communicator);
  std::vector<std::int64_t> begin(static_cast<std::size_t>(flows) + 1, 0);
  for (std::size_t i = 0; i < all.size(); i += 2) {
    begin[static_cast<std::size_t>(all[i]) + 1] = static_cast<std::int64_t>(all[i + 1]);
  }
  for (std::size_t f = 1; f < begin.size(); ++f) {
    begin[f] += begin[f - 1];
  }
  return begin;
}

/// When the senders had the acknowledgements of their messages.
void write_acknowledged(RunFile& file, const Layout& layout, const FinishTimes& finish_ns,
                        const std::vector<std::int64_t>& first, std::int64_t rows,
                        std::int64_t every) {
  const ArrivalTable& arrivals = layout.arrivals;
  const auto flows = static_cast<std::int64_t>(first.size()) - 1;
  std::vector<std::int64_t> row;
  std::vector<double> acknowledged;
  for (auto a = static_cast<std::size_t>(arrivals.data_flows); a < arrivals.flow.size(); ++a) {
    for (std::int64_t m = arrivals.message_begin[a]; m < arrivals.message_begin[a + 1]; ++m) {
      const std::int64_t number =
          first[static_cast<std::size_t>(arrivals.flow[a] - flows)] + m - arrivals.message_begin[a];
      if (number % every == 0) {
        row.push_back(number / every);
        acknowledged.push_back(finish_ns[static_cast<std::size_t>(m)]);
      }
    }
  }
  file.write_table("messages", rows, row,
                   {number_column({"acknowledged_ns", "ns",
                                   "arrival of the last acknowledgement at the sender; NaN: did "
                                   "not end"},
                                  acknowledged)});
}

void write_messages(RunFile& file, const Layout& layout, const FinishTimes& finish_ns,
                    std::int64_t flows, std::int64_t every, bool with_acknowledgements,
                    const Communicator& communicator) {
  const ArrivalTable& arrivals = layout.arrivals;
  const std::vector<std::int64_t> first = first_messages(layout, flows, communicator);
  std::vector<std::int64_t> row, flow, group;
  std::vector<double> bytes, start, finish, ideal;
  for (std::size_t a = 0; a < static_cast<std::size_t>(arrivals.data_flows); ++a) {
    for (std::int64_t m = arrivals.message_begin[a]; m < arrivals.message_begin[a + 1]; ++m) {
      const std::int64_t number =
          first[static_cast<std::size_t>(arrivals.flow[a])] + m - arrivals.message_begin[a];
      if (number % every != 0) {
        continue;
      }
      const auto i = static_cast<std::size_t>(m);
      row.push_back(number / every);
      flow.push_back(arrivals.flow[a]);
      group.push_back(arrivals.group[i]);
      bytes.push_back(arrivals.bytes[i]);
      start.push_back(arrivals.start_ns[i]);
      finish.push_back(finish_ns[i]);
      ideal.push_back(arrivals.ideal_ns[i]);
    }
  }
  using Type = Column::Type;
  const std::int64_t rows = communicator.sum(static_cast<std::int64_t>(row.size()));
  file.write_table(
      "messages", rows, row,
      {integer_column({"flow", "1", "flow of the message, index into /flows"}, Type::int64, flow),
       number_column({"bytes", "bytes", "payload"}, bytes),
       number_column({"start_ns", "ns", "when its endpoint may send it"}, start),
       number_column({"finish_ns", "ns", "arrival of its last byte; NaN: did not end"}, finish),
       number_column(
           {"ideal_ns", "ns",
            "wire bytes / smallest capacity of the route + latencies: alone on the fabric"},
           ideal),
       integer_column({"group", "1", "group of the message, -1: none"}, Type::int32, group)});
  if (with_acknowledgements) {
    write_acknowledged(file, layout, finish_ns, first, rows, every);
  }
}

void write_collectives(RunFile& file, const std::vector<CollectiveResult>& results,
                       const Communicator& communicator) {
  std::vector<std::int64_t> row, ranks;
  std::vector<std::string> name, operation, algorithm;
  std::vector<double> bytes, start, finish, algbw, busbw;
  if (communicator.is_root()) {
    for (const CollectiveResult& result : results) {
      row.push_back(static_cast<std::int64_t>(row.size()));
      name.push_back(result.name);
      operation.push_back(result.operation);
      algorithm.push_back(result.algorithm);
      bytes.push_back(result.bytes);
      ranks.push_back(result.ranks);
      start.push_back(result.start_ns);
      finish.push_back(result.finish_ns);
      algbw.push_back(result.algbw_GBps);
      busbw.push_back(result.busbw_GBps);
    }
  }
  file.write_table(
      "collectives", static_cast<std::int64_t>(results.size()), row,
      {text_column({"name", "1", "name of the operation in the deck"}, name),
       text_column({"operation", "1", "kind of operation"}, operation),
       text_column({"algorithm", "1", "how it is carried out"}, algorithm),
       number_column({"bytes", "bytes", "size S as nccl-tests counts it"}, bytes),
       integer_column({"ranks", "1", "endpoints that take part"}, Column::Type::int32, ranks),
       number_column({"start_ns", "ns", "start"}, start),
       number_column({"finish_ns", "ns", "arrival of the last byte; NaN: did not end"}, finish),
       number_column({"algbw_GBps", "GB/s", "S / time"}, algbw),
       number_column({"busbw_GBps", "GB/s", "algbw times nccl-tests' factor"}, busbw)});
}

}  // namespace

void summarise_completion(const Layout& layout, const FinishTimes& finish_ns,
                          const std::vector<std::string>& groups, const Communicator& communicator,
                          RunSummary& summary) {
  const ArrivalTable& arrivals = layout.arrivals;
  const std::int64_t data = arrivals.data_messages();
  const auto all = static_cast<std::int64_t>(finish_ns.size());
  const auto any = [](std::size_t) { return true; };
  summary.completion = statistics(arrivals, finish_ns, 0, data, communicator, any);
  summary.acknowledged = statistics(arrivals, finish_ns, data, all, communicator, any);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    summary.groups.push_back(
        {groups[g], statistics(arrivals, finish_ns, 0, data, communicator, [&](std::size_t m) {
           return arrivals.group[m] == static_cast<std::int32_t>(g);
         })});
  }
}

std::vector<CollectiveResult> collective_results(const Layout& layout, const FinishTimes& finish_ns,
                                                 const Workload& workload,
                                                 const Communicator& communicator) {
  const ArrivalTable& arrivals = layout.arrivals;
  std::vector<CollectiveResult> results;
  for (const CollectiveSpec& spec : workload.collectives()) {
    const auto first =
        std::lower_bound(arrivals.flow.begin(), arrivals.flow.end(), spec.first_flow);
    const auto last =
        std::lower_bound(first, arrivals.flow.end(), spec.first_flow + spec.flow_count);
    double finish = 0;
    std::int64_t unfinished = 0;
    for (auto flow = first; flow != last; ++flow) {
      const auto a = static_cast<std::size_t>(flow - arrivals.flow.begin());
      for (std::int64_t m = arrivals.message_begin[a]; m < arrivals.message_begin[a + 1]; ++m) {
        const double time = finish_ns[static_cast<std::size_t>(m)];
        unfinished += std::isnan(time) ? 1 : 0;
        finish = std::isnan(time) ? finish : std::max(finish, time);
      }
    }
    CollectiveResult result;
    result.name = spec.name;
    result.operation = spec.operation;
    result.algorithm = spec.algorithm;
    result.bytes = spec.bytes;
    result.ranks = spec.ranks;
    result.start_ns = spec.start_ns;
    finish = communicator.max(finish);
    result.finish_ns = communicator.sum(unfinished) > 0 ? not_a_number : finish;
    result.algbw_GBps = algbw_gb_per_s(spec.bytes, result.finish_ns - spec.start_ns);
    result.busbw_GBps =
        busbw_gb_per_s(spec.operation, spec.ranks, spec.bytes, result.finish_ns - spec.start_ns);
    results.push_back(result);
  }
  return results;
}

void write_result_tables(RunFile& file, const Layout& layout, const FinishTimes& finish_ns,
                         const Workload& workload, const Router& router,
                         const OutputSettings& output, bool with_acknowledgements,
                         const std::vector<CollectiveResult>& collectives,
                         const Communicator& communicator) {
  write_flows(file, layout, finish_ns, workload, router, communicator);
  if (output.message_every > 0) {
    write_messages(file, layout, finish_ns, workload.flow_count(), output.message_every,
                   with_acknowledgements, communicator);
  }
  if (!collectives.empty()) {
    write_collectives(file, collectives, communicator);
  }
}

}  // namespace tailrace
