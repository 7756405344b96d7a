"""The page: self-contained, accessible, escaped, small."""

import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import pytest
from small_analyses import QUICK, analysed

from noneuclid.datasets import make_contaminated, make_families
from noneuclid.displays.style import COLOURS
from noneuclid.report import Analysis, Fact, Facts, Section, Table, analyze, render
from noneuclid.report.figures import scatter
from noneuclid.report.figures.svg import limits, mark, ticks

STYLE = files("noneuclid.report").joinpath("page", "style.css").read_text(encoding="utf-8")


class Page(HTMLParser):
    """Elements, their attributes and the text of scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self.inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.inside = tag

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def page(found):
    return render(found)


def test_nothing_is_fetched(page):
    parsed = Page(page)
    for _, attributes in parsed.elements:
        assert "src" not in attributes
        for name in ("href", "xlink:href", "action", "data"):
            assert attributes.get(name, "#").startswith(("#", "data:"))
    assert "@import" not in page
    assert "url(" not in page
    assert not re.search(r"https?://", page)


def test_figures_have_texts_for_those_who_do_not_see_them(page, found):
    parsed = Page(page)
    plots = [svg for svg in parsed.all("svg") if "plot" in svg["class"]]
    assert len(plots) >= 3
    for svg in plots:
        assert len(svg["aria-label"]) > 40
    for svg in parsed.all("svg"):
        assert svg.get("aria-hidden") == "true" or svg.get("role") in ("img", "group")
    assert len(parsed.all("figcaption")) == len(parsed.all("figure"))
    assert len(parsed.all("details")) >= len(parsed.all("figure"))
    for button in parsed.all("g"):
        if button.get("role") == "button":
            assert button["tabindex"] == "0"
            assert button["aria-label"]
    assert all("scope" in th for th in parsed.all("th"))
    assert parsed.all("html") == [{"lang": "en"}]


def test_ids_are_unique_and_links_lead_to_them(page):
    parsed = Page(page)
    ids = Counter(a["id"] for _, a in parsed.elements if "id" in a)
    assert set(ids.values()) == {1}
    for link in parsed.all("a"):
        assert link["href"][1:] in ids


def test_the_code_is_on_the_page(page, found):
    assert found.code.splitlines()[0] in page


def test_text_of_the_data_is_escaped():
    evil = '</script><script>alert("x")</script><b>&'
    base = make_families(5, n_families=2)
    data = replace(
        base,
        names=[f"{evil}{k}" for k in range(10)],
        labels=np.array([evil + "1", evil + "2"])[np.arange(10) % 2],
        source=evil,
    )
    figure = scatter(
        np.arange(20.0).reshape(10, 2),
        data.names,
        data.labels,
        title=evil,
        axes=(evil, evil),
        reading=evil,
        how=evil,
    )
    table = Table(evil, [evil], [[evil]], evil, evil)
    section = Section(evil, [figure, table, Facts([Fact(evil, evil, evil)])], evil)
    text = render(Analysis(evil, evil, [evil], [section], evil, notes=[evil]))
    parsed = Page(text)
    assert len(parsed.all("script")) == 2
    assert not parsed.all("b")
    assert json.loads(parsed.scripts[0])["names"] == data.names


def test_several_analyses_on_one_page():
    text = render(analysed("curves"), analysed("vectors"), title="Two")
    ids = [a["id"] for _, a in Page(text).elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert "<h1>Two</h1>" in text


def test_500_objects_take_less_than_4_megabytes():
    found = analyze(make_contaminated(500), QUICK)
    assert len(render(found).encode()) < 500_000


@pytest.mark.slow
def test_500_sequences_take_less_than_4_megabytes():
    found = analyze(make_families(125), QUICK)
    assert len(render(found).encode()) < 4_000_000


# --- drawing --------------------------------------------------------------------------------------


def luminance(colour):
    channels = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast():
    for colour in COLOURS:
        assert contrast(colour, "#ffffff") > 4.5
    variables = dict(re.findall(r"--(\w+): (#\w{6});", STYLE))
    for name in ("ink", "soft", "accent", "mark"):
        for background in ("#ffffff", variables["pale"], "#eaf2f9"):
            assert contrast(variables[name], background) > 4.0
    for name in ("ink", "soft"):
        assert contrast(variables[name], variables["pale"]) > 7.0


def test_ticks_are_round_and_inside():
    rng = np.random.default_rng(0)
    for _ in range(200):
        low = rng.normal() * 10 ** rng.uniform(-5, 5)
        high = low + 10 ** rng.uniform(-5, 5)
        found = ticks(low, high)
        assert 2 <= len(found) <= 7
        span = high - low
        assert all(low - 1e-6 * span <= tick <= high + 1e-6 * span for tick in found)
    assert ticks(1, 4, whole=True) == [1, 2, 3, 4]
    assert ticks(2, 2) == [2]


def test_limits_and_marks():
    assert limits([0.0, 1.0]) == (-0.05, 1.05)
    assert limits([3.0]) == pytest.approx((2.85, 3.15))
    assert len({mark(k, 0, 0, 1) for k in range(8)}) == 8
