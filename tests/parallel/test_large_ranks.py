# SPDX-License-Identifier: Apache-2.0
"""Large fabrics, a hundred steps of each: 10,000 GPUs in a ring, 8,192 endpoints in pairs and in groups."""

from rank_case import RankCase


class LargeFabrics(RankCase):
    def test_ring_of_ten_thousand(self):
        self.assert_same_everywhere("quickstart/allreduce_10k_ib200.yaml", "run.time_limit=60us", "output.interval=12us",
                                    "output.compression=0", threads=((1, 2),))

    def test_permutation(self):
        self.assert_same_everywhere("patterns/permutation_8k_roce400.yaml", "run.time_limit=40us", "output.interval=20us",
                                    "output.compression=0", threads=((1, 2),))

    def test_all_to_all_in_groups(self):
        self.assert_same_everywhere("patterns/all_to_all_8k_roce400.yaml", "workload.group_size=4",
                                    "workload.group_stride=2048", "workload.bytes=200 KB", "run.time_limit=30us",
                                    "output.interval=10us", "output.compression=0", ranks=(4,), threads=((1, 2),))
