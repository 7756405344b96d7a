"""Objectives of one's own: convexity, checks, copies, files, and the page about them."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import noneuclid
from noneuclid.kernels import Gaussian
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, Objective, objectives
from noneuclid.pca.objectives import make_objective

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "your_own_objective.py"
PAGE = ROOT / "docs" / "adding_an_objective.md"


def log_cosh(u):
    return np.logaddexp(u, -u) - np.log(2.0)


def outlying(n=80, d=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_t(2, size=(n, d)) * np.linspace(3, 1, d)


class PseudoHuber(Objective):
    def __init__(self, width=1.0):
        self.width = width

    convex = True

    def value(self, u):
        return self.width**2 * (np.sqrt(1 + (u / self.width) ** 2) - 1)

    def slope(self, u):
        return u / np.sqrt(1 + (u / self.width) ** 2)


def test_a_convex_one_is_climbed_as_the_named_one_is():
    X = outlying()
    named = GeneralizedPCA(objective="tanh").fit(X)
    ours = GeneralizedPCA(objective=Objective(log_cosh, np.tanh)).fit(X)
    np.testing.assert_allclose(ours.components_, named.components_, atol=1e-9)
    assert ours.n_iter_ == named.n_iter_
    searched = GeneralizedPCA(objective=Objective(log_cosh, np.tanh, convex=False)).fit(X)
    bare = GeneralizedPCA(objective=np.tanh).fit(X)
    assert searched.n_iter_ == bare.n_iter_ != named.n_iter_


@pytest.mark.parametrize(
    ("slope", "largest", "convex"),
    [
        (np.tanh, 10.0, True),
        (np.ones_like, 10.0, True),
        (np.square, 10.0, True),
        (lambda u: np.minimum(u, 1.0), 10.0, True),
        (lambda u: u / (1 + u**2), 10.0, False),
        (lambda u: u / (1 + u**2), 0.5, True),  # up to its peak at 1 it rises
        (lambda u: u - 1, 10.0, False),  # of |u|, a maximum at 0
        (lambda u: np.exp(-u), 10.0, False),
    ],
)
def test_convexity_is_seen_on_the_range_of_the_data(slope, largest, convex):
    made = Objective(slope=slope).resolve(largest)
    assert made.convex is convex
    assert Objective(slope=slope, convex=False).resolve(largest).convex is False
    if convex:
        assert Objective(slope=slope, convex=True).resolve(largest).convex is True
    else:
        with pytest.raises(ValueError, match=r"convex \(=True\)"):
            Objective(slope=slope, convex=True).resolve(largest)


def test_without_a_value_the_slope_is_integrated():
    made = Objective(slope=np.cos).resolve(3.0)
    u = np.linspace(0, 3, 50)
    np.testing.assert_allclose(made.value(u), np.sin(u), atol=1e-9)


@pytest.mark.parametrize(
    ("objective", "error", "sentence"),
    [
        (Objective(np.sin), TypeError, r"slope \(=None\) must be a function"),
        (Objective(np.sin, np.sin), ValueError, "not the derivative"),
        (Objective(slope=lambda u: 1.0), ValueError, "finite numbers f'"),
        (Objective(lambda u: np.full_like(u, np.nan), np.tanh), ValueError, r"numbers f\(u\)"),
        (Objective(slope=lambda u: 1 / np.where(u > 0, u, np.nan)), ValueError, "finite"),
    ],
)
def test_bad_functions(objective, error, sentence):
    for learner in (GeneralizedPCA, GeneralizedKernelPCA):
        with pytest.raises(error, match=sentence):
            learner(objective=objective).fit(outlying())


@pytest.mark.parametrize("learner", [GeneralizedPCA, GeneralizedKernelPCA])
def test_the_objective_is_a_parameter_that_clones_and_grid_searches(learner):
    model = learner(n_components=1, objective=PseudoHuber(0.5))
    again = clone(model)
    assert again.objective is not model.objective
    assert again.get_params()["objective__width"] == 0.5
    assert "PseudoHuber(width=0.5)" in repr(model)
    assert repr(Objective(slope=np.tanh)) == "Objective(slope=<ufunc 'tanh'>)"
    if learner is GeneralizedPCA:
        search = GridSearchCV(model, {"objective__width": [0.1, 10.0]}, cv=3).fit(outlying())
        assert search.best_params_["objective__width"] in (0.1, 10.0)


def test_wide_pseudo_huber_is_pca_and_narrow_is_l1():
    X = outlying()
    for width, name in ((1e4, "l2"), (1e-9, "l1")):
        ours = GeneralizedPCA(n_components=1, objective=PseudoHuber(width)).fit(X)
        named = GeneralizedPCA(n_components=1, objective=name).fit(X)
        overlap = abs(float(ours.components_[0] @ named.components_[0]))
        assert overlap == pytest.approx(1.0, abs=1e-6)


def test_it_is_saved_with_the_model(tmp_path):
    X = outlying()
    model = GeneralizedPCA(objective=Objective(slope=np.tanh)).fit(X)
    noneuclid.save(model, tmp_path / "model")
    again = noneuclid.load(tmp_path / "model")
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    np.testing.assert_array_equal(again.fit(X).components_, model.components_)
    with pytest.raises(ValueError, match="lambda"):
        noneuclid.save(Objective(slope=lambda u: u), tmp_path / "other")


@pytest.mark.parametrize("width", [0.2, 1.0])  # nearly full rank: the matrix itself; low rank
def test_in_feature_space_it_is_the_named_one(width):
    X = np.random.default_rng(1).normal(size=(60, 3))
    kernel = Gaussian(width)
    named = GeneralizedKernelPCA(kernel=kernel, objective="tanh").fit(X)
    ours = GeneralizedKernelPCA(kernel=kernel, objective=Objective(log_cosh, np.tanh)).fit(X)
    np.testing.assert_allclose(ours.transform(X), named.transform(X), atol=1e-8)
    # Near the end a step gains no more than rounding, and the two slopes are rounded differently.
    assert ours.n_iter_ == pytest.approx(named.n_iter_, rel=0.1)


def test_all_names_are_listed_and_made():
    names = objectives()
    assert names == sorted(set(names))
    assert {"l1", "l2", "lp", "tanh", "skeleton", "gaussian", "cosine"} <= set(names)
    for name in names:
        made = make_objective(name, p=1.5, a=0.7, q=2.0)
        checked = Objective(made.value, made.slope).resolve(3.0)
        assert checked.convex or not made.convex, name
    with pytest.raises(ValueError, match=", ".join(f'"{name}"' for name in names[:3])):
        make_objective("square")


def test_the_page_includes_the_example_and_its_code_runs():
    text = PAGE.read_text(encoding="utf-8")
    included = re.findall(r"\{literalinclude\} (\S+)", text)
    assert [(PAGE.parent / path).resolve() for path in included] == [EXAMPLE.resolve()]
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    names = {}
    exec(blocks[0], names)
    X = outlying()
    theirs = GeneralizedPCA(objective=names["PseudoHuber"](2.0)).fit(X)
    ours = GeneralizedPCA(objective=PseudoHuber(2.0)).fit(X)
    np.testing.assert_array_equal(theirs.components_, ours.components_)
    source = (ROOT / "src" / "noneuclid" / "pca" / "objectives.py").read_text(encoding="utf-8")
    assert "_NAMED: dict[str, Objective] = {" in source


def test_the_example_takes_five_lines_and_does_what_it_says(capsys):
    source = EXAMPLE.read_text(encoding="utf-8")
    body = source[source.index("def value") : source.index("\n\n\nif __name__")]
    assert len([line for line in body.splitlines() if line.strip()]) == 5
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    angles = [int(word) for word in re.findall(r": (\d+) degrees", capsys.readouterr().out)]
    assert angles[0] > 45 > 20 > angles[1]
