# SPDX-License-Identifier: Apache-2.0
"""Against a packet-level simulator (htsim, RoCE with PFC): flow by flow with its routes, and as a distribution."""

import numpy as np

from regression_case import RegressionCase, packet_level_us

SHARED = "endpoint.acknowledgements=shared"
QUIET = "output.interval=none"


class FlowByFlow(RegressionCase):
    """Mean over the flows of |ours - theirs| / theirs. With `shared`, acknowledgements are traffic of their own, and the
    time at the sender is simulated instead of one latency per hop."""

    def errors(self, name, *sets):
        path = self.run_deck(f"reference/{name}.yaml", QUIET, *sets)
        ours = self.acknowledged_us(path) if SHARED in sets else self.times_at_sender_us(path)
        theirs = packet_level_us(name)
        self.assertEqual(ours.keys(), theirs.keys())
        errors = np.array([(ours[pair] - theirs[pair]) / theirs[pair] for pair in theirs])
        print(f"{name} {sets}: mean error {np.mean(abs(errors)):.4%}, bias {np.mean(errors):.4%}, "
              f"worst {np.max(abs(errors)):.2%}")
        return errors

    def mean_error(self, name, *sets):
        return np.mean(abs(self.errors(name, *sets)))

    def test_permutation(self):
        self.assertLess(self.mean_error("permutation_128_10mb"), 0.06)

    def test_permutation_with_acknowledgements(self):
        errors = self.errors("permutation_128_10mb", SHARED)
        self.assertLess(np.mean(abs(errors)), 0.04)
        self.assertLess(abs(np.mean(errors)), 0.01)

    def test_incast(self):
        self.assertLess(self.mean_error("incast_8to1_16hosts_10mb"), 0.01)

    def test_incast_with_acknowledgements(self):
        self.assertLess(self.mean_error("incast_8to1_16hosts_10mb", SHARED), 0.005)


class Distribution(RegressionCase):
    """A permutation of 1 MB over 8,192 endpoints: another permutation there than here, so that distributions are compared,
    as means over five seeds of the permutation and of the routes. There every message is sent in whole packets: 245 of
    4,096 B."""

    # us: median, mean, p99 of the packet level's 8,192 flows
    EXPECTED = {"median": 73.7, "mean": 75.1, "p99": 130.6}
    SEEDS = (1, 2, 3, 4, 5)
    WHOLE_PACKETS = f"workload.bytes={245 * 4096} B"

    def figures(self, *sets):
        rows = []
        for seed in self.SEEDS:
            path = self.run_deck("patterns/permutation_8k_roce400.yaml", QUIET, self.WHOLE_PACKETS,
                                 f"workload.seed={seed}", f"fabric.routing.seed={seed}", *sets)
            at_sender = self.acknowledged_us if SHARED in sets else self.times_at_sender_us
            times = np.array(list(at_sender(path).values()))
            rows.append({"min": times.min(), "median": np.median(times), "mean": times.mean(),
                         "p99": np.percentile(times, 99), "max": times.max()})
            print(f"seed {seed} {sets}: " + ", ".join(f"{key} {value:.2f}" for key, value in rows[-1].items()))
            path.unlink()
        return {key: np.mean([row[key] for row in rows]) for key in rows[0]}

    def check(self, tolerance, *sets):
        figures = self.figures(*sets)
        print(f"five seeds {sets}: " + ", ".join(f"{key} {value:.2f}" for key, value in figures.items()) + " us")
        for key, expected in self.EXPECTED.items():
            with self.subTest(key):
                self.assertLess(abs(figures[key] / expected - 1), tolerance)

    def test_permutation_8k(self):
        self.check(0.06)

    def test_permutation_8k_with_acknowledgements(self):
        self.check(0.02, SHARED)
