# SPDX-License-Identifier: Apache-2.0
"""Looks that all pictures share: colours, axes, units, saving."""

import io
import os

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from ..text import BYTE_UNITS, TIME_UNITS, choose_unit

FORMATS = (".png", ".pdf", ".svg")

# Okabe and Ito's palette (Color Universal Design, 2008), which all kinds of colour vision tell apart; without its
# yellow, too pale for lines. The order keeps neighbours far apart in lightness.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
INK, FAINT_INK, GRID = "#222222", "#666666", "#E3E3E3"

SETTINGS = {
    "font.size": 9.5, "axes.titlesize": 10.5, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "axes.labelsize": 9.5, "axes.labelcolor": INK, "axes.edgecolor": "#999999", "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": GRID, "grid.linewidth": 0.8, "xtick.color": "#999999", "ytick.color": "#999999",
    "xtick.labelcolor": INK, "ytick.labelcolor": INK, "text.color": INK, "legend.frameon": False,
    "legend.fontsize": 9, "lines.solid_capstyle": "butt", "svg.hashsalt": "tailrace",
}

RESOLUTION_DPI = 150
COLUMNS_ACROSS = 320  # more samples than this are joined: means with the range that they had, or maxima
MANY_STEPS = 200  # finer lines from here on
WIDE, THIN = 2.6, 1.1  # points


def house_style(draw):
    """Decorator: `draw` runs with the settings above, and leaves matplotlib's own as they were."""
    return rc_context(SETTINGS)(draw)


def new_figure(rows, height_ratios, size_inches):
    """Figure with `rows` panels above each other that share the time axis; needs no display."""
    figure = Figure(figsize=size_inches, dpi=RESOLUTION_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, 1, sharex=True, gridspec_kw={"height_ratios": height_ratios})
    return figure, np.atleast_1d(axes)


@house_style
def save(figure, path):
    """Writes the picture whole or not at all; raises OSError."""
    content = io.BytesIO()
    ending = os.path.splitext(path)[1].lower()
    figure.savefig(content, format=ending[1:], metadata={"Date": None} if ending == ".svg" else None)
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    partial = f"{path}.part"
    try:
        with open(partial, "wb") as file:
            file.write(content.getvalue())
        os.replace(partial, path)
    except OSError:
        if os.path.exists(partial):
            os.remove(partial)
        raise


def time_unit(edges_ns):
    """(name, ns per unit) for a time axis."""
    name, factor = choose_unit(edges_ns[-1], TIME_UNITS)
    return name.replace("us", "µs"), factor


def byte_unit(highest):
    """(name, bytes per unit) for an axis of bytes up to `highest`."""
    return choose_unit(highest, BYTE_UNITS)


def tier_styles(names):
    """{tier name: (colour, width in points)}: both directions of a cable share a hue; the one named second is thin, dark.

    Where both carry the same, the thin line lies inside the wide one and both can be seen.
    """
    styles, colours = {}, {}
    for name in names:
        way_back = "-".join(reversed(name.split("-")))
        if way_back in colours and way_back != name:
            styles[name] = (darken(colours[way_back]), THIN)
        else:
            colours[name] = COLOURS[len(colours) % len(COLOURS)]
            styles[name] = (colours[name], WIDE)
    return styles


def darken(colour):
    """A darker shade of the same hue."""
    return to_hex(0.55 * np.array(to_rgb(colour)))


def thin_out(edges, values, columns=COLUMNS_ACROSS):
    """Series with at most `columns` intervals: (edges, mean, lowest, highest), the mean weighted by duration.

    `values` are [intervals]; `edges` has one more. Neighbouring intervals are joined, so that what is drawn stays
    readable and no peak is lost.
    """
    count = len(values)
    if count <= columns:
        return edges, values, values, values
    starts = np.unique(np.linspace(0, count, columns + 1).astype(int)[:-1])
    duration = np.diff(edges)
    mean = np.add.reduceat(values * duration, starts) / np.add.reduceat(duration, starts)
    return (np.append(edges[starts], edges[-1]), mean, np.minimum.reduceat(values, starts),
            np.maximum.reduceat(values, starts))


def draw_means(axes, edges, values, line_style, label):
    """Draws interval means as steps, which is what they are; the range of joined ones as a pale band behind."""
    edges, mean, low, high = thin_out(edges, values)
    if np.any(high > low):
        axes.stairs(high, edges, baseline=low, fill=True, color=line_style[0], alpha=0.15, linewidth=0, zorder=1.5)
    _draw_steps(axes, edges, mean, line_style, label)


def draw_maxima(axes, edges, values, line_style, label):
    """Draws interval maxima as steps; of joined intervals the highest."""
    edges, _, _, high = thin_out(edges, values)
    _draw_steps(axes, edges, high, line_style, label)


def _draw_steps(axes, edges, values, line_style, label):
    colour, width = line_style
    finer = 0.7 if len(values) > MANY_STEPS else 1.0
    axes.stairs(values, edges, baseline=None, color=colour, linewidth=finer * width, label=label,
                zorder=2.6 if width == THIN else 2.5)
