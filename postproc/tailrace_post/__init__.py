# SPDX-License-Identifier: Apache-2.0
"""Reads the HDF5 files of Tailrace: `open_run(path)` gives topology, series, flows and results with names and units."""

from .errors import MissingDataError, RunFileError, SchemaError
from .run import Run, open_run
from .version import SCHEMA_VERSION, __version__

__all__ = ["MissingDataError", "Run", "RunFileError", "SCHEMA_VERSION", "SchemaError", "__version__", "open_run"]
