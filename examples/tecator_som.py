"""A map of meat spectra: neighbours have the same shape, and so about as much fat.

Every hexagon shows the curve its unit stands for, coloured by the mean fat of the spectra it wins.
In the Sobolev space the derivative counts (the axis is scaled to length 1), and the map is ordered
by fat; in l2 it is ordered by the level of the curves, which says nothing about it.

Usage: ``python examples/tecator_som.py [folder with tecator.npz] [figure to write]``; the folder
may also be named by the variable NONEUCLID_DATA.
"""

import os
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from noneuclid.displays.maps import cells
from noneuclid.prototypes import SelfOrganizingMap
from noneuclid.spaces import Euclidean, Sobolev

SPACES = {
    "l2": Euclidean(),
    "Sobolev, second derivative": Sobolev(weights=(1, 0, 1), spacing="unit"),
}
SHAPE = (6, 9)


def explained(model, fat):
    """Share of the variance of fat between the units."""
    means = np.array([fat[model.labels_ == k].mean() for k in model.labels_])
    return means.var() / fat.var()


def draw(ax, model, fat, norm, cmap):
    """Hexagons with curves; grey where no spectrum falls."""
    grid, curves = model.grid_, model.prototypes_
    won = [fat[model.labels_ == k] for k in range(len(grid))]
    colours = [cmap(norm(values.mean())) if len(values) else "0.92" for values in won]
    hexagons = PolyCollection(list(cells(grid)), facecolor=colours, edgecolor="white", linewidth=1)
    ax.add_collection(hexagons)
    t = np.linspace(-0.36, 0.36, curves.shape[1])
    shapes = curves - curves.mean(axis=1, keepdims=True)
    shapes = -0.55 * shapes / np.ptp(shapes, axis=1).max()  # the axis points downward
    lines = [np.column_stack([x + t, y + shape]) for (x, y), shape in zip(grid.positions, shapes)]
    ax.add_collection(LineCollection(lines, color="black", linewidth=1.1))
    corners = cells(grid).reshape(-1, 2)
    low, high = corners.min(axis=0), corners.max(axis=0)
    ax.set(xlim=(low[0], high[0]), ylim=(high[1], low[1]), aspect="equal")
    ax.set_axis_off()


def main(folder, figure):
    path = Path(folder) / "tecator.npz"
    if not path.is_file():
        sys.exit(f"{path} is not there: give the folder of the benchmark data")
    with np.load(path, allow_pickle=False) as data:
        X, fat = data["absorbance"].astype(float), data["fat"].ravel()
    fig, axes = plt.subplots(1, len(SPACES), figsize=(13, 4.6), layout="constrained")
    norm, cmap = plt.Normalize(fat.min(), fat.max()), plt.colormaps["YlOrRd"]
    for ax, (name, space) in zip(axes, SPACES.items()):
        model = SelfOrganizingMap(shape=SHAPE, topology="hex", space=space).fit(X)
        share, error = explained(model, fat), model.topographic_error(X)
        print(
            f"{name:<28}{share:.0%} of the variance of fat between units, "
            f"topographic error {error:.2f}"
        )
        draw(ax, model, fat, norm, cmap)
        ax.set_title(f"{name}: the map explains {share:.0%} of the fat")
    fig.colorbar(plt.cm.ScalarMappable(norm, cmap), ax=axes, label="mean fat (%)", shrink=0.8)
    fig.savefig(figure, dpi=120)
    print(f"wrote {figure}")


if __name__ == "__main__":
    default = os.environ.get("NONEUCLID_DATA", Path(__file__).parents[2] / "shared" / "data")
    main(*(sys.argv[1:] + [default, "tecator_som.png"][len(sys.argv) - 1 :]))
