# SPDX-License-Identifier: Apache-2.0
"""The quickstart's 10,000-GPU ring all-reduce of 1 GiB takes 87.23 ms, on two ranks."""

from tailrace_post import open_run

from regression_case import RegressionCase


class AllReduce(RegressionCase):
    # 2 (n-1)/n * 2^30 B * (4160 / 4096, the headers) / 25 B/ns = 87.23 ms: every ring flow has its links to itself.
    EXPECTED_NS = 2 * 9999 / 10000 * 2**30 * 4160 / 4096 / 25

    def test_time_and_bandwidths(self):
        with open_run(self.run_deck("quickstart/allreduce_10k_ib200.yaml", "output.interval=10ms", ranks=2)) as run:
            time_ns = run.collectives.finish_ns[0] - run.collectives.start_ns[0]
            print(f"{time_ns / 1e6:.3f} ms, expected {self.EXPECTED_NS / 1e6:.3f} ms")
            self.assertLess(abs(time_ns / self.EXPECTED_NS - 1), 0.01)
            # nccl-tests: algbw = S / t, busbw = algbw * 2 (n-1)/n
            algbw = 2**30 / time_ns
            self.assertAlmostEqual(run.collectives.algbw_GBps[0], algbw, delta=1e-6 * algbw)
            self.assertAlmostEqual(run.collectives.busbw_GBps[0], algbw * 2 * 9999 / 10000, delta=1e-6 * algbw)
