"""The figures of sources A and B, drawn from their records."""

import numpy as np
from _drawing import COLOURS, QUIET, cloud, dots, key, panels, shows, value

OURS, THEIRS = {"color": COLOURS[0], "linewidth": 2.2}, {"color": "black", "linestyle": ":"}


def _axis(ax, degrees, length, **style):
    """A line through the origin."""
    x, y = length * np.cos(np.radians(degrees)), length * np.sin(np.radians(degrees))
    ax.plot([-x, x], [-y, y], **style)


def _ellipse(ax, second):
    angle = np.linspace(0, 2 * np.pi, 400)
    ax.plot(np.cos(angle), second * np.sin(angle), color=QUIET, linewidth=1.0)
    ax.set(aspect="equal", xlabel="x₁", xticks=[-1, 0, 1])


@shows(
    "A-figure-1", "Points of a circle, and their first component in l1 and l∞; in l2 any will do."
)
def circle(record, printed):
    figure, axes = panels(1, 3, 2.2, sharey=True)
    for ax, p in zip(axes, ("1", "2", "∞")):
        _ellipse(ax, 1.0)
        ax.set(title=f"p = {p}", xlim=(-1.45, 1.45), ylim=(-1.45, 1.45))
        row = f"angle (degrees), p = {p}"
        if row in record["cells"]:
            _axis(ax, value(record, row)[0], 1.35, **OURS, label="ours")
            _axis(ax, float(printed[row]["value"]), 1.35, **THEIRS, label="published")
    axes[0].set(ylabel="x₂", yticks=[-1, 0, 1])
    key(figure, 2, handles=axes[0].get_legend_handles_labels()[0])
    return figure


@shows("A-figure-2", "Ellipses, and their first component in l1: it nears the long axis, slowly.")
def ellipses(record, printed):
    figure, axes = panels(1, 3, 2.9, sharey=True)
    for ax, row in zip(axes, record["cells"]):
        second = float(row.rpartition("= ")[2])
        _ellipse(ax, second)
        found = value(record, row)[0]
        _axis(ax, found, 1.15 * second, **OURS)
        ax.set_title(f"r₂ = {second:.3g}\n{found:.1f}°")
    axes[0].set(ylabel="x₂", yticks=[-2, -1, 0, 1, 2])
    return figure


@shows(
    "A-figure-4",
    "How much of the eigenfaces is contour; bars are two standard errors over 14 pairs of persons.",
)
def eigenfaces(record, printed):
    figure, ax = panels(height=1.7)
    dots(ax, ["l1", "l2"], [value(record, f"contours {name}") for name in ("l1", "l2")])
    ax.set(xlabel="steps between pixels over size", ylabel="norm")
    return figure


@shows(
    "A-figure-5",
    "Errors of faces rebuilt from two components; bars are two standard errors over 14 pairs "
    "of persons.",
)
def rebuilt(record, printed):
    figure, axes = panels(2, 1, 2.9)
    for ax, what in zip(axes, ("mean absolute", "root mean square")):
        rows = [f"{what} error, components in {name}" for name in ("l1", "l2")]
        dots(ax, ["l1", "l2"], [value(record, row) for row in rows])
        ax.set(xlabel=f"{what} error (grey levels)", ylabel="norm")
    return figure


@shows("A-figure-6", "The spectra: median and quartiles at every wavelength.")
def spectra(record, printed):
    figure, ax = panels(height=2.8)
    series = dict(record["series"])
    t = series.pop("wavelength (nm)")
    for k, (name, (low, middle, high)) in enumerate(series.items()):
        ax.plot(t, middle, "-" if k else "--", color=COLOURS[k], label=name)
        ax.fill_between(t, low, high, color=COLOURS[k], alpha=0.2, linewidth=0)
    ax.set(xlabel="wavelength (nm)", ylabel="absorbance")
    key(ax, 2)
    return figure


@shows("A-figure-7", "Components in four norms, each scaled to a largest modulus of 1.")
def components(record, printed):
    figure, axes = panels(2, 1, 4.2, sharex=True)
    series = dict(record["series"])
    t = series.pop("wavelength (nm)")
    lines = ("-", "--", "-", "-.")
    for k, (name, W) in enumerate(series.items()):
        like = series["Sobolev p = 1" if name.startswith("Sobolev") else "l1"]
        for ax, w, v in zip(axes, np.asarray(W), np.asarray(like)):
            w = w * np.sign(w @ v) / np.abs(w).max()
            ax.plot(t, w, lines[k], color=COLOURS[k], label=name)
    for j, ax in enumerate(axes):
        ax.axhline(0.0, color=QUIET, linewidth=0.6)
        ax.set_ylabel(f"component {j + 1}")
    axes[1].set_xlabel("wavelength (nm)")
    key(figure, 2, handles=axes[0].get_legend_handles_labels()[0])
    return figure


@shows(
    "A-figure-8",
    "Squared differences of Sobolev and plain components, each scaled to 1; dotted: where "
    "the source has its maxima.",
)
def changes(record, printed):
    figure, axes = panels(4, 1, 6.4, sharex=True)
    t = record["series"]["wavelength (nm)"]
    kinds = [(p, norm) for p in (1, 2) for norm in ("each in its norm", "both in the plain norm")]
    for ax, (p, norm) in zip(axes, kinds):
        for k in (1, 2):
            curve = np.asarray(record["series"][f"p = {p}, component {k}, {norm}"])
            style = {"linestyle": "-" if k == 1 else "--", "color": COLOURS[k - 1]}
            ax.plot(t, curve / curve.max(), label=f"component {k}", **style)
        for place in (950,) if p == 1 else (920, 980):
            ax.axvline(place, color="black", linestyle=":", label="published")
        ax.set_title(f"p = {p}, {norm}")
        ax.set(yticks=[0, 1], ylabel="change")
    axes[-1].set_xlabel("wavelength (nm)")
    key(figure, 3, handles=axes[0].get_legend_handles_labels()[0])
    return figure


def _scores(record, name, side, sides):
    figure, ax = panels(height=3.2)
    cloud(ax, record["series"][name], record["series"][side], sides)
    ax.set(xlabel="score of component 1", ylabel="score of component 2")
    key(ax, 2)
    return figure


FAT = ("up to 20 % fat", "above 20 % fat")
DIABETES = ("without diabetes", "with diabetes")


@shows("A-figure-9", "Scores of the spectra in l1.")
def scores_l1(record, printed):
    return _scores(record, "l1", FAT[1], FAT)


@shows("A-figure-10", "Scores of the spectra in the Sobolev norm with p = 1.")
def scores_sobolev(record, printed):
    return _scores(record, "Sobolev p = 1", FAT[1], FAT)


@shows(
    "A-figure-11",
    "The matrix Ω'Ω learned on all data, and accuracies by ten folds, with two standard errors.",
)
def learned(record, printed):
    figure, (ax, below) = panels(2, 1, 5.6, height_ratios=[3, 1.4])
    names, matrix = record["series"]["variables"], np.asarray(record["series"]["Ω'Ω"])
    size = np.abs(matrix).max()
    drawn = ax.imshow(matrix, cmap="PuOr", vmin=-size, vmax=size)
    places = np.arange(len(names))
    ax.set_xticks(places, names, rotation=60, ha="right", rotation_mode="anchor")
    ax.set_yticks(places, names)
    figure.colorbar(drawn, ax=ax, label="entry of Ω'Ω", shrink=0.8)
    rows = ["GLVQ, Euclidean", "GLVQ, kernel with learned Ω"]
    theirs = [printed[row]["accuracy"] for row in rows]
    dots(below, ["Euclidean", "kernel, Ω"], [value(record, r, "accuracy") for r in rows], theirs)
    below.set_xlabel("accuracy (%)")
    key(below, 2)
    return figure


@shows(
    "A-figure-12",
    "Share of each variable in Ω'Ω, and the size of its weight in the Euclidean components.",
)
def weights(record, printed):
    figure, ax = panels(height=3.6)
    names = list(record["cells"])
    kinds = (("Ω'Ω", "share in Ω'Ω"), ("first", "component 1"), ("second", "component 2"))
    for k, (column, label) in enumerate(kinds):
        found = [value(record, name, column)[0] for name in names]
        ax.plot(found, range(len(names)), "os^"[k], color=COLOURS[k], label=label)
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="share, or size of the weight", ylim=(len(names) - 0.5, -0.5), xlim=(-0.02, None))
    ax.grid(axis="y", color="0.9")
    key(ax, 3)
    return figure


@shows("A-figure-13", "Scores of Pima, Euclidean components of all data.")
def pima_euclidean(record, printed):
    return _scores(record, "Euclidean", "diabetes", DIABETES)


@shows("A-figure-14", "Scores of Pima in the kernel with the learned Ω, of all data.")
def pima_kernel(record, printed):
    return _scores(record, "kernel with Ω", "diabetes", DIABETES)


def _thresholds(record):
    figure, ax = panels(height=2.9)
    rows = [row for row in record["cells"] if row.startswith("skeleton")]
    found = np.array([value(record, row, "rate") for row in rows])
    at = [float(row.rpartition("=")[2]) for row in rows]
    ax.errorbar(at, found[:, 0], 2 * found[:, 1], fmt="o-", capsize=3, label="skeleton")
    for k, (name, line) in enumerate((("l1", "--"), ("l2", ":"))):
        rate, error = value(record, name, "rate")
        ax.axhline(rate, color=COLOURS[k + 1], linestyle=line, label=name)
        ax.axhspan(rate - 2 * error, rate + 2 * error, color=COLOURS[k + 1], alpha=0.12)
    ax.set(xscale="log", xlabel="threshold a", ylabel="recognised (%)")
    key(ax, 3)
    return figure


SPREAD = "Bars and bands are two standard errors, of two draws only."


@shows(
    "B-figure-2.4", f"Rates over the threshold of the skeleton, USPS with salt and pepper. {SPREAD}"
)
def usps_thresholds(record, printed):
    return _thresholds(record)


@shows("B-figure-2.5", f"Rates over the threshold of the skeleton, Letter. {SPREAD}")
def letter_thresholds(record, printed):
    return _thresholds(record)
