# SPDX-License-Identifier: Apache-2.0
"""Tests of open_run(): names, units, laziness, runs that were killed, files that are not ours."""

import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import h5py
import numpy as np

import sample_file
import tailrace_post.run
from tailrace_post import MissingDataError, RunFileError, SchemaError, open_run


class ReaderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "run.h5")

    def open(self):
        run = open_run(self.path)
        self.addCleanup(run.close)
        return run

    def edit(self):
        return h5py.File(self.path, "r+")

    def refuse(self, error, *words):
        with self.assertRaises(error) as caught:
            open_run(self.path)
        for word in (self.path, *words):
            self.assertIn(word, str(caught.exception))


class WholeFileTest(ReaderTest):
    def setUp(self):
        super().setUp()
        sample_file.write_run(self.path)

    def test_root_attributes_are_python_values(self):
        run = self.open()
        self.assertEqual(run.deck, "fabric: {}\n")
        self.assertEqual(run.attribute("ranks"), 2)
        self.assertEqual(run.attribute("backend"), "OpenMP")
        self.assertIsNone(run.attribute("nonsense"))
        self.assertEqual(run.classes, ["default"])
        self.assertTrue(run.finished)

    def test_variables_know_their_units_and_meaning(self):
        capacity = self.open().topology.links.capacity_gbps
        self.assertEqual((capacity.units, capacity.shape), ("Gbps", (12,)))
        self.assertEqual(capacity.description, "test: topology/links/capacity_gbps")
        np.testing.assert_array_equal(capacity, [100] * 8 + [200] * 4)

    def test_series_by_tier_name_their_columns(self):
        self.assertEqual(self.open().series.tiers.backlog_bytes.columns, list(sample_file.TIERS))

    def test_text_is_str(self):
        run = self.open()
        self.assertEqual(run.topology.nodes.name[4], "leaf0")
        self.assertEqual(list(run.topology.nodes.name[:2]), ["e0", "e1"])
        self.assertEqual(run.link_name(9), "spine0->leaf0")

    def test_a_word_of_python_takes_an_underscore(self):
        run = self.open()
        np.testing.assert_array_equal(run.flows.class_, run.flows["class"])
        self.assertIn("class_", dir(run.flows))

    def test_single_values(self):
        run = self.open()
        self.assertEqual(run.run.steps[()], 1234)
        self.assertEqual(float(np.asarray(run.run.wall_s)), 0.5)

    def test_routes_are_cut_by_their_offsets(self):
        run = self.open()
        np.testing.assert_array_equal(run.route(1), [2, 8, 11, 7])
        with self.assertRaisesRegex(MissingDataError, "flows are 0 to 1"):
            run.route(2)

    def test_rate_of_a_flow_is_found_by_its_id(self):
        run = self.open()
        np.testing.assert_array_equal(run.flow_rate_gbps(1), [20, 21, 22, 23])
        with self.assertRaisesRegex(MissingDataError, "flow 2 was not kept"):
            run.flow_rate_gbps(2)

    def test_nothing_is_read_before_it_is_asked_for(self):
        # A damaged compressed chunk hurts when, and only when, that dataset is read.
        with self.edit() as file:
            del file["series/tiers/paused_frac"]
            damaged = file.create_dataset("series/tiers/paused_frac", (4, 4), chunks=(4, 4), compression="gzip")
            damaged.id.write_direct_chunk((0, 0), b"no zlib stream")
        run = self.open()
        self.assertEqual(run.series.tiers.paused_frac.shape, (4, 4))
        self.assertEqual(len(run.variables()), 57)
        with self.assertRaisesRegex(RunFileError, "/series/tiers/paused_frac is damaged, or has been written"):
            run.series.tiers.paused_frac[:]

    def test_a_wrong_name_is_an_attribute_and_key_error_that_names_it(self):
        run = self.open()
        self.assertFalse(hasattr(run.flows, "colour"))
        self.assertIsNone(run.flows.get("colour"))
        with self.assertRaisesRegex(KeyError, "^'?.*there is no /flows/colour"):
            run.flows["colour"]

    def test_reading_takes_no_lock_from_the_writer(self):
        # Another process opens the file for writing while it is being read; with a reader's lock it could not.
        run = self.open()
        write = "import h5py, sys; h5py.File(sys.argv[1], 'r+').attrs['seed'] = 8"
        subprocess.run([sys.executable, "-c", write, self.path], check=True)
        self.assertEqual(run.sample_count, 4)


class UnfinishedFileTest(ReaderTest):
    def test_rows_that_not_all_series_have_do_not_count(self):
        sample_file.write_run(self.path, whole=False)
        with self.edit() as file:
            del file["series/fabric/queued_bytes"]
            sample_file.put(file, "series/fabric/queued_bytes", np.arange(3.0))
        run = self.open()
        self.assertEqual(run.sample_count, 3)
        self.assertEqual(run.series.lanes.backlog_bytes.shape, (3, 2))
        self.assertEqual(run.series.flows.id.shape, (2,))
        np.testing.assert_array_equal(run.series.time_ns, [1000, 2000, 3000])
        self.assertEqual(run.lane(8).backlog_bytes.size, 3)

    def test_rows_without_time_do_not_count(self):
        # Room was made for five samples in every series, two were written.
        sample_file.write_run(self.path, whole=False, samples=5)
        with self.edit() as file:
            file["series/time_ns"][2:] = 0
        self.assertEqual(self.open().sample_count, 2)

    def test_every_kind_of_index_counts_within_the_samples(self):
        sample_file.write_run(self.path, whole=False, samples=5)
        with self.edit() as file:
            file["series/time_ns"][3:] = 0
        run = self.open()
        rate = run.series.flows.rate_gbps
        expected = np.array([[50, 20], [51, 21], [52, 22]])
        for key in (slice(None), (slice(None), 1), -1, (-1, 0), slice(-2, None), [0, -1], np.array([True, False, True]),
                    Ellipsis, (Ellipsis, 1), (), np.int64(1), (slice(0, 9), slice(1, 2))):
            np.testing.assert_array_equal(rate[key], expected[key], err_msg=str(key))
        for key in (3, (-4, 0), [0, 3]):
            with self.assertRaises(IndexError):
                rate[key]
        with self.assertRaises(IndexError):
            rate[np.array([True, False])]

    def test_groups_missing_at_the_end_are_explained(self):
        sample_file.write_run(self.path, whole=False)
        run = self.open()
        self.assertFalse(run.finished)
        self.assertNotIn("messages", run)
        with self.assertRaisesRegex(MissingDataError, "/messages; the run still goes on or was killed"):
            run.messages

    def test_a_file_caught_in_the_midst_of_writing_is_tried_again(self):
        sample_file.write_run(self.path, whole=False)
        with open(self.path, "rb") as file:
            content = file.read()

        def write(_):
            with open(self.path, "wb") as file:
                file.write(content)

        os.truncate(self.path, len(content) // 2)
        with mock.patch.object(tailrace_post.run.time, "sleep", side_effect=write) as pause:
            self.assertEqual(self.open().sample_count, 4)
        pause.assert_called_once()

    def test_a_run_without_samples_opens(self):
        sample_file.write_run(self.path, whole=False, series=False)
        self.assertEqual(self.open().sample_count, 0)
        self.assertEqual(self.open().topology.links.tier.columns, list(sample_file.TIERS))

    def test_series_of_no_rows_open(self):
        sample_file.write_run(self.path, whole=False, samples=0, lane_ids=np.empty((0, 2)))
        run = self.open()
        self.assertEqual(run.sample_count, 0)
        self.assertEqual(run.slots.lanes.size, 0)
        np.testing.assert_array_equal(run.interval_edges_ns, [0])


class RefusedFileTest(ReaderTest):
    def test_no_such_file(self):
        self.refuse(RunFileError, "no such file")

    def test_a_folder(self):
        os.mkdir(self.path)
        self.refuse(RunFileError, "is a folder")

    def test_an_empty_file(self):
        open(self.path, "w").close()
        self.refuse(RunFileError, "is empty")

    def test_a_text_file(self):
        with open(self.path, "w") as file:
            file.write("fabric: {}\n" * 100)
        self.refuse(RunFileError, "not an HDF5 file")

    def test_half_a_file(self):
        sample_file.write_run(self.path)
        with open(self.path, "r+b") as file:
            file.truncate(os.path.getsize(self.path) // 2)
        with mock.patch.object(tailrace_post.run, "PAUSES_S", ()):
            self.refuse(RunFileError, "cut short")

    def test_a_file_of_another_program(self):
        h5py.File(self.path, "w").close()
        self.refuse(RunFileError, "not an output of Tailrace")

    def test_a_newer_schema(self):
        sample_file.write_run(self.path)
        with self.edit() as file:
            file.attrs.update(schema_version=2, tailrace_version="9.0.0")
        self.refuse(SchemaError, "schema version 2", "reads version 1", "9.0.0, or a newer one")

    def test_an_older_schema(self):
        sample_file.write_run(self.path)
        with self.edit() as file:
            file.attrs["schema_version"] = 0
        self.refuse(SchemaError, "schema version 0", "run the deck again")


if __name__ == "__main__":
    unittest.main()
