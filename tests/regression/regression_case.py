# SPDX-License-Identifier: Apache-2.0
"""What the regression tests share: runs a deck of inputs/ and reads completion times with the users' reader."""

import csv
import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tailrace_post import open_run

# The packet level's times end at the sender, when the last acknowledgement is back: one link latency per hop later.
WAY_BACK_NS_PER_HOP = 1000


class RegressionCase(unittest.TestCase):
    """Runs decks in a folder of its own."""

    def setUp(self):
        if not os.access(os.environ.get("TAILRACE", ""), os.X_OK):
            self.skipTest("TAILRACE does not name the executable")
        folder = tempfile.TemporaryDirectory(prefix="tailrace-regression-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_deck(self, deck, *sets, ranks=1):
        """Path of the output file of inputs/`deck` with `sets` (key=value)."""
        path = self.folder / f"{len(list(self.folder.iterdir()))}.h5"
        options = [word for setting in sets for word in ("--set", setting)]
        launcher = [] if ranks == 1 else [*shlex.split(os.environ["TAILRACE_MPIRUN"]), "-n", str(ranks)]
        source = Path(os.environ["TAILRACE_SOURCE"])
        command = [*launcher, os.environ["TAILRACE"], "run", source / "inputs" / deck, "--quiet", "-o", path, *options]
        result = subprocess.run(command, cwd=self.folder, text=True, capture_output=True, check=False,
                                stdin=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
        self.assertEqual(result.returncode, 0, f"{deck} {sets}\n{result.stdout}\n{result.stderr}")
        return path

    def times_at_sender_us(self, path):
        """{(source, target): time in us} of all flows, from the first byte to the last acknowledgement."""
        with open_run(path) as run:
            hops = np.diff(run.flows.route_offset[:])
            time_us = (run.flows.finish_ns[:] - run.flows.start_ns[:] + WAY_BACK_NS_PER_HOP * hops) / 1e3
            self.assertTrue(np.all(np.isfinite(time_us)), "a flow has not finished")
            return dict(zip(zip(run.flows.source[:].tolist(), run.flows.target[:].tolist()), time_us.tolist()))

    def acknowledged_us(self, path):
        """The same where the acknowledgements were simulated; decks of one message per flow."""
        with open_run(path) as run:
            flow = run.messages.flow[:]
            time_us = (run.messages.acknowledged_ns[:] - run.messages.start_ns[:]) / 1e3
            self.assertTrue(np.all(np.isfinite(time_us)), "a sender has not heard of its message")
            self.assertEqual(len(flow), len(set(flow.tolist())))
            return dict(zip(zip(run.flows.source[:][flow].tolist(), run.flows.target[:][flow].tolist()), time_us.tolist()))


def packet_level_us(name):
    """The same of the packet-level simulation, from packet_level_<name>.csv."""
    with open(Path(__file__).parent / f"packet_level_{name}.csv", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(int(row["source"]), int(row["target"])): float(row["completion_us"]) for row in rows}
