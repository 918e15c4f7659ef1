# SPDX-License-Identifier: Apache-2.0
"""Numbers that more than one command tells about a run."""

import numpy as np

from .text import format_bytes, format_count, format_time

NODE_WORDS = ("endpoint", "switch")


def count_nodes(run):
    """Endpoints and switches, as two numbers."""
    kind = np.asarray(run.topology.nodes.kind)
    return int(np.sum(kind == 0)), int(np.sum(kind == 1))


def tiers_from_endpoints(run):
    """Numbers of the tiers whose links leave endpoints, as a set; empty where the file has no topology."""
    if "topology" not in run:
        return set()
    kind, links = np.asarray(run.topology.nodes.kind), run.topology.links
    return set(np.asarray(links.tier)[kind[np.asarray(links.source)] == 0].tolist())


def tiers_with_links(run, count):
    """Numbers of the tiers, of `count`, that have links, ascending; all where the file has no topology."""
    if "topology" not in run:
        return list(range(count))
    return np.unique(np.asarray(run.topology.links.tier)).tolist()


def describe_fabric(run):
    """ "10,000 endpoints, 1,425 switches, 60,000 links". """
    words = [format_count(number, word) for number, word in zip(count_nodes(run), NODE_WORDS)]
    return ", ".join(words + [format_count(len(run.topology.links.source), "link")])


def completion_ns(run):
    """Completion times of all messages that ended: finish less start. Of flows, where the file has no messages."""
    group = run.get("messages") or run.get("flows")
    if group is None or "finish_ns" not in group:
        return np.empty(0)
    durations = np.asarray(group.finish_ns) - np.asarray(group.start_ns)
    return durations[np.isfinite(durations)]


def describe_collective(run, index):
    """ "all_reduce (ring), 1.074 GB on 10,000 ranks: 87.23 ms, busbw 24.6 GB/s". """
    table = run.collectives
    text = (f"{table.name[index]} ({table.algorithm[index]}), {format_bytes(table.bytes[index])} "
            f"on {format_count(table.ranks[index], 'rank')}")
    duration = table.finish_ns[index] - table.start_ns[index]
    if not np.isfinite(duration):
        return text + ": not finished"
    return text + f": {format_time(duration)}, busbw {table.busbw_GBps[index]:.4g} GB/s"


def quantiles(values, shares):
    """Values below which the given shares of all lie (nearest rank, as in the summary of a run)."""
    return np.quantile(values, shares, method="inverted_cdf")


def describe_result(run):
    """What came out, in one line: the collective, if there is one alone, else the completion times. "" when unknown."""
    if "collectives" in run and len(run.collectives.name) == 1:
        return describe_collective(run, 0)
    times = completion_ns(run)
    if not times.size:
        return ""
    middle, high, most = (format_time(value) for value in quantiles(times, (0.5, 0.99, 1)))
    word = "message" if "messages" in run else "flow"
    return f"completion of {format_count(times.size, word)}: median {middle}, p99 {high}, max {most}"


def describe_state(run):
    """Whether the run is whole, in words."""
    return "finished" if run.finished else "not finished (the run still goes on, or was killed)"
