"""Signatures in print, and the cutoffs that give them: the table of ``signature``'s docstring."""

import re

import pytest

import benchmark_data
from noneuclid.proximities import signature, symmetrize

FILES = {"Aural Sonar": "aural_sonar", "Voting": "voting", "Protein": "protein_similarity"}
PUBLISHED = {"Aural Sonar": (61, 38, 1), "Voting": (16, 1, 418), "Protein": (169, 38, 6)}
COLUMNS = [(1e-4, True), (7e-4, True), (1e-4, False)]


def documented(name):
    """The signatures of one row of the table."""
    row = re.search(rf"^ *{name} .*$", signature.__doc__, re.MULTILINE)[0]
    found = re.findall(r"\((\d+), (\d+), (\d+)\)", row)
    return [tuple(map(int, counts)) for counts in found]


def test_the_first_column_is_in_print():
    assert {name: documented(name)[0] for name in FILES} == PUBLISHED


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_the_table_is_right(name):
    S = symmetrize(benchmark_data.load(FILES[name])["similarity"].astype(float))
    found = [tuple(signature(S, cutoff, relative=relative)) for cutoff, relative in COLUMNS]
    assert found == documented(name)[1:]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inside", "outside", "relative"),
    [((5.0e-4, 9.9e-4), (4.5e-4, 1.01e-3), True), ((0.035, 0.040), (0.034, 0.0415), False)],
)
def test_between_which_cutoffs_all_come_out(inside, outside, relative):
    matrices = {
        name: symmetrize(benchmark_data.load(file)["similarity"].astype(float))
        for name, file in FILES.items()
    }

    def all_at_once(cutoff):
        found = {name: tuple(signature(S, cutoff, relative)) for name, S in matrices.items()}
        return found == PUBLISHED

    assert all(map(all_at_once, inside))
    assert not any(map(all_at_once, outside))
