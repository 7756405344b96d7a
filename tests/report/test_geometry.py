"""What is said of geometries agrees with the figure and the table beside it."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from noneuclid.datasets import make_spectra
from noneuclid.report.blocks import Figure, Table
from noneuclid.report.parts.base import Study
from noneuclid.report.parts.geometry import LEVEL, GeometryPart, best_rows
from noneuclid.search.candidates import Candidate
from noneuclid.search.differences import compared

STUDY = Study(make_spectra(20, n_points=10))
NAMES = ["Euclidean", "l1", "Sobolev", "Sobolev, two derivatives", "Lee–Verleysen"]


def outcome(seed):
    """A search whose scores are random: some geometries drop out, some differ, the winner may lose.

    Built by the function that makes the results of a search.
    """
    rng = np.random.default_rng(seed)
    names = NAMES[: rng.integers(1, 6)]
    learners = ["GLVQ", "GLVQ of 3 prototypes"][: rng.integers(1, 3)]
    k = int(rng.integers(2, 11))
    scores = {}
    for learner in learners:
        for name in names:
            values = np.clip(rng.normal(rng.uniform(0.4, 1), rng.choice([0, 0.02, 0.2]), k), 0, 1)
            values[rng.uniform(size=k) < rng.choice([0.0, 0.0, 0.5, 1.0])] = np.nan
            scores[Candidate(learner, name, None, None)] = values
    winner = list(scores)[int(rng.integers(len(scores)))]
    scores[winner] = np.nan_to_num(scores[winner], nan=0.5)
    results, splits = compared(winner, scores, 1 / k + 0.25)
    return SimpleNamespace(results_=results, split_scores_=splits), winner


@pytest.mark.parametrize("seed", range(60))
def test_the_sentence_agrees_with_figure_and_table(seed):
    search, winner = outcome(seed)
    part = GeometryPart(STUDY, search)
    figure, table = part.blocks()
    assert isinstance(figure, Figure)
    assert isinstance(table, Table)
    assert table.rows[0][0] == winner.geometry
    assert f"best in the {winner.geometry} geometry" in part.sentence
    assert figure.reading.startswith(f"Chosen: {winner.geometry}. ")
    said, _, behind = part.sentence.partition(" Left behind in the races: ")
    _, _, rest = said.partition(" Not clearly: ")
    for name, _, score, _, gap, p in table.rows[1:]:
        told = re.search(rf"[ (]{re.escape(name)} \(([+−][\d.]+) points\)", said)
        assert (score == "left behind") == (name in behind.rstrip(".").split("; "))
        assert (score != "left behind") == (f"{name} {score}" in figure.reading)
        if told is None:
            assert gap == "–" or p == "–" or "did better on the test sets" in said
            continue
        assert gap.split(" ±")[0] == told[1]  # the same difference
        certain = float(p) < LEVEL
        if "did better" in said:
            assert certain
            assert told[1].startswith("+")
        elif "no other one is clearly worse" in said or told[0] in rest or told[0][1:] in rest:
            assert not certain
        else:
            assert certain
            assert told[1].startswith("−")
    means = [float(m) for m in re.findall(r"([\d.]+)\xa0%", figure.reading)]
    assert means == sorted(means, reverse=True)


def test_every_geometry_is_shown_once_under_its_best_learner():
    for seed in range(20):
        search, _ = outcome(seed)
        names = [row.geometry for row in best_rows(search)]
        assert len(names) == len(set(names))
        for row in best_rows(search)[1:]:
            own = search.results_["geometry"] == row.geometry
            assert not row.met or row.score == np.nanmax(search.results_["score"][own])
