# SPDX-License-Identifier: Apache-2.0
"""What the tests of ranks and threads share: runs a deck on several numbers of them and compares the files bit by bit."""

import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

from tailrace_post import open_run

RANKS = (2, 3, 4, 7)
MANY_RANKS = (*RANKS, 31)   # starting 31 processes costs more than most runs here: one of these per file
TIMEOUT_S = 240

# A loop over fewer items runs in place, without threads (solver/launch.hpp): smaller decks say nothing about threads.
LINKS_FOR_THREADS = 128


class RankCase(unittest.TestCase):
    """Runs decks in a folder of its own; the reference is one rank with one thread."""

    def setUp(self):
        if not os.access(os.environ.get("TAILRACE", ""), os.X_OK):
            self.skipTest("TAILRACE does not name the executable")
        folder = tempfile.TemporaryDirectory(prefix="tailrace-ranks-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def deck(self, name):
        """Path of a deck of inputs/ or, if it is there, of this folder."""
        own = Path(__file__).parent / name
        return own if own.exists() else Path(os.environ["TAILRACE_SOURCE"]) / "inputs" / name

    def start(self, *command, threads=1):
        """Runs a command under a timeout: a rank that waits for ever fails the test."""
        return subprocess.run([str(word) for word in command], cwd=self.folder, text=True, capture_output=True, check=False,
                              timeout=TIMEOUT_S, stdin=subprocess.DEVNULL,
                              env={**os.environ, "OMP_NUM_THREADS": str(threads)})

    def run_deck(self, deck, sets, ranks=1, threads=1):
        """Path of the output file of `deck` with `sets` (key=value)."""
        path = self.folder / f"{ranks}_ranks_{threads}_threads.h5"
        options = [word for setting in sets for word in ("--set", setting)]
        launcher = [] if ranks == 1 else [*shlex.split(os.environ["TAILRACE_MPIRUN"]), "-n", ranks]
        result = self.start(*launcher, os.environ["TAILRACE"], "run", self.deck(deck), "--quiet", "-o", path, *options,
                            threads=threads)
        self.assertEqual(result.returncode, 0, f"{ranks} ranks, {threads} threads\n{result.stdout}\n{result.stderr}")
        return path

    def check_reference(self, path, threads):
        """The comparison would say nothing about an empty file."""
        with open_run(path) as run:
            self.assertTrue(run.finished)
            self.assertGreater(run.series.fabric.injected_bytes[:].max(), 0)
            self.assertGreater(len(run.flows.finish_ns), 0)
            if threads:
                self.assertGreaterEqual(len(run.topology.links.source), LINKS_FOR_THREADS)

    def check_ranks(self, path, ranks, is_cut):
        """The ranks took part: they had something to tell each other in every step, or nothing at all."""
        with open_run(path) as run:
            self.assertEqual(run.attribute("ranks"), ranks)
            sent = float(run.node("/run/bytes_sent_per_step")[()])
            (self.assertGreater if is_cut else self.assertEqual)(sent, 0)

    def assert_same_everywhere(self, deck, *sets, ranks=RANKS, threads=(), is_cut=True):
        """`tailrace diff` finds all datasets but /run alike, bit by bit, whatever the number of ranks, and with the
        `threads`, pairs of ranks and threads of each. `is_cut`: flows cross from rank to rank.
        """
        reference = self.run_deck(deck, sets)
        self.check_reference(reference, threads)
        for rank_count, thread_count in [*((r, 1) for r in ranks), *threads]:
            with self.subTest(ranks=rank_count, threads=thread_count):
                path = self.run_deck(deck, sets, rank_count, thread_count)
                if rank_count > 1:
                    self.check_ranks(path, rank_count, is_cut)
                result = self.start(os.environ["TAILRACE"], "diff", reference, path)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                path.unlink()
