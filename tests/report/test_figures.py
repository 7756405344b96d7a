"""What figures draw is where the numbers are."""

import re

import numpy as np
import pytest

from noneuclid.displays.maps import cells
from noneuclid.displays.style import COLOURS, NEGATIVE, POSITIVE, QUIET
from noneuclid.prototypes import Grid
from noneuclid.report.figures import (
    Prototypes,
    Series,
    bars,
    intervals,
    lines,
    map_figure,
    raster,
    scatter,
    spectrum_figure,
)
from noneuclid.report.figures.svg import Plot, escape, legend_line, tick_label, ticks

WORDS = {"title": "Title", "reading": "Reading.", "how": "How."}
AXES = ("across", "up")


def points(svg, k=0):
    """Of the k-th polyline."""
    text = re.findall(r'<polyline points="([^"]*)"', svg)[k]
    return np.array([[float(v) for v in pair.split(",")] for pair in text.split()])


def tick_places(svg):
    """Horizontal places of the labels of ticks, by label."""
    found = re.findall(r'class="tick" x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]*)<', svg)
    return {label: float(x) for x, label in found}


def test_plots_put_values_where_the_ticks_are():
    figure = lines(
        np.array([0.0, 5.0, 10.0]), [Series("a", np.array([0.0, 1.0, 4.0]))], axes=AXES, **WORDS
    )
    drawn, places = points(figure.svg), tick_places(figure.svg)
    assert drawn[0, 0] == pytest.approx(places["0"], abs=0.06)
    assert drawn[2, 0] == pytest.approx(places["10"], abs=0.06)
    heights = drawn[:, 1]
    assert (heights[0] - heights[1]) / (heights[0] - heights[2]) == pytest.approx(0.25, abs=0.01)
    assert figure.legend == [(legend_line(COLOURS[0]), "a")]


def test_logarithmic_axes():
    x = np.array([1.0, 10.0, 100.0])
    figure = lines(x, [Series("a", x)], axes=AXES, log=True, **WORDS)
    gaps = np.diff(points(figure.svg)[:, 0])
    assert gaps[0] == pytest.approx(gaps[1], abs=0.11)
    assert {"1", "10", "100"} <= set(tick_places(figure.svg))


def test_long_curves_are_thinned_but_keep_their_ends():
    x = np.arange(5000.0)
    figure = lines(x, [Series("a", x)], axes=AXES, background=np.array([x]), **WORDS)
    for k in (0, 1):
        drawn = points(figure.svg, k)
        assert len(drawn) == 240
        assert drawn[0, 0] == pytest.approx(78.0)
        assert drawn[-1, 0] == pytest.approx(626.0)


def test_lines_across_have_names():
    x = np.array([1.0, 2.0])
    figure = lines(
        x,
        [Series("a", np.array([-1.0, 1.0]), marks=True, dash="2 4")],
        axes=AXES,
        vertical=(1.9, "here"),
        horizontal=(0.5, "half"),
        whole=True,
        **WORDS,
    )
    assert figure.svg.count('class="marker"') == 2
    assert figure.svg.count('class="zero"') == 1
    assert 'text-anchor="end">here</text>' in figure.svg
    assert ">half</text>" in figure.svg
    assert set(tick_places(figure.svg)) == {"1", "2"}
    assert 'stroke-dasharray="2 4"' in figure.svg


def test_series_may_have_positions_and_colours_of_their_own():
    own = Series("a", np.array([1.0, 2.0]), np.array([3.0, 4.0]), colour="#123456")
    figure = lines(np.array([0.0]), [own], axes=AXES, ylim=(0.0, 4.0), **WORDS)
    assert len(points(figure.svg)) == 2
    assert 'stroke="#123456"' in figure.svg


def test_scatter_shows_objects_in_the_colours_of_their_classes():
    Z = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
    figure = scatter(Z, ["p", "q", "r"], ["b", "a", "b"], axes=AXES, extra=list("123"), **WORDS)
    fills = re.findall(r'class="object" data-i="\d" d="[^"]*" fill="([^"]*)"', figure.svg)
    assert fills == [COLOURS[1], COLOURS[0], COLOURS[1]]
    assert figure.data["classes"] == ["a", "b"]
    assert figure.data["codes"] == [1, 0, 1]
    assert figure.data["extra"] == ["1", "2", "3"]
    assert figure.data["x"][1] - figure.data["x"][0] == pytest.approx(
        figure.data["x"][2] - figure.data["x"][1], abs=0.11
    )
    assert [name for _, name in figure.legend] == ["a", "b"]
    with pytest.raises(ValueError, match="3 objects but labels of shape"):
        scatter(Z, ["p", "q", "r"], ["a"], axes=AXES, **WORDS)


def test_scatter_without_classes():
    figure = scatter(np.zeros((2, 2)), ["p", "q"], None, axes=AXES, **WORDS)
    assert figure.legend == []
    assert "2 objects. Reading." in figure.svg
    assert "prototype" not in figure.hint


def test_prototypes_are_made_of_objects_or_win_them():
    places, nearest = np.array([[0.0, 0.0]]), np.array([0, 0, 0])
    weights = np.array([[0.6, 0.4, 1e-9]])
    made = Prototypes(places, ["a"], weights, nearest, np.zeros(3), [[0]])
    won = Prototypes(places, ["a"], None, nearest, np.zeros(3), [[0]])
    assert made.parts(0) == [0, 1]
    assert won.parts(0) == [0, 1, 2]
    assert made.data()["prototypes"][0]["combination"]
    figure = scatter(np.eye(3)[:, :2], list("pqr"), None, axes=AXES, prototypes=won, **WORDS)
    assert figure.svg.count('role="button"') == 1
    assert "3 objects and 1 prototypes" in figure.svg


def test_bars_of_a_spectrum():
    figure = spectrum_figure(np.array([3.0, 1.0, -2.0]), reading="R.", how="H.")
    positive, negative = re.findall(r'<path d="([^"]*)" fill="([^"]*)"', figure.svg)
    assert (positive[1], negative[1]) == (POSITIVE, NEGATIVE)
    assert positive[0].count("M") == 2
    assert negative[0].count("M") == 1
    ends = [float(v) for v in re.findall(r"V([\d.]+)H", positive[0])]
    zero = float(re.match(r"M[\d.]+ ([\d.]+)V", positive[0])[1])
    assert (zero - ends[0]) / (zero - ends[1]) == pytest.approx(3.0, rel=0.01)


def test_intervals_show_every_test_set():
    figure = intervals(
        ["one", "two"],
        [np.array([0.5, 0.7]), np.array([0.9, 0.9, 0.9])],
        strong=[True, False],
        reference=(0.5, "chance"),
        **WORDS,
    )
    assert figure.svg.count("<circle") == 5 + 2
    assert figure.svg.count(f'fill="{QUIET}" fill-opacity') == 3
    assert ">chance</text>" in figure.svg
    assert 'font-weight="600">one</text>' in figure.svg
    plain = intervals(["one"], [np.array([0.5, 0.7])], strong=[True], **WORDS)
    assert 'class="marker"' not in plain.svg


def test_rasters_are_sorted_by_class_and_bounded():
    trains = [np.linspace(0, 1, 500)] * 250
    labels = np.arange(250) % 2
    figure = raster(trains, labels, **WORDS)
    strokes = re.findall(r'<path d="([^"]*)" stroke="([^"]*)" stroke-width="1.3"', figure.svg)
    assert len(strokes) == 200
    assert all(path.count("M") == 400 for path, _ in strokes)
    assert [colour for _, colour in strokes] == [COLOURS[0]] * 125 + [COLOURS[1]] * 75
    assert [name for _, name in figure.legend] == ["0", "1"]


def test_bars_are_as_long_as_their_values():
    figure = bars(["a", "b"], np.array([0.4, 0.1]), xlabel="share", **WORDS)
    widths = [float(w) for w in re.findall(r'<rect [^>]*width="([\d.]+)"', figure.svg)]
    assert widths[0] / widths[1] == pytest.approx(4.0, rel=0.01)
    assert "a: 0.4" in figure.svg


@pytest.mark.parametrize("topology", ["hex", "grid"])
def test_maps_draw_the_cells_of_displays(topology):
    grid = Grid((2, 3), topology)
    corners = cells(grid, 0.97)
    names = [["p", "q"], [], [], [], [], [f"n{k}" for k in range(14)]]
    counts = np.array([2, 0, 0, 0, 0, 14])
    figure = map_figure(corners, counts, names, [1, -1, -1, -1, -1, 0], reading="R.", how="H.")
    drawn = re.findall(r'<polygon points="([^"]*)"', figure.svg)
    assert len(drawn) == 6
    first = np.array([[float(v) for v in pair.split(",")] for pair in drawn[0].split()])
    sides = np.linalg.norm(np.diff(first, axis=0), axis=1)
    own = np.linalg.norm(np.diff(corners[0], axis=0), axis=1)
    np.testing.assert_allclose(sides / own, sides[0] / own[0], rtol=0.01)
    assert "<title>2 objects: p, q</title>" in figure.svg
    assert "n11 …</title>" in figure.svg
    assert figure.svg.count("<title>empty</title>") == 4
    assert [name for _, name in figure.legend] == ["group 1", "group 2"]


def test_text_is_escaped_and_numbers_are_short():
    assert escape('<b>"&') == "&lt;b&gt;&quot;&amp;"
    assert tick_label(-0.00001) == "−1e−5"
    assert tick_label(1e6) == "1e6"
    assert ticks(0.0, 10.0) == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    plot = Plot((0.0, 1.0), (0.0, 1.0), xlabel="<x>", ylabel="")
    assert "&lt;x&gt;" in plot.svg("t", "d")
    assert "rotate" not in plot.svg("t", "d")
