// SPDX-License-Identifier: Apache-2.0
// Decks in files: includes, overlays, and files that cannot be read.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "solver/base/deck_overlay.hpp"
#include "tests/unit/deck_text.hpp"

namespace tailrace {
namespace {

namespace fs = std::filesystem;
using testing_decks::changed;
using testing_decks::credit_deck;
using testing_decks::pfc_deck;

// A folder of deck files that goes when the test ends.
class DeckFiles : public testing::Test {
 protected:
  DeckFiles()
      : folder_(fs::temp_directory_path() / ("tailrace_decks_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "parts");
  }
  ~DeckFiles() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  // What loading the file says, with the folder's name left out.
  std::string faults(const std::string& name) const {
    try {
      load_deck(path(name));
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = text.find(prefix)) != std::string::npos;)
        text.erase(at, prefix.size());
      return text;
    }
    ADD_FAILURE() << name << " was accepted";
    return "";
  }

  fs::path folder_;
};

TEST_F(DeckFiles, IncludedDeckLiesUnderThisOne) {
  write("parts/base.yaml", credit_deck);
  write("main.yaml", "include: parts/base.yaml\nfabric: {link: {latency: 1 us}}\nrun: {seed: 7}\n");
  const Deck deck = load_deck(path("main.yaml"));
  EXPECT_EQ(deck.number("fabric.link.latency"), 1000.0);
  EXPECT_EQ(deck.number("fabric.link.capacity"), 25.0);
  EXPECT_EQ(deck.integer("run.seed"), 7);
  EXPECT_EQ(deck.number("run.time_limit"), 1e9);
  EXPECT_EQ(deck.mark("fabric.link.capacity").text(), path("parts/base.yaml") + ":3:20");
  EXPECT_EQ(deck.mark("fabric.link.latency").text(), path("main.yaml") + ":2:26");
  EXPECT_EQ(deck.source_text().find("include"), std::string::npos);
}

TEST_F(DeckFiles, PathsAreRelativeToTheDeckThatNamesThem) {
  write("parts/base.yaml", credit_deck);
  write("parts/middle.yaml", "include: base.yaml\nrun: {seed: 2}\n");
  write("main.yaml", "include: parts/middle.yaml\n");
  EXPECT_EQ(load_deck(path("main.yaml")).integer("run.seed"), 2);
}

TEST_F(DeckFiles, IncludeInsideAMapping) {
  write("parts/link.yaml", "capacity: 400 Gbps\nlatency: 1 us\n");
  write("parts/flows.yaml", "- {from: S0, to: R, bytes: 3 B}\n");
  write("main.yaml", changed(changed(pfc_deck, "{capacity: 40 Gbps, latency: 1 us}",
                                     "{include: parts/link.yaml, latency: 2 us}"),
                             "  flows:\n    - {from: S0, to: R, bytes: 40 MB}\n"
                             "    - {from: S1, to: R, bytes: 4 MB, start: 2 us}\n",
                             "  flows: {include: parts/flows.yaml}\n"));
  const Deck deck = load_deck(path("main.yaml"));
  EXPECT_EQ(deck.number("fabric.link.capacity"), 50.0);
  EXPECT_EQ(deck.number("fabric.link.latency"), 2000.0);
  EXPECT_EQ(deck.number("workload.flows[0].bytes"), 3.0);
}

TEST_F(DeckFiles, SeveralIncludesInTheirOrder) {
  write("a.yaml", credit_deck);
  write("b.yaml", "run: {seed: 2}\nfabric: {link: {latency: 2 us}}\n");
  write("c.yaml", "run: {seed: 3}\n");
  write("main.yaml", "include: [a.yaml, b.yaml, c.yaml]\n");
  const Deck deck = load_deck(path("main.yaml"));
  EXPECT_EQ(deck.integer("run.seed"), 3);
  EXPECT_EQ(deck.number("fabric.link.latency"), 2000.0);
}

TEST_F(DeckFiles, ChangedSelectorDropsWhatItDoesNotHave) {
  write("ib.yaml", changed(credit_deck, "radix: 8", "radix: 8, oversubscription: 2"));
  write("main.yaml",
        "include: ib.yaml\n"
        "fabric:\n"
        "  switch: {flow_control: pfc, shared_buffer: 12 MB, pfc: {xoff: 24470 B, xon: 21470 B}}\n"
        "  routing: {kind: ecmp, seed: 3}\n"
        "workload: {operation: all_to_all}\n");
  const Deck deck = load_deck(path("main.yaml"));
  EXPECT_FALSE(deck.given("fabric.switch.buffer"));                  // credit only
  EXPECT_EQ(deck.text("fabric.switch.arbitration"), "round_robin");  // both have it: kept
  EXPECT_FALSE(deck.given("workload.algorithm"));                    // ring is none of all_to_all's
  EXPECT_EQ(deck.text("workload.algorithm"), "auto");
  EXPECT_EQ(deck.number("workload.bytes"), 1073741824.0);
  EXPECT_EQ(deck.number("fabric.topology.oversubscription"), 2.0);
}

TEST_F(DeckFiles, ChangedSelectorDropsAnotherType) {
  write("tree.yaml", credit_deck);
  write("main.yaml",
        "include: tree.yaml\n"
        "fabric: {topology: {kind: graph, switches: [T], links: [[S, T]], endpoints: {S: 4}}}\n");
  const Deck deck = load_deck(path("main.yaml"));
  EXPECT_FALSE(deck.given("fabric.topology.radix"));
  EXPECT_EQ(deck.integer("fabric.topology.endpoints.S"), 4);
  write("short.yaml",
        "include: tree.yaml\nfabric: {topology: {kind: graph, switches: [T], links: [[S, T]]}}\n");
  EXPECT_EQ(faults("short.yaml"),
            "short.yaml:2:20: fabric.topology.endpoints: is missing; allowed: a list of at least 1 "
            "element or a mapping of names");
}

TEST_F(DeckFiles, ChoicesOfLaterVersionsGoWithTheirKeys) {
  write("dcqcn.yaml",
        credit_deck + "endpoint: {rate_control: dcqcn, dcqcn: {g: 0.1}, header: 82 B}\n");
  write("main.yaml", "include: dcqcn.yaml\nendpoint: {rate_control: none}\n");
  const Deck deck = load_deck(path("main.yaml"));
  EXPECT_FALSE(deck.given("endpoint.dcqcn"));
  EXPECT_EQ(deck.number("endpoint.header"), 82.0);
}

TEST_F(DeckFiles, UnchangedSelectorDropsNothing) {
  write("base.yaml",
        changed(credit_deck, "buffer: 128 KiB", "buffer: 128 KiB, shared_buffer: 1 MB"));
  write("main.yaml", "include: base.yaml\nfabric: {switch: {flow_control: credit}}\n");
  EXPECT_EQ(faults("main.yaml"),
            "base.yaml:4:77: fabric.switch.shared_buffer: has no meaning with "
            "fabric.switch.flow_control: credit; it belongs to pfc");
}

TEST_F(DeckFiles, EmptySectionsAndFilesAddNothing) {
  write("base.yaml", credit_deck);
  write("empty.yaml", "# nothing yet\n");
  write("main.yaml", "include: [base.yaml, empty.yaml]\nrun:\n");
  EXPECT_EQ(load_deck(path("main.yaml")).number("run.time_limit"), 1e9);
}

TEST_F(DeckFiles, WrongIncludes) {
  write("main.yaml", "include: missing.yaml\n" + credit_deck);
  EXPECT_EQ(faults("main.yaml"), "main.yaml:1:10: include: missing.yaml no such file");
  write("main.yaml", "include: parts\n" + credit_deck);
  EXPECT_EQ(faults("main.yaml"), "main.yaml:1:10: include: parts is a folder; a deck is a file");
  write("main.yaml", "include: {a: 1}\n" + credit_deck);
  EXPECT_EQ(faults("main.yaml"),
            "main.yaml:1:10: include: allowed: the name of a file, or a list of names");
  write("list.yaml", "- 1\n");
  write("main.yaml", "include: list.yaml\n" + credit_deck);
  EXPECT_EQ(faults("main.yaml"),
            "main.yaml:1:10: include: the file holds no mapping that could be merged here");
  write("broken.yaml", "a: [\n");
  write("main.yaml", "include: broken.yaml\nrun: {seed: 1}\n");
  EXPECT_EQ(faults("main.yaml").find("broken.yaml:2:1: not valid YAML: "), 0u);
}

TEST_F(DeckFiles, CyclesAreRefused) {
  write("a.yaml", "include: b.yaml\n");
  write("b.yaml", "include: parts/../a.yaml\n");
  EXPECT_EQ(faults("a.yaml"),
            "b.yaml:1:10: include: a.yaml includes itself, directly or through others");
  write("c.yaml", "run: {include: c.yaml}\n");
  EXPECT_EQ(faults("c.yaml"),
            "c.yaml:1:16: include: c.yaml includes itself, directly or through others");
}

// Each of 12 files includes the next twice: 4,095 readings without a limit.
TEST_F(DeckFiles, IncludesThatMultiplyAreLimited) {
  for (int i = 0; i < 12; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".yaml";
    write("f" + std::to_string(i) + ".yaml", "include: [" + next + ", " + next + "]\n");
  }
  write("f12.yaml", credit_deck);
  const std::string text = faults("f0.yaml");
  EXPECT_NE(text.find("is one too many: a deck has at most 1000 includes"), std::string::npos)
      << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_F(DeckFiles, FilesThatCannotBeRead) {
  EXPECT_EQ(faults("missing.yaml"), "missing.yaml: no such file");
  EXPECT_EQ(faults("parts"), "parts: is a folder; a deck is a file");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(faults("pipe"), "pipe: is not a regular file");  // and no waiting for a writer
  write("large.yaml", "");
  fs::resize_file(path("large.yaml"), 50u << 20);
  EXPECT_EQ(faults("large.yaml"), "large.yaml: has 50.0 MiB; a deck has at most 16 MiB");
}

TEST_F(DeckFiles, FilesOfOthersAreNotRead) {
  write("closed.yaml", credit_deck);
  fs::permissions(path("closed.yaml"), fs::perms::none);
  if (access(path("closed.yaml").c_str(), R_OK) == 0)
    GTEST_SKIP() << "this user may read all files";
  EXPECT_EQ(faults("closed.yaml"), "closed.yaml: cannot be read: Permission denied");
}

}  // namespace
}  // namespace tailrace
