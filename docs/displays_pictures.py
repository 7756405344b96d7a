"""Six displays, for the guide."""

import figure_style
import matplotlib as mpl
import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from noneuclid import GLVQ, SelfOrganizingMap, Sobolev, datasets, two_sample_test
from noneuclid.displays import (
    ClassMapDisplay,
    EmbeddingDisplay,
    PermutationDisplay,
    PrototypeDisplay,
    RasterDisplay,
    SpectrumDisplay,
)

# As wide as a phone shows it.
SMALL = dict.fromkeys(("font.size", "axes.labelsize", "legend.fontsize"), 9)
SMALL |= {"figure.figsize": (4.4, 3.0), "xtick.labelsize": 9, "ytick.labelsize": 9}


def displays():
    """All six, drawn, by their names."""
    shown = {}
    # --- shown in the guide
    objects = datasets.make_indefinite(60, signature=(6, 4))
    shown["spectrum"] = SpectrumDisplay.from_matrix(objects.X)
    shown["embedding"] = EmbeddingDisplay.from_matrix(objects.X, objects.labels)

    spectra = datasets.make_spectra(60)
    model = GLVQ(space=Sobolev(spacing="unit"), random_state=0).fit(spectra.X, spectra.labels)
    shown["prototypes"] = PrototypeDisplay.from_estimator(model, grid=spectra.grid)

    X, y = load_iris(return_X_y=True)
    som = SelfOrganizingMap(shape=(6, 8), topology="hex", random_state=0).fit(X)
    shown["map"] = ClassMapDisplay.from_estimator(som, load_iris().target_names[y])

    trains = datasets.make_spike_trains(30)
    shown["raster"] = RasterDisplay.from_trains(trains.X, trains.labels)

    found = two_sample_test(X[y == 1], X[y == 2], random_state=0)
    shown["test"] = PermutationDisplay.from_result(found)
    # --- end
    return shown


def draw(folder):
    """Draw them into files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context({**mpl.rcParamsDefault, **figure_style.STYLE, **SMALL, "backend": "agg"}):
        mpl.rcParams["svg.hashsalt"] = "noneuclid"
        for name, display in displays().items():
            display.figure_.savefig(
                folder / f"{name}.svg", facecolor="white", metadata={"Date": None}
            )
            plt.close(display.figure_)
