#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times whole runs with 1 rank, 2 ranks and 2 threads: prints set-up, steps, hop-updates per second, process time, memory.

usage: [TAILRACE=build/release/tailrace] tests/performance/scaling.py [REPEATS]

The best of REPEATS (3) runs of each kind stands in the table: what else the machine does only ever slows a run down. The
numbers of processes that wanted a processor (the load average) before and after tell how quiet it was.
"""

import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

INPUTS = Path(__file__).resolve().parents[2] / "inputs"
EXECUTABLE = os.path.abspath(os.environ.get("TAILRACE", "build/release/tailrace"))
CASES = {
    "permutation_8k": ["patterns/permutation_8k_roce400.yaml"],
    "allreduce_10k, 1.2 ms": ["quickstart/allreduce_10k_ib200.yaml", "run.time_limit=1200us"],
    "all-to-all of 64, 100 us": ["patterns/all_to_all_8k_roce400.yaml",
                                             "fabric.topology={kind: fat_tree, tiers: 3, radix: 16, endpoints: 1024}", "workload.group_stride=16",
                                             "run.time_limit=100us"],
}
KINDS = {"1 rank": (1, 1), "2 ranks": (2, 1), "2 threads": (1, 2)}


def command(deck, sets, ranks, summary):
    mpirun = shlex.split(os.environ.get("TAILRACE_MPIRUN", "mpirun --bind-to none"))
    launcher = [] if ranks == 1 else [*mpirun, "-n", str(ranks)]
    options = [word for setting in sets for word in ("--set", setting)]
    return [*launcher, EXECUTABLE, "run", INPUTS / deck, "--quiet", "-o", "none", "--json", summary, *options]


def run_once(deck, sets, ranks, threads):
    """Summary of one run, with the wall and processor time of its processes."""
    with tempfile.TemporaryDirectory() as folder:
        summary = Path(folder) / "summary.json"
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(command(deck, sets, ranks, summary), check=False, cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "false"})
        wall_s, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(done.stderr)
        result = json.loads(summary.read_text())
    result["process_wall_s"] = wall_s
    result["processor_s"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return result


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; best of {repeats}")
    print(f"{'':32}{'set-up s':>10}{'steps s':>10}{'updates/s':>11}{'gain':>7}{'process s':>11}{'CPU s':>8}{'MB/rank':>9}")
    for name, (deck, *sets) in CASES.items():
        alone_s = None
        for kind, (ranks, threads) in KINDS.items():
            runs = [run_once(deck, sets, ranks, threads) for _ in range(repeats)]
            solve_s = min(run["solve_wall_s"] for run in runs)
            alone_s = alone_s or solve_s
            print(f"{name + ', ' + kind:32}{min(r['setup_wall_s'] for r in runs):10.3f}{solve_s:10.3f}"
                  f"{runs[0]['hop_updates'] / solve_s / 1e6:10.1f}M{alone_s / solve_s:7.2f}"
                  f"{min(r['process_wall_s'] for r in runs):11.3f}{min(r['processor_s'] for r in runs):8.3f}"
                  f"{runs[0]['memory_bytes_per_rank_max'] / 1e6:9.0f}", flush=True)
    print(f"load average {os.getloadavg()[0]:.1f} afterwards")


if __name__ == "__main__":
    main()
