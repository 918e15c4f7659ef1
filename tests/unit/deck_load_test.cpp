// SPDX-License-Identifier: Apache-2.0
// Reading of valid decks: values, defaults, places, settings, and the text that a run keeps.
#include "solver/base/deck_load.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/deck_text.hpp"

namespace tailrace {
namespace {

using testing_decks::changed;
using testing_decks::credit_deck;
using testing_decks::load;
using testing_decks::pfc_deck;

TEST(DeckLoad, ValuesComeInTheUnitsInside) {
  const Deck deck = load(credit_deck);
  EXPECT_EQ(deck.number("fabric.link.capacity"), 25.0);    // 200 Gbps / 8 bits
  EXPECT_EQ(deck.number("fabric.link.latency"), 600.0);    // ns
  EXPECT_EQ(deck.number("fabric.switch.buffer"), 131072);  // 128 * 1024 B
  EXPECT_EQ(deck.number("run.time_limit"), 1e9);
  EXPECT_EQ(deck.integer("fabric.topology.radix"), 8);
  EXPECT_EQ(deck.text("workload.operation"), "all_reduce");
}

TEST(DeckLoad, DefaultsComeFromTheTable) {
  const Deck deck = load(credit_deck);
  EXPECT_EQ(deck.number("endpoint.mtu"), 4096.0);
  EXPECT_EQ(deck.number("endpoint.header"), 64.0);
  EXPECT_EQ(deck.integer("run.seed"), 1);
  EXPECT_EQ(deck.text("run.dt"), "auto");
  EXPECT_EQ(deck.text("output.lanes"), "fullest");
  EXPECT_EQ(deck.integer("output.lanes.fullest"), 1000);
  EXPECT_EQ(deck.number("fabric.topology.oversubscription"), 1.0);
  EXPECT_EQ(deck.integer("workload.flows[].repeat"), 1);
  EXPECT_FALSE(deck.given("run.seed"));
  EXPECT_TRUE(deck.given("run.time_limit"));
  EXPECT_EQ(deck.node("fabric.classes"), nullptr);
}

TEST(DeckLoad, DefaultsMayFollowASelector) {
  const std::string routing = "  routing: {kind: dmodk}\n";
  EXPECT_EQ(load(changed(credit_deck, routing, "")).text("fabric.routing.kind"), "dmodk");
  EXPECT_EQ(load(pfc_deck).text("fabric.routing.kind"), "ecmp");
  EXPECT_EQ(load(pfc_deck).text("fabric.switch.arbitration"), "fifo");
  const std::string credit = changed(credit_deck, "arbitration: round_robin, ", "");
  EXPECT_EQ(load(credit).text("fabric.switch.arbitration"), "round_robin");
}

TEST(DeckLoad, TypeMayFollowASelector) {
  EXPECT_EQ(load(credit_deck).integer("fabric.topology.endpoints"), 16);
  const Deck groups = load(pfc_deck);
  EXPECT_EQ(groups.node("fabric.topology.endpoints")->kind, DeckNode::Kind::mapping);
  EXPECT_EQ(groups.integer("fabric.topology.endpoints.S"), 2);
  const Deck names = load(changed(pfc_deck, "{S: 2, R: 1}", "[S0, S1, R]"));
  EXPECT_EQ(names.node("fabric.topology.endpoints")->items.size(), 3u);
  EXPECT_EQ(names.text("fabric.topology.endpoints[1]"), "S1");
}

TEST(DeckLoad, ScalarOrMapping) {
  for (const char* lanes : {"all", "none", "fullest", "{fullest: 7}", "{tiers: [leaf, leaf-spine]}",
                            "{list: [leaf0->spine1]}"}) {
    const Deck deck = load(credit_deck + "output: {lanes: " + lanes + "}\n");
    ASSERT_NE(deck.node("output.lanes"), nullptr) << lanes;
  }
  const Deck deck = load(credit_deck + "output: {lanes: {list: [leaf0->spine1]}}\n");
  EXPECT_EQ(deck.text("output.lanes.list[0]"), "leaf0->spine1");
  const Deck uneven =
      load(changed(credit_deck, "endpoints: 16", "endpoints: 16, oversubscription: {leaf: 3}"));
  EXPECT_EQ(uneven.number("fabric.topology.oversubscription.leaf"), 3.0);
  EXPECT_EQ(uneven.number("fabric.topology.oversubscription.spine"), 1.0);
}

TEST(DeckLoad, WordsBesideQuantities) {
  EXPECT_EQ(load(credit_deck, {"run.dt=100 ns"}).number("run.dt"), 100.0);
  EXPECT_EQ(load(credit_deck, {"output.interval=none"}).text("output.interval"), "none");
  EXPECT_EQ(load(pfc_deck, {"fabric.switch.pfc.headroom=0 B"}).number("fabric.switch.pfc.headroom"),
            0.0);
}

TEST(DeckLoad, CallersMistakesAreOurs) {
  const Deck deck = load(pfc_deck);
  EXPECT_THROW(deck.number("run.dt"), TailraceError);                   // the word auto
  EXPECT_THROW(deck.text("fabric.topology.links"), TailraceError);      // a list
  EXPECT_THROW(deck.integer("fabric.topology.radius"), TailraceError);  // no such key
  EXPECT_THROW(deck.number("workload.flows[0].period"),
               TailraceError);                                        // neither value nor default
  EXPECT_THROW(deck.integer("fabric.link.capacity"), TailraceError);  // 40 Gbps is no integer
}

TEST(DeckLoad, PlacesCountFromOne) {
  const Deck deck = load(pfc_deck);
  EXPECT_EQ(deck.mark("workload.flows[1].start").text(), "d.yaml:16:45");
  EXPECT_EQ(deck.mark("fabric.switch.flow_control").text(), "d.yaml:9:19");
  // What is not there has the place of what would hold it.
  EXPECT_EQ(deck.mark("workload.flows[1].period").text(), "d.yaml:16:7");
  EXPECT_EQ(deck.mark("output.interval").text(), "d.yaml:1:1");
}

TEST(DeckLoad, SettingsReachEveryKey) {
  EXPECT_EQ(load(pfc_deck, {"fabric.topology.endpoints.S=1", "workload.flows[1].from=S0"})
                .integer("fabric.topology.endpoints.S"),
            1);
  EXPECT_EQ(load(pfc_deck, {"workload.flows[0].bytes=1 MB"}).number("workload.flows[0].bytes"),
            1e6);
  EXPECT_EQ(load(pfc_deck, {"workload.flows=[{from: S0, to: R, bytes: 5 B}]"})
                .node("workload.flows")
                ->items.size(),
            1u);
  EXPECT_EQ(load(credit_deck, {"output.interval=5 us"}).number("output.interval"), 5000.0);
  EXPECT_EQ(load(credit_deck, {"output.lanes=all", "output.lanes.fullest=3"})
                .integer("output.lanes.fullest"),
            3);  // the later one of the same key
  EXPECT_EQ(load(credit_deck, {"run.seed=5"}).mark("run.seed").text(), "--set");
}

TEST(DeckLoad, SettingsWithSelectorInAnyOrder) {
  const Deck deck =
      load(pfc_deck, {"fabric.switch.buffer=128 KiB", "fabric.switch.flow_control=credit"});
  EXPECT_EQ(deck.number("fabric.switch.buffer"), 131072.0);
  EXPECT_FALSE(deck.given("fabric.switch.pfc"));
  EXPECT_FALSE(deck.given("fabric.switch.shared_buffer"));
}

TEST(DeckLoad, KeptTextGivesTheSameDeck) {
  for (const std::string& text : {credit_deck, pfc_deck}) {
    const Deck deck =
        load(text, {"output.lanes={list: ['leaf0->spine1', \"a: b\"]}", "run.seed=7"});
    const Deck again = load(deck.source_text());
    EXPECT_EQ(again.source_text(), deck.source_text());
    EXPECT_EQ(again.integer("run.seed"), 7);
    EXPECT_EQ(again.text("output.lanes.list[1]"), "a: b");
  }
}

TEST(DeckLoad, KeptTextQuotesWhatYamlWouldChange) {
  for (const std::string name :
       {"null", "~", "- a", "a: b", "a #b", "'",        "\"",   "\\n", "*a", "&a", "!x",
        "%",    "@", "a ",  " a",   "[a]",  "\xc3\xa4", "true", "-",   "?",  "<<"}) {
    std::string in_quotes = name;
    for (std::size_t at = 0; (at = in_quotes.find('\'', at)) != std::string::npos; at += 2) {
      in_quotes.insert(at, 1, '\'');
    }
    const Deck deck = load(pfc_deck, {"workload.flows[0].group='" + in_quotes + "'"});
    ASSERT_EQ(deck.text("workload.flows[0].group"), name);
    EXPECT_EQ(load(deck.source_text()).text("workload.flows[0].group"), name);
  }
}

TEST(DeckLoad, AnchorsAndAliasesAreCopies) {
  const Deck deck = load(changed(changed(pfc_deck, "- {from: S0, to: R, bytes: 40 MB}",
                                         "- &a {from: S0, to: R, bytes: 40 MB}"),
                                 "- {from: S1, to: R, bytes: 4 MB, start: 2 us}", "- *a"));
  EXPECT_EQ(deck.number("workload.flows[1].bytes"), 40e6);
  EXPECT_EQ(deck.source_text().find('&'), std::string::npos);
}

TEST(DeckLoad, OtherLineEndsAndByteOrderMarks) {
  std::string windows = credit_deck;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2) {
    windows.insert(at, 1, '\r');
  }
  EXPECT_EQ(load(windows).number("run.time_limit"), 1e9);
  EXPECT_EQ(load("\xef\xbb\xbf" + credit_deck).number("run.time_limit"), 1e9);
  EXPECT_EQ(load("---\n" + credit_deck + "...\n").number("run.time_limit"), 1e9);
}

}  // namespace
}  // namespace tailrace
