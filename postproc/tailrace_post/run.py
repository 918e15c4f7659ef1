# SPDX-License-Identifier: Apache-2.0
"""Opens an output file and offers what it holds; also of a run that still goes on or was killed."""

import os
import time

import h5py
import numpy as np

from .errors import MissingDataError, RunFileError, SchemaError, TornFileError
from .lanes import Lane, SlotTable
from .nodes import DAMAGE, Group, Variable, read_attribute
from .version import SCHEMA_VERSION, __version__

PAUSES_S = (0.05, 0.1, 0.2, 0.4, 0.8)  # between attempts at a file that is being written at this moment


def try_again(action):
    """What `action` returns; where it meets a file that is being written at this moment, it is called again."""
    for pause_s in PAUSES_S:
        try:
            return action()
        except TornFileError:
            time.sleep(pause_s)
    return action()


def open_run(path):
    """Opens the output file `path` of `tailrace run`; use as `with open_run(path) as run:`.

    Nothing but the sizes is read until it is asked for. Raises RunFileError (no such file, not an output of Tailrace,
    damaged) and SchemaError (another schema version).
    """
    return try_again(lambda: Run(path))


def _open_file(path):
    """h5py file, read-only and without a lock: the run that still writes it must never wait for, or fail by, a reader."""
    if not os.path.exists(path):
        raise RunFileError(f"{path}: no such file")
    if os.path.isdir(path):
        raise RunFileError(f"{path}: is a folder; give the .h5 file that 'tailrace run -o' wrote")
    try:
        return h5py.File(path, "r", locking=False)
    except (TypeError, ValueError):  # an h5py built without control over locks
        pass
    except OSError as error:
        raise _open_error(path, error) from error
    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise _open_error(path, error) from error


def _open_error(path, error):
    text = str(error)
    if not os.access(path, os.R_OK):
        return RunFileError(f"{path}: no permission to read it")
    if os.path.getsize(path) == 0:
        return RunFileError(f"{path}: is empty: the run has not written its first sample yet, or was killed before")
    if "signature not found" in text:
        return RunFileError(f"{path}: is not an HDF5 file; give the .h5 file that 'tailrace run -o' wrote")
    if "truncated" in text:
        return TornFileError(f"{path}: is cut short: the run was killed while it wrote, the copy is incomplete, or the "
                             "run is writing at this moment (try again)")
    if "already open for write" in text:
        return RunFileError(f"{path}: is marked as being written; if that run is gone, 'h5clear -s {path}' removes the mark")
    return TornFileError(f"{path}: cannot be opened (damaged, or being written at this moment): {text}")


class Run:
    """One output file. Groups are attributes: `run.series.fabric.queued_bytes`, `run.topology.links.capacity_gbps`."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self._file = _open_file(self.path)
        try:
            self._check_schema()
            self.sample_count = self._count_samples()
        except RunFileError:
            self._file.close()
            raise
        except DAMAGE as error:
            self._file.close()
            raise TornFileError(f"{self.path}: is damaged, or being written at this moment: {error}") from error
        self._slots = None
        self._node_names = None

    # --- the file -----------------------------------------------------------------------------

    def close(self):
        """Closes the file; views of its datasets are no longer valid."""
        self._file.close()

    def __contains__(self, name):
        return name in self.child_names("")

    def get(self, name, default=None):
        """Group or dataset `name` of the root, or `default` where the file does not hold it."""
        try:
            return self.node(f"/{name}")
        except MissingDataError:
            return default

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<Tailrace run {self.path}: {', '.join(self.child_names(''))}; {self.sample_count} samples>"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self.node(f"/{name}")

    def __dir__(self):
        return sorted({*super().__dir__(), *self.child_names("")})

    def attribute(self, name, default=None):
        """Root attribute: schema_version, tailrace_version, git_hash, deck, command, seed, ranks, threads, backend, ..."""
        return read_attribute(self._file, name, default)

    @property
    def deck(self):
        """Full text of the deck."""
        return str(self.attribute("deck", ""))

    @property
    def classes(self):
        """Names of the traffic classes, in the order of their numbers."""
        return [str(name) for name in np.atleast_1d(self.attribute("classes", ["default"]))]

    @property
    def finished(self):
        """True when the run came to its end and closed its file; False while it goes on, or after a kill."""
        return bool(self.attribute("complete", 0))

    def node(self, path):
        """Variable or Group at `path`; raises MissingDataError where the file holds none."""
        try:
            item = self._file.get(path)
        except DAMAGE as error:
            raise RunFileError(f"{self.path}: {path} is damaged: {error}") from error
        if isinstance(item, h5py.Dataset):
            return Variable(item, self.sample_count if _is_series(item) else None)
        if isinstance(item, h5py.Group):
            return Group(self, path.rstrip("/"))
        raise MissingDataError(self._missing_text(path))

    def child_names(self, path):
        """Names of what the group at `path` holds; [] where there is no such group."""
        try:
            group = self._file.get(path or "/")
            return list(group.keys()) if isinstance(group, h5py.Group) else []
        except DAMAGE as error:
            raise RunFileError(f"{self.path}: group {path or '/'} is damaged: {error}") from error

    def variables(self):
        """Every dataset of the file as a Variable, by path."""
        paths = []
        try:
            self._file.visititems(lambda name, item: paths.append(f"/{name}") if isinstance(item, h5py.Dataset) else None)
        except DAMAGE as error:
            raise RunFileError(f"{self.path}: is damaged: {error}") from error
        return [self.node(path) for path in sorted(paths)]

    # --- names --------------------------------------------------------------------------------

    def node_name(self, node):
        """Name of a node: "e17", "leaf3", ..."""
        if self._node_names is None:
            self._node_names = self.topology.nodes.name[:]
        return str(self._node_names[node])

    def link_name(self, link):
        """Both ends of a link, as the summary of a run has it: "leaf3->spine5"."""
        links = self.topology.links
        if not 0 <= link < len(links.source):
            raise MissingDataError(f"{self.path}: there is no link {link}; links are 0 to {len(links.source) - 1}")
        return f"{self.node_name(links.source[link])}->{self.node_name(links.target[link])}"

    def lane_name(self, lane):
        """Link of a lane, with the traffic class where there are several: "leaf3->spine5/storage"."""
        link, traffic_class = divmod(int(lane), len(self.classes))
        name = self.link_name(link)
        return name if len(self.classes) == 1 else f"{name}/{self.classes[traffic_class]}"

    # --- series and routes --------------------------------------------------------------------

    @property
    def interval_edges_ns(self):
        """Edges of the intervals that the samples stand for, [samples + 1]; the first one starts at 0."""
        return np.concatenate([[0.0], np.asarray(self.series.time_ns, dtype=float)])

    @property
    def slots(self):
        """Which lane was kept in which column of /series/lanes, and when (a SlotTable)."""
        if self._slots is None:
            self._slots = SlotTable(self.series.lanes.id)
        return self._slots

    def lane(self, lane):
        """All series of lane `lane` (link * number of classes + class), gathered over the columns that held it.

        Raises MissingDataError for a lane that was never kept.
        """
        if not self.slots.stretches(lane):
            kept = len(self.slots.lanes)
            raise MissingDataError(f"{self.path}: lane {lane} was not kept ({kept} lanes were; run.slots.lanes lists "
                                   "them, and 'output.lanes' of the deck chooses them)")
        return Lane(self, int(lane))

    def flow_rate_gbps(self, flow):
        """Rate of flow `flow` over time, [samples]; raises MissingDataError for a flow that was not kept."""
        kept = np.asarray(self.series.flows.id)
        column = np.flatnonzero(kept == flow)
        if not column.size:
            raise MissingDataError(f"{self.path}: flow {flow} was not kept ({kept.size} flows were; 'output.flows' of "
                                   "the deck chooses them)")
        return self.series.flows.rate_gbps[:, int(column[0])]

    def route(self, flow):
        """Link ids of the route of flow `flow`, in order."""
        offset = self.flows.route_offset
        if not 0 <= flow < len(offset) - 1:
            raise MissingDataError(f"{self.path}: there is no flow {flow}; flows are 0 to {len(offset) - 2}")
        first, last = (int(value) for value in offset[flow:flow + 2])
        return self.flows.route[first:last]

    # --- inside -------------------------------------------------------------------------------

    def _check_schema(self):
        version = self.attribute("schema_version")
        if version is None:
            raise RunFileError(f"{self.path}: is not an output of Tailrace (it has no attribute schema_version)")
        if version == SCHEMA_VERSION:
            return
        writer = self.attribute("tailrace_version", "?")
        newer = isinstance(version, (int, float)) and version > SCHEMA_VERSION
        remedy = (f"use the tailrace_post that came with Tailrace {writer}, or a newer one" if newer else
                  f"use the tailrace_post that came with Tailrace {writer}, or run the deck again")
        raise SchemaError(f"{self.path}: has schema version {version} (written by Tailrace {writer}); tailrace_post "
                          f"{__version__} reads version {SCHEMA_VERSION}: {remedy}")

    def _count_samples(self):
        """Samples that every series has: rows of the shortest, and only while the time goes forward.

        A run that was killed between two writes has series of different lengths; one that was killed between making
        room and writing has rows of zeros, in the time too.
        """
        lengths = []

        def note(_, item):
            if isinstance(item, h5py.Dataset) and _is_series(item):
                lengths.append(item.shape[0])

        series = self._file.get("series")
        if not isinstance(series, h5py.Group) or not isinstance(series.get("time_ns"), h5py.Dataset):
            return 0
        series.visititems(note)
        time_ns = series["time_ns"][:min(lengths)]
        forward = np.diff(time_ns, prepend=0.0) > 0
        return int(forward.size if forward.all() else np.argmin(forward))

    def _missing_text(self, path):
        if self.finished:
            return f"{self.path}: there is no {path}; this run's deck did not ask for it, or the name is wrong"
        return (f"{self.path}: there is no {path}; the run still goes on or was killed (what is known only at the end is "
                "written then), or the name is wrong")


def _is_series(dataset):
    """Whether the rows of a dataset are samples: all of /series but the ids of kept flows."""
    return dataset.name.startswith("/series/") and dataset.ndim > 0 and not (
        dataset.name.endswith("/id") and dataset.ndim == 1)
