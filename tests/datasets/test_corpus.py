"""Files as programs write them: what each must be understood as. They lie in tests/files."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from noneuclid.datasets import DataError, read_dataset

FILES = Path(__file__).parents[1] / "files"
TAXA = ["Bovine", "Mouse", "Gibbon", "Orang", "Gorilla", "Chimp", "Human", "Lemur_A"]
# Row by row below the diagonal, copied from one of the files by hand.
LOWER = """
    2.5797
    3.2880 2.7238
    0.9871 2.4891 3.3004
    3.3724 2.6386 1.0139 3.0820
    3.4326 1.9596 4.4584 2.9825 4.0458
    2.4463 1.4074 1.4324 2.5600 1.7475 3.2912
    1.8587 2.4228 1.5167 1.9229 1.7051 3.9107 1.4160
"""
D = np.zeros((8, 8))
D[np.tril_indices(8, -1)] = [float(word) for word in LOWER.split()]
D += D.T
# A band of absorbance at 1000 cm⁻¹ with a half-width of 300, in thousandths.
GRID = np.linspace(400, 4000, 19)
BAND = np.round(1000 * np.exp(-(((GRID - 1000) / 300) ** 2))) / 1000

DISTANCES = {
    "phylip_square.phy": "",
    "phylip_wrapped.phy": "",
    "phylip_lower.dist": "lower triangle",
    "phylip_upper.txt": "upper triangle",
    "mega_lower.meg": "lower triangle",
    "nexus_distances.nex": "lower triangle",
    "triangle.csv": "one triangle of a symmetric matrix",
    "triangle_ragged.csv": "one triangle of a symmetric matrix",
    "edges.tsv": "28 pairs",
}


@pytest.mark.parametrize("name", DISTANCES)
def test_distances(name):
    data = read_dataset(FILES / name)
    assert data.kind == "dissimilarity"
    assert [one.replace(" ", "_") for one in data.names] == TAXA
    np.testing.assert_array_equal(data.X, D)
    assert DISTANCES[name] in data.understood


def test_a_vector_of_all_pairs_must_be_called_so():
    with pytest.raises(DataError, match="if it holds the distances of all pairs, say kind="):
        read_dataset(FILES / "condensed.txt")
    data = read_dataset(FILES / "condensed.txt", kind="dissimilarity")
    np.testing.assert_array_equal(data.X, D)
    assert "28 distances of all pairs of 8 objects" in data.understood


def test_absent_pairs_are_asked_about():
    with pytest.raises(DataError, match="say with missing=VALUE what they are"):
        read_dataset(FILES / "edges_absent.csv")
    data = read_dataset(FILES / "edges_absent.csv", missing=0)
    assert (data.kind, len(data)) == ("similarity", 8)
    assert data.X[0, 5] == 0
    assert data.X[0, 0] == data.X.max()  # of an object with itself: absent in the file
    assert data.X[0, 1] == 2.5797
    assert "absent pairs taken as 0" in data.understood


@pytest.mark.parametrize("name", ["blast.tsv", "blast_comments.out"])
def test_hits_of_sequences_are_similarities(name):
    data = read_dataset(FILES / name)
    assert data.kind == "similarity"
    assert data.names[:2] == TAXA[:2]
    np.testing.assert_array_equal(np.diag(data.X), 1.0)
    # The file was made with bits of 2·√(l_i l_j)·exp(−d²/4), those below 0.2·2·√(l_i l_j) left out.
    near = np.exp(-(D**2) / 4)
    order = [TAXA.index(one) for one in data.names]
    wanted = np.where(near < 0.2, 0.0, near)[np.ix_(order, order)]
    np.testing.assert_allclose(data.X, wanted, atol=1e-3)
    assert "14 of 28 pairs have no hit: 0" in data.understood


def test_hits_without_those_of_a_sequence_with_itself(tmp_path):
    lines = (FILES / "blast.tsv").read_text().splitlines()
    path = tmp_path / "hits.tsv"
    path.write_text("\n".join(line for line in lines if line.split()[:2] != ["Orang", "Orang"]))
    with pytest.raises(DataError, match="'Orang' has no hit of itself"):
        read_dataset(path)


@pytest.mark.parametrize("name", ["affn.jdx", "difdup.dx", "points.jdx"])
def test_spectra_in_jcamp(name):
    data = read_dataset(FILES / name)
    assert data.kind == "curves"
    np.testing.assert_allclose(data.grid, GRID)
    np.testing.assert_allclose(data.X, [BAND], atol=1e-12)
    assert "the axis falls from 4000 to 400: points put in rising order" in data.understood


def test_several_spectra_in_one_file_or_folder(tmp_path):
    data = read_dataset(FILES / "linked.jdx")
    assert data.names == [f"film {k}" for k in range(1, 9)]
    np.testing.assert_allclose(data.X[0], BAND, atol=1e-12)
    for k in range(3):
        shutil.copy(FILES / "difdup.dx", tmp_path / f"film{k}.dx")
    folder = read_dataset(tmp_path)
    assert folder.names == ["polystyrene, slow", "film1", "film2"]
    np.testing.assert_allclose(folder.X, [BAND] * 3, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("##NPOINTS=19", "##NPOINTS=20"), "says 20, but there are 19 points"),
        (("400A8", "400A9"), "the check of the line .* fails: the file is damaged"),
        (("##END=", "##OWNER="), "ends before ##END=: it is cut off"),
        (("1600A8J51", "1600A8!51"), "the line '1600A8!51.* cannot be read"),
        (("##FIRSTX=4000", "##FIRSTX=much"), "##FIRSTX= holds 'much', no number"),
        (("##FIRSTX=4000", "##FIRSTX=1e999"), "##FIRSTX= holds '1e999', no finite number"),
        (("4000@%X", "4000@%S99999999999"), "'S99999999999' repeats a value beyond"),
    ],
)
def test_damaged_spectra_in_jcamp(tmp_path, change, sentence):
    path = tmp_path / "film.dx"
    path.write_text((FILES / "difdup.dx").read_text().replace(*change))
    with pytest.raises(DataError, match=sentence):
        read_dataset(path)


def test_spectra_on_different_axes(tmp_path):
    text = (FILES / "affn.jdx").read_text()
    (tmp_path / "a.jdx").write_text(text)
    (tmp_path / "b.jdx").write_text(text.replace("LASTX=400", "LASTX=500"))
    with pytest.raises(DataError, match=r"runs from 4000 to 500 in 19 points, but .* on one axis"):
        read_dataset(tmp_path)


def test_empty_cells_by_a_rule_that_is_said(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,class\n1,2,u\n3,,v\n5,8,u\n7,1,v\n")
    with pytest.raises(DataError, match='or say missing="drop" or "mean"'):
        read_dataset(path)
    dropped = read_dataset(path, missing="drop")
    np.testing.assert_array_equal(dropped.X, [[1, 2], [5, 8], [7, 1]])
    assert dropped.labels.tolist() == ["u", "u", "v"]
    assert "1 rows with empty cells left out" in dropped.understood
    np.testing.assert_allclose(read_dataset(path, missing="mean").X[1], [3, 11 / 3])
    np.testing.assert_array_equal(read_dataset(path, missing=-1).X[1], [3, -1])
    with pytest.raises(DataError, match='missing="often": say drop, mean, or a number'):
        read_dataset(path, missing="often")
    curves = tmp_path / "c.csv"
    curves.write_text("10,20,40,50,60,70,80,90\n" + "9,2,,5,6,7,8,1\n" + "9,2,3,5,6,7,8,1\n" * 3)
    # At 40, between 2 at 20 and 5 at 50.
    np.testing.assert_allclose(read_dataset(curves, missing="mean").X[0, 2], 4.0)
