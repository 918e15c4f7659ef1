# SPDX-License-Identifier: Apache-2.0
"""The overview of a run: utilisation of the links by tier, and what waits in the switches and at the endpoints."""

import os

import numpy as np

from ..errors import UsageError
from ..summary import describe_fabric, describe_result, tiers_from_endpoints, tiers_with_links
from . import style


@style.house_style
def draw(run, title=None):
    """Figure of the run; raises UsageError when the run has no samples yet, MissingDataError without series by tier.

    What waits at the endpoints is what they have still to send, often far more than any switch holds: it has a panel of
    its own.
    """
    if not run.sample_count:
        raise UsageError(f"{run.path}: has no sample to draw; the run has only begun, or it ended within the first "
                         "'output.interval'")
    tiers = run.series.tiers
    names = tiers.utilisation_frac.columns or [f"tier {i}" for i in range(tiers.utilisation_frac.shape[1])]
    styles = style.tier_styles(names)
    drawn, endpoints = tiers_with_links(run, len(names)), tiers_from_endpoints(run)
    at_endpoints = [i for i in drawn if i in endpoints]
    at_switches = [i for i in drawn if i not in endpoints]

    figure, panels = style.new_figure(4, (1.25, 1, 1, 1), (9.0, 9.6))
    edges_ns = run.interval_edges_ns
    unit, factor = style.time_unit(edges_ns)
    edges = edges_ns / factor
    _draw_utilisation(panels[0], edges, tiers.utilisation_frac, styles, drawn)
    _draw_backlog(panels[1], edges, tiers.backlog_bytes, styles, at_switches, style.draw_means)
    _panel_title(panels[1], "Backlog in the switches, by outgoing tier", "sum over the tier's lanes, interval mean")
    _draw_backlog(panels[2], edges, tiers.backlog_max_bytes, styles, at_switches, style.draw_maxima)
    _panel_title(panels[2], "Fullest lane of each tier in the switches", "highest value in the interval")
    _draw_backlog(panels[3], edges, tiers.backlog_bytes, styles, at_endpoints, style.draw_means)
    _panel_title(panels[3], "Waiting at the endpoints", "ready to be sent, all endpoints, interval mean")

    panels[-1].set_xlabel(f"Simulated time ({unit})")
    panels[-1].set_xlim(edges[0], edges[-1])
    figure.subplots_adjust(left=0.085, right=0.8, top=0.875, bottom=0.075, hspace=0.32)
    _legend(figure, panels[0])
    _headings(figure, run, title)
    figure.align_ylabels(panels)
    return figure


def _draw_utilisation(axes, edges, variable, styles, columns):
    values = 100.0 * np.asarray(variable, dtype=float)
    names = list(styles)
    for column in columns:
        style.draw_means(axes, edges, values[:, column], styles[names[column]], names[column].replace("-", " → "))
    _panel_title(axes, "Link utilisation by tier", "mean over the tier's links")
    axes.set_ylabel("Utilisation (%)")
    axes.set_ylim(0, 104)
    axes.set_yticks(range(0, 101, 25))


def _draw_backlog(axes, edges, variable, styles, columns, draw_steps):
    values = np.asarray(variable, dtype=float)
    highest = float(np.nanmax(values[:, columns], initial=0.0))
    unit, factor = style.byte_unit(highest)
    names = list(styles)
    for column in columns:
        draw_steps(axes, edges, values[:, column] / factor, styles[names[column]], names[column])
    axes.set_ylabel(f"Backlog ({unit})")
    if highest > 0:
        axes.set_ylim(0, 1.08 * highest / factor)
    else:
        axes.set_ylim(0, 1)
        axes.set_yticks([0])
        axes.text(0.5, 0.5, "nothing waited here", transform=axes.transAxes, ha="center", va="center",
                  color=style.FAINT_INK)


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
    lines = [describe_fabric(run) if "topology" in run else "", describe_result(run).replace(" us", " µs")]
    figure.text(0.085, 0.982, name if run.finished else f"{name} (not finished)", fontsize=13, fontweight="bold", va="top")
    figure.text(0.085, 0.955, "\n".join(lines), fontsize=9, color=style.FAINT_INK, va="top", linespacing=1.4)
    git_hash = str(run.attribute("git_hash", ""))[:10]
    figure.text(0.985, 0.01, f"Tailrace {run.attribute('tailrace_version', '?')} {git_hash}".rstrip(), fontsize=7.5,
                color=style.FAINT_INK, ha="right")
