# SPDX-License-Identifier: Apache-2.0
"""Collectives on fat-trees cut by pod: rings chained from rank to rank, all pairs, ranks that own nothing."""

from rank_case import RANKS, RankCase

RING = "collectives/ring_64_bandwidth_bound.yaml"
ACKNOWLEDGEMENTS = "endpoint.acknowledgements=shared"


class CollectiveRanks(RankCase):
    def test_ring_all_reduce(self):
        self.assert_same_everywhere(RING, "workload.bytes=2 MiB", "output.interval=10us", "output.flows=all", threads=((1, 2),))

    # Three tiers; cables of four steps between spines and cores, of one below; forwarding takes 4.2 steps.
    def test_ring_bound_by_latency_between_ranks(self):
        self.assert_same_everywhere(RING, "fabric.topology.radix=8", "fabric.topology.tiers=3",
                                    "fabric.link.tiers={spine: {latency: 2400 ns}}", "workload.bytes=64 KiB",
                                    "endpoint.forward_delay=2500 ns", "run.time_limit=300us", "output.interval=10us",
                                    ACKNOWLEDGEMENTS)

    def test_ring_on_one_switch_leaves_ranks_without_work(self):
        self.assert_same_everywhere("collectives/ring_8_latency_bound.yaml", ranks=(31,), is_cut=False)

    def test_reduce_scatter(self):
        self.assert_same_everywhere(RING, "workload.operation=reduce_scatter", "workload.bytes=2 MiB", "workload.ranks=24",
                                    "endpoint.slice=16 KiB", "output.interval=10us", ranks=(3,))

    def test_send_recv_between_pods(self):
        self.assert_same_everywhere(RING, "workload.operation=send_recv", "workload.bytes=500 KB",
                                    "workload.ranks=[e0, e63]", "output.interval=1us", ranks=(4,))

    def test_all_to_all(self):
        self.assert_same_everywhere("collectives/all_to_all_64_ib200.yaml", "workload.bytes=1 MiB", "output.interval=5us",
                                    ranks=RANKS, threads=((1, 2), (2, 2)))

    def test_all_to_all_by_hash(self):
        self.assert_same_everywhere("collectives/all_to_all_64_ib200.yaml", "fabric.routing.kind=ecmp",
                                    "fabric.link.tiers={leaf: {latency: 1800 ns, capacity: 100 Gbps}}",
                                    "workload.bytes=1 MiB", "output.interval=5us", ACKNOWLEDGEMENTS, ranks=(3,))
