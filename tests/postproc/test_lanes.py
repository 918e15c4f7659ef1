# SPDX-License-Identifier: Apache-2.0
"""Tests of run.lane(): one lane's series, gathered over the columns that held it."""

import os
import tempfile
import unittest
from unittest import mock

import numpy as np

import sample_file
from tailrace_post import MissingDataError, lanes, open_run
from tailrace_post.lanes import SlotTable, fullest_lanes

NAN = float("nan")


class LaneTest(unittest.TestCase):
    def write(self, lane_ids, **options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = sample_file.write_run(os.path.join(folder.name, "run.h5"), samples=len(lane_ids), lane_ids=lane_ids, **options)
        run = open_run(path)
        self.addCleanup(run.close)
        return run

    def test_a_lane_that_stays_in_its_column(self):
        # Values by the rule of put_series: 1000 (number of the series) + 10 sample + slot.
        lane = self.write([[0, 8]] * 3).lane(8)
        np.testing.assert_array_equal(lane.backlog_bytes, [1, 11, 21])
        np.testing.assert_array_equal(lane.throughput_gbps, [4001, 4011, 4021])
        np.testing.assert_array_equal(lane["throughput_gbps"], lane.throughput_gbps)

    def test_a_lane_that_moves_leaves_and_comes_back(self):
        run = self.write([[7, -1], [7, 3], [3, 7], [3, -1], [7, -1]])
        np.testing.assert_array_equal(run.lane(7).backlog_bytes, [0, 10, 21, NAN, 40])
        np.testing.assert_array_equal(run.lane(3).backlog_bytes, [NAN, 11, 20, 30, NAN])
        np.testing.assert_array_equal(run.lane(3).kept, [False, True, True, True, False])
        np.testing.assert_array_equal(run.slots.lanes, [3, 7])

    def test_a_lane_never_kept_is_an_error(self):
        run = self.write([[7, -1], [7, 3]])
        for lane in (5, -1):
            with self.assertRaisesRegex(MissingDataError, f"lane {lane} was not kept \\(2 lanes were"):
                run.lane(lane)

    def test_stretches_do_not_depend_on_the_block_size(self):
        ids = np.random.default_rng(1).integers(-1, 4, (50, 6)).repeat(3, axis=0)
        whole = SlotTable(ids)
        for rows in (1, 2, 7):
            with mock.patch.object(lanes, "ROWS_AT_ONCE", rows):
                parts = SlotTable(ids)
            for lane in range(4):
                self.assertEqual(parts.stretches(lane), whole.stretches(lane))
        # Every stretch covers exactly the places where the lane is.
        covered = np.zeros_like(ids)
        for slot, first, end in whole.stretches(2):
            covered[first:end, slot] += 1
        np.testing.assert_array_equal(covered, ids == 2)

    def test_lane_number_is_link_times_classes_plus_class(self):
        lane = self.write([[17]], classes=("bulk", "urgent")).lane(17)
        self.assertEqual((lane.link, lane.traffic_class, lane.name), (8, 1, "leaf0->spine0/urgent"))

    def test_utilisation_is_throughput_over_the_links_capacity(self):
        # Link 8 (leaf to spine): 200 Gb/s.
        lane = self.write([[8]]).lane(8)
        np.testing.assert_allclose(lane.utilisation_frac, [4000 / 200])

    def test_fullest_lanes_come_by_their_highest_backlog(self):
        # backlog_max_bytes = 1000 + 10 sample + slot: lane 7 is seen last in row 2, lane 9 in row 1, lane 1 in row 0;
        # lane 4, fuller than all, leaves an endpoint (links 0, 2, 4, 6 do).
        run = self.write([[1, 9, 4], [7, 9, 4], [-1, 7, 4]])
        self.assertEqual(fullest_lanes(run, 2), [7, 9])
        self.assertEqual(fullest_lanes(run, 9), [7, 9, 1])


if __name__ == "__main__":
    unittest.main()
