# SPDX-License-Identifier: Apache-2.0
"""Wrong decks of every kind: exit code 2, one message with its place, no file left, no rank that hangs."""

import unittest

from cli_case import DECK, CliCase


class BadDecks(CliCase):
    """Each case on one rank and on three."""

    def test_unknown_key(self):
        self.refuse_deck(DECK.replace("10 ms}", "10 ms, sead: 1}"), r"^deck\.yaml:15:26: run\.sead: unknown key.*mean seed")

    def test_missing_unit(self):
        self.refuse_deck(DECK.replace("500 ns", "500"), r"^deck\.yaml:7:39: .*latency.*ns, us, ms, s")

    def test_wrong_unit(self):
        self.refuse_deck(DECK.replace("100 Gbps", "100 GHz"), r"^deck\.yaml:7:20: .*capacity.*GHz.*Gbps")

    def test_unit_of_another_quantity(self):
        self.refuse_deck(DECK.replace("500 ns", "500 Gbps"), r"^deck\.yaml:7:39: .*latency.*Gbps.*rate")

    def test_negative_capacity(self):
        self.refuse_deck(DECK.replace("100 Gbps", "-100 Gbps"), r"^deck\.yaml:7:20: .*capacity.*-100 Gbps.*out of range.*allowed")

    def test_missing_key(self):
        self.refuse_deck(DECK.replace("run: {time_limit: 10 ms}", "run: {seed: 1}"), r"^deck\.yaml:.*run\.time_limit")

    def test_several_faults_at_once(self):
        text = DECK.replace("10 ms}", "10 ms, sead: 1}").replace("100 Gbps", "-1 Gbps").replace("kind: ecmp", "kind: ecmq")
        self.refuse_deck(text, r"^deck\.yaml:7:20: .*capacity", r"^deck\.yaml:9:19: .*ecmq.*ecmp",
                         r"^deck\.yaml:15:26: .*sead")

    def test_disconnected_graph(self):
        self.refuse_deck(DECK.replace("[S1, S2], [C", "[C"), r"^deck\.yaml:\d+:\d+: ")

    def test_route_that_does_not_exist(self):
        self.refuse_deck(DECK.replace("to: C, bytes: 1 MB", "to: C, bytes: 1 MB, via: [S2, S1]"),
                         r"^deck\.yaml:13:\d+: .*S2")

    # From C to A every way goes up, down, and up again.
    def test_pair_without_a_route(self):
        text = DECK.replace("[A, B, C, D]", "[A, B, C]").replace("[S1, S2]\n", "[L1, L2, L3, U1, U2]\n")
        links = text[text.index("    links:"):text.index("  link:")]
        text = text.replace(links, "    links: [[A, L1], [B, L2], [C, L3], [L1, U1], [L2, U1], [L2, U2], [L3, U2]]\n")
        flows = text[text.index("workload:"):text.index("run:")]
        self.refuse_deck(text.replace(flows, "workload: {kind: pattern, pattern: shift, distance: 1, bytes: 1 MB}\n"),
                         r"^deck\.yaml:10:11: workload: no up-down route from C to A")

    def test_flow_to_a_node_that_does_not_exist(self):
        self.refuse_deck(DECK.replace("to: C", "to: E"), r"^deck\.yaml:13:\d+: .*E")

    def test_impossible_fat_tree(self):
        topology = DECK[DECK.index("  topology:"):DECK.index("  link:")]
        text = DECK.replace(topology, "  topology: {kind: fat_tree, tiers: 2, radix: 4, endpoints: 100}\n")
        text = text[:text.index("workload:")] + "workload: {kind: pattern, pattern: permutation, bytes: 1 MB}\n" \
            + text[text.index("run:"):]
        self.refuse_deck(text, r"^deck\.yaml:2:61: .*100.*\b8\b")

    def test_include_that_does_not_exist(self):
        self.refuse_deck("include: base.yaml\n" + DECK, r"^deck\.yaml:1:10: .*base\.yaml")

    def test_include_of_itself(self):
        self.refuse_deck("include: deck.yaml\n" + DECK, r"^deck\.yaml:1:10: ")

    def test_empty_deck(self):
        for text in ("", "\n\n", "# only a comment\n", "---\n"):
            with self.subTest(text=text):
                self.refuse_deck(text, r"^deck\.yaml.*empty")

    def test_deck_that_is_not_yaml(self):
        self.refuse_deck("fabric: {topology: [\nworkload: }\n", r"^deck\.yaml:\d+:\d+: ")

    def test_deck_that_is_no_mapping(self):
        self.refuse_deck("- fabric\n- workload\n", r"^deck\.yaml:1:1: ")

    def test_binary_file(self):
        self.refuse_deck(bytes(range(256)) * 16, r"^deck\.yaml")


if __name__ == "__main__":
    unittest.main()
