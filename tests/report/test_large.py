"""More objects than all pairs of them are looked at: all of them are learned from."""

import contextlib
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from small_analyses import DATA, QUICK

from noneuclid import save
from noneuclid.datasets import Dataset, make_families, make_spike_trains
from noneuclid.report import Table, analyze, fit_best, render
from noneuclid.report.baselines import neighbours_by
from noneuclid.report.prediction import SavedModel

FEW = replace(QUICK, max_objects=30)
MANY = DATA | {"spikes": lambda: make_spike_trains(40)}


def table(found, title):
    blocks = [block for section in found.sections for block in section.blocks]
    return next(b for b in blocks if isinstance(b, Table) and b.title == title)


def slow(kinds):
    return [pytest.param(kind, marks=pytest.mark.slow) for kind in kinds]


@pytest.mark.parametrize(
    "kind", ["vectors", "sequences", *slow(["curves", "similarity", "spikes"])]
)
def test_all_objects_are_learned_from_and_the_program_repeats_it(kind):
    data = replace(MANY[kind](), code="given") if kind == "sequences" else MANY[kind]()
    found = analyze(data, FEW)
    models = table(found, "All models")
    seen = {row[0]: int(row[models.columns.index("learned from")]) for row in models.rows}
    own = next(name for name, _ in found.results if "LVQ" in name)
    assert seen[own] == len(data) // 2  # of two folds
    assert seen["the largest class"] == len(data) // 2
    nearest = next(name for name in seen if "nearest" in name)
    assert seen[nearest] < min(48, len(data) // 2 + 1)
    assert (found.model.predict(data.X) == data.labels).mean() > 0.7
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(found.code, "report", "exec"), {"given": data})
    printed = re.search(r"accuracy (\S+ ± \S+ %)", output.getvalue())[1]
    assert printed == dict(found.results)[own].replace("\xa0", " ")
    assert len(render(found)) > 1000


@pytest.mark.parametrize(
    "kind", ["similarity", "vectors", *slow(["curves", "sequences", "spikes"])]
)
def test_every_object_has_a_group(kind):
    data = replace(DATA[kind](), labels=None)
    found = analyze(data, replace(FEW, max_objects=24))
    rows = table(found, "Who is in which group").rows
    assert sum(int(row[1]) for row in rows) == len(data)
    exec(compile(found.code, "report", "exec"), {})


def test_groups_of_those_outside_of_the_sample_are_those_of_their_kind():
    X, y = make_blobs(200, centers=[[0, 0], [9, 9], [0, 18]], random_state=0)
    data = Dataset("vectors", X, names=[f"{c}-{i}" for i, c in enumerate(y)])
    found = analyze(data, replace(FEW, max_objects=40))
    rows = table(found, "Who is in which group").rows
    assert len(rows) == 3
    for row in rows:
        assert len({name.split("-")[0] for name in row[2].split(" and ")[0].split(", ")}) == 1


def test_the_number_of_groups_can_be_asked_for():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 9]], random_state=0)
    found = analyze(Dataset("vectors", X), replace(QUICK, n_groups=4))
    assert dict(found.results)["groups"] == "4"
    assert "4 were asked for" in repr(found.sections)


def test_models_of_many_objects_are_fitted_and_saved(tmp_path):
    data = make_families(20, n_families=3)
    model, _, accuracy = fit_best(data, FEW)
    assert model.n_landmarks == 15
    assert accuracy > 0.6
    save(model, tmp_path / "m.skops")
    again = SavedModel(tmp_path / "m.skops")
    answers = again.answers(data.names, data.X)
    assert answers["class"].tolist() == model.predict(data.X).tolist()
    assert {"certainty", "likely"} <= set(answers)


def test_neighbours_of_words_are_the_nearest_by_the_metric():
    words, y = ["aaaa", "aaab", "bbbb", "bbba"], np.array([0, 0, 1, 1])
    found = neighbours_by("levenshtein").set_params(knn__n_neighbors=1).fit(words, y)
    assert found.predict(["aaba", "bbab", "bbbb"]).tolist() == [0, 1, 1]
