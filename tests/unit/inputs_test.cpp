// SPDX-License-Identifier: Apache-2.0
// Tests that every deck under inputs/ is accepted and describes what its comment says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "models/workload/workload.hpp"
#include "solver/base/deck_load.hpp"
#include "topology/fabric.hpp"
#include "topology/routing.hpp"

namespace tailrace {
namespace {

std::filesystem::path inputs_folder() {
  const char* source = std::getenv("TAILRACE_SOURCE");
  return std::filesystem::path(source ? source : ".") / "inputs";
}

std::vector<std::filesystem::path> all_decks() {
  std::vector<std::filesystem::path> decks;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(inputs_folder())) {
    if (entry.path().extension() == ".yaml") decks.push_back(entry.path());
  }
  return decks;
}

TEST(Inputs, EveryDeckIsAcceptedAndItsFlowsHaveRoutes) {
  const auto decks = all_decks();
  EXPECT_GE(decks.size(), 10U) << "in " << inputs_folder();
  for (const auto& path : decks) {
    SCOPED_TRACE(path.string());
    try {
      const Deck deck = load_deck(path.string());
      const Graph graph = build_fabric(deck);
      const auto workload = make_workload(deck, graph);
      const Router router(graph, deck);
      std::vector<LinkId> links;
      const std::int64_t every = 1 + workload->flow_count() / 200;
      for (std::int64_t f = 0; f < workload->flow_count(); f += every) {
        const FlowSpec flow = workload->flow(FlowId{f});
        router.route({flow.source, flow.target, flow.hash_key, flow.via}, links);
        EXPECT_GE(links.size(), 2U);
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

struct Expected {
  std::string deck;
  std::int64_t flows;
  std::int64_t messages;
  double payload_bytes;
};

TEST(Inputs, WorkloadsHaveTheSizesThatTheirCommentsSay) {
  const std::vector<Expected> expected = {
      {"quickstart/allreduce_10k_ib200.yaml", 10000, 10000, 2.0 * 9999 * 1073741824.0},
      {"quickstart/shift_64_ib200.yaml", 64, 64, 640e6},
      {"patterns/permutation_8k_roce400.yaml", 8192, 8192, 8192e6},
      {"patterns/all_to_all_8k_roce400.yaml", 516096, 516096, 516096e6},
      {"patterns/incast_8to1_roce400.yaml", 8, 8, 8e6},
      {"flow_control/two_classes_credit.yaml", 3, 12, 40e6 + 40960},
      {"reference/permutation_128_10mb.yaml", 128, 128, 128.0 * 10002432},
      {"reference/incast_8to1_16hosts_10mb.yaml", 8, 8, 8.0 * 10002432},
  };
  for (const Expected& e : expected) {
    SCOPED_TRACE(e.deck);
    const Deck deck = load_deck((inputs_folder() / e.deck).string());
    const WorkloadSize size = make_workload(deck, build_fabric(deck))->size();
    EXPECT_EQ(size.flows, e.flows);
    EXPECT_EQ(size.messages, e.messages);
    EXPECT_DOUBLE_EQ(size.payload_bytes, e.payload_bytes);
  }
}

// Offered: 0.5 * 25 B/ns * 1 ms per endpoint; a message is 256,000 + 63 * 64 B on the wire:
// 1,024 * 12.5e6 / 260,032 = 49,225 messages, standard deviation 222.
TEST(Inputs, UniformOffersItsLoad) {
  const Deck deck = load_deck((inputs_folder() / "patterns/uniform_1024_ib200.yaml").string());
  const WorkloadSize size = make_workload(deck, build_fabric(deck))->size();
  EXPECT_NEAR(static_cast<double>(size.messages), 49225, 5 * 222);
  EXPECT_LE(size.flows, 16 * 1024);
}

}  // namespace
}  // namespace tailrace
