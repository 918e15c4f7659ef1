# SPDX-License-Identifier: Apache-2.0
"""Lets `python3 -m tailrace_post` be the command."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
