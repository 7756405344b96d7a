"""Every format, and what is understood without being told."""

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from noneuclid.datasets import (
    DataError,
    Dataset,
    guess_kind,
    make_contaminated,
    make_families,
    make_indefinite,
    make_spectra,
    make_spike_trains,
    read_dataset,
)

RNG = np.random.default_rng(0)
NAMES = [f"obj{i}" for i in range(12)]
Y = np.array(["a", "b"] * 6)
POINTS = RNG.normal(size=(12, 3)) + 3 * (Y == "b")[:, None]
D = ((POINTS[:, None] - POINTS) ** 2).sum(axis=2)
S = POINTS @ POINTS.T
T = np.linspace(0, 1, 30)
CURVES = np.sin(2 * np.pi * T + RNG.normal(size=(12, 1)))


def write(path, rows, *, delimiter=","):
    path.write_text("\n".join(delimiter.join(map(str, row)) for row in rows) + "\n")
    return path


def table(matrix, *, header=None, index=None, labels=None):
    rows = [list(map(repr, map(float, row))) for row in matrix]
    if index is not None:
        rows = [[name, *row] for name, row in zip(index, rows)]
    if labels is not None:
        rows = [[*row, label] for row, label in zip(rows, labels)]
    return ([header] if header is not None else []) + rows


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_header_index_and_label_column(tmp_path, delimiter):
    rows = table(POINTS, header=["id", "u", "v", "w", "class"], index=NAMES, labels=Y)
    data = read_dataset(write(tmp_path / "t.csv", rows, delimiter=delimiter))
    assert data.kind == "vectors"
    assert data.names == NAMES
    assert data.features == ["u", "v", "w"]
    assert data.labels.tolist() == Y.tolist()
    np.testing.assert_array_equal(data.X, POINTS)
    assert "classes from column 'class'" in data.understood


def test_no_header(tmp_path):
    data = read_dataset(write(tmp_path / "t.csv", table(POINTS, labels=Y)))
    np.testing.assert_array_equal(data.X, POINTS)
    assert data.labels.tolist() == Y.tolist()
    assert data.names[0] == "1"


def test_a_named_column_holds_the_classes(tmp_path):
    rows = table(POINTS, header=["u", "v", "kind"], labels=None)
    for k, row in enumerate(rows[1:]):
        row[2] = str(k % 3)
    data = read_dataset(write(tmp_path / "t.csv", rows), labels="kind")
    assert data.X.shape == (12, 2)
    assert data.labels.tolist() == [k % 3 for k in range(12)]


@pytest.mark.parametrize("header", [None, NAMES, ["", *NAMES]])
def test_dissimilarities_with_and_without_names(tmp_path, header):
    index = NAMES if header is not None and len(header) == 13 else None
    data = read_dataset(write(tmp_path / "d.csv", table(D, header=header, index=index)))
    assert data.kind == "dissimilarity"
    np.testing.assert_allclose(data.X, D)
    if index:
        assert data.names == NAMES


def test_r_leaves_the_corner_out(tmp_path):
    path = write(tmp_path / "d.csv", table(D, header=NAMES, index=NAMES))
    data = read_dataset(path)
    assert data.kind == "dissimilarity"
    assert data.names == NAMES


def test_numbered_rows_and_columns_of_a_matrix(tmp_path):
    numbers = list(range(1, 13))
    data = read_dataset(write(tmp_path / "s.csv", table(S, header=["", *numbers], index=numbers)))
    assert data.kind == "similarity"
    np.testing.assert_allclose(data.X, S)


def test_a_sorted_matrix_has_no_header(tmp_path):
    line = np.arange(12.0)
    matrix = np.abs(line[:, None] - line)
    data = read_dataset(write(tmp_path / "d.csv", table(matrix)))
    assert data.kind == "dissimilarity"
    assert data.X.shape == (12, 12)


def test_positions_in_the_header_make_curves(tmp_path):
    grid = 800 + 10 * np.arange(30)
    data = read_dataset(write(tmp_path / "c.csv", table(CURVES, header=grid.tolist())))
    assert data.kind == "curves"
    np.testing.assert_array_equal(data.grid, grid)
    assert "from 800 to 1090" in data.understood


def test_positions_beside_a_column_of_classes(tmp_path):
    rows = table(CURVES, header=["name", *range(30), "class"], index=NAMES, labels=Y)
    data = read_dataset(write(tmp_path / "c.csv", rows))
    assert (data.kind, data.X.shape) == ("curves", (12, 30))


def test_the_archive_begins_lines_with_the_class(tmp_path):
    rows = [[k % 2 + 1, *row] for k, row in enumerate(CURVES)]
    data = read_dataset(write(tmp_path / "Coffee_TRAIN.tsv", rows, delimiter="\t"))
    assert (data.kind, data.X.shape) == ("curves", (12, 30))
    assert data.classes == {1: 6, 2: 6}


def test_decimal_commas(tmp_path):
    rows = [["u", "v"]] + [[f"{a:.3f}".replace(".", ",") for a in row[:2]] for row in POINTS]
    data = read_dataset(write(tmp_path / "t.csv", rows, delimiter=";"))
    np.testing.assert_allclose(data.X, POINTS[:, :2].round(3))


def test_other_encodings(tmp_path):
    rows = table(POINTS, header=["größe", "v", "w"])
    text = "\n".join(",".join(map(str, row)) for row in rows)
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        path = tmp_path / f"{encoding}.csv"
        path.write_bytes(text.encode(encoding))
        assert read_dataset(path).features[0] == "größe"


def test_quoted_cells(tmp_path):
    rows = table(POINTS, header=["name", "u", "v", "w"], index=[f'"a, {k}"' for k in range(12)])
    assert read_dataset(write(tmp_path / "t.csv", rows)).names[3] == "a, 3"


def test_text_columns_are_left_out_and_said_so(tmp_path):
    rows = table(
        POINTS,
        header=["id", "u", "v", "w", "remark"],
        index=NAMES,
        labels=[f"note {k}" for k in range(12)],
    )
    data = read_dataset(write(tmp_path / "t.csv", rows))
    assert data.X.shape == (12, 3)
    assert "text left out: 'remark'" in data.understood


def test_parquet(tmp_path):
    frame = pd.DataFrame(POINTS, columns=["u", "v", "w"], index=NAMES).assign(target=Y)
    frame.to_parquet(tmp_path / "t.parquet")
    data = read_dataset(tmp_path / "t.parquet")
    assert data.names == NAMES
    assert data.labels.tolist() == Y.tolist()
    np.testing.assert_array_equal(data.X, POINTS)


def test_a_folder_of_curves(tmp_path):
    folder = tmp_path / "curves"
    folder.mkdir()
    for k, curve in enumerate(CURVES):
        write(folder / f"c{k:02d}.csv", [["t", "value"], *zip(T, curve)])
    data = read_dataset(folder)
    assert (data.kind, data.names[1]) == ("curves", "c01")
    np.testing.assert_allclose(data.X, CURVES)
    np.testing.assert_allclose(data.grid, T)


# --- arrays ---------------------------------------------------------------------------------------


def test_npy(tmp_path):
    np.save(tmp_path / "d.npy", D)
    np.save(tmp_path / "w.npy", np.array(["cat", "dog", "cow"]))
    assert read_dataset(tmp_path / "d.npy").kind == "dissimilarity"
    assert read_dataset(tmp_path / "w.npy").X == ["cat", "dog", "cow"]


def test_npz_by_the_names_of_its_arrays(tmp_path):
    path = tmp_path / "all.npz"
    np.savez(path, similarity=S, labels=Y, names=NAMES, other=np.arange(12) % 3)
    data = read_dataset(path)
    assert (data.kind, data.names, data.classes) == ("similarity", NAMES, {"a": 6, "b": 6})
    assert len(read_dataset(path, labels="other").classes) == 3
    assert read_dataset(path, use_labels=False).labels is None


def test_npz_of_curves_with_their_grid(tmp_path):
    np.savez(tmp_path / "c.npz", absorbance=CURVES, wavelengths=T)
    data = read_dataset(tmp_path / "c.npz")
    assert data.kind == "curves"
    np.testing.assert_array_equal(data.grid, T)


def test_npz_of_spike_trains(tmp_path):
    trains = make_spike_trains(10).X
    np.savez(
        tmp_path / "s.npz",
        times=np.concatenate(trains),
        offsets=np.cumsum([0, *map(len, trains)]),
        labels=Y[:10],
    )
    data = read_dataset(tmp_path / "s.npz")
    assert (data.kind, len(data), data.classes) == ("spikes", 10, {"a": 5, "b": 5})
    np.testing.assert_array_equal(data.X[3], trains[3])


def test_matlab(tmp_path):
    savemat(tmp_path / "m.mat", {"K": S, "y": np.arange(12)[:, None] % 2})
    data = read_dataset(tmp_path / "m.mat")
    assert (data.kind, data.classes) == ("similarity", {0: 6, 1: 6})
    cells = np.empty((2, 1), dtype=object)
    cells[:, 0] = [np.array([[0.1, 0.2]]), np.array([[0.3]])]
    savemat(tmp_path / "c.mat", {"trains": cells})
    data = read_dataset(tmp_path / "c.mat")
    assert data.kind == "spikes"
    assert [train.tolist() for train in data.X] == [[0.1, 0.2], [0.3]]


# --- text -----------------------------------------------------------------------------------------


def test_words_are_sequences(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("ACGT\nACGA\n\nTTTT\n")
    assert read_dataset(path).X == ["ACGT", "ACGA", "TTTT"]


def test_fasta(tmp_path):
    path = tmp_path / "genes.fasta"
    path.write_text(">one first\nACGT\nAC\n>two\nTT\n")
    data = read_dataset(path)
    assert (data.names, data.X) == (["one", "two"], ["ACGTAC", "TT"])


def test_sequences_in_a_table(tmp_path):
    rows = [["name", "sequence", "class"], *zip(NAMES, ["ACGT"] * 6 + ["TTTT"] * 6, Y)]
    data = read_dataset(write(tmp_path / "s.csv", rows))
    assert (data.kind, data.names, data.X[7]) == ("sequences", NAMES, "TTTT")
    assert data.classes == {"a": 6, "b": 6}


def test_sentences_if_told_so(tmp_path):
    path = tmp_path / "sentences.txt"
    path.write_text("a first sentence\nand another one, longer\n")
    assert len(read_dataset(path, kind="sequences")) == 2


def test_lines_of_rising_times_are_spike_trains(tmp_path):
    path = tmp_path / "trains.txt"
    path.write_text("# seconds\n0.1 0.2 0.5\n0.3\n\n0.1 0.4\n")
    data = read_dataset(path)
    assert (data.kind, [len(x) for x in data.X]) == ("spikes", [3, 1, 0, 2])


def test_trains_of_equal_length_if_told_so(tmp_path):
    path = tmp_path / "trains.txt"
    path.write_text("0.1 0.2\n0.3 0.4\n")
    assert read_dataset(path, kind="spikes").kind == "spikes"
    assert read_dataset(path).kind != "spikes"


def test_a_table_in_plain_text(tmp_path):
    np.savetxt(tmp_path / "d.txt", D)
    assert read_dataset(tmp_path / "d.txt").kind == "dissimilarity"


def test_ts(tmp_path):
    lines = ["# a remark", "@problemName Demo", "@timeStamps false", "@univariate true"]
    lines += ["@classLabel true a b", "@data"]
    lines += [",".join(map(str, row)) + f":{label}" for row, label in zip(CURVES, Y)]
    path = tmp_path / "Demo_TRAIN.ts"
    path.write_text("\n".join(lines))
    data = read_dataset(path)
    assert (data.kind, data.classes) == ("curves", {"a": 6, "b": 6})
    np.testing.assert_array_equal(data.X, CURVES)


# --- classes in a file of their own ---------------------------------------------------------------


@pytest.mark.parametrize("header", [[], ["family"]])
def test_one_class_per_line(tmp_path, header):
    np.save(tmp_path / "d.npy", D)
    (tmp_path / "y.txt").write_text("\n".join([*header, *["left wing", "right"] * 6]) + "\n")
    data = read_dataset(tmp_path / "d.npy", labels=str(tmp_path / "y.txt"))
    assert data.classes == {"left wing": 6, "right": 6}


def test_classes_by_name(tmp_path):
    rows = [[name, label] for name, label in zip(NAMES, Y)][::-1]
    write(tmp_path / "y.csv", [["name", "class"], *rows])
    path = write(tmp_path / "d.csv", table(D, header=["", *NAMES], index=NAMES))
    assert read_dataset(path, labels=tmp_path / "y.csv").labels.tolist() == Y.tolist()


def test_classes_as_an_array(tmp_path):
    np.save(tmp_path / "d.npy", D)
    np.save(tmp_path / "y.npy", np.arange(12) % 2)
    assert read_dataset(tmp_path / "d.npy", labels="y.npy").classes == {0: 6, 1: 6}


# --- what it is -----------------------------------------------------------------------------------


def test_guesses():
    assert guess_kind(D) == "dissimilarity"
    assert guess_kind(S) == "similarity"
    assert guess_kind(CURVES) == "curves"
    assert guess_kind(RNG.normal(size=(40, 30))) == "vectors"
    assert guess_kind(RNG.normal(size=(30, 30))) == "vectors"
    # A single large factor, or columns of very different sizes, are no curves.
    assert guess_kind(np.outer(RNG.normal(size=40), RNG.normal(size=30))) == "vectors"
    assert guess_kind(RNG.normal(size=(40, 30)) + 100 * np.arange(30)) == "vectors"


def test_a_nearly_symmetric_matrix_is_one_with_errors():
    noisy = D + 0.1 * RNG.uniform(size=D.shape) * D
    assert guess_kind(noisy) == "dissimilarity"


def test_symmetrize(tmp_path):
    wrong = D.copy()
    wrong[0, 1] += 1.0
    np.save(tmp_path / "d.npy", wrong)
    with pytest.raises(DataError, match="row 1, column 2"):
        read_dataset(tmp_path / "d.npy")
    data = read_dataset(tmp_path / "d.npy", symmetrize=True)
    np.testing.assert_allclose(data.X, (wrong + wrong.T) / 2)
    assert "made symmetric" in data.understood


def test_the_code_reads_the_same_again(tmp_path):
    np.savez(tmp_path / "s.npz", similarity=S, labels=Y)
    data = read_dataset(tmp_path / "s.npz")
    again = eval(data.code, {"read_dataset": read_dataset})
    np.testing.assert_array_equal(again.X, data.X)


# --- datasets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        make_families(5),
        make_spectra(12),
        make_contaminated(20),
        make_spike_trains(8),
        make_indefinite(20),
    ],
    ids=lambda data: data.kind,
)
def test_generators_give_the_same_again(data):
    import noneuclid.datasets as module

    again = eval(data.code, vars(module))
    assert again.names == data.names
    assert again.labels.tolist() == data.labels.tolist()
    for a, b in zip(again.X, data.X):
        assert np.array_equal(a, b)


def test_samples_keep_the_classes_in_proportion():
    data = make_spectra(90)
    small = data.sample(30)
    assert list(small.classes.values()) == [10, 10, 10]
    assert len(small.names) == len(small.X) == 30
    matrix = make_indefinite(40).sample(10)
    assert matrix.X.shape == (10, 10)
    np.testing.assert_array_equal(matrix.X, matrix.X.T)
    assert data.sample(500) is data
    again = eval(small.code, {"make_spectra": make_spectra})
    np.testing.assert_array_equal(again.X, small.X)


def test_a_dataset_needs_a_kind_and_names():
    with pytest.raises(ValueError, match="kind"):
        Dataset("words", ["a"])
    with pytest.raises(ValueError, match="2 names for 1"):
        Dataset("sequences", ["a"], names=["x", "y"])
