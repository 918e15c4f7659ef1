# SPDX-License-Identifier: Apache-2.0
"""The overview of a run: utilisation of the links by tier, bytes that wait in each tier, and its fullest lane."""

import os

import numpy as np

from ..errors import UsageError
from ..summary import describe_fabric, describe_result
from . import style


@style.house_style
def draw(run, title=None):
    """Figure of the run; raises UsageError when the run has no samples yet, MissingDataError without series by tier."""
    if not run.sample_count:
        raise UsageError(f"{run.path}: has no sample to draw; the run has only begun, or it ended within the first "
                         "'output.interval'")
    tiers = run.series.tiers
    figure, panels = style.new_figure(3, (1.15, 1, 1), (9.0, 7.8))
    edges_ns = run.interval_edges_ns
    unit, factor = style.time_unit(edges_ns)
    edges = edges_ns / factor

    _draw_utilisation(panels[0], edges, tiers.utilisation_frac)
    _draw_backlog(panels[1], edges, tiers.backlog_bytes, style.draw_means, "Backlog by tier",
                  "all lanes of the tier, interval mean")
    _draw_backlog(panels[2], edges, tiers.backlog_max_bytes, style.draw_maxima, "Fullest lane by tier",
                  "highest value in the interval")

    panels[-1].set_xlabel(f"Simulated time ({unit})")
    panels[-1].set_xlim(edges[0], edges[-1])
    figure.subplots_adjust(left=0.085, right=0.8, top=0.855, bottom=0.095, hspace=0.3)
    _legend(figure, panels[0])
    _headings(figure, run, title)
    figure.align_ylabels(panels)
    return figure


def _draw_utilisation(axes, edges, variable):
    _draw_tiers(axes, edges, 100.0 * np.asarray(variable, dtype=float), variable.columns, style.draw_means)
    _panel_title(axes, "Link utilisation by tier", "mean over the tier's links")
    axes.set_ylabel("Utilisation (%)")
    axes.set_ylim(0, 104)
    axes.set_yticks(range(0, 101, 25))


def _draw_backlog(axes, edges, variable, draw_steps, title, detail):
    values = np.asarray(variable, dtype=float)
    highest = float(np.nanmax(values, initial=0.0))
    unit, factor = style.byte_unit(highest)
    _draw_tiers(axes, edges, values / factor, variable.columns, draw_steps)
    _panel_title(axes, title, detail)
    axes.set_ylabel(f"Backlog ({unit})")
    axes.set_ylim(0, 1.08 * highest / factor if highest > 0 else 1)


def _draw_tiers(axes, edges, values, names, draw_steps):
    names = names or [f"tier {i}" for i in range(values.shape[1])]
    for column, (name, line_style) in enumerate(style.tier_styles(names).items()):
        draw_steps(axes, edges, values[:, column], line_style, name.replace("-", " → "))


def _panel_title(axes, title, detail):
    axes.set_title(title, pad=7)
    axes.annotate(detail, (1, 1), xytext=(0, 7), xycoords="axes fraction", textcoords="offset points", ha="right",
                  va="bottom", color=style.FAINT_INK, fontsize=8.5)


def _legend(figure, axes):
    handles, labels = axes.get_legend_handles_labels()
    box = axes.get_position()
    figure.legend(handles, labels, loc="upper left", bbox_to_anchor=(0.81, box.y1 + 0.008), borderaxespad=0, frameon=False,
                  fontsize=9, handlelength=2.6, labelspacing=0.7, title="Links", alignment="left", title_fontsize=9)


def _headings(figure, run, title):
    name = title or os.path.splitext(os.path.basename(run.path))[0]
    lines = [describe_fabric(run) if "topology" in run else "", describe_result(run)]
    figure.text(0.085, 0.978, name if run.finished else f"{name} (not finished)", fontsize=13, fontweight="bold", va="top")
    figure.text(0.085, 0.944, "\n".join(lines), fontsize=9, color=style.FAINT_INK, va="top", linespacing=1.4)
    git_hash = str(run.attribute("git_hash", ""))[:10]
    figure.text(0.985, 0.012, f"Tailrace {run.attribute('tailrace_version', '?')} {git_hash}".rstrip(), fontsize=7.5,
                color=style.FAINT_INK, ha="right")
