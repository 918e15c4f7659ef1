# SPDX-License-Identifier: Apache-2.0
"""Tests of the overview picture: what is drawn, its units, its colours, and the file that is written."""

import os
import struct
import tempfile
import unittest

import h5py
import numpy as np

import sample_file
from tailrace_post import open_run
from tailrace_post.errors import UsageError
from tailrace_post.plots import overview, style


class OverviewTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def draw(self, **options):
        with open_run(sample_file.write_run(os.path.join(self.folder, "run.h5"), **options)) as run:
            return overview.draw(run)

    def test_every_axis_says_its_unit(self):
        # Backlogs reach 33 kB, the run 4 us.
        panels = self.draw().axes
        self.assertEqual([panel.get_ylabel() for panel in panels], ["Utilisation (%)"] + 3 * ["Backlog (kB)"])
        self.assertEqual(panels[-1].get_xlabel(), "Simulated time (µs)")

    def test_steps_have_the_values_of_the_file(self):
        # By the rule of put_series, tier 2: utilisation 0.1 (sample + 0.2), backlog 1e4 (sample + 0.2) bytes.
        panels = self.draw().axes
        for panel, curve in ((panels[0], 2), (panels[1], 1)):  # the second one lacks the endpoints
            values, edges, _ = panel.patches[curve].get_data()
            np.testing.assert_allclose(values, 10 * (np.arange(4) + 0.2))
            np.testing.assert_allclose(edges, [0, 1, 2, 3, 4])

    def test_endpoints_have_a_panel_of_their_own(self):
        panels = self.draw().axes
        self.assertEqual([len(panel.patches) for panel in panels], [4, 3, 3, 1])
        np.testing.assert_allclose(panels[3].patches[0].get_data()[0], 10 * np.arange(4))

    def test_a_panel_without_any_queue_says_so(self):
        path = sample_file.write_run(os.path.join(self.folder, "run.h5"))
        with h5py.File(path, "r+") as file:
            file["series/tiers/backlog_bytes"][:, 1:] = 0
        with open_run(path) as run:
            texts = [[text.get_text() for text in panel.texts if "waited" in text.get_text()] for panel in overview.draw(run).axes]
        self.assertEqual(texts, [[], ["nothing waited here"], [], []])

    def test_tiers_are_named_in_one_legend(self):
        legend, = self.draw().legends
        self.assertEqual([text.get_text() for text in legend.get_texts()],
                         ["endpoint → leaf", "leaf → endpoint", "leaf → spine", "spine → leaf"])

    def test_matplotlib_keeps_its_settings(self):
        import matplotlib
        before = dict(matplotlib.rcParams)
        self.draw()
        self.assertEqual(before, dict(matplotlib.rcParams))

    def test_the_heading_tells_fabric_and_result(self):
        texts = [text.get_text() for text in self.draw().texts]
        self.assertEqual(texts[:2], ["run", "4 endpoints, 3 switches, 12 links\n"
                                     "gradients (ring), 4 kB on 4 ranks: 3 µs, busbw 2 GB/s"])

    def test_without_results_the_heading_says_so(self):
        self.assertEqual(self.draw(whole=False).texts[0].get_text(), "run (not finished)")

    def test_without_samples_it_is_refused(self):
        with self.assertRaisesRegex(UsageError, "no sample to draw"):
            self.draw(series=False)

    def test_all_endings_are_written_whole(self):
        figure = self.draw()
        for ending, start in ((".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")):
            path = os.path.join(self.folder, "new", "picture" + ending)
            style.save(figure, path)
            with open(path, "rb") as file:
                head = file.read(24)
            self.assertTrue(head.startswith(start))
            if ending == ".png":
                self.assertEqual(struct.unpack(">II", head[16:24]), (1350, 1440))
        self.assertEqual(len(os.listdir(os.path.dirname(path))), 3)


class StyleTest(unittest.TestCase):
    def test_both_directions_share_a_hue_and_differ_in_width(self):
        styles = style.tier_styles(["tier0-tier1", "tier1-tier2", "tier1-tier1", "tier1-tier0"])
        self.assertEqual(style.darken(styles["tier0-tier1"][0]), styles["tier1-tier0"][0])
        self.assertNotEqual(styles["tier0-tier1"][1], styles["tier1-tier0"][1])
        self.assertEqual(len({styles[name][0] for name in ("tier0-tier1", "tier1-tier2", "tier1-tier1")}), 3)

    def test_colours_differ_in_lightness_or_are_of_the_colour_blind_safe_palette(self):
        # Okabe and Ito's palette, https://jfly.uni-koeln.de/color/
        palette = {"#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"}
        self.assertEqual(len(set(style.COLOURS)), 7)
        self.assertLessEqual(set(style.COLOURS), palette)

    def test_thinned_series_keep_area_and_extremes(self):
        values = np.random.default_rng(2).random(1003)
        edges = np.concatenate([[0], np.cumsum(np.random.default_rng(3).random(1003) + 0.1)])
        thin_edges, mean, low, high = style.thin_out(edges, values, columns=100)
        self.assertEqual((len(mean), len(thin_edges)), (100, 101))
        self.assertAlmostEqual(np.sum(mean * np.diff(thin_edges)), np.sum(values * np.diff(edges)), places=9)
        self.assertEqual((low.min(), high.max()), (values.min(), values.max()))
        self.assertTrue(np.all((low <= mean) & (mean <= high)))

    def test_short_series_are_left_as_they_are(self):
        edges, mean, low, high = style.thin_out(np.arange(4), np.arange(3.0), columns=3)
        np.testing.assert_array_equal(mean, [0, 1, 2])
        np.testing.assert_array_equal(low, high)


if __name__ == "__main__":
    unittest.main()
