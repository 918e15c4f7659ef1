# SPDX-License-Identifier: Apache-2.0
"""What the commands print when all is well: help, versions, parameters, fabrics, estimates, differences."""

import os
import re
import unittest

from cli_case import DECK, CliCase


class Help(CliCase):
    """--help of the program and of each command, once on any number of ranks, and with an example."""

    def test_program(self):
        for arguments in (["--help"], ["-h"]):
            out = self.succeed(*arguments).out
            for part in ("run", "topo", "diff", "params", "--version", "Examples:"):
                self.assertIn(part, out)

    def test_each_command(self):
        for command, part in (("run", "--dry-run"), ("topo", "--set"), ("diff", "--tolerance"), ("params", "PREFIX")):
            with self.subTest(command=command):
                out = self.succeed(command, "--help").out
                self.assertIn(part, out)
                self.assertIn("Usage: tailrace " + command, out)
                self.assertIn("  tailrace " + command, out, "an example")
                self.assertLessEqual(max(map(len, out.splitlines())), 100)

    def test_is_printed_once(self):
        self.assertEqual(self.succeed("run", "--help", ranks=3).out, self.succeed("run", "--help").out)


class Version(CliCase):
    """--version names the program and all that results may depend on."""

    def test_version(self):
        out = self.succeed("--version", ranks=3).out
        self.assertRegex(out, r"(?m)^Tailrace \d+\.\d+\.\d+ \(git \S+, \w+ build\)$")
        self.assertRegex(out, r"(?m)^Kokkos +\d+\.\d+\.\d+, backend \w+$")
        self.assertRegex(out, r"(?m)^MPI +\S+")
        self.assertRegex(out, r"(?m)^HDF5 +\d+\.\d+\.\d+$")
        self.assertEqual(len(out.splitlines()), 4, out)


class Params(CliCase):
    """`tailrace params`."""

    def test_all_and_prefix(self):
        everything = self.succeed("params").out
        self.assertIn("fabric.link.capacity", everything)
        self.assertIn("run.time_limit", everything)
        link = self.succeed("params", "fabric.link").out
        self.assertIn("fabric.link.capacity", link)
        self.assertNotIn("run.time_limit", link)

    def test_markdown_is_the_file_in_inputs(self):
        out = self.succeed("params", "--markdown").out
        with open(os.path.join(os.environ["TAILRACE_SOURCE"], "inputs", "PARAMETERS.md"), encoding="utf-8") as file:
            self.assertEqual(out, file.read(), "run `tailrace params --markdown > inputs/PARAMETERS.md`")


class Topo(CliCase):
    """`tailrace topo`."""

    def test_graph(self):
        self.write("deck.yaml", DECK)
        out = self.succeed("topo", "deck.yaml", ranks=3).out
        self.assertIn("4 endpoints, 2 switches", out)
        self.assertEqual(self.files(), ["deck.yaml"])

    def test_set(self):
        self.write("deck.yaml", DECK)
        out = self.succeed("topo", "deck.yaml", "--set", "fabric.link.capacity=400 Gbps").out
        self.assertIn("400 Gbps", out)
        self.assertNotIn("100 Gbps", out)


class DryRun(CliCase):
    """`tailrace run --dry-run`."""

    def test_says_what_would_run_and_leaves_nothing(self):
        self.write("deck.yaml", DECK)
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                out = self.succeed("run", "deck.yaml", "--dry-run", ranks=ranks).out
                self.assertIn("4 endpoints, 2 switches, 10 links", out)
                self.assertIn("2 messages on 2 flows, 2.000 MB", out)
                self.assertIn("of 500 ns; at most 20,000", out)
                self.assertRegex(out, r"Memory +\d")
                self.assertIn(f"{ranks} rank", out)
                self.assertIn("deck.h5, at most", out)
                self.assertEqual(self.files(), ["deck.yaml"])


class Diff(CliCase):
    """`tailrace diff`: 0 the same, 1 different, 2 trouble."""

    def setUp(self):
        super().setUp()
        self.write("deck.yaml", DECK)
        self.succeed("run", "deck.yaml", "-o", "a.h5")

    def test_same_on_other_numbers_of_ranks(self):
        self.succeed("run", "deck.yaml", "-o", "b.h5", ranks=3)
        self.succeed("diff", "a.h5", "b.h5")
        self.succeed("diff", "a.h5", "b.h5", ranks=2)

    def test_different(self):
        self.succeed("run", "deck.yaml", "-o", "b.h5", "--set", "workload.flows[0].bytes=1.001 MB")
        result = self.tailrace("diff", "a.h5", "b.h5")
        self.assertEqual(result.code, 1, result)
        self.assertEqual(result.messages, [], result)
        self.assertRegex(result.out, r"/flows/bytes", result)

    def test_within_a_tolerance(self):
        self.succeed("run", "deck.yaml", "-o", "b.h5", "--set", "fabric.link.capacity=100.0001 Gbps")
        self.assertEqual(self.tailrace("diff", "a.h5", "b.h5").code, 1)
        self.succeed("diff", "a.h5", "b.h5", "--tolerance", "0.9")

    def test_trouble(self):
        self.assert_refused(self.tailrace("diff", "a.h5", "nowhere.h5"), r"nowhere\.h5")
        self.write("text.h5", "this is no HDF5 file")
        self.assert_refused(self.tailrace("diff", "a.h5", "text.h5"), r"text\.h5")


class ManualAndCompletion(CliCase):
    """The manual page and the completion name the options that the program has."""

    def test_options(self):
        source = os.environ["TAILRACE_SOURCE"]
        with open(os.path.join(source, "scripts", "man", "tailrace.1.in"), encoding="utf-8") as file:
            manual = file.read().replace("\\-", "-")
        with open(os.path.join(source, "scripts", "completion", "tailrace.bash"), encoding="utf-8") as file:
            completion = file.read()
        for command in ("run", "topo", "diff", "params"):
            options = set(re.findall(r"--[a-z][a-z-]+", self.succeed(command, "--help").out.split("Example")[0]))
            for option in options - {"--output"}:
                self.assertIn(option, manual)
                self.assertIn(option, completion)
        for option in set(re.findall(r"--[a-z][a-z-]+", manual)) - {"--version"}:
            found = [c for c in ("run", "topo", "diff", "params") if option in self.succeed(c, "--help").out]
            self.assertTrue(found, f"{option} of the manual page is no option")


if __name__ == "__main__":
    unittest.main()
