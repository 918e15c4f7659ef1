# SPDX-License-Identifier: Apache-2.0
"""`tailrace run`: where results go, what the summary says, and what a stopped run leaves."""

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import time
import unittest
from pathlib import Path

from cli_case import DECK, TIMEOUT_S, CliCase, environment

# Takes far longer than any test waits: a long message and a sample in every step.
LONG_DECK = DECK.replace("1 MB", "1 TB").replace("10 ms", "1000 s")


def fields_of(structure):
    """Names of the members of a structure of solver/summary.hpp, in order."""
    text = (Path(os.environ["TAILRACE_SOURCE"]) / "solver" / "summary.hpp").read_text()
    body = re.search(r"struct %s \{(.*?)\n\};" % structure, text, re.S)[1]
    names = []
    for declaration in re.sub(r"//.*", "", body).split(";"):
        words = re.sub(r"=\s*[^,]+", "", declaration).replace("\n", " ").split(None, 1)
        if len(words) == 2:
            names += [name.strip() for name in words[1].split(",")]
    return names


class Output(CliCase):
    """-o, its default, and runs without a file."""

    def setUp(self):
        super().setUp()
        self.write("deck.yaml", DECK)

    def test_default_is_named_after_the_deck_in_the_current_folder(self):
        (self.folder / "decks").mkdir()
        (self.folder / "deck.yaml").rename(self.folder / "decks" / "my.deck.yaml")
        out = self.succeed("run", "decks/my.deck.yaml", ranks=3).out
        self.assertEqual(self.files(), ["decks", "my.deck.h5"])
        self.assertIn("my.deck.h5", out)

    def test_named(self):
        (self.folder / "results").mkdir()
        self.succeed("run", "deck.yaml", "-o", "results/a.h5")
        self.succeed("run", "deck.yaml", "--output=results/b.h5")
        self.assertEqual(self.files(), ["deck.yaml", "results"])
        self.assertEqual(sorted(os.listdir(self.folder / "results")), ["a.h5", "b.h5"])

    def test_none(self):
        self.assertIn("no file", self.succeed("run", "deck.yaml", "-o", "none").out)
        self.succeed("run", "deck.yaml", "--set", "output.interval=none")
        self.assertEqual(self.files(), ["deck.yaml"])
        self.succeed("run", "deck.yaml", "--set", "output.interval=none", "-o", "a.h5")
        self.assertEqual(self.files(), ["a.h5", "deck.yaml"])

    def test_is_replaced_by_the_next_run(self):
        self.write("a.h5", "something else")
        self.succeed("run", "deck.yaml", "-o", "a.h5")
        self.succeed("run", "deck.yaml", "-o", "a.h5")
        self.succeed("diff", "a.h5", "a.h5")

    def test_quiet(self):
        result = self.succeed("run", "deck.yaml", "--quiet")
        self.assertEqual((result.out, result.err), ("", ""))
        self.assertEqual(self.files(), ["deck.h5", "deck.yaml"])

    def test_quiet_keeps_warnings(self):
        result = self.tailrace("run", "deck.yaml", "-q", "-o", "none", "--set", "run.time_limit=10 us")
        self.assertEqual((result.code, result.out), (0, ""), result)
        self.assertIn("run.time_limit", result.err)


class Summary(CliCase):
    """The summary as text and as JSON."""

    def setUp(self):
        super().setUp()
        self.write("deck.yaml", DECK)

    # Both messages share S1-S2: 2 MB and headers (4160/4096) at 12.5 B/ns take 162.5 us, and latencies.
    def test_text(self):
        out = self.succeed("run", "deck.yaml", "-o", "none", ranks=2).out
        for part in ("4 endpoints, 2 switches, 10 links", "2 messages on 2 flows", "2 ranks x 1 thread", "S1->S2"):
            self.assertIn(part, out)
        self.assertRegex(out, r"(?m)^  all +2 +16[2-5]\.\d us")
        self.assertNotIn("Warnings", out)
        self.assertLessEqual(max(map(len, out.splitlines())), 100)

    def test_unfinished_messages_are_said_loudly(self):
        out = self.succeed("run", "deck.yaml", "-o", "none", "--set", "run.time_limit=100 us").out
        self.assertIn("\nNOT FINISHED: 2 of 2 messages", out)
        self.assertLess(out.index("NOT FINISHED"), out.index("Fabric"))
        self.assertIn("raise run.time_limit", out[out.index("Warnings"):])

    def test_json(self):
        self.succeed("run", "deck.yaml", "-o", "none", "--json", "a.json", ranks=2)
        self.assertEqual(self.files(), ["a.json", "deck.yaml"])
        summary = json.loads((self.folder / "a.json").read_text())
        self.assertEqual(summary["messages"], 2)
        self.assertEqual(summary["ranks"], 2)
        self.assertAlmostEqual(summary["simulated_ns"], summary["steps"] * summary["dt_ns"])
        self.assertRegex(summary["command"], r"tailrace run deck\.yaml -o none --json a\.json$")

    def test_json_to_stdout_takes_the_place_of_the_text(self):
        out = self.succeed("run", "deck.yaml", "-o", "none", "--json", "-").out
        self.assertEqual(json.loads(out)["completion"]["count"], 2)
        self.assertEqual(self.files(), ["deck.yaml"])

    def test_json_to_a_device_writes_through_it(self):
        self.succeed("run", "deck.yaml", "-o", "none", "--quiet", "--json", "/dev/null")
        self.assertTrue(Path("/dev/null").is_char_device())

    def test_json_has_every_field_under_its_own_name(self):
        text = DECK[:DECK.index("workload:")] + (
            "workload: {kind: collective, operation: all_reduce, algorithm: ring, bytes: 1 MB}\n"
            + DECK[DECK.index("run:"):])
        self.write("ring.yaml", text)
        summary = json.loads(self.succeed("run", "ring.yaml", "-o", "none", "--json", "-").out)
        self.assertEqual(list(summary), ["tailrace_version", "git_hash", "command", *fields_of("RunSummary")])
        self.assertEqual(list(summary["completion"]), fields_of("CompletionStatistics"))
        self.assertEqual(list(summary["collectives"][0]), fields_of("CollectiveResult"))
        self.assertEqual(list(summary["tiers"][0]), fields_of("TierResult"))
        for group in summary["groups"]:
            self.assertEqual(list(group), fields_of("GroupStatistics"))


class LongRuns(CliCase):
    """Progress, and runs that are stopped."""

    def setUp(self):
        super().setUp()
        self.write("deck.yaml", LONG_DECK)

    def test_log_lines_where_there_is_no_terminal(self):
        with subprocess.Popen([os.environ["TAILRACE"], "run", "deck.yaml", "-o", "none"], cwd=self.folder,
                              env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                ready, _, _ = select.select([process.stderr], [], [], TIMEOUT_S)
                self.assertTrue(ready, "no progress was logged")
                line = process.stderr.readline().decode()
            finally:
                process.kill()
        self.assertRegex(line, r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +\d+\.\d % delivered, .* simulated, .* steps/s, "
                               r"expected end ")

    def test_one_rewritten_line_on_a_terminal(self):
        for launch in ([], [*shlex.split(os.environ["TAILRACE_MPIRUN"]), "-n", "2"]):
            with self.subTest(launch=launch):
                text = self.terminal_text([*launch, os.environ["TAILRACE"], "run", "deck.yaml", "-o", "none"])
                self.assertRegex(text, r"\r +\d+\.\d % delivered, [^\n\r]*\x1b\[K\r +\d+\.\d % delivered")

    def terminal_text(self, command):
        """What the command writes to a terminal until it has shown its progress three times."""
        terminal, other_end = pty.openpty()
        text = ""
        with subprocess.Popen(command, cwd=self.folder, env=environment(), stdin=other_end, stdout=other_end,
                              stderr=other_end, start_new_session=True) as process:
            try:
                end = time.monotonic() + TIMEOUT_S
                while text.count("delivered") < 3 and time.monotonic() < end:
                    if select.select([terminal], [], [], 1)[0]:
                        text += os.read(terminal, 65536).decode(errors="replace")
            finally:
                os.killpg(process.pid, signal.SIGTERM)
                time.sleep(0.5)
                os.killpg(process.pid, signal.SIGKILL)
        os.close(terminal)
        os.close(other_end)
        return text

    def test_file_of_a_run_that_was_stopped_says_so(self):
        with subprocess.Popen([os.environ["TAILRACE"], "run", "deck.yaml", "-q"], cwd=self.folder, env=environment(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            end = time.monotonic() + TIMEOUT_S
            while "deck.h5" not in self.files() and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 3)
        self.assertEqual(out, b"")
        self.assertIn(b"stopped by a signal", err)
        self.assertIn("not finished", self.tailrace("diff", "deck.h5", "deck.h5").out)


if __name__ == "__main__":
    unittest.main()
