"""Random data whose right answer is known."""

from typing import Annotated

import numpy as np
from sklearn.utils import check_random_state

from noneuclid._checks import is_count, is_number
from noneuclid._parameters import ClosedShare, Count, Rule, Seed, Whole, checked, is_pair
from noneuclid.datasets.dataset import Dataset
from noneuclid.spikes import jittered_templates
from noneuclid.typing import Array

_FAMILIES = ("alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel")
_LETTERS = np.array(list("ACGT"))


@checked
def make_families(
    n_each: Count = 40,
    *,
    n_families: Count = 4,
    length: Count = 30,
    mutation: ClosedShare = 0.3,
    gaps: Annotated[
        float, Rule("a number from 0 to 0.5", lambda v: is_number(v) and 0 <= v <= 0.5)
    ] = 0.15,
    random_state: Seed = 0,
) -> Dataset:
    """Sequences that descend from a few ancestors: letters are replaced, dropped or doubled.

    The class of a sequence is its ancestor. The edit distance between relatives is smaller than
    between strangers, and edit distances are not Euclidean.

    Parameters
    ----------
    n_each : int, default=40
        Sequences per family.
    n_families : int, default=4
        Up to 8.
    length : int, default=30
        Letters of an ancestor.
    mutation, gaps : float
        Probability that a letter is replaced by a random one, and that it is dropped (or doubled).
    random_state : int, RandomState or None, default=0

    Returns
    -------
    Dataset
        Objects with labels and names, as a file would give them.

    Examples
    --------
    >>> data = make_families(3, n_families=2)
    >>> data.names[0], data.classes
    ('alder-01', {'alder': 3, 'birch': 3})
    """
    if not 2 <= n_families <= len(_FAMILIES):
        raise ValueError(f"n_families (={n_families}) must be from 2 to {len(_FAMILIES)}")
    rng = check_random_state(random_state)
    ancestors = rng.choice(_LETTERS, size=(n_families, length))
    labels = np.repeat(np.array(_FAMILIES[:n_families]), n_each)
    sequences = []
    for k in np.repeat(np.arange(n_families), n_each):
        copies = rng.choice([0, 1, 2], p=[gaps, 1 - 2 * gaps, gaps], size=length)
        random = rng.choice(_LETTERS, size=length)
        letters = np.where(rng.uniform(size=length) < mutation, random, ancestors[k])
        sequences.append("".join(np.repeat(letters, copies)) or "A")
    names = [f"{label}-{i % n_each + 1:02d}" for i, label in enumerate(labels)]
    code = f"make_families({n_each}, n_families={n_families}, length={length}, mutation={mutation}"
    code += f", gaps={gaps}, random_state={random_state!r})"
    return Dataset("sequences", sequences, labels, names, source="families", code=code)


@checked
def make_spectra(n: Count = 150, *, n_points: Count = 100, random_state: Seed = 0) -> Dataset:
    """Curves like spectra: a large smooth background, and a small line whose place is the class.

    The Euclidean distance sees the background; a Sobolev distance sees the line.

    Parameters
    ----------
    n : int, default=150
        In equal shares of three classes.
    n_points : int, default=100
        Positions, from 800 to 1000 nm.
    random_state : int, RandomState or None, default=0

    Returns
    -------
    Dataset
        Objects with labels and names, as a file would give them.

    Examples
    --------
    >>> data = make_spectra(30)
    >>> data.X.shape, list(data.classes)
    ((30, 100), ['at 880 nm', 'at 890 nm', 'at 900 nm'])
    """
    rng = check_random_state(random_state)
    t, y = np.linspace(0, 1, n_points), np.arange(n) % 3
    shapes = np.array([np.ones(n_points), 3 * t, 5 * (t - 0.5) ** 2])
    background = rng.normal(size=(n, 3)) @ shapes
    place = np.array([0.4, 0.45, 0.5])[y] + 0.01 * rng.normal(size=n)
    line = 0.5 * np.exp(-(((t - place[:, None]) / 0.03) ** 2))
    X = background + line + 0.01 * rng.normal(size=(n, n_points))
    labels = np.array([f"at {place} nm" for place in (880, 890, 900)])[y]
    code = f"make_spectra({n}, n_points={n_points}, random_state={random_state!r})"
    return Dataset("curves", X, labels, grid=800 + 200 * t, source="spectra", code=code)


@checked
def make_contaminated(
    n: Count = 150, *, n_features: Count = 6, n_outliers: Whole = 4, random_state: Seed = 0
) -> Dataset:
    """Two classes that differ in the first two features, and a few rows that belong nowhere.

    All features but the last have a factor in common, which is the first robust component. The
    outliers are the last rows, far away in the last feature: classical components turn to them.

    Parameters
    ----------
    n : int, default=150
        Rows in all.
    n_features : int, default=6
        At least 3.
    n_outliers : int, default=4
    random_state : int, RandomState or None, default=0

    Returns
    -------
    Dataset
        Objects with labels and names, as a file would give them.

    Examples
    --------
    >>> data = make_contaminated(50, n_outliers=2)
    >>> data.names[-2:]
    ['outlier 1', 'outlier 2']
    """
    if n_features < 3:
        raise ValueError(f"n_features (={n_features}) must be at least 3")
    rng = check_random_state(random_state)
    y = np.arange(n) % 2
    common = rng.normal(size=n)
    X: Array = 0.5 * rng.normal(size=(n, n_features))
    X[:, :-1] += common[:, None]
    X[:, 0] += y
    X[:, 1] -= y
    X[:, -1] *= 2.0
    if n_outliers:
        sides = rng.choice([-1.0, 1.0], size=n_outliers)
        X[-n_outliers:, -1] += sides * rng.uniform(12.0, 20.0, size=n_outliers)
    names = [f"row {i + 1}" for i in range(n - n_outliers)]
    names += [f"outlier {i + 1}" for i in range(n_outliers)]
    features = [f"feature {j + 1}" for j in range(n_features)]
    code = f"make_contaminated({n}, n_features={n_features}, n_outliers={n_outliers}"
    code += f", random_state={random_state!r})"
    labels = np.array(["left", "right"])[y]
    return Dataset("vectors", X, labels, names, features, source="contaminated", code=code)


@checked
def make_spike_trains(n: Count = 60, *, random_state: Seed = 0) -> Dataset:
    """Noisy copies of two spike trains, see :func:`noneuclid.spikes.jittered_templates`.

    Parameters
    ----------
    n : int, default=60
    random_state : int, RandomState or None, default=0

    Returns
    -------
    Dataset
        Objects with labels and names, as a file would give them.

    Examples
    --------
    >>> make_spike_trains(6).classes
    {'first': 3, 'second': 3}
    """
    found = jittered_templates(n, random_state=random_state)
    labels = np.array(["first", "second"])[found.labels]
    code = f"make_spike_trains({n}, random_state={random_state!r})"
    return Dataset("spikes", found.trains, labels, source="spike trains", code=code)


_Signature = Annotated[
    tuple[int, int],
    Rule("(p, q) with 1 <= p and p + q <= n", lambda s: is_pair(s, lambda k: is_count(k, 0))),
]


@checked
def make_indefinite(
    n: Count = 120, *, signature: _Signature = (4, 2), random_state: Seed = 0
) -> Dataset:
    """Similarities with a known signature: products of points in a pseudo-Euclidean space.

    The first positive direction separates two classes.

    Parameters
    ----------
    n : int, default=120
    signature : (int, int), default=(4, 2)
        Numbers of positive and negative directions.
    random_state : int, RandomState or None, default=0

    Returns
    -------
    Dataset
        Objects with labels and names, as a file would give them.

    Examples
    --------
    >>> from noneuclid.proximities import signature
    >>> signature(make_indefinite(40, signature=(3, 1)).X)
    Signature(positive=3, negative=1, zero=36)
    """
    p, q = signature
    if p < 1 or q < 0 or n < p + q:
        raise ValueError(f"signature (={signature!r}) must be (p, q) with 1 <= p and p + q <= n")
    rng = check_random_state(random_state)
    Z = rng.normal(size=(n, p + q))
    y = np.arange(n) % 2
    Z[:, 0] += 5.0 * y - 2.5
    signs = np.repeat([1.0, -1.0], [p, q])
    S = (Z * signs) @ Z.T
    code = f"make_indefinite({n}, signature={tuple(signature)!r}, random_state={random_state!r})"
    labels = np.array(["a", "b"])[y]
    return Dataset("similarity", (S + S.T) / 2, labels, source="indefinite", code=code)
