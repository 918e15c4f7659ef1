// SPDX-License-Identifier: Apache-2.0
// Wrong decks: one test per rule of the input, with the whole message.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/deck_text.hpp"

namespace tailrace {
namespace {

using testing_decks::changed;
using testing_decks::credit_deck;
using testing_decks::faults;
using testing_decks::pfc_deck;

struct Change {
  std::string from, to, message;
};

void expect_faults(const std::string& deck, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    EXPECT_EQ(faults(changed(deck, change.from, change.to)), change.message) << change.to;
  }
}

TEST(DeckFaults, UnknownKeys) {
  expect_faults(credit_deck,
                {
                    {"latency", "latncy",
                     "d.yaml:3:9: fabric.link.latency: is missing; allowed: a time such as 600 ns, "
                     "from 0.1 ns to 1 s\n"
                     "d.yaml:3:30: fabric.link.latncy: unknown key; allowed: capacity, latency or "
                     "tiers; did you mean latency?"},
                    {"run: {", "run: {mtu: 4096 B, ",
                     "d.yaml:7:7: run.mtu: unknown key; allowed: time_limit, dt, seed or sleep; "
                     "did you mean endpoint.mtu?"},
                    {"fabric:\n", "fabric.switch.pfc: {}\nfabric:\n",
                     "d.yaml:1:1: fabric.switch.pfc: unknown key; keys are nested, write fabric: "
                     "{switch: {pfc: ...}}"},
                    {"run: {", "run: {<<: {seed: 1}, ",
                     "d.yaml:7:7: run.<<: unknown key; merge keys are not followed, use include"},
                });
}

TEST(DeckFaults, KeysOfAnotherChoice) {
  expect_faults(
      credit_deck,
      {
          {"buffer: 128 KiB", "buffer: 128 KiB, pfc: {xoff: 1 MB}",
           "d.yaml:4:77: fabric.switch.pfc: has no meaning with fabric.switch.flow_control: "
           "credit; it belongs to pfc"},
          {"{kind: dmodk}", "{kind: dmodk, seed: 2}",
           "d.yaml:5:26: fabric.routing.seed: has no meaning with fabric.routing.kind: dmodk; it "
           "belongs to ecmp"},
          {"algorithm: ring", "algorithm: pairwise",
           "d.yaml:6:64: workload.algorithm: 'pairwise' is no choice here; allowed: auto or ring"},
          {"bytes: 1 GiB", "bytes: 1 GiB, flows: []",
           "d.yaml:6:84: workload.flows: has no meaning with workload.kind: collective; it belongs "
           "to flows"},
      });
  expect_faults(
      pfc_deck,
      {
          {"shared_buffer", "buffer: 1 MB\n    shared_buffer",
           "d.yaml:10:5: fabric.switch.buffer: has no meaning with fabric.switch.flow_control: "
           "pfc; it belongs to credit"},
          {"  link: {", "  classes: [{name: a, weight: 2}]\n  class_arbitration: strict\n  link: {",
           "d.yaml:7:23: fabric.classes[0].weight: has no meaning with fabric.class_arbitration: "
           "strict; it belongs to weighted"},
      });
  EXPECT_EQ(faults(pfc_deck, {"endpoint.acknowledgement_size=64 B"}),
            "--set: endpoint.acknowledgement_size: has no meaning with endpoint.acknowledgements: "
            "none; it belongs to shared");
}

TEST(DeckFaults, ChoicesOfLaterVersions) {
  const auto later = [](const std::string& key, const std::string& value,
                        const std::string& available) {
    return key + ": " + value + " is not available in this version; available: " + available;
  };
  expect_faults(
      credit_deck,
      {
          {"flow_control: credit", "flow_control: lossy",
           "d.yaml:4:26: " + later("fabric.switch.flow_control", "lossy", "credit or pfc")},
          {"kind: dmodk", "kind: adaptive",
           "d.yaml:5:19: " + later("fabric.routing.kind", "adaptive", "dmodk or ecmp")},
          {"kind: dmodk", "kind: spray",
           "d.yaml:5:19: " + later("fabric.routing.kind", "spray", "dmodk or ecmp")},
          {"kind: fat_tree", "kind: rail_optimized, servers: 8",
           "d.yaml:2:20: " + later("fabric.topology.kind", "rail_optimized", "fat_tree or graph")},
          {"kind: collective", "kind: training_step, model: {layers: 96}",
           "d.yaml:6:18: " +
               later("workload.kind", "training_step", "flows, pattern or collective")},
          {"kind: collective", "kind: trace",
           "d.yaml:6:18: " + later("workload.kind", "trace", "flows, pattern or collective")},
          {"kind: collective", "kind: jobs, jobs: []",
           "d.yaml:6:18: " + later("workload.kind", "jobs", "flows, pattern or collective")},
          {"run: {", "run: {sleep: on, ", "d.yaml:7:14: " + later("run.sleep", "on", "off")},
          {"algorithm: ring", "algorithm: tree",
           "d.yaml:6:64: " + later("workload.algorithm", "tree", "auto or ring")},
      });
  expect_faults(pfc_deck,
                {
                    {"xoff: 24470 B, xon: 21470 B", "threshold: dynamic, alpha: 8",
                     "d.yaml:11:22: " + later("fabric.switch.pfc.threshold", "dynamic", "static")},
                    {"xoff: ", "chatter: averaged, xoff: ",
                     "d.yaml:11:20: " + later("fabric.switch.pfc.chatter", "averaged", "resolved")},
                });
  EXPECT_EQ(faults(credit_deck + "endpoint: {rate_control: dcqcn, dcqcn: {g: 0.1}}\n"),
            "d.yaml:8:26: " + later("endpoint.rate_control", "dcqcn", "none"));
  EXPECT_EQ(faults(credit_deck + "endpoint: {rate_control: ib_cc}\n"),
            "d.yaml:8:26: " + later("endpoint.rate_control", "ib_cc", "none"));
}

TEST(DeckFaults, KeysOfLaterVersions) {
  const std::string reason = ": is not available in this version; remove it";
  EXPECT_EQ(faults(credit_deck, {"fabric.parts=ib200"}), "--set: fabric.parts" + reason);
  EXPECT_EQ(faults(pfc_deck, {"fabric.switch.ecn.k_min=5 KB"}),
            "--set: fabric.switch.ecn" + reason);
  EXPECT_EQ(faults(credit_deck, {"fabric.switch.reduction.kind=sharp"}),
            "--set: fabric.switch.reduction" + reason);
  EXPECT_EQ(faults(credit_deck, {"endpoint.scale_up={}"}), "--set: endpoint.scale_up" + reason);
  EXPECT_EQ(faults(credit_deck, {"endpoint.qps_per_connection=4"}),
            "--set: endpoint.qps_per_connection" + reason);
  EXPECT_EQ(faults(credit_deck, {"endpoint.dcqcn.g=1"}), "--set: endpoint.dcqcn" + reason);
  EXPECT_EQ(faults(credit_deck, {"run.seeds=[1, 2]"}), "--set: run.seeds" + reason);
  EXPECT_EQ(faults("study: {base: a.yaml}\n" + credit_deck), "d.yaml:1:1: study" + reason);
}

TEST(DeckFaults, Quantities) {
  const std::string rate = "a rate such as 200 Gbps, from 1 kbps to 1000 Tbps";
  const std::string at = "d.yaml:3:20: fabric.link.capacity: ";
  expect_faults(
      credit_deck,
      {
          {"200 Gbps", "200", at + "200 what? write 200 Gbps; units: bps, kbps, Mbps, Gbps, Tbps"},
          {"200 Gbps", "200 GHz",
           at + "'200 GHz': no unit of a rate; units: bps, kbps, Mbps, Gbps, Tbps"},
          {"200 Gbps", "-200 Gbps", at + "-200 Gbps is out of range; allowed: " + rate},
          {"200 Gbps", "0 Gbps", at + "0 Gbps is out of range; allowed: " + rate},
          {"200 Gbps", "1e9 Tbps", at + "1e9 Tbps is out of range; allowed: " + rate},
          {"200 Gbps", ".nan",
           at + "'.nan' is not a rate; write a number and a unit (bps, kbps, Mbps, Gbps, Tbps), "
                "e.g. 200 Gbps"},
          {"200 Gbps", ".inf",
           at + "'.inf' is not a rate; write a number and a unit (bps, kbps, Mbps, Gbps, Tbps), "
                "e.g. 200 Gbps"},
          {"200 Gbps", "", "d.yaml:3:10: fabric.link.capacity: has no value; allowed: " + rate},
          {"200 Gbps", "[200 Gbps]", at + "is a list; allowed: " + rate},
          {"200 Gbps", "{a: 1}", at + "is a mapping; allowed: " + rate},
      });
  expect_faults(credit_deck,
                {
                    {"600 ns", "0 ns",
                     "d.yaml:3:39: fabric.link.latency: 0 ns is out of range; allowed: a time such "
                     "as 600 ns, from 0.1 ns to 1 s"},
                    {"1 GiB", "1.5 B",
                     "d.yaml:6:77: workload.bytes: '1.5 B' is 1.5 bytes; allowed: whole bytes"},
                    {"1 GiB", "0 B",
                     "d.yaml:6:77: workload.bytes: 0 B is out of range; allowed: a size such as 64 "
                     "KiB, from 1 B to 8192 TiB"},
                    {"run: {", "run: {dt: soon, ",
                     "d.yaml:7:11: run.dt: 'soon' is not a time; write a number and a unit (ns, "
                     "us, ms, s), e.g. 200 ns; or auto"},
                });
}

TEST(DeckFaults, NumbersAndChoices) {
  const std::string radix = "a whole number, from 2 to 65536";
  const std::string over = "a number, from 0.001 to 1000";
  expect_faults(
      credit_deck,
      {
          {"radix: 8", "radix: 8.5",
           "d.yaml:2:47: fabric.topology.radix: '8.5' is not a whole number; allowed: " + radix},
          {"radix: 8", "radix: 1",
           "d.yaml:2:47: fabric.topology.radix: 1 is out of range; allowed: " + radix},
          {"radix: 8", "radix: eight",
           "d.yaml:2:47: fabric.topology.radix: 'eight' is not a whole number; allowed: " + radix},
          {"tiers: 2", "tiers: 4",
           "d.yaml:2:37: fabric.topology.tiers: 4 is out of range; allowed: a whole number, from 1 "
           "to 3, or auto"},
          {"radix: 8", "radix: 8, oversubscription: .nan",
           "d.yaml:2:68: fabric.topology.oversubscription: .nan is not a finite number; allowed: " +
               over},
          {"radix: 8", "radix: 8, oversubscription: {leaf: 0}",
           "d.yaml:2:75: fabric.topology.oversubscription.leaf: 0 is out of range; allowed: " +
               over},
          {"radix: 8", "radix: 8, oversubscription: {}",
           "d.yaml:2:68: fabric.topology.oversubscription: is an empty mapping; allowed: " + over +
               " or a mapping of leaf or spine"},
          {"kind: dmodk", "kind: emcp",
           "d.yaml:5:19: fabric.routing.kind: 'emcp' is no choice here; allowed: dmodk or ecmp; "
           "did you mean ecmp?"},
          {"run: {", "run: {seed: 99999999999999999999, ",
           "d.yaml:7:13: run.seed: '99999999999999999999' is not a whole number; allowed: a whole "
           "number, at least 0"},
      });
  EXPECT_EQ(faults(pfc_deck, {"workload.flows[0].group=" + std::string(201, 'x')}),
            "--set: workload.flows[0].group: '" + std::string(60, 'x') +
                "...' is too long; allowed: at most 200 bytes");
  EXPECT_EQ(faults(pfc_deck, {"workload.flows[0].group=\"a\\nb\""}),
            "--set: workload.flows[0].group: 'a?b' has a line end or a tab; allowed: a name on one "
            "line");
  EXPECT_EQ(faults(pfc_deck, {"workload.flows[0].group=''"}),
            "--set: workload.flows[0].group: an empty text; allowed: a name");
}

TEST(DeckFaults, ShapesAndMissingKeys) {
  expect_faults(
      credit_deck,
      {
          {"link: {capacity: 200 Gbps, latency: 600 ns}", "link: 200 Gbps",
           "d.yaml:3:9: fabric.link: is the single value '200 Gbps'; allowed: a mapping of "
           "capacity, latency or tiers"},
          {"  link: {capacity: 200 Gbps, latency: 600 ns}\n", "",
           "d.yaml:2:3: fabric.link.capacity: is missing; allowed: a rate such as 200 Gbps, from 1 "
           "kbps to 1000 Tbps\n"
           "d.yaml:2:3: fabric.link.latency: is missing; allowed: a time such as 600 ns, from 0.1 "
           "ns to 1 s"},
          {"run: {time_limit: 1 s}\n", "run:\n",
           "d.yaml:7:1: run.time_limit: is missing; allowed: a time such as 600 ns, from 0.001 ns "
           "to 1000000 s"},
          {"run: {time_limit: 1 s}", "run: [1]",
           "d.yaml:7:6: run: is a list; allowed: a mapping of time_limit, dt, seed or sleep"},
          {", buffer: 128 KiB", "",
           "d.yaml:4:11: fabric.switch.buffer: is missing; allowed: a size such as 64 KiB, from 64 "
           "B to 8192 TiB"},
      });
  expect_faults(
      pfc_deck,
      {
          {"[T, R]]", "[T, R, S]]",
           "d.yaml:6:21: fabric.topology.links[1]: has 3 elements; allowed: a list of 2 elements"},
          {"[T, R]]", "{between: [T, R], capacty: 1 Gbps}]",
           "d.yaml:6:39: fabric.topology.links[1].capacty: unknown key; allowed: between, "
           "capacity, latency or count; did you mean capacity?"},
          {"[T, R]]", "T]",
           "d.yaml:6:21: fabric.topology.links[1]: is the single value 'T'; allowed: a list of 2 "
           "elements or a mapping of between, capacity, latency or count"},
          {"{S: 2, R: 1}", "5",
           "d.yaml:4:16: fabric.topology.endpoints: is the single value '5'; allowed: a list of at "
           "least 1 element or a mapping of names"},
          {"{S: 2, R: 1}", "{S: -2, R: 1}",
           "d.yaml:4:20: fabric.topology.endpoints.S: -2 is out of range; allowed: a whole number, "
           "from 1 to 100000000"},
          {"switches: [T]", "switches: []",
           "d.yaml:5:15: fabric.topology.switches: has 0 elements; allowed: a list of at least 1 "
           "element"},
          {"from: S0, ", "", "d.yaml:15:7: workload.flows[0].from: is missing; allowed: a text"},
          {"shared_buffer: 12 MB\n", "shared_buffer: 12 MB\n    arbitration:\n",
           "d.yaml:11:5: fabric.switch.arbitration: has no value; allowed: fifo or round_robin"},
      });
}

TEST(DeckFaults, MissingSelectorsAreReportedAlone) {
  EXPECT_EQ(faults(changed(credit_deck, "kind: fat_tree, ", "")),
            "d.yaml:2:13: fabric.topology.kind: is missing; allowed: fat_tree or graph");
  EXPECT_EQ(faults(changed(credit_deck, "kind: fat_tree, ", "kind: fattree, ")),
            "d.yaml:2:20: fabric.topology.kind: 'fattree' is no choice here; allowed: fat_tree or "
            "graph; did you mean fat_tree?");
  EXPECT_EQ(faults("run: {time_limit: 1 s}\n"),
            "d.yaml:1:1: fabric.topology.kind: is missing; allowed: fat_tree or graph\n"
            "d.yaml:1:1: fabric.link.capacity: is missing; allowed: a rate such as 200 Gbps, from "
            "1 kbps to 1000 Tbps\n"
            "d.yaml:1:1: fabric.link.latency: is missing; allowed: a time such as 600 ns, from 0.1 "
            "ns to 1 s\n"
            "d.yaml:1:1: fabric.switch.flow_control: is missing; allowed: credit or pfc\n"
            "d.yaml:1:1: workload.kind: is missing; allowed: flows, pattern or collective");
}

TEST(DeckFaults, KeysThatContradictEachOther) {
  expect_faults(pfc_deck,
                {
                    {"xon: 21470 B", "xon: 30 KB",
                     "d.yaml:11:31: fabric.switch.pfc.xon: 30 KB is above fabric.switch.pfc.xoff "
                     "(24470 B); a pause that ends above XOFF has no end"},
                    {"shared_buffer: 12 MB", "shared_buffer: 20 KB",
                     "d.yaml:11:17: fabric.switch.pfc.xoff: 24470 B is above "
                     "fabric.switch.shared_buffer (20 KB); no lane could reach it"},
                    {"xoff", "headroom: 13 MB, xoff",
                     "d.yaml:11:21: fabric.switch.pfc.headroom: 13 MB is above "
                     "fabric.switch.shared_buffer (12 MB); the headroom is taken out of it"},
                });
  expect_faults(credit_deck,
                {
                    {"buffer: 128 KiB", "buffer: 4096 B",
                     "d.yaml:4:68: fabric.switch.buffer: 4096 B holds no packet; allowed: at least "
                     "4160 B (endpoint.mtu and endpoint.header in blocks of 64 B)"},
                    {"run: {", "run: {dt: 601 ns, ",
                     "d.yaml:7:11: run.dt: 601 ns is above fabric.link.latency (600 ns); a step is "
                     "at most the smallest latency"},
                    {"time_limit: 1 s", "time_limit: 10 ns, dt: 20 ns",
                     "d.yaml:7:30: run.dt: 20 ns is above run.time_limit (10 ns); a run has at "
                     "least one step"},
                    {"  link: {", "  classes: [{name: a}, {name: a}]\n  link: {",
                     "d.yaml:3:31: fabric.classes[1].name: 'a' is the name of an earlier class; "
                     "names must differ"},
                    {"run: {", "output: {lanes: {fullest: 5, tiers: [leaf]}}\nrun: {",
                     "d.yaml:7:17: output.lanes: give exactly one of fullest, tiers and list"},
                });
}

TEST(DeckFaults, ClassesAreAtMostEight) {
  std::string classes = "  classes: [";
  for (int i = 0; i < 9; ++i) classes += "{name: c" + std::to_string(i) + "}, ";
  EXPECT_EQ(faults(changed(credit_deck, "  link: {", classes + "]\n  link: {")),
            "d.yaml:3:12: fabric.classes: has 9 elements; allowed: a list of 1 to 8 elements");
}

TEST(DeckFaults, AllAtOnceSortedByPlace) {
  EXPECT_EQ(faults("fabric:\n"
                   "  topology: {kind: fat_tree, tiers: 9, radix: 8, endpoints: 0}\n"
                   "  link: {capacity: 200, latency: 600 ns, colour: red}\n"
                   "  link: {capacity: 100 Gbps}\n"
                   "  switch: {flow_control: credit, buffer: 128 KiB}\n"
                   "workload: {kind: colective}\n",
                   {"run.time_limit=-1 s"}),
            "--set: run.time_limit: -1 s is out of range; allowed: a time such as 600 ns, from "
            "0.001 ns to 1000000 s\n"
            "d.yaml:2:37: fabric.topology.tiers: 9 is out of range; allowed: a whole number, from "
            "1 to 3, or auto\n"
            "d.yaml:2:61: fabric.topology.endpoints: 0 is out of range; allowed: a whole number, "
            "from 1 to 100000000\n"
            "d.yaml:3:20: fabric.link.capacity: 200 what? write 200 Gbps; units: bps, kbps, Mbps, "
            "Gbps, Tbps\n"
            "d.yaml:3:42: fabric.link.colour: unknown key; allowed: capacity, latency or tiers\n"
            "d.yaml:4:3: link: stands twice in this mapping\n"
            "d.yaml:6:18: workload.kind: 'colective' is no choice here; allowed: flows, pattern or "
            "collective; did you mean collective?");
}

TEST(DeckFaults, NoMoreThanFifty) {
  std::string deck = credit_deck;
  for (int i = 0; i < 73; ++i) deck += "key" + std::to_string(i) + ": 1\n";
  const std::string text = faults(deck);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 50);
  EXPECT_EQ(text.substr(text.rfind('\n')), "\nand 23 more faults");
}

TEST(DeckFaults, Settings) {
  const std::string usage =
      " is no setting; write --set key=value, e.g. --set fabric.link.capacity='400 Gbps' or --set "
      "'workload.flows[0].bytes=1 MB'";
  for (const std::string set : {"run.seed", "=3", "", ".a=1", "a..b=1", "a[=1", "[0]=1", "a[x]=1",
                                "a[-1]=1", "a[0]b=1", "a.=1"}) {
    EXPECT_EQ(faults(credit_deck, {set}), "--set: '" + set + "'" + usage);
  }
  EXPECT_EQ(faults(credit_deck, {"run.seed={a"}),
            "--set: run.seed: the value '{a' is not valid YAML");
  EXPECT_EQ(faults(credit_deck, {"run.seed="}),
            "--set: run.seed: has no value; allowed: a whole number, at least 0");
  EXPECT_EQ(faults(pfc_deck, {"workload.flows[2].bytes=1 B"}),
            "--set: workload.flows[2].bytes: workload.flows has 2 elements; allowed: [0] to [1]");
  EXPECT_EQ(faults(pfc_deck, {"workload.flows.bytes=1 B"}),
            "--set: workload.flows.bytes: workload.flows is a list; name an element: "
            "workload.flows[0].bytes");
  EXPECT_EQ(faults(pfc_deck, {"run[0]=1 B"}), "--set: run[0]: run is no list in this deck");
  EXPECT_EQ(faults(pfc_deck, {"fabrc.link=1"}),
            "--set: fabrc: unknown key; allowed: fabric, endpoint, workload, run or output; did "
            "you mean fabric?");
  EXPECT_EQ(faults(pfc_deck, {"include=a.yaml"}),
            "--set: include: unknown key; include names a deck in a file, it cannot be set");
}

TEST(DeckFaults, WhatIsNoDeck) {
  EXPECT_EQ(faults(""), "d.yaml: the deck is empty; it needs fabric, workload and run");
  EXPECT_EQ(faults("# nothing\n\n"),
            "d.yaml: the deck is empty; it needs fabric, workload and run");
  EXPECT_EQ(faults("just words\n"),
            "d.yaml:1:1: this is no deck; a deck is a mapping of fabric, endpoint, workload, run "
            "and output");
  EXPECT_EQ(faults("- a\n- b\n"),
            "d.yaml:1:1: this is no deck; a deck is a mapping of fabric, endpoint, workload, run "
            "and output");
  EXPECT_EQ(faults("fabric: {a: [1\n").find("d.yaml:2:1: not valid YAML: "), 0u);
  EXPECT_NE(
      faults("fabric:\n\tlink: 1\n").find("; the line is indented with a tab, YAML wants spaces"),
      std::string::npos);
  EXPECT_EQ(
      faults(credit_deck + "---\n" + credit_deck).find("d.yaml:8:1: a second document starts here"),
      0u);
  EXPECT_EQ(faults("a: 1\nb: \x01\n"),
            "d.yaml:2:4: not a text: byte 0x01; a deck is YAML in UTF-8");
  EXPECT_EQ(faults(std::string("\x7f"
                               "ELF\0",
                               5)),
            "d.yaml:1:1: not a text: byte 0x7f; a deck is YAML in UTF-8");
  EXPECT_EQ(faults("\xff\xfe"
                   "f"),
            "d.yaml:1:1: not a text: byte 0xff; a deck is YAML in UTF-8");
  EXPECT_EQ(faults(changed(credit_deck, "1 s", "!!str 1 s")),
            "d.yaml:7:19: the tag 'tag:yaml.org,2002:str' has no meaning in a deck; remove it");
  EXPECT_EQ(faults("[a, b]: 1\n" + credit_deck), "d.yaml:1:1: a key must be a name");
  EXPECT_EQ(faults("a: *b\n").find("d.yaml:1:4: not valid YAML: "), 0u);
  EXPECT_EQ(faults("a: &b [*b]\n"), "d.yaml:1:8: this alias stands inside what it stands for");
}

TEST(DeckFaults, WhatWouldTakeTheMachineDown) {
  EXPECT_EQ(faults(std::string(17u << 20, 'x')), "d.yaml: a deck has at most 16 MiB");
  EXPECT_EQ(faults("a:\n" + std::string(1u << 20, '[')),
            "d.yaml:2:10001: more than 10000 brackets are open");
  EXPECT_EQ(faults("a: [" + std::string(2000001, ',')),
            "d.yaml:1:2000004: more than 2000000 values");
  EXPECT_EQ(faults(std::string(100, '[') + std::string(100, ']')),
            "d.yaml:1:65: nested deeper than 64 levels");
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string name = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += name + ", ";
    bomb += "]\n";
  }
  EXPECT_NE(faults(bomb).find("aliases stand for more than 100000 values"), std::string::npos);
  std::string chain = "a0: &a0 [1]\n";
  for (int i = 1; i < 100; ++i) {
    chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
             "]\n";
  }
  EXPECT_NE(faults(chain).find("nested deeper than 64 levels"), std::string::npos);
}

}  // namespace
}  // namespace tailrace
