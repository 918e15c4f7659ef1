# SPDX-License-Identifier: Apache-2.0
"""Tests of what the executable writes, read with the users' reader: units, sums over lanes, flows and tiers agree."""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

import sample_file
from tailrace_post import open_run

TAILRACE = os.environ.get("TAILRACE", "")

# Eight endpoints on four-port switches; three flows share the way to e1, one has its own; PFC has to pause. Messages are
# whole packets of 4096 B, each with 64 B of header: 4160/4096 bytes on the wire per byte of payload.
DECK = """
fabric:
  topology: {kind: fat_tree, tiers: 2, radix: 4, endpoints: 8}
  link: {capacity: 100 Gbps, latency: 600 ns}
  switch:
    flow_control: pfc
    arbitration: fifo
    shared_buffer: 2 MiB
    pfc: {threshold: static, xoff: 65536 B, xon: 49152 B, response: 0 ns}
  routing: {kind: ecmp, seed: 3}
endpoint: {rate_control: none}
workload:
  kind: flows
  flows:
    - {from: e0, to: e1, bytes: 1024000 B, start: 0 us}
    - {from: e2, to: e1, bytes: 409600 B, start: 10 us}
    - {from: e5, to: e1, bytes: 819200 B, start: 3 us}
    - {from: e4, to: e7, bytes: 1228800 B, start: 20 us}
run: {time_limit: 10 ms, seed: 1}
output: {interval: 7 us, lanes: LANES, flows: all}
"""
WIRE_PER_PAYLOAD = 4160 / 4096
ROUNDING = 3e-6  # of sums of single-precision samples


@unittest.skipUnless(os.access(TAILRACE, os.X_OK), "no executable: TAILRACE does not name one")
class ExecutableTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.all_lanes = cls.run_deck("all", 2)

    @classmethod
    def run_deck(cls, lanes, ranks):
        """Path of the output of DECK with `lanes` kept, on `ranks` ranks."""
        stem = os.path.join(cls.folder.name, f"run{len(os.listdir(cls.folder.name))}")
        with open(stem + ".yaml", "w", encoding="utf-8") as file:
            file.write(DECK.replace("LANES", lanes))
        launcher = shlex.split(os.environ.get("TAILRACE_MPIRUN", "mpirun")) + ["-n", str(ranks)]
        result = subprocess.run(launcher + [TAILRACE, "run", stem + ".yaml", "-o", stem + ".h5"], text=True,
                                capture_output=True, env=dict(os.environ, OMP_NUM_THREADS="1"))
        if result.returncode:
            raise AssertionError(f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
        return stem + ".h5"

    def setUp(self):
        self.output = open_run(self.all_lanes)
        self.addCleanup(self.output.close)
        self.duration_ns = np.diff(self.output.interval_edges_ns)

    def bytes_of_rates(self, rates_gbps):
        """Bytes carried over the run by interval means, [samples, ...]; 1 Gb/s is 1/8 byte per ns."""
        return np.tensordot(self.duration_ns, np.asarray(rates_gbps, dtype=float) / 8, axes=1)

    def by_tier(self, lane_values, reduce=np.add):
        """[samples, tiers] of [samples, lanes]: sums, or what else `reduce` says."""
        link = self.output.series.lanes.id[0] // len(self.output.classes)
        tier = np.asarray(self.output.topology.links.tier)[link]
        names = self.output.topology.links.tier.columns
        return np.stack([reduce.reduce(np.asarray(lane_values, dtype=float)[:, tier == t], axis=1)
                         for t in range(len(names))], axis=1)

    def test_every_dataset_says_units_and_meaning(self):
        missing = []

        def check(name, item):
            if isinstance(item, h5py.Dataset):
                missing.extend(f"{name}: {attribute}" for attribute in ("units", "description")
                               if not item.attrs.get(attribute))

        with h5py.File(self.all_lanes, "r", locking=False) as file:  # as open_run() opens it
            file.visititems(check)
        self.assertEqual(missing, [])

    def test_the_file_is_complete(self):
        run = self.output
        self.assertTrue(run.finished)
        for group in ("topology", "series", "flows", "messages", "run"):
            self.assertIn(group, run)
        self.assertEqual((run.attribute("ranks"), run.attribute("threads"), run.attribute("seed")), (2, 1, 1))
        self.assertIn("kind: fat_tree", run.deck)

    def test_all_lanes_are_those_on_a_route(self):
        on_a_route = np.unique(np.asarray(self.output.flows.route)) * len(self.output.classes)
        np.testing.assert_array_equal(self.output.slots.lanes, on_a_route)

    def test_samples_follow_the_interval_up_to_the_end(self):
        np.testing.assert_allclose(self.duration_ns[:-1], 7000, atol=600)  # a step
        self.assertGreaterEqual(self.output.interval_edges_ns[-1], np.max(self.output.flows.finish_ns))

    def test_lanes_carry_the_bytes_of_the_flows_routed_over_them(self):
        run = self.output
        expected = np.zeros(len(run.topology.links.source))
        for flow, payload in enumerate(run.flows.bytes[:]):
            expected[run.route(flow)] += payload * WIRE_PER_PAYLOAD
        carried = np.zeros_like(expected)
        np.add.at(carried, run.series.lanes.id[0] // len(run.classes), self.bytes_of_rates(run.series.lanes.throughput_gbps))
        np.testing.assert_allclose(carried, expected, rtol=ROUNDING, atol=1)

    def test_routes_lead_from_source_to_target(self):
        run = self.output
        source, target = run.topology.links.source[:], run.topology.links.target[:]
        for flow in range(4):
            route = run.route(flow)
            self.assertEqual(source[route[0]], run.flows.source[flow])
            self.assertEqual(target[route[-1]], run.flows.target[flow])
            np.testing.assert_array_equal(target[route[:-1]], source[route[1:]])

    def test_flow_rates_sum_up_to_the_flows_bytes(self):
        run = self.output
        kept = run.series.flows.id[:]
        np.testing.assert_array_equal(kept, range(4))
        np.testing.assert_allclose(self.bytes_of_rates(run.series.flows.rate_gbps),
                                   run.flows.bytes[:][kept] * WIRE_PER_PAYLOAD, rtol=ROUNDING, atol=1)

    def test_tiers_are_sums_and_maxima_of_their_lanes(self):
        # Lanes on no route carry nothing, but their links' capacity counts.
        series, links = self.output.series, self.output.topology.links
        capacities = np.bincount(links.tier[:], weights=links.capacity_gbps[:])
        for name, expected in (
                ("utilisation_frac", self.by_tier(series.lanes.throughput_gbps) / capacities),
                ("backlog_bytes", self.by_tier(series.lanes.backlog_bytes)),
                ("backlog_max_bytes", self.by_tier(series.lanes.backlog_max_bytes, np.maximum))):
            np.testing.assert_allclose(series.tiers[name], expected, rtol=1e-5, atol=1e-6, err_msg=name)

    def test_values_lie_where_they_must(self):
        lanes = self.output.series.lanes
        capacity = np.asarray(self.output.topology.links.capacity_gbps)[lanes.id[:] // len(self.output.classes)]
        for name in {"paused_frac", "credit_stalled_frac"} & set(lanes):
            self.assertTrue(np.all((lanes[name][:] >= 0) & (lanes[name][:] <= 1 + ROUNDING)), name)
        self.assertGreater(lanes.paused_frac[:].max(), 0)  # the deck is made so that somebody is paused
        self.assertTrue(np.all(lanes.throughput_gbps[:] <= capacity * (1 + ROUNDING)))
        for name in ("backlog", "occupancy"):
            mean, highest = lanes[name + "_bytes"][:], lanes[name + "_max_bytes"][:]
            self.assertTrue(np.all((0 <= mean) & (mean <= highest * (1 + ROUNDING))), name)

    def test_no_byte_is_lost_or_made(self):
        fabric = self.output.series.fabric
        injected = fabric.injected_bytes[:]
        there = sum(fabric[name][:] for name in ("delivered_bytes", "queued_bytes", "in_flight_bytes", "dropped_bytes"))
        np.testing.assert_allclose(there, injected, rtol=1e-9, atol=1e-3)
        self.assertAlmostEqual(fabric.delivered_bytes[-1], np.sum(self.output.flows.bytes) * WIRE_PER_PAYLOAD, delta=1e-2)

    def test_messages_take_at_least_their_ideal_time(self):
        messages = self.output.messages
        taken = messages.finish_ns[:] - messages.start_ns[:]
        self.assertTrue(np.all(taken >= messages.ideal_ns[:] * (1 - 1e-9) - 1e-3), taken - messages.ideal_ns[:])

    def test_the_fullest_lanes_are_the_same_lanes(self):
        # A lane that was kept only at times has, then, exactly the values that it has when all are kept.
        with open_run(self.run_deck("{fullest: 5}", 1)) as fullest:
            self.assertEqual(fullest.series.lanes.id.shape[1], 5)
            self.assertGreaterEqual(fullest.slots.lanes.size, 2)
            for lane in fullest.slots.lanes:
                part, whole = fullest.lane(lane), self.output.lane(lane)
                for name in ("backlog_bytes", "throughput_gbps", "occupancy_max_bytes"):
                    np.testing.assert_array_equal(part[name][part.kept], whole[name][part.kept], err_msg=f"{lane} {name}")

    def test_info_and_plot_take_the_file(self):
        for command in (["info", self.all_lanes, "--datasets"], ["plot", self.all_lanes]):
            result = subprocess.run([sys.executable, "-m", "tailrace_post", *command], capture_output=True, text=True,
                                    env=dict(os.environ, PYTHONPATH=sample_file.POSTPROC))
            self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
