# SPDX-License-Identifier: Apache-2.0
"""Files that cannot be read or written: found before the run starts, and never written over by mistake."""

import os
import unittest

from cli_case import DECK, CliCase


class BadPaths(CliCase):
    """Each case on one rank and on three."""

    def test_file_that_does_not_exist(self):
        self.refuse(["run", "nowhere.yaml"], r"nowhere\.yaml.*no such file")

    def test_deck_that_is_a_folder(self):
        (self.folder / "folder.yaml").mkdir()
        self.refuse(["run", "folder.yaml"], r"folder\.yaml.*")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_deck_that_may_not_be_read(self):
        self.write("deck.yaml", DECK)
        (self.folder / "deck.yaml").chmod(0)
        self.refuse(["run", "deck.yaml"], r"deck\.yaml.*Permission denied")

    def test_output_in_a_folder_that_does_not_exist(self):
        self.write("deck.yaml", DECK)
        self.refuse(["run", "deck.yaml", "-o", "nowhere/out.h5"], r"-o: .*nowhere does not exist")

    def test_output_that_is_a_folder(self):
        self.write("deck.yaml", DECK)
        (self.folder / "out.h5").mkdir()
        self.refuse(["run", "deck.yaml", "-o", "out.h5"], r"-o: out\.h5 is a folder")

    def test_output_that_may_not_be_written(self):
        self.write("deck.yaml", DECK)
        # Not even root makes files in this folder.
        self.refuse(["run", "deck.yaml", "-o", "/proc/self/out.h5"], r"/proc/self/out\.h5")

    def test_output_over_the_deck(self):
        self.write("deck.yaml", DECK)
        self.refuse(["run", "deck.yaml", "-o", "./deck.yaml"], r"-o: .*is the deck itself")
        self.refuse(["run", "deck.yaml", "--json", "deck.yaml"], r"--json: .*is the deck itself")
        self.refuse(["run", "deck.yaml", "-o", "a.h5", "--json", "a.h5"], r"--json: .*is the output file")
        self.assertEqual((self.folder / "deck.yaml").read_text(), DECK)

    def test_summary_in_a_folder_that_does_not_exist(self):
        self.write("deck.yaml", DECK)
        self.refuse(["run", "deck.yaml", "--json", "nowhere/a.json"], r"--json: .*nowhere does not exist")


if __name__ == "__main__":
    unittest.main()
