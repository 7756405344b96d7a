"""The figures of sources C and E, drawn from their records."""

import numpy as np
from _drawing import COLOURS, LIGHT, MARKERS, QUIET, cloud, faint, key, panels, shows, value

RING = {"facecolors": "none", "linewidths": 1.6}
PLANE = {"xlabel": "direction 1", "ylabel": "direction 2"}


@shows(
    "C-figure-4.2",
    "Eigenvalues of the similarities; in the titles how many are positive, negative and near zero, "
    "published numbers in brackets. The scale is linear near zero and logarithmic beyond.",
)
def spectra(record, printed):
    figure, axes = panels(3, 1, 5.8)
    kinds = {"positive": COLOURS[0], "negative": COLOURS[1], "near zero": LIGHT}
    for ax, (name, values) in zip(axes, record["series"].items()):
        values = np.asarray(values)
        ranks, cutoff = np.arange(1, len(values) + 1), 5e-4 * values.max()
        signs = np.where(values > cutoff, 0, np.where(values < -cutoff, 1, 2))
        for k, (kind, colour) in enumerate(kinds.items()):
            own, width = signs == k, max(0.8, 200 / len(values))
            ax.vlines(ranks[own], 0, values[own], color=colour, linewidth=width, label=kind)
        ours = "/".join(f"{value(record, name, kind)[0]:.0f}" for kind in kinds)
        theirs = "/".join(printed[name][kind] for kind in kinds)
        ax.set_title(f"{name}: {ours} ({theirs})")
        ax.set_yscale("symlog", linthresh=cutoff, linscale=0.5)
        decades = [sign * 10.0**power for power in (-1, 0, 1, 2) for sign in (-1, 1)]
        ends = values.min(), values.max()
        ticks = [0.0, *(t for t in decades if ends[0] <= t <= ends[1] and abs(t) > 2 * cutoff)]
        ax.set_yticks(ticks, [f"{t:g}".replace("-", "−") for t in ticks])
        ax.axhline(0.0, color=QUIET, linewidth=0.6)
        ax.set_ylabel("eigenvalue")
        ax.minorticks_off()
    axes[-1].set_xlabel("rank of the eigenvalue")
    key(figure, 3, handles=axes[0].get_legend_handles_labels()[0])
    return figure


def _spots(record, names):
    """Objects, faint, and prototypes of several models."""
    figure, ax = panels(height=3.4)
    series = record["series"]
    faint(ax, series["points"], series["class"])
    for k, (name, label) in enumerate(names.items()):
        ax.scatter(
            *series[name], s=44, color=COLOURS[k], marker=MARKERS[k], label=label, alpha=0.85
        )
    ax.set(**PLANE)
    key(ax, len(names))
    return figure


@shows(
    "C-figure-6.1",
    "Aural Sonar, first split: objects of both classes (grey) and the prototypes of three "
    "models, in the two "
    "first directions of the similarities.",
)
def sparse_prototypes(record, printed):
    return _spots(record, {"full": "full", "OMP": "OMP", "training": "sparse training"})


@shows(
    "C-figure-6.4",
    "Aural Sonar, first split: the one exemplar that stands for each prototype, in the two "
    "first directions of "
    "the similarities.",
)
def extremes(record, printed):
    return _spots(record, {"nearest": "nearest", "hull": "hull"})


def _exemplars(record, names):
    """Objects, and those that are exemplars, encircled."""
    figure, ax = panels(height=3.4)
    x, y = np.asarray(record["series"]["points"])
    faint(ax, (x, y), record["series"]["class"] if max(record["series"]["class"]) < 8 else None)
    for k, (name, label) in enumerate(names.items()):
        own, mark = record["series"][name], "os"[k]
        ax.scatter(
            x[own], y[own], s=40 + 60 * k, marker=mark, edgecolors=COLOURS[k], label=label, **RING
        )
    key(ax, len(names))
    return figure, ax


@shows(
    "C-figure-6.2",
    "Voting, first split: objects of both classes (grey) and exemplars, in the two first "
    "directions of the "
    "similarities.",
)
def ball_exemplars(record, printed):
    figure, ax = _exemplars(record, {"nearest": "nearest exemplar", "MEB": "MEB"})
    ax.set(**PLANE)
    return figure


@shows(
    "C-figure-6.3",
    "Errors against the number of exemplars, with two standard errors over five splits.",
)
def degrees(record, printed):
    figure, axes = panels(3, 1, 5.8, sharex=True)
    for ax, name in zip(axes, ("Aural Sonar", "Protein", "Voting")):
        rows = [row for row in record["cells"] if row.startswith(name)]
        at = np.array([float(row.rpartition(", ")[2]) for row in rows])
        for k, method in enumerate(("nearest", "hull", "OMP")):
            found = np.array([value(record, row, method) for row in rows])
            style = {"fmt": "os^"[k] + ("-", "--", "-.")[k], "capsize": 2, "markersize": 4}
            ax.errorbar(at * 1.04 ** (k - 1), found[:, 0], 2 * found[:, 1], label=method, **style)
        ax.set(xscale="log", ylabel="error (%)", ylim=(0, None))
        ax.set_title(name)
    axes[-1].set_xticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    axes[-1].minorticks_off()
    axes[-1].set_xlabel("exemplars per prototype")
    key(figure, 3, handles=axes[0].get_legend_handles_labels()[0])
    return figure


@shows("C-figure-6.5", "Stops and rail lines, drawn by the minutes between them, not by the map.")
def network(record, printed):
    figure, ax = panels(height=3.6)
    x, y = np.asarray(record["series"]["points"])
    starts, ends = np.asarray(record["series"]["links"])
    ax.plot([x[starts], x[ends]], [y[starts], y[ends]], color=LIGHT, linewidth=1.0)
    ax.scatter(x, y, s=7, color=COLOURS[0], zorder=3)
    ax.set(xlabel="direction 1 (min)", ylabel="direction 2 (min)", aspect="equal")
    return figure


@shows(
    "C-figure-6.6",
    "Three classes of ten points, first draw, and the exemplars of two sparse versions.",
)
def points(record, printed):
    figure, ax = _exemplars(record, {"nearest 1": "nearest exemplar", "MEB": "MEB"})
    ax.set(aspect="equal", **PLANE)
    return figure


@shows(
    "C-figure-6.7",
    "Exemplars of the twelve areas among the stops, drawn by the minutes between them.",
)
def stops(record, printed):
    figure, ax = _exemplars(record, {"nearest 1": "nearest exemplar", "MEB": "MEB"})
    ax.set(xlabel="direction 1 (min)", ylabel="direction 2 (min)", aspect="equal")
    return figure


TEMPLATES = ("first template", "second template")


@shows("E-figure-9.3", "Training trains of the first draw.")
def raster(record, printed):
    figure, ax = panels(height=3.0)
    trains, which = record["series"]["trains (ms)"], record["series"]["template"]
    for k, name in enumerate(TEMPLATES):
        own = [i for i, template in enumerate(which) if template == k]
        times = np.concatenate([trains[i] for i in own])
        rows = np.repeat(own, [len(trains[i]) for i in own])
        ax.vlines(times, rows + 0.1, rows + 0.9, color=COLOURS[k], linewidth=1.4, label=name)
    ax.set(xlabel="time (ms)", ylabel="spike train", xlim=(-5, 255), ylim=(len(trains), 0))
    key(ax, 2)
    return figure


@shows(
    "E-figure-9.4",
    "Eigenvalues of the first draw, the means of twenty draws and the published values; "
    "below, the first score of "
    "every training train.",
)
def eigenvalues(record, printed):
    figure, (ax, below) = panels(2, 1, 4.8)
    shares = record["series"]["share (%)"]
    ax.bar(np.arange(1, len(shares) + 1), shares, color=LIGHT, label="first draw")
    names = [f"{which} eigenvalue (%), κ of 2 ms" for which in ("first", "second")]
    means, errors = np.transpose([value(record, name) for name in names])
    ax.errorbar([1, 2], means, 2 * errors, fmt="o", capsize=4, label="mean of 20")
    ax.plot([1, 2], [26, 6.6], "D", mfc="none", mec="black", ms=9, label="published")
    ax.set(xlabel="component", ylabel="share (%)", xticks=range(1, len(shares) + 1))
    key(ax, 3)
    scores = np.asarray(record["series"]["first score"])
    ranks = np.arange(1, len(scores) + 1)
    cloud(below, (ranks, scores), record["series"]["template"], TEMPLATES, size=22, alpha=1.0)
    below.axhline(0.0, color=QUIET, linewidth=0.6)
    below.set(xlabel="training train", ylabel="first score")
    key(below, 2)
    return figure


@shows(
    "E-figure-9.5",
    "The two first component functions, first draw; marks are the spikes of the two templates.",
)
def functions(record, printed):
    figure, axes = panels(2, 1, 4.0, sharex=True)
    series = record["series"]
    for j, (ax, curve) in enumerate(zip(axes, np.asarray(series["functions"]))):
        ax.plot(series["time (ms)"], curve, color=QUIET, linewidth=1.2)
        top = 1.25 * np.abs(curve).max()
        for k, times in enumerate(series["templates (ms)"]):
            level = np.full(len(times), top if k == 0 else -top)
            style = {"color": COLOURS[k], "marker": "v^"[k], "label": TEMPLATES[k]}
            ax.scatter(times, level, s=26, **style)
        ax.axhline(0.0, color=QUIET, linewidth=0.6)
        ax.set_ylabel(f"function {j + 1}")
    axes[1].set_xlabel("time (ms)")
    key(figure, 2, handles=axes[0].get_legend_handles_labels()[0])
    return figure


@shows("E-figure-9.6", "Test trains of the first draw on two components.")
def projections(record, printed):
    figure, ax = panels(height=3.2)
    cloud(ax, record["series"]["scores"], record["series"]["template"], TEMPLATES)
    ax.set(xlabel="score of component 1", ylabel="score of component 2")
    key(ax, 2)
    return figure
