"""Source A, figures 3 to 5: eigenfaces of two persons in l2 and l1.

python literature/a_faces.py [--reduced]
"""

import numpy as np
from _experiment import Result, cell, claim, load, run

from noneuclid.pca import HebbianPCA
from noneuclid.spaces import Euclidean, Lp

SPACES = {"l2": Euclidean(), "l1": Lp(1)}


def images(first, second):
    """The 22 faces of two persons, each 32 × 32."""
    data = load("yale_32x32")
    y = data["y"].ravel()
    chosen = np.isin(y, np.unique(y)[[first, second]])
    return data["X"][chosen].astype(float)


def contours(component):
    """How much of an eigenface is contour: its summed steps over its summed size."""
    face = component.reshape(32, 32)
    steps = np.abs(np.diff(face, axis=0)).sum() + np.abs(np.diff(face, axis=1)).sum()
    return steps / (2 * np.abs(face).sum())


def one(first, second):
    """Overlap, contour shares and errors of two components for one pair of persons."""
    X = images(first, second)
    models = {
        n: HebbianPCA(n_components=2, space=s, random_state=0).fit(X) for n, s in SPACES.items()
    }
    a, b = (m.components_ / np.linalg.norm(m.components_, axis=1)[:, None] for m in models.values())
    found = {"overlap 1": abs(a[0] @ b[0]), "overlap 2": abs(a[1] @ b[1])}
    for name, model in models.items():
        left = X - model.inverse_transform(model.transform(X))
        found[f"contours {name}"] = np.mean([contours(w) for w in model.components_])
        found[f"l1 {name}"], found[f"l2 {name}"] = np.abs(left).mean(), np.sqrt((left**2).mean())
    return found


def figures(setting):
    """All three figures, for several pairs of persons: the source does not say which."""
    pairs = [(i, i + 1) for i in range(14 if setting == "full" else 2)]
    found = [one(*pair) for pair in pairs]

    def over(key):
        return np.array([run[key] for run in found])

    protocol = (
        f"22 images of 32 × 32 of two persons; {len(pairs)} pairs of neighbours among 15 persons, "
        "because the source does not name its two. Two components each."
    )
    ratio = over("contours l1") / over("contours l2")
    cells = {
        n: {"value": cell(over(n))}
        for n in ("overlap 1", "overlap 2", "contours l1", "contours l2")
    }
    errors = {
        f"{what} error, components in {n}": {"value": cell(over(f"{k} {n}"))}
        for k, what in (("l1", "mean absolute"), ("l2", "root mean square"))
        for n in SPACES
    }
    count = {"images": {"value": cell(len(images(0, 1)))}, "pixels": {"value": cell(1024)}}
    return {
        "A-figure-3": Result("The data set itself, two of its fifteen persons.", count),
        "A-figure-4": Result(
            protocol + " Overlap: cosine between the eigenfaces of l1 and l2. Contours: summed "
            "steps between neighbouring pixels over summed size.",
            cells,
            [
                claim(
                    "The eigenfaces differ significantly",
                    over("overlap 1").mean() < 0.95,
                    f"Cosine of the first {over('overlap 1').mean():.3f}, of the second "
                    f"{over('overlap 2').mean():.3f}",
                ),
                claim(
                    "l1 puts stronger emphasis on contours",
                    ratio.mean() - 1 > 2 * cell(ratio)["error"],
                    f"Contours of l1 over l2: {ratio.mean():.2f} ± {cell(ratio)['error']:.2f}",
                ),
            ],
        ),
        "A-figure-5": Result(
            protocol + " Errors of the images rebuilt from two components, in grey levels.",
            errors,
            [
                claim(
                    "The rebuilt images differ",
                    bool(np.all(over("l2 l1") > over("l2 l2"))),
                    "In every pair the Euclidean components are nearer in the root mean square, as "
                    "they must be",
                )
            ],
        ),
    }


if __name__ == "__main__":
    run(figures)
