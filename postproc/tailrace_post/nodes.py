# SPDX-License-Identifier: Apache-2.0
"""Lazy views of groups and datasets: names, units and shapes at once, values when they are asked for."""

import keyword

import h5py
import numpy as np

from .errors import MissingDataError, RunFileError, TornFileError

DAMAGE = (OSError, RuntimeError, KeyError, ValueError)  # what h5py raises on a file that is not whole


def decode(value):
    """Text of an HDF5 attribute or array: bytes become str, arrays of bytes become arrays or lists of str."""
    if isinstance(value, h5py.Empty):
        return ""
    if isinstance(value, (bytes, np.bytes_)):
        return value.decode("utf-8", "replace")
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "S":
            return np.char.decode(value, "utf-8", "replace")
        if value.dtype.kind == "O":
            return np.array([decode(item) for item in value.ravel()]).reshape(value.shape)
    if isinstance(value, np.generic):
        return value.item()
    return value


def read_attribute(owner, name, default=None):
    """Attribute `name` of an h5py object, decoded; `default` where there is none."""
    try:
        return decode(owner.attrs[name]) if name in owner.attrs else default
    except DAMAGE as error:
        raise RunFileError(f"{owner.file.filename}: attribute '{name}' of {owner.name} is damaged: {error}") from error


class Variable:
    """One dataset. `variable[...]` reads (only) what is asked for; numpy functions take it as an array.

    `length`, where given, is the number of rows that count: a dataset of a run that was killed, or that still goes on,
    may have more rows than its neighbours.
    """

    def __init__(self, dataset, length=None):
        self._dataset = dataset
        self._length = length

    @property
    def name(self):
        """Path in the file, e.g. /series/time_ns."""
        return self._dataset.name

    @property
    def units(self):
        """Units as text ("ns", "bytes", "1" for plain numbers); "" where the file does not say."""
        return str(read_attribute(self._dataset, "units", ""))

    @property
    def description(self):
        """What the values are, in one sentence."""
        return str(read_attribute(self._dataset, "description", ""))

    @property
    def columns(self):
        """Names of the columns of a series by tier, or of the values of a dataset of kinds or tiers; else []."""
        for attribute in ("tier_names", "kind_names"):
            names = read_attribute(self._dataset, attribute)
            if names is not None:
                return [str(name) for name in np.atleast_1d(names)]
        return []

    @property
    def shape(self):
        shape = self._dataset.shape
        return shape if self._length is None else (self._length,) + shape[1:]

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def dtype(self):
        return self._dataset.dtype

    def __len__(self):
        if not self.shape:
            raise TypeError(f"{self.name} is a single value")
        return self.shape[0]

    def __getitem__(self, key):
        key = self._clip(key)
        try:
            return decode(self._dataset[key])
        except (OSError, RuntimeError) as error:
            raise TornFileError(f"{self._dataset.file.filename}: {self.name} is damaged, or has been written since the file "
                                f"was opened (then open it again): {error}") from error

    def __array__(self, dtype=None):
        values = np.asarray(self[()] if not self.shape else self[:])
        return values if dtype is None else values.astype(dtype)

    def __repr__(self):
        return f"<{self.name} {list(self.shape)} [{self.units}] {self.description}>"

    def _clip(self, key):
        """`key` with its first index counted within `length` rows."""
        if self._length is None:
            return key
        key = key if isinstance(key, tuple) else (key,)
        first, rest = (key[0], key[1:]) if key else (Ellipsis, ())
        if first is Ellipsis:
            missing = self.ndim - len(rest)
            first, rest = slice(None), (slice(None),) * (missing - 1) + tuple(rest)
        rows = range(self._length)
        if isinstance(first, slice):
            first = slice(*first.indices(self._length))
        elif isinstance(first, (int, np.integer)):
            first = rows[first]
        else:
            index = np.asarray(first)
            if index.dtype == bool:
                if index.shape != (self._length,):
                    raise IndexError(f"{self.name}: a mask of {index.shape} for {self._length} rows")
                index = np.flatnonzero(index)
            first = [rows[i] for i in index]
        return (first,) + tuple(rest)


class Group:
    """A group of the file: `group.name` or `group["name"]` is a Variable or a Group.

    A name that is a word of Python takes an underscore as an attribute: `flows.class_`.
    """

    def __init__(self, run, path):
        self._run = run
        self._path = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._run.node(f"{self._path}/{name[:-1] if keyword.iskeyword(name[:-1]) else name}")

    def __getitem__(self, name):
        return self._run.node(f"{self._path}/{name}")

    def get(self, name, default=None):
        """`group[name]`, or `default` where the file does not hold it."""
        try:
            return self[name]
        except MissingDataError:
            return default

    def keys(self):
        """Names of what the group holds."""
        return self._run.child_names(self._path)

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, name):
        return name in self.keys()

    def __len__(self):
        return len(self.keys())

    def __dir__(self):
        names = (name + "_" if keyword.iskeyword(name) else name for name in self.keys())
        return sorted({*super().__dir__(), *names})

    def __repr__(self):
        return f"<{self._path or '/'}: {', '.join(self.keys()) or 'empty'}>"
