"""Ways of writing one sequence, numbers that are no text, and files of classes."""

import numpy as np
import pytest

from noneuclid.datasets import DataError, read_dataset

FASTA = ">a\nACGTacgtnn\n>b\nAC--GU\n>c\nMNKW*\n"


def test_biological_sequences_are_written_in_one_way(tmp_path):
    path = tmp_path / "s.fasta"
    path.write_text(">a\nACGTacgt\n>b\nAC--GU\n>c\nacg\n")
    data = read_dataset(path)
    assert data.X == ["ACGTACGT", "ACGT", "ACG"]
    assert "small letters taken as capitals, gaps taken out, U taken as T (--case keep" in (
        data.understood
    )
    kept = read_dataset(path, case="keep")
    assert kept.X == ["ACGTacgt", "AC--GU", "acg"]
    assert eval(kept.code).X == kept.X


def test_stops_and_proteins(tmp_path):
    path = tmp_path / "p.fasta"
    path.write_text(">a\nMKVLA*\n>b\nMK*LU\n")
    data = read_dataset(path)
    assert data.X == ["MKVLA", "MK*LU"]
    assert "stops at the end taken off" in data.understood


def test_words_stay_as_they_are(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("Cat\nhot-dog\nzebra\n")
    data = read_dataset(path)
    assert data.X == ["Cat", "hot-dog", "zebra"]
    assert data.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "1.5 2.5 3.5\n0.5 1.5\n0.25 0.75 0.5 1.0\n",  # do not rise, so they are no trains
        "a 0.1 0.2 0.3\nb 0.5\nc 0.1 0.7\n",
    ],
)
def test_numbers_are_never_compared_as_text_without_being_asked(tmp_path, text):
    path = tmp_path / "numbers.txt"
    path.write_text(text)
    with pytest.raises(DataError):
        read_dataset(path)
    assert read_dataset(path, kind="sequences").kind == "sequences"


# --- files of classes -------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    rows = "\n".join(f"S{k},{','.join(map(str, rng.normal(size=3)))}" for k in range(8))
    (tmp_path / "data.csv").write_text(f"id,a,b,c\n{rows}\n")
    return tmp_path / "data.csv"


def classes(data, header, rows):
    text = "\n".join(",".join(row) for row in [header, *rows])
    (data.parent / "classes.csv").write_text(text + "\n")


ROWS = [(f"s{7 - k}", "low" if k % 2 else "high", "AB"[k % 3 == 0]) for k in range(8)]
WANTED = ["low" if (7 - k) % 2 else "high" for k in range(8)]


def test_the_column_called_class_is_taken_and_names_match_in_any_case(data):
    classes(data, ("Sample ID", "class", "operator"), ROWS)
    found = read_dataset(data, labels="classes.csv")
    assert found.labels.tolist() == WANTED
    assert "names matched in capitals or small letters" in found.understood


def test_several_columns_that_may_be_the_classes(data):
    classes(data, ("Sample ID", "variety", "operator"), ROWS)
    with pytest.raises(DataError, match=r"\(variety, operator\): say which with labels"):
        read_dataset(data, labels="classes.csv")
    assert read_dataset(data, labels="classes.csv:variety").labels.tolist() == WANTED
    with pytest.raises(DataError, match=r"no column 'colour' \(there are variety, operator\)"):
        read_dataset(data, labels="classes.csv:colour")


def test_names_may_stand_in_any_column(data):
    classes(data, ("class", "comment", "name"), [(y, "fine", s) for s, y, _ in ROWS])
    assert read_dataset(data, labels="classes.csv").labels.tolist() == WANTED


def test_names_that_differ_in_case_only_are_two(data):
    rows = [*ROWS, ("S0", "low", "A"), ("x", "low", "A")]
    classes(data, ("Sample ID", "class", "operator"), rows)
    with pytest.raises(DataError, match="has no class for 'S1' nor for 6 more"):
        read_dataset(data, labels="classes.csv")
