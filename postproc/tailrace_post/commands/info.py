# SPDX-License-Identifier: Apache-2.0
"""`info`: what a file holds, and what came out of the run, as text."""

import numpy as np

from ..lanes import fullest_lanes
from ..run import open_run
from ..summary import completion_ns, describe_collective, describe_fabric, describe_state, quantiles
from ..text import format_bytes, format_count, format_table, format_time

HELP = "say what a file holds and what came out of the run"
MOST_COLLECTIVES = 20


def add_arguments(parser):
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="output file (.h5) of 'tailrace run'; the run may still go on")
    parser.add_argument("--datasets", action="store_true", help="also list every dataset: shape, units, meaning")
    parser.add_argument("--deck", action="store_true", help="print the deck and nothing else")


def execute(options):
    """Prints the answer."""
    with open_run(options.file) as run:
        if options.deck:
            print(run.deck.rstrip("\n"))
            return
        sections = [_origin, _fabric, _samples, _flows, _collectives, _cost]
        facts = [fact for section in sections for fact in section(run)]
        width = max(len(name) for name, _ in facts)
        lines = [f"{name:<{width}}  {text}".rstrip() for name, text in facts]
        if options.datasets:
            lines += ["", *_dataset_table(run)]
        print("\n".join(lines))


def _origin(run):
    git_hash = run.attribute("git_hash", "")
    yield "file", f"{run.path}, schema {run.attribute('schema_version')}"
    yield "state", describe_state(run)
    yield "version", f"Tailrace {run.attribute('tailrace_version', '?')}" + (f" ({git_hash})" if git_hash else "")
    yield "command", str(run.attribute("command", "?"))
    yield "machine", (f"{format_count(run.attribute('ranks', 0), 'rank')} x "
                      f"{format_count(run.attribute('threads', 0), 'thread')}, {run.attribute('backend', '?')}")


def _fabric(run):
    if "topology" not in run:
        return
    yield "fabric", describe_fabric(run)
    tier, capacity = np.asarray(run.topology.links.tier), np.asarray(run.topology.links.capacity_gbps)
    latency = np.asarray(run.topology.links.latency_ns)
    for index, name in enumerate(run.topology.links.tier.columns):
        here = tier == index
        if here.any():
            yield "", (f"{name}: {format_count(int(here.sum()), 'link')} of {_span(capacity[here], '{:.4g} Gbps'.format)}, "
                       f"{_span(latency[here], format_time)}")
    if len(run.classes) > 1:
        yield "classes", ", ".join(run.classes)


def _samples(run):
    if not run.sample_count:
        yield "samples", "none"
        return
    edges = run.interval_edges_ns
    yield "samples", (f"{run.sample_count:,}, up to {format_time(edges[-1])}, every "
                      f"{format_time(float(np.median(np.diff(edges))))}")
    series = run.series
    if "lanes" in series and run.slots.lanes.size:
        yield "lanes kept", f"{len(run.slots.lanes):,} in {format_count(series.lanes.id.shape[1], 'column')}"
        for fullest in fullest_lanes(run, 1) if "backlog_max_bytes" in series.lanes else []:
            lane = run.lane(fullest)
            peak = np.nan_to_num(lane.backlog_max_bytes)
            yield "fullest lane", (f"{lane.name}: {format_bytes(peak.max())} before "
                                   f"{format_time(edges[1 + int(peak.argmax())])}" if peak.any() else
                                   "none: nothing waited on a kept lane of a switch")
    if "flows" in series:
        yield "flows kept", f"{len(series.flows.id):,}"
    if "fabric" in series and "dropped_bytes" in series.fabric:
        yield "dropped", format_bytes(np.asarray(series.fabric.dropped_bytes, dtype=float).max())


def _flows(run):
    if "flows" not in run:
        return
    flows = run.flows
    yield "flows", f"{len(flows.bytes):,} with {format_bytes(np.asarray(flows.bytes, dtype=float).sum())}"
    if "finish_ns" not in flows:
        return
    unfinished = int(np.isnan(flows.finish_ns[:]).sum())
    if unfinished:
        yield "not finished", format_count(unfinished, "flow")
    times = completion_ns(run)
    if times.size:
        of = "messages" if "messages" in run else "flows"
        low, median, high, most = quantiles(times, (0, 0.5, 0.99, 1))
        yield "completion", (f"of {of}: min {format_time(low)}, median {format_time(median)}, mean "
                             f"{format_time(times.mean())}, p99 {format_time(high)}, max {format_time(most)}")


def _collectives(run):
    count = len(run.collectives.name) if "collectives" in run else 0
    for index in range(min(count, MOST_COLLECTIVES)):
        yield "collectives" if index == 0 else "", describe_collective(run, index)
    if count > MOST_COLLECTIVES:
        yield "", f"and {count - MOST_COLLECTIVES:,} more"


def _cost(run):
    if not run.finished:
        return
    for name in run.child_names("/run"):
        variable = run.node(f"/run/{name}")
        if getattr(variable, "shape", None) == ():
            yield f"run/{name}", _quantity(variable[()], variable.units)


def _quantity(value, units):
    if units == "bytes":
        return format_bytes(value)
    if units == "ns":
        return format_time(value)
    number = f"{int(value):,}" if float(value).is_integer() else f"{value:.4g}"
    return number if units in ("", "1") else f"{number} {units}"


def _dataset_table(run):
    rows = [(v.name, " x ".join(str(n) for n in v.shape) or "-", v.dtype.name, v.units or "?", v.description)
            for v in run.variables()]
    return format_table(("dataset", "shape", "type", "units", "description"), rows)


def _span(values, as_text):
    low, high = as_text(values.min()), as_text(values.max())
    return low if low == high else f"{low} to {high}"
