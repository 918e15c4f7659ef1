# SPDX-License-Identifier: Apache-2.0
"""50 MB of nonsense of several kinds in place of a deck."""

import random
import unittest

from cli_case import CliCase


class Nonsense(CliCase):
    """Each kind on one rank and on three."""

    def test_50_megabytes_of_nonsense(self):
        words = random.Random(1)
        line = "".join(words.choice("abc: [{,}]-'\"#&*!|>%@\t xyz") for _ in range(99))
        nonsense = {"words": line + "\n", "brackets": "[", "braces": "{a: ", "keys": "a: 1\n", "dashes": "- ",
                    "one word": "x"}
        for name, text in nonsense.items():
            with self.subTest(name=name):
                self.write("deck.yaml", text * (50_000_000 // len(text)))
                self.refuse(["run", "deck.yaml"], r"^deck\.yaml(:\d+:\d+)?: .{5,900}$")


if __name__ == "__main__":
    unittest.main()
