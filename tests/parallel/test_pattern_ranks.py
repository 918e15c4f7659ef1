# SPDX-License-Identifier: Apache-2.0
"""Patterns on fat-trees cut by pod and within pods: shift, incast, random messages, pinned routes."""

from rank_case import MANY_RANKS, RankCase

ACKNOWLEDGEMENTS = "endpoint.acknowledgements=shared"


class PatternRanks(RankCase):
    def test_shift(self):
        self.assert_same_everywhere("quickstart/shift_64_ib200.yaml", "workload.bytes=1 MB", ranks=(4,))

    def test_incast(self):
        self.assert_same_everywhere("patterns/incast_8to1_roce400.yaml", "run.time_limit=200us", ranks=MANY_RANKS)

    def test_incast_from_all_with_acknowledgements(self):
        self.assert_same_everywhere("patterns/incast_8to1_roce400.yaml", "workload.senders=63", "run.time_limit=200us",
                                    ACKNOWLEDGEMENTS, ranks=(3,))

    def test_uniform(self):
        self.assert_same_everywhere("patterns/uniform_1024_ib200.yaml", "workload.duration=40us", "run.time_limit=80us",
                                    ranks=(2, 7), threads=((1, 2),))

    def test_routes_of_the_packet_level(self):
        self.assert_same_everywhere("reference/permutation_128_10mb.yaml", "run.time_limit=150us", ACKNOWLEDGEMENTS,
                                    ranks=(2, 7), threads=((2, 2),))
