# SPDX-License-Identifier: Apache-2.0
"""Tests of `python3 -m tailrace_post`: texts, exit codes, pictures."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import h5py

import sample_file
from tailrace_post import __version__
from tailrace_post.text import format_bytes, format_count, format_table, format_time

SOURCE = os.path.join(sample_file.POSTPROC, "..")


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "run.h5")

    def command(self, *arguments):
        environment = dict(os.environ, PYTHONPATH=sample_file.POSTPROC, PYTHONIOENCODING="utf-8")
        return subprocess.run([sys.executable, "-m", "tailrace_post", *arguments], env=environment, text=True,
                              capture_output=True, cwd=self.folder)

    def succeed(self, *arguments):
        result = self.command(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def refuse(self, words, *arguments):
        result = self.command(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, words)
        self.assertNotIn("Traceback", result.stderr)

    def test_info_tells_what_came_out(self):
        sample_file.write_run(self.path)
        text = re.sub(" +", " ", self.succeed("info", self.path))
        for line in ("state finished", "machine 2 ranks x 1 thread, OpenMP", "fabric 4 endpoints, 3 switches, 12 links",
                     " endpoint-leaf: 4 links of 100 Gbps, 600 ns", " spine-leaf: 2 links of 200 Gbps, 600 ns",
                     "samples 4, up to 4 us, every 1 us", "lanes kept 2 in 2 columns", "flows kept 2",
                     # backlog_max_bytes of slot 1: 1001 to 1031; link 8
                     "fullest lane leaf0->spine0: 1.031 kB before 4 us",
                     "flows 2 with 4 kB", "not finished 1 flow",
                     # Messages that ended took 1000 and 2500 ns; quantiles are values that occur (nearest rank).
                     "completion of messages: min 1 us, median 1 us, mean 1.75 us, p99 2.5 us, max 2.5 us",
                     "collectives gradients (ring), 4 kB on 4 ranks: 3 us, busbw 2 GB/s", "run/steps 1,234",
                     "run/dt_ns 100 ns", "run/wall_s 0.5 s"):
            self.assertIn("\n" + line + "\n", text)

    def test_info_of_a_killed_run(self):
        sample_file.write_run(self.path, whole=False)
        self.assertIn("not finished (the run still goes on, or was killed)", self.succeed("info", self.path))
        sample_file.write_run(self.path, whole=False, series=False)
        self.assertRegex(self.succeed("info", self.path), "samples +none")

    def test_info_lists_every_dataset_with_units(self):
        sample_file.write_run(self.path)
        text = self.succeed("info", self.path, "--datasets")
        self.assertRegex(text, r"/series/flows/rate_gbps +4 x 2 +float32 +Gbps +test: series/flows/rate_gbps\n")
        with h5py.File(self.path, "r") as file:
            names = []
            file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        for name in names:
            self.assertRegex(text, rf"\n/{name} ")

    def test_info_prints_the_deck(self):
        sample_file.write_run(self.path)
        self.assertEqual(self.succeed("info", self.path, "--deck"), "fabric: {}\n")

    def test_plot_writes_where_it_is_told_and_says_so(self):
        sample_file.write_run(self.path)
        picture = os.path.join(self.folder, "pictures", "one.svg")
        self.assertEqual(self.succeed("plot", self.path, "-o", picture, "--title", "My fabric"), picture + "\n")
        with open(picture, encoding="utf-8") as file:
            self.assertIn("</svg>", file.read())
        self.assertEqual(self.succeed("plot", self.path), os.path.join(self.folder, "run.png") + "\n")

    def test_wrong_input_is_refused_with_exit_code_2(self):
        self.refuse("no such file", "info", self.path)
        self.refuse("no such file", "plot", self.path)
        sample_file.write_run(self.path)
        self.refuse(r"picture.bmp: the ending must be one of .png, .pdf, .svg", "plot", self.path, "-o", "picture.bmp")
        self.refuse("invalid choice: 'draw'", "draw", self.path)
        self.refuse("COMMAND")
        sample_file.write_run(self.path, series=False)
        self.refuse("no sample to draw", "plot", self.path)

    def test_a_picture_that_cannot_be_written_is_exit_code_1(self):
        sample_file.write_run(self.path)
        result = self.command("plot", self.path, "-o", os.path.join(self.path, "picture.png"))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "^tailrace_post: error: .*run.h5")

    def test_the_version_is_the_projects(self):
        with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
            self.assertEqual(re.search(r"project\(tailrace VERSION ([\d.]+)", file.read()).group(1), __version__)
        self.assertEqual(self.succeed("--version"), f"tailrace_post {__version__}, schema 1\n")


class TextTest(unittest.TestCase):
    def test_numbers_take_the_unit_that_leaves_one_digit_or_more(self):
        self.assertEqual([format_time(t) for t in (0, 999, 1000, 87.23e6, 2e9)], ["0 ns", "999 ns", "1 us", "87.23 ms", "2 s"])
        self.assertEqual([format_bytes(b) for b in (0, 64, 1 << 30)], ["0 B", "64 B", "1.074 GB"])
        self.assertEqual(format_time(float("nan")), "-")
        self.assertEqual([format_count(n, "switch") for n in (1, 1500)], ["1 switch", "1,500 switches"])

    def test_tables_align_numbers_to_the_right(self):
        self.assertEqual(format_table(("name", "n"), [("a", 5), ("bcdef", 12)]), ["name    n", "a       5", "bcdef  12"])


if __name__ == "__main__":
    unittest.main()
