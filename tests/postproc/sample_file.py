# SPDX-License-Identifier: Apache-2.0
"""Small output files written by hand, whose content the tests know."""

import os
import sys

import h5py
import numpy as np

POSTPROC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc")
sys.path.insert(0, POSTPROC)

TIERS = ("endpoint-leaf", "leaf-endpoint", "leaf-spine", "spine-leaf")
NODES = ("e0", "e1", "e2", "e3", "leaf0", "leaf1", "spine0")
# Cable c is the links 2c (upwards) and 2c + 1.
CABLES = ((0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6))
LANE_SERIES = ("backlog_bytes", "backlog_max_bytes", "occupancy_bytes", "occupancy_max_bytes", "throughput_gbps",
               "paused_frac", "credit_stalled_frac", "dropped_bytes")
FABRIC_SERIES = ("injected_bytes", "delivered_bytes", "queued_bytes", "in_flight_bytes", "dropped_bytes", "paused_lanes")
UNITS = {"bytes": "bytes", "ns": "ns", "gbps": "Gbps", "frac": "1", "GBps": "GBps", "s": "s"}


def put(file, path, values, units=None, **attributes):
    """One dataset with `units` (by default from the end of its name) and `description`."""
    dataset = file.create_dataset(path, data=values)
    dataset.attrs["units"] = UNITS.get(path.rsplit("_", 1)[-1], "1") if units is None else units
    dataset.attrs["description"] = "test: " + path
    for name, value in attributes.items():
        dataset.attrs[name] = value
    return dataset


def put_topology(file):
    """Two leaves with two endpoints each under one spine; links of 100 Gb/s, 200 Gb/s to the spine."""
    put(file, "topology/nodes/kind", np.array([0] * 4 + [1] * 3, "u1"))
    put(file, "topology/nodes/tier", np.array([0] * 4 + [1, 1, 2], "i1"))
    put(file, "topology/nodes/pod", np.array([0, 0, 1, 1, 0, 1, -1], "i4"))
    put(file, "topology/nodes/name", np.array(NODES, "S8"))
    both = [end for low, high in CABLES for end in ((low, high), (high, low))]
    put(file, "topology/links/source", np.array([source for source, _ in both], "i4"))
    put(file, "topology/links/target", np.array([target for _, target in both], "i4"))
    up = [2 * (low >= 4) for low, _ in CABLES]
    put(file, "topology/links/capacity_gbps", np.repeat([200.0 if tier else 100.0 for tier in up], 2))
    put(file, "topology/links/latency_ns", np.full(len(both), 600.0))
    put(file, "topology/links/tier", np.array([t for tier in up for t in (tier, tier + 1)], "i1"), tier_names=list(TIERS))


def put_series(file, samples=4, lane_ids=None, interval_ns=1000.0):
    """Series; lane series number j has the value 1000 j + 10 sample + slot, series by tier sample + tier / 10."""
    file["series/time_ns"] = interval_ns * np.arange(1, samples + 1)
    if lane_ids is None:
        lane_ids = np.tile([0, 8], (samples, 1))
    put(file, "series/lanes/id", np.asarray(lane_ids, "i8"))
    sample, slot = np.indices(file["series/lanes/id"].shape)
    for j, name in enumerate(LANE_SERIES):
        put(file, f"series/lanes/{name}", (1000 * j + 10 * sample + slot).astype("f4"))
    put(file, "series/flows/id", np.array([5, 1], "i8"))
    put(file, "series/flows/rate_gbps", np.array([[50 + t, 20 + t] for t in range(samples)], "f4"))
    sample, tier = np.indices((samples, len(TIERS)))
    for name in ("utilisation_frac", "backlog_bytes", "backlog_max_bytes", "paused_frac", "credit_stalled_frac"):
        scale = 0.1 if name.endswith("frac") else 1e4
        put(file, f"series/tiers/{name}", scale * (sample + tier / 10), tier_names=list(TIERS))
    for j, name in enumerate(FABRIC_SERIES):
        put(file, f"series/fabric/{name}", 100.0 * j + np.arange(samples))
    for path in ("series/time_ns",):
        file[path].attrs.update({"units": "ns", "description": "end of each interval"})


def put_results(file):
    """Two flows (the second did not finish), three messages, one collective, and how the run went."""
    put(file, "flows/source", np.array([0, 1], "i4"))
    put(file, "flows/target", np.array([2, 3], "i4"))
    put(file, "flows/class", np.array([0, 0], "i4"))
    put(file, "flows/bytes", np.array([3000.0, 1000.0]), units="bytes")
    put(file, "flows/messages", np.array([2, 1], "i8"))
    put(file, "flows/start_ns", np.array([0.0, 100.0]))
    put(file, "flows/finish_ns", np.array([3000.0, np.nan]))
    put(file, "flows/route", np.array([0, 8, 11, 5, 2, 8, 11, 7], "i4"))
    put(file, "flows/route_offset", np.array([0, 4, 8], "i8"))
    put(file, "messages/flow", np.array([0, 0, 1], "i8"))
    put(file, "messages/bytes", np.array([1000.0, 2000.0, 1000.0]), units="bytes")
    put(file, "messages/start_ns", np.array([0.0, 500.0, 100.0]))
    put(file, "messages/finish_ns", np.array([1000.0, 3000.0, np.nan]))
    put(file, "collectives/name", np.array(["gradients"], "S16"))
    put(file, "collectives/operation", np.array(["all_reduce"], "S16"))
    put(file, "collectives/algorithm", np.array(["ring"], "S16"))
    put(file, "collectives/bytes", np.array([4000.0]), units="bytes")
    put(file, "collectives/ranks", np.array([4], "i4"))
    put(file, "collectives/start_ns", np.array([0.0]))
    put(file, "collectives/finish_ns", np.array([3000.0]))
    put(file, "collectives/algbw_GBps", np.array([4000 / 3000]))
    put(file, "collectives/busbw_GBps", np.array([2000 / 1000]))
    put(file, "run/steps", np.int64(1234))
    put(file, "run/dt_ns", 100.0)
    put(file, "run/wall_s", 0.5)


def write_run(path, whole=True, series=True, classes=("default",), **options):
    """An output file at `path`; without `whole`, as a killed run leaves it."""
    with h5py.File(path, "w") as file:
        file.attrs.update(schema_version=1, tailrace_version="0.1.0", git_hash="abc123", deck="fabric: {}\n",
                          command="tailrace run deck.yaml", seed=7, ranks=2, threads=1, backend="OpenMP",
                          classes=list(classes), complete=int(whole))
        put_topology(file)
        if series:
            put_series(file, **options)
        if whole:
            put_results(file)
    return path
