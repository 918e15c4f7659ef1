# SPDX-License-Identifier: Apache-2.0
"""What is not the fault of the input: exit code 1, and no rank that waits for one that has failed."""

import os
import shlex
import unittest

from cli_case import DECK, CliCase


class FailureOfTheMachine(CliCase):
    """What is not the input's fault ends with exit code 1."""

    def test_stdout_that_cannot_be_written(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        result = self.start(["sh", "-c", shlex.quote(os.environ["TAILRACE"]) + " params > /dev/full"])
        self.assert_refused(result, r"cannot write to standard output: No space left", code=1)

    def test_rank_that_fails_alone_does_not_leave_the_others_waiting(self):
        self.write("deck.yaml", DECK)
        executable = os.environ["TAILRACE"]
        result = self.start([*shlex.split(os.environ["TAILRACE_MPIRUN"]), "-n", "2", executable, "run", "deck.yaml", "-o",
                             "none", ":", "-n", "1", executable, "run", "nowhere.yaml"])
        self.assertNotEqual(result.code, 0, result)
        self.assertEqual(len(result.messages), 1, result)
        self.assertRegex(result.messages[0], r"^rank 2: nowhere\.yaml.*no such file")


if __name__ == "__main__":
    unittest.main()
