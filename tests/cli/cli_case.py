# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line share: a folder of their own, small decks, and starting the executable."""

import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

# Two senders share the link S1-S2: 1 MB each over 100G, less than a millisecond, a thousand steps.
DECK = """\
fabric:
  topology:
    kind: graph
    endpoints: [A, B, C, D]
    switches: [S1, S2]
    links: [[A, S1], [B, S1], [S1, S2], [C, S2], [D, S2]]
  link: {capacity: 100 Gbps, latency: 500 ns}
  switch: {flow_control: credit, arbitration: round_robin, buffer: 64 KiB}
  routing: {kind: ecmp, seed: 1}
workload:
  kind: flows
  flows:
    - {from: A, to: C, bytes: 1 MB}
    - {from: B, to: D, bytes: 1 MB}
run: {time_limit: 10 ms}
output: {interval: 20 us, lanes: all, flows: all}
"""

# What a program that dies or is confused leaves behind.
TRACES = ("terminate called", "Signal:", "Segmentation", "core dumped", "what():", "MPI_ERR", "HDF5-DIAG",
          "Kokkos::", "Traceback", "AddressSanitizer", "runtime error:")
TIMEOUT_S = 120


class Result:
    """What one run of the executable left: exit code, stdout, stderr, and the program's own lines of stderr."""

    def __init__(self, completed):
        self.code = completed.returncode
        self.out = completed.stdout.decode(errors="replace")
        self.err = completed.stderr.decode(errors="replace")
        self.messages = [line[len("tailrace: "):] for line in self.err.splitlines() if line.startswith("tailrace: ")]

    def __str__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out[:4000]}\n--- stderr\n{self.err[:4000]}"


def environment(**more):
    """The environment of the test, with one thread per rank."""
    return {**os.environ, "OMP_NUM_THREADS": "1", **more}


class CliCase(unittest.TestCase):
    """Runs the executable in a folder of its own."""

    maxDiff = None

    def setUp(self):
        if not os.environ.get("TAILRACE"):
            self.skipTest("TAILRACE does not name the executable")
        self._folder = tempfile.TemporaryDirectory(prefix="tailrace-cli-")
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def write(self, name, text):
        """Writes a file into the test's folder; returns its name."""
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def files(self):
        """Names of all that is in the test's folder."""
        return sorted(path.name for path in self.folder.iterdir())

    def start(self, command, **more):
        """Runs a command line, under a timeout: a rank that hangs fails the test."""
        return Result(subprocess.run(command, cwd=self.folder, env=environment(**more), capture_output=True,
                                     timeout=TIMEOUT_S, stdin=subprocess.DEVNULL, check=False))

    def tailrace(self, *arguments, ranks=1, **more):
        """Runs tailrace; with several ranks under mpirun, with one alone."""
        launch = [] if ranks == 1 else [*shlex.split(os.environ["TAILRACE_MPIRUN"]), "-n", str(ranks)]
        return self.start([*launch, os.environ["TAILRACE"], *arguments], **more)

    def succeed(self, *arguments, **more):
        """Runs tailrace, which must end well and say nothing on stderr."""
        result = self.tailrace(*arguments, **more)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(result.messages, [], result)
        return result

    def assert_refused(self, result, *patterns, code=2):
        """Exit code `code`; on stderr one line per pattern, each once; nothing on stdout and no traces of a crash."""
        self.assertEqual(result.code, code, result)
        self.assertEqual(result.out, "", result)
        self.assertEqual(len(result.messages), len(patterns), result)
        for message, pattern in zip(result.messages, patterns):
            self.assertRegex(message, pattern, result)
        for trace in TRACES:
            self.assertNotIn(trace, result.err)

    def refuse(self, arguments, *patterns, code=2):
        """Runs a wrong command line on 1 and 3 ranks; what is in the folder must not change."""
        before = self.files()
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                self.assert_refused(self.tailrace(*arguments, ranks=ranks), *patterns, code=code)
                self.assertEqual(self.files(), before)

    def refuse_deck(self, text, *patterns, code=2):
        """The same for `tailrace run` of a deck."""
        self.write("deck.yaml", text)
        self.refuse(["run", "deck.yaml"], *patterns, code=code)
