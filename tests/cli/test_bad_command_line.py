# SPDX-License-Identifier: Apache-2.0
"""Faults of the command line itself."""

import unittest

from cli_case import DECK, CliCase


class BadCommandLine(CliCase):
    """The deck beside them is right."""

    def setUp(self):
        super().setUp()
        self.write("deck.yaml", DECK)

    def refuse_once(self, arguments, *patterns):
        """On one rank: arguments are read alike on all."""
        self.assert_refused(self.tailrace(*arguments), *patterns)
        self.assertEqual(self.files(), ["deck.yaml"])

    def test_no_command(self):
        self.refuse_once([], r"no command.*run, topo, diff or params.*--help")

    def test_unknown_command(self):
        self.refuse_once(["rum", "deck.yaml"], r"unknown command.*rum.*did you mean run\?")

    def test_unknown_option(self):
        self.refuse_once(["run", "deck.yaml", "--quite"], r"run: unknown option.*--quite.*did you mean --quiet\?")
        self.refuse_once(["--verzion"], r"unknown option.*--verzion.*did you mean --version\?")

    def test_missing_arguments(self):
        self.refuse_once(["run"], r"run: the deck is missing")
        self.refuse_once(["topo"], r"topo: the deck is missing")
        self.refuse_once(["diff", "a.h5"], r"diff: the second file is missing")

    def test_missing_value(self):
        self.refuse_once(["run", "deck.yaml", "-o"], r"--output")
        self.refuse_once(["run", "deck.yaml", "--set"], r"--set")

    def test_too_many_arguments(self):
        self.refuse_once(["run", "deck.yaml", "other.yaml"], r"one argument too many.*other\.yaml")

    def test_set(self):
        self.refuse_once(["run", "deck.yaml", "--set", "run.seed"], r"--set.*run\.seed")
        self.refuse_once(["run", "deck.yaml", "--set", "run.sead=1"], r"--set.*run\.sead.*run\.seed|run\.sead")
        self.refuse_once(["run", "deck.yaml", "--set", "run.seed=-1"], r"run\.seed.*-1")
        self.refuse_once(["run", "deck.yaml", "--set", "fabric.link.latency=[1"], r"fabric\.link\.latency|\[1")

    def test_params(self):
        self.refuse_once(["params", "fabrik"], r"fabrik")
        self.refuse_once(["params", "fabric", "--markdown"], r"--markdown")

    def test_diff(self):
        self.refuse_once(["diff", "a.h5", "b.h5"], r"a\.h5")
        self.refuse_once(["diff", "deck.yaml", "deck.yaml"], r"deck\.yaml")
        self.refuse_once(["diff", "deck.yaml", "deck.yaml", "--tolerance", "much"], r"--tolerance.*much")
        self.refuse_once(["diff", "deck.yaml", "deck.yaml", "--tolerance", "-1"], r"--tolerance.*-1")

    def test_refusal_on_several_ranks_is_said_once(self):
        self.assert_refused(self.tailrace("run", "--quite", ranks=3), r"unknown option")


if __name__ == "__main__":
    unittest.main()
