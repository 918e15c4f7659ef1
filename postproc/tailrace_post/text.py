# SPDX-License-Identifier: Apache-2.0
"""Numbers and tables for people."""

import numpy as np

TIME_UNITS = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0))
BYTE_UNITS = (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0))


def choose_unit(largest, units):
    """(name, factor) of the largest unit in which `largest` is 1 or more; the smallest for less."""
    return next(((name, factor) for name, factor in units if abs(largest) >= factor), units[-1])


def format_time(nanoseconds):
    """ "87.23 ms"; four digits, as the summary of a run has. """
    return _format(nanoseconds, TIME_UNITS)


def format_bytes(count):
    """ "1.074 GB" (decimal units). """
    return _format(count, BYTE_UNITS)


def _format(value, units):
    if not np.isfinite(value):
        return "-"
    name, factor = choose_unit(value, units)
    return f"{value / factor:.4g} {name}"


def format_count(number, word):
    """ "1 flow", "10,000 flows". """
    plural = word + ("es" if word.endswith(("ch", "s", "x")) else "s")
    return f"{number:,} {word if number == 1 else plural}"


def format_table(header, rows):
    """Lines of a table with aligned columns: numbers (as text) to the right, words to the left."""
    cells = [list(header)] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    right = [all(row[i][:1].isdigit() or row[i][:1] in "-" for row in cells[1:]) for i in range(len(header))]
    return ["  ".join(cell.rjust(width) if to_right else cell.ljust(width)
                      for cell, width, to_right in zip(row, widths, right)).rstrip() for row in cells]
