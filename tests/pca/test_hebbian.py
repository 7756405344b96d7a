"""HebbianPCA: the known facts, the Hilbert cases against exact solutions, and bad input."""

import warnings

import numpy as np
import pytest
from scipy import linalg
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid.kernels import Gaussian
from noneuclid.pca import HebbianPCA
from noneuclid.spaces import (
    Euclidean,
    GeneralizedLp,
    Hilbert,
    IncompatibleSpace,
    KernelMetric,
    LinearSpace,
    Lp,
    PseudoEuclidean,
    Sobolev,
)
from noneuclid.testing import example_spaces

BANACH = [Lp(1), Lp(1.5), Lp(3), Lp(np.inf), Sobolev(p=1, spacing="unit"), Sobolev(p=3)]


def ellipse(r1: float, r2: float, n: int = 720) -> np.ndarray:
    angle = 2 * np.pi * (np.arange(n) + 0.5) / n
    return np.column_stack([r1 * np.cos(angle), r2 * np.sin(angle)])


def first_angle(X: np.ndarray, **params: object) -> float:
    w = HebbianPCA(n_components=1, random_state=0, **params).fit(X).components_[0]
    return float(np.degrees(np.arctan2(abs(w[1]), abs(w[0]))))


def angles(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(A, axis=1) * np.linalg.norm(B, axis=1)
    cosine = np.abs(np.einsum("ij,ij->i", A, B)) / norms
    return np.degrees(np.arccos(np.minimum(cosine, 1.0)))


def correlated(n: int = 300, d: int = 8, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * np.linspace(3, 1, d) @ rng.normal(size=(d, d)) + 5.0


class TestFacts:
    def test_circle_l1_is_diagonal(self):
        assert first_angle(ellipse(1, 1), space="l1") == pytest.approx(45, abs=0.1)

    @pytest.mark.parametrize("space", ["l3", "linf"])
    def test_circle_above_two_is_an_axis(self, space):
        assert first_angle(ellipse(1, 1), space=space) % 90 == pytest.approx(0, abs=0.1)

    @pytest.mark.parametrize("r2", [1.2, np.sqrt(2), 2.0])
    def test_ellipse_l1(self, r2):
        expected = np.degrees(np.arctan(r2**2))
        assert first_angle(ellipse(1, r2), space="l1") == pytest.approx(expected, abs=0.1)

    def test_ellipse_l1_online(self):
        angle = first_angle(ellipse(1, 1.2), space="l1", solver="online")
        assert angle == pytest.approx(55.22, abs=1.0)

    @pytest.mark.parametrize("space", BANACH, ids=str)
    @pytest.mark.parametrize("deflation", ["sanger", "residual"])
    def test_norm_one(self, space, deflation):
        model = HebbianPCA(n_components=2, space=space, deflation=deflation, random_state=0)
        with warnings.catch_warnings():  # in l_inf Sanger's second component collapses
            warnings.filterwarnings("ignore", category=ConvergenceWarning)
            model.fit(correlated())
        np.testing.assert_allclose(space.norm(model.components_), 1.0, atol=1e-8)

    @pytest.mark.parametrize("space", BANACH, ids=str)
    def test_first_component_is_a_fixed_point(self, space):
        X = correlated()
        model = HebbianPCA(n_components=1, space=space, random_state=0).fit(X)
        V = X - model.mean_
        out = space.product(V, model.components_)[:, 0]
        expected = (out @ V) / (out @ out)
        np.testing.assert_allclose(model.components_[0], expected, atol=1e-7)

    @pytest.mark.parametrize("space", [Lp(1.5), Lp(3), Sobolev(p=1.5)], ids=str)
    def test_sanger_fixed_point(self, space):
        """[w₂, w₁] = 0, and ‖w₂‖² = 1 − λ₁[w₁, w₂]²/λ₂ at the rule's own length."""
        X = correlated(seed=3)
        model = HebbianPCA(space=space, deflation="sanger", random_state=0).fit(X)
        w1, w2 = model.components_
        assert abs(space.product([w2], [w1])[0, 0]) < 1e-8
        V = X - model.mean_
        own1 = space.product(V, [w1])[:, 0]
        direction2 = space.product(V, [w2])[:, 0]
        drive = (direction2 @ V - (direction2 @ own1) * w1) / len(V)
        squared_length = space.norm([drive])[0] / np.mean(direction2**2)
        long2 = np.sqrt(squared_length) * w2
        out2 = space.product(V, [long2])[:, 0]
        update = out2 @ V - (out2 @ own1) * w1 - (out2 @ out2) * long2
        assert np.abs(update).max() < 1e-6 * np.abs(out2 @ V).max()

    @pytest.mark.parametrize("space", [Lp(1), Lp(1.5), Sobolev(p=1)], ids=str)
    def test_residual_deflation_is_oja_on_the_residual(self, space):
        X = correlated(seed=1)
        starts = {"space": space, "n_init": 100}  # enough to find the best of many fixed points
        both = HebbianPCA(n_components=2, random_state=0, **starts).fit(X)
        first = HebbianPCA(n_components=1, random_state=0, **starts).fit(X)
        rest = X - first.inverse_transform(first.transform(X))
        second = HebbianPCA(n_components=1, random_state=1, **starts).fit(rest)
        np.testing.assert_allclose(both.components_[1], second.components_[0], atol=1e-7)
        np.testing.assert_allclose(both.transform(X)[:, 1:], second.transform(rest), atol=1e-6)

    def test_all_residual_components_reconstruct(self):
        X = correlated(d=5)
        model = HebbianPCA(n_components=5, space="l1", random_state=0).fit(X)
        np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-9)
        assert model.score(X) == pytest.approx(1.0)

    def test_variance_is_the_mean_squared_response(self):
        X = correlated()
        for deflation in ("sanger", "residual"):
            model = HebbianPCA(space=Lp(1.5), deflation=deflation, random_state=0).fit(X)
            responses = model.transform(X)
            np.testing.assert_allclose(model.explained_variance_, (responses**2).mean(axis=0))


class TestHilbert:
    @pytest.mark.parametrize("data", [load_iris, load_wine, load_breast_cancer])
    @pytest.mark.parametrize("solver", ["auto", "batch"])
    def test_equals_pca(self, data, solver):
        X = StandardScaler().fit_transform(data().data)
        ours = HebbianPCA(n_components=3, solver=solver, random_state=0).fit(X)
        pca = PCA(n_components=3).fit(X)
        signs = np.sign(np.einsum("ij,ij->i", ours.components_, pca.components_))[:, None]
        np.testing.assert_allclose(ours.components_, signs * pca.components_, atol=1e-6)
        np.testing.assert_allclose(ours.transform(X), pca.transform(X) * signs.T, atol=1e-5)
        expected = pca.explained_variance_ratio_
        np.testing.assert_allclose(ours.explained_variance_ratio_, expected, atol=1e-8)

    def test_wide_data(self):
        X = np.random.default_rng(0).normal(size=(20, 70))
        ours, pca = HebbianPCA(n_components=4).fit(X), PCA(n_components=4).fit(X)
        assert angles(ours.components_, pca.components_).max() < 1e-5

    @pytest.mark.parametrize(
        "space", [Sobolev(p=2, weights=(1, 0.5)), Hilbert(np.diag([1.0, 2, 3, 4, 5, 6, 7, 8]))]
    )
    @pytest.mark.parametrize("solver", ["eigen", "batch"])
    def test_equals_generalised_eigenproblem(self, space, solver):
        """C G w = λ w with w'Gw = 1, solved as G C G w = λ G w."""
        X = correlated()
        G = space.dual(np.eye(8))
        C = np.cov(X.T, bias=True)
        values, vectors = linalg.eigh(G @ C @ G, G)
        model = HebbianPCA(n_components=3, space=space, solver=solver, random_state=0).fit(X)
        np.testing.assert_allclose(model.explained_variance_, values[::-1][:3], rtol=1e-6)
        expected = vectors[:, ::-1].T[:3]
        signs = np.sign(np.einsum("ij,ij->i", model.components_, expected))
        np.testing.assert_allclose(model.components_, signs[:, None] * expected, atol=1e-6)

    @pytest.mark.parametrize("scale", [False, True])
    @pytest.mark.parametrize("data", [load_iris, load_wine])
    def test_online_converges_without_tuning(self, data, scale):
        X = data().data
        X = StandardScaler().fit_transform(X) if scale else X
        exact = HebbianPCA().fit(X)
        online = HebbianPCA(solver="online", random_state=0).fit(X)
        assert angles(online.components_, exact.components_).max() < 1.0
        shares = online.explained_variance_ratio_
        np.testing.assert_allclose(shares, exact.explained_variance_ratio_, rtol=0.02)

    def test_online_sobolev(self):
        space = Sobolev(p=2, spacing="unit")
        t = np.linspace(0, 1, 30)
        rng = np.random.default_rng(0)
        X = rng.normal(size=(200, 2)) * [2, 1] @ np.array([np.sin(3 * t), np.cos(9 * t)])
        exact = HebbianPCA(space=space).fit(X)
        online = HebbianPCA(space=space, solver="online", random_state=0).fit(X)
        flat = space.flatten
        assert angles(flat(online.components_), flat(exact.components_)).max() < 1.0

    def test_subspace_rule_spans_the_same(self):
        X = StandardScaler().fit_transform(load_wine().data)
        exact = HebbianPCA().fit(X).components_
        for solver in ("batch", "online"):
            model = HebbianPCA(rule="subspace", solver=solver, random_state=0).fit(X)
            angle = np.degrees(linalg.subspace_angles(exact.T, model.components_.T))
            assert angle.max() < 1.0, solver

    def test_large_mean(self):
        X = load_iris().data
        shifted = HebbianPCA(n_components=3).fit(X + 1e6)
        centred = HebbianPCA(n_components=3).fit(X)
        np.testing.assert_allclose(shifted.components_, centred.components_, atol=1e-6)


class TestOnline:
    @pytest.mark.parametrize("space", [Lp(1), Lp(1.5), Lp(3), Lp(2.5), Lp(np.inf)], ids=str)
    def test_l1_scale_does_not_matter(self, space):
        X = correlated()
        model = HebbianPCA(n_components=1, space=space, solver="online", random_state=0)
        small, large = model.fit(X).components_, model.fit(1e4 * X).components_
        np.testing.assert_allclose(small, large, atol=1e-6)

    def test_partial_fit_learns(self):
        X = load_iris().data
        exact = HebbianPCA().fit(X).components_
        model = HebbianPCA(random_state=0)
        rng = np.random.default_rng(0)
        for _ in range(60):
            for batch in np.array_split(X[rng.permutation(len(X))], 10):
                model.partial_fit(batch)
        np.testing.assert_allclose(model.mean_, X.mean(axis=0))
        assert angles(model.components_, exact).max() < 2.0

    def test_one_literal_step(self):
        """A number as learning rate is ε of the rule itself."""
        X = correlated(n=40)
        model = HebbianPCA(learning_rate=1e-4, space="l1", deflation="sanger", random_state=0)
        model.partial_fit(X[:20])
        W, mean = model._state.W.copy(), model._state.mean
        x = X[20]
        mean = mean + (x - mean) / 21
        model.partial_fit(x[None, :])
        out = Lp(1).product([x - mean], W)[0]
        expected = [
            W[i] + 1e-4 * out[i] * (x - mean - sum(out[j] * W[j] for j in range(i + 1)))
            for i in range(2)
        ]
        np.testing.assert_allclose(model._state.W, expected, atol=1e-12)

    def test_too_large_a_rate_is_refused(self):
        with (
            pytest.raises(ValueError, match="too large"),
            np.errstate(over="ignore", invalid="ignore"),
        ):
            HebbianPCA(solver="online", learning_rate=1e3, random_state=0).fit(correlated())

    def test_warns_what_to_change(self):
        model = HebbianPCA(solver="online", max_iter=2, tol=1e-9, random_state=0)
        with pytest.warns(ConvergenceWarning, match="raise max_iter"):
            model.fit(correlated())


class TestKernelRule:
    def test_wide_gaussian_is_pca(self):
        """At a large width the centred response is linear, and |w| is the width."""
        X = load_iris().data
        space = KernelMetric(Gaussian(width=50.0))
        model = HebbianPCA(n_components=1, space=space).fit(X)
        assert angles(model.components_, PCA(n_components=1).fit(X).components_).max() < 1.0
        assert np.linalg.norm(model.components_) == pytest.approx(50.0, rel=0.05)

    def test_responses_are_centred(self):
        X = load_iris().data
        model = HebbianPCA(space=KernelMetric(Gaussian(width="scale"))).fit(X)
        np.testing.assert_allclose(model.transform(X).mean(axis=0), 0, atol=1e-12)
        assert np.isfinite(model.components_).all()

    def test_online_is_refused(self):
        with pytest.raises(IncompatibleSpace, match="online"):
            HebbianPCA(space=KernelMetric(Gaussian()), solver="online").fit(load_iris().data)


class TestEverySpace:
    @pytest.mark.parametrize("space", example_spaces(), ids=str)
    def test_fits_or_refuses(self, space):
        X = np.random.default_rng(0).normal(size=(40, space.n_features or 6))
        model = HebbianPCA(space=space, max_iter=500, tol=1e-5, random_state=0)
        if isinstance(space, LinearSpace) and not hasattr(space, "norm"):
            with pytest.raises(IncompatibleSpace, match="norm"):
                model.fit(X)
            return
        with warnings.catch_warnings():
            if "triangle" not in space.laws:  # no norm: the iteration need not come to rest
                warnings.filterwarnings("ignore", category=ConvergenceWarning)
            model.fit(X)
        assert np.isfinite(model.transform(X)).all()
        if isinstance(space, LinearSpace):
            np.testing.assert_allclose(space.norm(model.components_), 1.0, atol=1e-8)

    def test_generalised_lp_has_the_components_of_lp(self):
        X = correlated()
        ours = HebbianPCA(n_components=1, space=GeneralizedLp(3), random_state=0).fit(X)
        lp = HebbianPCA(n_components=1, space=Lp(3), random_state=0).fit(X)
        np.testing.assert_allclose(ours.components_, lp.components_, atol=1e-8)

    def test_pseudo_euclidean_is_refused(self):
        with pytest.raises(IncompatibleSpace, match="`norm`"):
            HebbianPCA(space=PseudoEuclidean(signature=(2, 2))).fit(load_iris().data)

    def test_eigen_needs_hilbert(self):
        with pytest.raises(IncompatibleSpace, match="Hilbert"):
            HebbianPCA(space="l1", solver="eigen").fit(load_iris().data)


class TestEcosystem:
    def test_grid_search_over_the_space(self):
        X, exponents = load_iris().data, [1, 1.5, 2]
        search = GridSearchCV(
            HebbianPCA(space=Lp(), random_state=0), {"space__p": exponents}, cv=3
        ).fit(X)
        direct = [
            cross_val_score(HebbianPCA(space=Lp(p), random_state=0), X, cv=3).mean()
            for p in exponents
        ]
        np.testing.assert_allclose(search.cv_results_["mean_test_score"], direct)
        assert search.best_params_["space__p"] == exponents[int(np.argmax(direct))]
        assert len(set(direct)) == 3  # so that the best is one of its own

    def test_frames_in_and_out(self):
        frame = load_iris(as_frame=True).data
        steps = make_pipeline(StandardScaler(), HebbianPCA(space="l1", random_state=0))
        scores = steps.set_output(transform="pandas").fit_transform(frame)
        assert list(scores.columns) == ["hebbianpca0", "hebbianpca1"]
        assert (scores.index == frame.index).all()


class TestBadInput:
    @pytest.mark.parametrize("space", ["l2", "l1"])
    @pytest.mark.parametrize("solver", ["auto", "batch", "online"])
    def test_constant_data_has_no_variance(self, space, solver):
        model = HebbianPCA(space=space, solver=solver, random_state=0).fit(np.ones((10, 3)))
        assert (model.explained_variance_ == 0).all()
        assert np.isfinite(model.transform(np.eye(3))).all()

    @pytest.mark.parametrize("value", [0.1, 1 / 3, 1e5 / 7])
    @pytest.mark.parametrize("n", [3, 10, 49, 1000])
    def test_a_constant_column_has_its_value_as_mean_exactly(self, value, n):
        X = np.column_stack([np.full(n, value), np.arange(n)])
        model = HebbianPCA(n_components=1).fit(X)
        assert model.mean_[0] == value
        assert model.mean_[1] == pytest.approx((n - 1) / 2)
        np.testing.assert_allclose(model.components_, [[0.0, 1.0]], atol=1e-9)

    @pytest.mark.parametrize("space", ["l2", "l1", "l1.5"])
    def test_rank_deficient_data(self, space):
        X = np.outer(np.arange(10.0), [1.0, 2.0, 0.0])
        X = np.vstack([X, X])
        model = HebbianPCA(n_components=3, space=space, random_state=0).fit(X)
        np.testing.assert_allclose(model.explained_variance_[1:], 0, atol=1e-12)
        np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-9)

    def test_one_sample(self):
        with pytest.raises(ValueError, match="n_samples=1"):
            HebbianPCA(n_components=1).fit([[1.0, 2.0]])

    @pytest.mark.parametrize(
        ("params", "sentence"),
        [
            ({"n_components": 5}, "must be at most"),
            ({"n_components": 0}, "an integer, at least 1"),
            ({"space": "l0.5"}, "at least 1"),
            ({"rule": "hebb"}, "must be one of"),
            ({"solver": "svd"}, "must be one of"),
            ({"solver": "online", "learning_rate": -1.0}, "positive number"),
            ({"solver": "online", "max_iter": 0}, "an integer, at least 1"),
            ({"space": Hilbert(np.eye(7))}, "takes 7"),
        ],
    )
    def test_parameters(self, params, sentence):
        with pytest.raises(ValueError, match=sentence):
            HebbianPCA(**params).fit(load_iris().data)

    def test_wrong_width_of_scores(self):
        with pytest.raises(ValueError, match="2 components"):
            HebbianPCA().fit(load_iris().data).inverse_transform(np.ones((3, 5)))

    def test_euclidean_is_l2(self):
        X = load_iris().data
        by_name = HebbianPCA(space="l2").fit(X)
        np.testing.assert_array_equal(
            by_name.components_, HebbianPCA(space=Euclidean()).fit(X).components_
        )
