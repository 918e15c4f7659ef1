# SPDX-License-Identifier: Apache-2.0
"""Series of single lanes, which may have been kept in different columns (slots) at different times."""

import numpy as np

ROWS_AT_ONCE = 1024  # ids are read in blocks: samples x slots can be large, the changes in them are few


class SlotTable:
    """Which lane each slot held, and when: stretches of samples without change.

    `ids` is /series/lanes/id, [samples, slots]; -1 is an empty slot.
    """

    def __init__(self, ids):
        first, slot, lane = self._changes(ids)
        # By slot, then time: a stretch ends where the next one of its slot starts.
        order = np.lexsort((first, slot))
        self._first, self._slot, self._lane = first[order], slot[order], lane[order]
        self._end = np.full(self._first.size, len(ids), dtype=np.int64)
        if self._first.size:
            same_slot = self._slot[1:] == self._slot[:-1]
            self._end[:-1][same_slot] = self._first[1:][same_slot]
        self.lanes = np.unique(self._lane[self._lane >= 0])
        """Ids of all lanes that were ever kept, ascending."""

    def stretches(self, lane):
        """[(slot, first sample, end sample)] of one lane, by time; end is one past the last."""
        found = np.flatnonzero(self._lane == lane) if lane >= 0 else np.empty(0, dtype=int)
        return sorted(((int(self._slot[i]), int(self._first[i]), int(self._end[i])) for i in found),
                      key=lambda stretch: stretch[1])

    @staticmethod
    def _changes(ids):
        """Sample, slot and lane of every change, the first row included."""
        sample_count, slot_count = ids.shape
        samples, slots, lanes = [], [], []
        before = np.full((1, slot_count), np.iinfo(np.int64).min)  # differs from any lane: the first row is a change
        for start in range(0, sample_count, ROWS_AT_ONCE):
            block = np.asarray(ids[start:start + ROWS_AT_ONCE], dtype=np.int64)
            sample, slot = np.nonzero(block != np.concatenate([before, block[:-1]]))
            samples.append(sample + start)
            slots.append(slot)
            lanes.append(block[sample, slot])
            before = block[-1:]
        empty = [np.empty(0, dtype=np.int64)]
        return tuple(np.concatenate(empty + parts) for parts in (samples, slots, lanes))


class Lane:
    """One lane's series, [samples] each, as attributes named like the datasets; NaN where the lane was not kept."""

    def __init__(self, run, lane):
        self._run = run
        self.id = lane
        self.link, self.traffic_class = divmod(lane, len(run.classes))

    @property
    def name(self):
        """Both ends of its link, and the class where there are several."""
        return self._run.lane_name(self.id)

    @property
    def capacity_gbps(self):
        """Capacity of its link."""
        return float(self._run.topology.links.capacity_gbps[self.link])

    @property
    def utilisation_frac(self):
        """Throughput over the capacity of its link."""
        return self.throughput_gbps / self.capacity_gbps

    @property
    def kept(self):
        """True for samples in which the lane was kept."""
        mask = np.zeros(self._run.sample_count, dtype=bool)
        for _, first, end in self._run.slots.stretches(self.id):
            mask[first:end] = True
        return mask

    def __getattr__(self, name):
        if name.startswith("_") or name == "id":
            raise AttributeError(name)
        variable = self._run.series.lanes[name]
        values = np.full(self._run.sample_count, np.nan)
        for slot, first, end in self._run.slots.stretches(self.id):
            values[first:end] = variable[first:end, slot]
        return values

    def __getitem__(self, name):
        return getattr(self, name)

    def units(self, name):
        """Units of one of its series."""
        return self._run.series.lanes[name].units

    def __dir__(self):
        return sorted({*super().__dir__(), *(name for name in self._run.series.lanes if name != "id")})

    def __repr__(self):
        return f"<lane {self.id}: {self.name}, kept in {int(self.kept.sum())} of {self._run.sample_count} samples>"


def fullest_lanes(run, count):
    """Ids of the `count` kept lanes of switches with the largest backlog_max_bytes at any time, fullest first.

    Lanes that leave endpoints do not count: their backlog is what the endpoint has still to send.
    """
    lanes = run.slots.lanes
    peaks = np.zeros(lanes.size)
    variable, ids = run.series.lanes.backlog_max_bytes, run.series.lanes.id
    for start in range(0, run.sample_count, ROWS_AT_ONCE):
        rows = ids[start:start + ROWS_AT_ONCE]
        values = np.nan_to_num(variable[start:start + ROWS_AT_ONCE])
        held = rows >= 0
        np.maximum.at(peaks, np.searchsorted(lanes, rows[held]), values[held])
    order = np.argsort(-peaks, kind="stable")  # equally full: the smaller id first
    link = lanes[order] // len(run.classes)
    at_switch = np.asarray(run.topology.nodes.kind)[np.asarray(run.topology.links.source)[link]] != 0
    return [int(lane) for lane in lanes[order][at_switch][:count]]
