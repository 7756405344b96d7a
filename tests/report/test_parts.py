"""Every part alone, on small data with a known answer."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from noneuclid.datasets import Dataset, make_contaminated
from noneuclid.pca import HebbianPCA, robust_components
from noneuclid.prototypes import GLVQ, GMLVQ, ProximityLVQ, find_groups
from noneuclid.proximities import diagnose
from noneuclid.report import Facts, Figure, Settings, Study, Table
from noneuclid.report.classification import Classified, SparsePoint, SparseVersions
from noneuclid.report.comparison import Candidate, Comparison, Score, inner_cv, outer_splits
from noneuclid.report.matrices import Matrix
from noneuclid.report.parts.comparison import ModelComparison
from noneuclid.report.parts.curves import Attention, CurveComponents, CurveModel, Curves
from noneuclid.report.parts.exemplars import ExemplarModel, Sparsity, chosen_words
from noneuclid.report.parts.groups import GroupsPart, MapPart, drawn_groups, group_names
from noneuclid.report.parts.matrix import Diagnosis, Landmarks
from noneuclid.report.parts.prototypes import RowModel, error_tables, prototype_table
from noneuclid.report.parts.robust import Outliers, RobustPart
from noneuclid.report.parts.spikes import TrainComponents, Trains
from noneuclid.spikes import SpikeTrainKernel, SpikeTrainPCA, WidthSelection

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(24, 3)) + 6.0 * np.outer(np.arange(24) >= 12, [1, 0, 0])
LABELS = np.array(["a"] * 12 + ["b"] * 12)
NAMES = [f"o{i}" for i in range(24)]
SQUARED = ((POINTS[:, None] - POINTS) ** 2).sum(axis=2)
ROWS = Dataset("vectors", POINTS, LABELS, NAMES, ["u", "v", "w"], source="rows.csv")


def only(blocks, kind, title=None):
    found = [
        b for b in blocks if isinstance(b, kind) and title in (None, getattr(b, "title", None))
    ]
    assert len(found) == 1
    return found[0]


def values(facts):
    return {fact.name: fact.value for fact in facts.facts}


# --- matrices -------------------------------------------------------------------------------------


def diagnosis(P, proximity, **kwargs):
    return Diagnosis(Matrix(P, proximity, **kwargs), diagnose(P, proximity))


def test_diagnosis_of_squared_euclidean_distances():
    part = diagnosis(SQUARED, "dissimilarity", code="D")
    assert part.sentence.startswith("The proximities are Euclidean")
    facts = values(only(part.blocks(), Facts))
    assert facts["Signature"] == "(3, 0, 21)"
    assert facts["Negative mass"] == "0.0\xa0%"
    assert facts["Euclidean"] == "yes"
    assert facts["Triangle inequality"].startswith("fails for")
    assert part.results() == [("signature", "(3, 0, 21)")]
    assert part.code() == ["X = D", "print(signature(to_similarity(X)))"]
    figure = only(part.blocks(), Figure)
    assert figure.reading.endswith("none is negative.")
    assert "−½ H D H" in figure.how


def test_diagnosis_tells_which_reading_is_nearer_to_euclidean():
    title = "Two ways to read the numbers"
    part = diagnosis(SQUARED, "dissimilarity")
    assert only(part.blocks(), Table, title).reading.endswith("when taken as squared distances.")
    found = replace(part.found, squared_values=part.found.values, values=np.array([2.0, -1.0]))
    other = only(Diagnosis(part.matrix, found).blocks(), Table, title)
    assert other.reading.endswith("when taken as distances.")
    assert other.rows[0][1:] == ["(1, 1, 0)", "33.3\xa0%"]
    assert other.rows[1][1:] == ["(3, 0, 21)", "0.0\xa0%"]


def test_the_triangle_inequality_holds_for_distances():
    part = diagnosis(np.sqrt(SQUARED), "dissimilarity")
    assert values(only(part.blocks(), Facts))["Triangle inequality"] == "holds"


def test_diagnosis_of_similarities_has_no_readings_of_distances():
    S = POINTS * [1.0, 1.0, -1.0] @ POINTS.T
    part = diagnosis(S, "similarity")
    assert "Triangle inequality" not in values(only(part.blocks(), Facts))
    assert part.code()[1] == "print(signature(X))"
    assert part.sentence.startswith("The proximities are not Euclidean: 1 of 24 eigenvalues")
    table = only(part.blocks(), Table)
    assert [row[0] for row in table.rows] == ["clip", "flip"]
    assert table.reading.startswith("The gentler correction is clip")


def check(**changes):
    found = {
        "rho_pairwise": 0.9,
        "rho_original": None,
        "suitable": True,
        "n_landmarks": 5,
        "suggested_n_landmarks": 4,
        "curve": {2: 0.3, 5: 0.9},
    }
    return SimpleNamespace(**{**found, **changes})


def test_landmarks_in_words():
    assert Landmarks(check(), 40).lead == "Yes: proximities to 4 of the 40 objects should do."
    unsuitable = check(suitable=False, suggested_n_landmarks=None)
    assert Landmarks(unsuitable, 40).lead == "No: learn from all proximities."
    later = check(suitable=False, suggested_n_landmarks=20)
    assert Landmarks(later, 40).lead == "Not with 5 of them; 20 might do."
    assert Landmarks(check(), 40).findings() == []
    figure = only(Landmarks(check(rho_original=0.75), 40).blocks(), Figure)
    assert "With 5 landmarks the rank correlation is 0.90" in figure.reading
    assert figure.reading.endswith("With the given matrix itself it is 0.75.")


# --- comparison -----------------------------------------------------------------------------------


def comparison(own, other, y=LABELS, settings=None):
    settings = settings or Settings(folds=2, repeats=1)
    splits = outer_splits(y, settings)
    grid = {"n_prototypes": [1, 3], "lvq__correction": [None, "clip"], "C": [0.1, 10.0]}
    scores = [
        Score(Candidate("kernel GLVQ", GLVQ(random_state=0), grid, None, True), np.array(own)),
        Score(Candidate("nearest", KNeighborsClassifier(), {}, None), np.array(other)),
    ]
    return Comparison(scores, splits, inner_cv(y, splits, settings), 0.5)


@pytest.mark.parametrize(
    ("own", "other", "words"),
    [
        ([0.9, 0.9], [0.9, 0.9], "as well as the best baseline (nearest, 90.0\xa0%)."),
        (
            [1.0, 0.9999],
            [0.9, 0.9],
            "10.0 points more than the best baseline (nearest, 90.0\xa0%).",
        ),
        (
            [0.8, 0.8001],
            [0.9, 0.9],
            "10.0 points less than the best baseline (nearest, 90.0\xa0%).",
        ),
        ([1.0, 1.0], [0.9, 0.9], "not clearly better than the best baseline (nearest, 90.0\xa0%)."),
        ([1.0, 0.7], [0.7, 0.9], "not clearly better than the best baseline (nearest, 80.0\xa0%)."),
    ],
)
def test_comparison_in_one_sentence(own, other, words):
    part = ModelComparison(comparison(own, other), Settings(folds=2, repeats=1))
    assert part.sentence.startswith("Kernel GLVQ recognises")
    assert part.sentence.endswith(words)
    assert part.findings() == [part.sentence]


def test_comparison_ranks_models():
    part = ModelComparison(comparison([0.8, 0.8], [0.9, 1.0]), Settings(folds=2, repeats=1))
    assert [name for name, _ in part.results()] == ["nearest", "kernel GLVQ"]
    table = only(part.blocks(), Table)
    assert table.rows[0][3] == "–"
    assert table.rows[1][1] == "prototypes"
    assert table.rows[1][3].startswith("−15.0 ± ")
    assert table.rows[1][4] == "n_prototypes: 1, 3; correction: none, clip; C: 0.1, 10"
    figure = only(part.blocks(), Figure)
    assert 'class="marker"' not in figure.svg
    assert "always guessing the largest class gives 50.0\xa0%" in figure.reading


def test_comparison_shows_chance_where_it_is_near():
    part = ModelComparison(comparison([0.5, 0.6], [0.9, 1.0]), Settings(folds=2, repeats=1))
    assert ">largest class</text>" in only(part.blocks(), Figure).svg


def test_the_code_of_a_comparison_repeats_it():
    code = ModelComparison(comparison([1, 1], [1, 1]), Settings(folds=2, repeats=1)).code()
    assert "model = GLVQ(random_state=0)" in code
    assert "n_splits=2, n_repeats=1, random_state=0" in code[2]
    assert "best = search.fit(X, y).best_estimator_" in code


# --- models ---------------------------------------------------------------------------------------


def classified(model, X, y=LABELS, predicted=None):
    fitted = model.fit(X, y)
    found = comparison([1.0, 1.0], [0.9, 0.9], y)
    settings = Settings(folds=2, repeats=1)
    distances = fitted.transform(X)
    predicted = y if predicted is None else predicted
    splits = outer_splits(y, settings)
    return Classified(found, fitted, {"n_prototypes": 1}, y, predicted, distances, splits)


def test_typical_are_the_nearest_objects_of_the_class():
    data = Dataset("dissimilarity", SQUARED, LABELS, NAMES)
    found = classified(ProximityLVQ(proximity="dissimilarity", random_state=0), SQUARED)
    part = ExemplarModel(data, Matrix(SQUARED, "dissimilarity"), found)
    assert part.model is found.model
    assert part.lead.startswith("Kernel GLVQ with 2 prototypes; on average ")
    table = only(part.blocks(), Table, "The prototypes and their objects")
    for row, members in zip(table.rows, (range(12), range(12, 24))):
        members = np.array(members)
        nearest = members[np.argsort(found.distances[members, int(row[0]) - 1])[:4]]
        assert row[3] == ", ".join(NAMES[i] for i in nearest)
    assert [row[2] for row in table.rows] == ["12", "12"]
    facts = values(only(part.blocks(), Facts))
    assert facts["Model"] == "kernel GLVQ"
    assert facts["Chosen"] == "1 prototype per class"
    figure = only(part.blocks(), Figure)
    np.testing.assert_array_equal(figure.data["nearest"], np.repeat([0, 1], 12))
    assert [p["wins"] for p in figure.data["prototypes"]] == [12, 12]


def test_chosen_parameters_in_words():
    assert chosen_words({}) == "–"
    assert chosen_words({"lvq__n_prototypes": 1, "svm__C": 0.1, "k": 3}) == (
        "1 prototype per class, C = 0.1, k = 3"
    )
    assert chosen_words({"correction": "clip"}) == "clip correction"


def sparse(*points, skipped=None):
    full = SparsePoint("full", None, 12.0, 0.90, 0.1)
    return SparseVersions([full, *points], skipped or {}, 4)


def test_the_sparsest_version_within_an_error_is_recommended():
    one = SparsePoint("nearest", 1, 1.0, 0.86, 0.1)
    ten = SparsePoint("hull", 10, 10.0, 0.95, 0.1)
    part = Sparsity(sparse(ten, one))
    assert part.found.recommended is one
    assert part.sentence == (
        "Prototypes of 1 object (nearest objects) instead of 12: that costs 4.0 points of accuracy."
    )
    assert Sparsity(sparse(ten)).sentence.endswith(
        "(largest coefficients) instead of 12: that costs no accuracy."
    )


def test_if_none_is_good_enough_the_best_is_recommended():
    bad = SparsePoint("omp", 1, 1.0, 0.5, 0.0)
    better = SparsePoint("omp", 5, 5.0, 0.7, 0.0)
    assert Sparsity(sparse(bad, better)).found.recommended is better


def test_sparse_versions_are_listed_and_those_left_out_named():
    points = [SparsePoint("nearest", k, float(k), 0.8, 0.0) for k in (1, 2)]
    part = Sparsity(sparse(*points, skipped={"meb": "it is indefinite"}))
    table = only(part.blocks(), Table)
    assert [row[1] for row in table.rows] == ["12", "2", "1"]
    assert [row[3] for row in table.rows] == ["+0.0", "−10.0", "−10.0"]
    assert table.how.endswith("Left out: enclosing balls (it is indefinite).")
    names = [name for _, name in only(part.blocks(), Figure).legend]
    assert names == ["nearest objects", "full model"]


def test_errors_are_counted_and_named():
    predicted = LABELS.copy()
    predicted[[0, 5]] = "b"
    confusion, wrong = error_tables(ROWS, predicted)
    assert confusion.rows == [["a", "10", "2"], ["b", "0", "12"]]
    assert confusion.reading == "22 of 24 objects are on the diagonal."
    assert wrong.rows == [["o0", "a", "b"], ["o5", "a", "b"]]
    assert len(error_tables(ROWS, LABELS)) == 1


def test_many_classes_and_many_errors():
    y = np.arange(26).repeat(2)
    data = Dataset("vectors", np.zeros((52, 2)), y)
    (wrong,) = error_tables(data, np.roll(y, 1))
    assert len(wrong.rows) == 15
    assert wrong.reading.startswith("26 objects (the first 15 are shown)")


def test_rows_and_their_prototypes():
    found = classified(GMLVQ(random_state=0), POINTS)
    part = RowModel(Study(ROWS), found)
    assert part.model is found.model
    table = only(part.blocks(), Table, "Prototypes and their objects")
    assert table.columns == ["prototype", "class", "rows won", "typical", "u", "v", "w"]
    assert [row[1] for row in table.rows] == ["a", "b"]
    assert float(table.rows[1][4].replace("−", "-")) > 4
    figure = only(part.blocks(), Figure)
    assert figure.reading.startswith("Most important: u (")


def test_relevances_are_learned_where_the_model_has_none():
    part = RowModel(Study(ROWS), classified(GLVQ(random_state=0), POINTS))
    assert only(part.blocks(), Figure).reading.startswith("Most important: u (")


def test_tables_of_prototypes_show_a_few_values():
    X = np.tile(POINTS, 4)
    data = Dataset("vectors", X, LABELS)
    table = prototype_table(data, classified(GLVQ(random_state=0), X), values=True)
    assert table.columns[4:] == [str(j) for j in range(1, 4)]
    assert "The first 3 features are shown." in table.how
    short = prototype_table(data, classified(GLVQ(random_state=0), X), values=False)
    assert short.columns[-1] == "typical"


# --- rows without classes -------------------------------------------------------------------------


def test_outliers_and_what_is_unusual_about_them():
    X = POINTS[:12].copy()
    X = np.vstack([X, X + 0.1, [[0.0, 50.0, 0.0]]])
    data = Dataset("vectors", X, None, features=["u", "v", "w"])
    found = robust_components(X)
    (table,) = Outliers(data, found).blocks()
    assert table.columns == ["row", "robust sd", "most unusual"]
    assert table.rows[0][0] == "25"
    assert table.rows[0][2] == "v = 50"
    assert table.reading == f"{len(found.outliers)} of 25 rows are beyond 5."
    part = RobustPart(Study(data), found)
    assert part.sentence.endswith(("1 rows are far from the others: 25.", "more."))
    assert only(part.blocks(), Table).columns[0] == "feature"


def test_no_outliers_no_turn():
    data = Dataset("vectors", np.outer(np.arange(20.0), [1.0, 1.0]) + RNG.normal(size=(20, 2)) / 9)
    part = RobustPart(Study(data), robust_components(data.X))
    assert part.sentence.endswith("no row is far from the others.")
    assert dict(part.results())["outliers"] == "0"


def test_prototypes_are_drawn_in_the_plane_of_the_components():
    found = robust_components(POINTS)
    model = classified(GLVQ(random_state=0), POINTS)
    part = RobustPart(Study(ROWS), found, model)
    figure = only(part.blocks(), Figure)
    assert figure.data["word"] == "class"
    assert len(figure.data["prototypes"]) == 2
    assert figure.data["extra"][0].endswith(" robust sd away")


# --- groups ---------------------------------------------------------------------------------------

GROUPS = find_groups(SQUARED, random_state=0)
NO_CLASSES = Study(replace(ROWS, labels=None))


def test_groups_in_words_and_numbers():
    part = GroupsPart(NO_CLASSES, GROUPS, [], ["D = f(X)", "D"])
    assert part.sentence.startswith("The rows form 2 groups of clear structure (silhouette 0.")
    assert part.results()[0] == ("groups", "2")
    assert part.code()[0] == "D = f(X)"
    assert part.code()[1].endswith("init='kmeans++', random_state=0).fit(D)")
    table = only(part.blocks(), Table, "The groups and their objects")
    assert [row[1] for row in table.rows] == ["12", "12"]
    members = only(part.blocks(), Table, "Who is in which group")
    assert [row[1] for row in members.rows] == ["12", "12"]
    told = re.split(", | and ", " and ".join(row[2] for row in members.rows))
    assert sorted(told) == sorted(ROWS.names)
    assert only(part.blocks(), Figure).reading == "2 groups separate best."


@pytest.mark.parametrize(
    ("mean", "words"),
    [(0.95, " and come back in resamples (agreement 0.95)."), (0.6, "in part"), (0.1, "do not")],
)
def test_groups_that_resamples_do_not_find_are_no_groups(mean, words):
    found = replace(GROUPS, stability={2: np.array([mean, mean])})
    part = GroupsPart(NO_CLASSES, found, [], ["D"])
    assert words in part.sentence
    assert part.results()[-1] == ("stability", f"{mean:.2f}")
    evidence = only(part.blocks(), Table, "Evidence for numbers of groups")
    assert evidence.rows[0][2] == f"{mean:.2f}"


@pytest.mark.parametrize(("silhouette", "word"), [(0.6, "clear"), (0.3, "visible"), (0.1, "weak")])
def test_how_clear_groups_are(silhouette, word):
    found = replace(GROUPS, silhouettes={2: silhouette})
    assert f"groups of {word} structure" in GroupsPart(NO_CLASSES, found, [], ["D"]).sentence


def test_groups_are_drawn_as_prototypes_without_names():
    places = GROUPS.coefficients @ POINTS[:, :2]
    drawn = drawn_groups(GROUPS, places)
    assert drawn.labels == ["", ""]
    assert set(group_names(GROUPS)) == {"group 1", "group 2"}
    np.testing.assert_allclose(drawn.distances, np.maximum(GROUPS.distances.min(axis=1), 0))


def test_the_map_holds_all_objects():
    (figure,) = MapPart(NO_CLASSES, GROUPS).blocks()
    counts = re.findall(r"<title>(\d+) objects: ", figure.svg)
    assert sum(map(int, counts)) == 24
    empty = figure.svg.count("<title>empty</title>")
    assert f"{empty} of {empty + len(counts)} cells are empty" in figure.reading
    assert {name for _, name in figure.legend} == {"group 1", "group 2"}


# --- curves ---------------------------------------------------------------------------------------

T = np.linspace(0.0, 1.0, 30)
BUMPS = np.array(
    [np.exp(-(((T - c) / 0.1) ** 2)) * s for c in (0.3, 0.7) for s in (1, 1.1, 0.9, 1.2)]
)
CURVES = Dataset("curves", BUMPS, np.array(["l"] * 4 + ["r"] * 4), grid=T)


def test_curves_and_their_means():
    blocks = Curves(CURVES).blocks()
    facts = values(only(blocks, Facts))
    assert facts == {"Curves": "8", "Points per curve": "30", "Range of the axis": "0 to 1"}
    figure = only(blocks, Figure)
    assert [name for _, name in figure.legend] == ["l", "r"]
    assert figure.reading == "All 8 curves are drawn thin, the means of the classes thick."
    plain = Curves(replace(CURVES, labels=None, grid=None))
    assert values(only(plain.blocks(), Facts))["Range of the axis"] == "1 to 30"
    assert only(plain.blocks(), Figure).reading.endswith("the mean thick.")
    assert plain.code() == ["X = data.X"]


def test_attention_names_the_window_with_the_largest_share():
    flat, peak = np.ones(30), np.zeros(30)
    peak[12:18] = 5.0
    part = Attention(CURVES, {"Euclidean": flat, "Sobolev": peak})
    assert "the Sobolev distance at 0.414 to 0.586 (100\xa0%)." in part.sentence
    assert "(20\xa0% of it comes from there)" in part.sentence
    assert part.sections()[0].lead == ""
    assert "curves of different classes" in only(part.blocks(), Figure).how
    unlabelled = Attention(replace(CURVES, labels=None), part.shares)
    assert "pairs of curves of v_j" in only(unlabelled.blocks(), Figure).how


def test_components_are_turned_to_the_same_side():
    pca = HebbianPCA(n_components=1, random_state=0).fit(BUMPS)
    turned = HebbianPCA(n_components=1, random_state=0).fit(BUMPS)
    turned.components_ = -turned.components_
    part = CurveComponents(Study(CURVES), {"Euclidean": pca, "Sobolev": turned}, "Sobolev()")
    figure = only(part.blocks(), Figure)
    peak = T[np.abs(pca.components_[0]).argmax()]
    assert figure.reading.count(f"at {peak:.3g}") == 2
    lines = [part for part in figure.svg.split("<polyline ") if "points=" in part]
    assert lines[0].split('"')[1] == lines[1].split('"')[1]
    assert (
        part.code()[0] == "pca = HebbianPCA(n_components=1, space=Sobolev(), random_state=0).fit(X)"
    )


def test_prototypes_are_curves():
    found = classified(GLVQ(n_prototypes=2, random_state=0), BUMPS, CURVES.labels)
    part = CurveModel(CURVES, found)
    assert part.lead == "kernel GLVQ with 4 prototypes."
    figure = only(part.blocks(), Figure)
    assert [name for _, name in figure.legend] == ["P1: l", "P2: l", "P3: r", "P4: r"]
    assert figure.svg.count('stroke-dasharray="8 4"') == 2


# --- spikes ---------------------------------------------------------------------------------------

TRAINS = [np.array([0.1, 0.5]), np.array([0.12, 0.51]), np.array([0.3]), np.array([0.31, 0.7, 0.9])]
SPIKES = Dataset("spikes", TRAINS, np.array(["x", "x", "y", "y"]))


def test_trains_in_numbers():
    widths = WidthSelection(0.05, np.array([0.01, 0.05, 0.1]), np.array([-2.0, -1.0, -1.5]))
    part = Trains(Study(SPIKES, Settings(random_state=4)), widths, 0.05)
    facts = values(only(part.blocks(), Facts))
    assert facts == {
        "Trains": "4",
        "Events": "8",
        "Events per train": "2 (1 to 3)",
        "Width": "0.05",
    }
    assert part.results() == [("width", "0.05")]
    assert part.code() == ["print(select_width(data.X, random_state=4).width)"]
    raster = only(part.blocks(), Figure, "The spike trains")
    assert raster.reading.endswith("coloured by class.")
    assert "best: 0.05" in only(part.blocks(), Figure, "How much to smooth").svg


def test_components_of_trains():
    pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.05)).fit(TRAINS)
    part = TrainComponents(SPIKES, pca)
    share = pca.explained_variance_ratio_.sum()
    assert part.results() == [("variance explained", f"{100 * share:.1f}\xa0%")]
    assert "2 components explain" in part.sentence
    assert part.code()[0].startswith("pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.05))")
    scores = only(part.blocks(), Figure, "Scores of the trains")
    assert scores.data["extra"] == ["2 events", "2 events", "1 events", "3 events"]
    one = TrainComponents(SPIKES, SpikeTrainPCA(1, kernel=SpikeTrainKernel(0.05)).fit(TRAINS))
    assert len(one.blocks()) == 1


def test_contaminated_rows_name_their_outliers():
    data = make_contaminated(60, n_outliers=2)
    part = RobustPart(Study(data), robust_components(data.X))
    assert "outlier 1" in part.sentence
    assert "outlier 2" in part.sentence
