# SPDX-License-Identifier: Apache-2.0
"""Errors that a user can do something about; each message says what."""


class RunFileError(Exception):
    """A file that cannot be read as a Tailrace output, or a part of it that cannot."""

    # KeyError, a base of MissingDataError, would print the message in quotes.
    __str__ = Exception.__str__


class SchemaError(RunFileError):
    """A file of another schema version."""


class MissingDataError(RunFileError, AttributeError, KeyError):
    """A group, dataset, lane or flow that the file does not hold; hasattr() and get() rely on the bases."""

    __str__ = Exception.__str__


class TornFileError(RunFileError):
    """A file caught while its run writes it, or left so by a kill: opening it again may help."""


class UsageError(Exception):
    """A command that asks for what cannot be done."""
