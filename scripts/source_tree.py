# SPDX-License-Identifier: Apache-2.0
"""What the checks share: the project's root and its files, without what builds and runs leave behind."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_BEHIND = {".git", "build", "results", "__pycache__", ".cache"}


def files():
    """Paths relative to ROOT of every file that git keeps or would keep; without git, of every file."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False) if (ROOT / ".git").exists() else None
    if listed and listed.returncode == 0:
        found = [pathlib.PurePath(name) for name in listed.stdout.decode().split("\0") if name]
    else:
        found = [path.relative_to(ROOT) for path in ROOT.rglob("*")]
    return sorted(path for path in found
                  if not LEFT_BEHIND & set(path.parts) and (ROOT / path).is_file())


def finish(faults, checked):
    """Prints the faults, if any, and ends the process with the status that fits."""
    for fault in faults:
        print(fault)
    print(f"{checked} files checked, {len(faults)} faults")
    sys.exit(1 if faults else 0)
