"""Eigenvalues of a landmark block that do harm are found by objects beyond the landmarks."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noneuclid.kernels import Gaussian, Kernel, Polynomial
from noneuclid.prototypes import ProximityLVQ, RelationalGLVQ, RelationalRSLVQ
from noneuclid.proximities import NystroemEmbedding, Relation
from noneuclid.proximities._noise import noise_share, others
from noneuclid.proximities._sources import Source
from noneuclid.testing import example_kernels, example_points

RNG = np.random.default_rng(0)


def strings(n, seed=0, length=30):
    """Noisy copies of three words per class, four classes; no two are equal."""
    rng = np.random.default_rng(seed)
    words = rng.integers(4, size=(4, 3, length))
    y = rng.integers(4, size=n)
    made = words[y, rng.integers(3, size=n)]
    changed = np.where(rng.random(made.shape) < 0.35, rng.integers(4, size=made.shape), made)
    kept = rng.random(made.shape) >= 0.1
    return ["".join("ACGT"[k] for k in row[keep]) for row, keep in zip(changed, kept)], y


def split(P, m):
    return P[:m, :m], P[m:, :m], P[m:, m:]


def test_nothing_positive_or_of_low_rank_is_dropped():
    X = RNG.normal(size=(80, 60))
    gaussian = np.exp(-cdist(X, X, "sqeuclidean") / 20)
    low = X[:, :6] * [1, 1, 1, -1, -1, -1] @ X[:, :6].T
    for m in (15, 30, 50):
        assert noise_share(*split(gaussian, m), "similarity") == 0
        assert noise_share(*split(low, m), "similarity") == 0
        assert noise_share(*split(cdist(X, X, "sqeuclidean"), m), "dissimilarity") == 0
        assert noise_share(*split(cdist(X, X, "cityblock"), m), "dissimilarity") == 0


@pytest.mark.parametrize("seed", range(5))
def test_what_is_dropped_makes_proximities_between_others_wrong(seed):
    """As many eigenvalues as are good for others, up to a tenth more error, found by trying all."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(60, 60))
    S = A + A.T + 40 * np.eye(60)[:, :3] @ np.eye(3, 60) + 12 * np.eye(60)
    inner, rows, truth = split(S, 30)
    values, vectors = np.linalg.eigh(inner)
    moduli = np.sort(np.abs(values))
    cuts = [0.0, *np.sqrt(moduli[1:] * moduli[:-1])]
    errors = []
    for cut in cuts:
        keep = np.abs(values) > cut
        K = rows @ (vectors[:, keep] / values[keep]) @ vectors[:, keep].T @ rows.T
        errors.append(((truth - K) ** 2).sum())
    expected = next(cut for cut, e in zip(cuts, errors) if e <= 1.1 * min(errors))
    found = noise_share(inner, rows, truth, "similarity") * moduli[-1]
    np.testing.assert_allclose(found, expected)


def test_others_are_no_landmarks():
    landmarks = np.arange(0, 300, 6)
    some = others(300, landmarks, len(landmarks))
    assert len(some) == 100
    assert not set(some) & set(landmarks)
    assert len(others(300, np.arange(10), 10)) == 20
    assert len(others(300, np.arange(295), 295)) == 0
    assert len(others(0, np.arange(0), 5)) == 0


def test_a_cutoff_that_is_given_is_taken():
    X, _ = strings(200)
    plain = NystroemEmbedding(
        n_landmarks=50, proximity="dissimilarity", metric="levenshtein", random_state=0
    )
    everything = NystroemEmbedding(**{**plain.get_params(), "cutoff": 1e-10})
    assert plain.fit_transform(X).shape[1] < everything.fit_transform(X).shape[1] == 49
    # and the approximation is better for it
    D = Relation("levenshtein", proximity="dissimilarity").fit(X).matrix
    errors = []
    for model in (plain, everything):
        Z = model.transform(X)
        product = model.space_.product(Z, Z)
        square = np.diag(product)
        errors.append(((square[:, None] + square - 2 * product - D) ** 2).mean())
    assert errors[0] < errors[1]


@pytest.mark.parametrize(
    "model",
    [
        RelationalGLVQ(metric="levenshtein"),
        RelationalRSLVQ(metric="levenshtein"),
        ProximityLVQ(metric="levenshtein", proximity="dissimilarity"),
    ],
)
def test_strings_of_growing_number_are_learned_steadily(model):
    """It was between 43 and 94 %, as the least eigenvalue of a landmark block happened to be."""
    X, y = strings(2000)
    scores = []
    for n in (300, 600, 1000):
        model.set_params(n_landmarks=50, n_prototypes=3, random_state=n).fit(X[:n], y[:n])
        scores.append(model.score(X[1000:], y[1000:]))
    assert min(scores) > 0.88
    assert np.ptp(scores) < 0.06


def positive_kernels():
    """Every discovered kernel of rows that claims to be positive, wide ones included."""
    found = [k for k in example_kernels() if k.is_symmetric and "positivity" in k.laws]
    return [*found, Gaussian(10.0), Gaussian(100.0), Polynomial(degree=2, coef0=1.0)]


@pytest.mark.parametrize("kernel", positive_kernels(), ids=str)
def test_positive_kernels_lose_nothing_by_not_being_looked_at(kernel):
    """Their landmark features are those of their matrix, for which the eigenvalues are judged."""
    X = example_points(kernel, np.random.default_rng(1), 90)
    K = kernel.resolve(X)(X)
    for m in (8, 40):
        assert noise_share(*split(K, m), "similarity") == 0
    landmarks = np.arange(0, 80, 2)
    options = {"n_landmarks": 40, "landmarks": landmarks, "proximity": "similarity"}
    mine = NystroemEmbedding(metric=kernel, **options).fit(X)
    judged = NystroemEmbedding(metric="precomputed", **options).fit(K)
    assert mine.signature_ == judged.signature_


class Claiming(Kernel):
    """Similarities of indices, which are not positive although nothing else is said."""

    def __init__(self, S=None):
        self.S = S

    def __call__(self, X, Y=None):
        i, j = (np.asarray(A)[:, 0].astype(int) for A in (X, X if Y is None else Y))
        return self.S[np.ix_(i, j)]

    def diag(self, X):
        return np.diag(self.S)[np.asarray(X)[:, 0].astype(int)]


class Near(Kernel):
    """A Gaussian of the largest difference: not positive beyond the plane, though it says so."""

    def _evaluate(self, X, Y):
        return np.exp(-0.3 * np.abs(X[:, None] - Y[None]).max(axis=-1) ** 2)

    def diag(self, X):
        return np.ones(len(X))


@pytest.mark.parametrize("seed", range(5))
def test_a_wrong_claim_that_the_landmarks_bear_out_is_found_out_by_the_others(seed):
    X = np.random.default_rng(0).normal(size=(400, 6))
    options = {"n_landmarks": 10, "proximity": "similarity", "random_state": seed}
    claimed = NystroemEmbedding(metric=Near(), **options).fit(X)
    judged = NystroemEmbedding(metric="precomputed", **options).fit(Near()(X))
    assert claimed.signature_ == judged.signature_
    np.testing.assert_allclose(claimed.transform(X[:9]), judged.transform(Near()(X)[:9]))


def test_claims_that_are_borne_out_compare_no_others(monkeypatch):
    asked = []
    monkeypatch.setattr(Source, "within", lambda self: asked.append(self.n))
    X = np.random.default_rng(0).normal(size=(300, 3))
    for kernel in positive_kernels():
        if kernel.takes_objects:
            continue
        rows = example_points(kernel, np.random.default_rng(1), 90)
        NystroemEmbedding(metric=kernel, n_landmarks=20, random_state=0).fit(rows)
    NystroemEmbedding(metric=Gaussian(1.0), n_landmarks=20, random_state=0).fit(X)
    assert not asked


def test_a_claim_of_positivity_that_is_wrong_is_noticed():
    A = np.random.default_rng(0).normal(size=(60, 60))
    S = A + A.T + 40 * np.eye(60)[:, :3] @ np.eye(3, 60) + 12 * np.eye(60)
    options = {"n_landmarks": 30, "landmarks": np.arange(30), "proximity": "similarity"}
    claimed = NystroemEmbedding(metric=Claiming(S), **options).fit(np.arange(60.0)[:, None])
    judged = NystroemEmbedding(metric="precomputed", **options).fit(S)
    everything = NystroemEmbedding(metric="precomputed", cutoff=1e-10, **options).fit(S)
    assert claimed.signature_ == judged.signature_
    assert sum(judged.signature_[:2]) < sum(everything.signature_[:2])
