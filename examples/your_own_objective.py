"""An objective of your own for generalised principal components.

f(u) = √(1 + u²) − 1 grows like the square near zero and like the modulus far away, without a kink.
"""

import numpy as np

from noneuclid.pca import GeneralizedPCA, Objective


def value(u):
    return np.sqrt(1 + u**2) - 1


def slope(u):
    return u / np.sqrt(1 + u**2)


pseudo_huber = Objective(value, slope)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    line = np.outer(rng.normal(size=100), [3.0, 1.0])
    outliers = np.outer(rng.normal(size=5), [-7.0, 20.0])
    X = np.vstack([line, outliers])
    for name, objective in (("PCA", "l2"), ("pseudo-Huber", pseudo_huber)):
        w = GeneralizedPCA(n_components=1, objective=objective).fit(X).components_[0]
        angle = np.degrees(np.arccos(abs(w @ [3.0, 1.0]) / np.sqrt(10)))
        print(f"{name}: {angle:.0f} degrees from the line of most points")
