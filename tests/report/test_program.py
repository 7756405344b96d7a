"""Programs on pages: they import what they use, run, and give the numbers of the page."""

import contextlib
import io
import re
from dataclasses import replace

import pytest
from sklearn.preprocessing import StandardScaler
from small_analyses import DATA, QUICK, analysed

import noneuclid
from noneuclid.datasets import make_families
from noneuclid.prototypes import GLVQ
from noneuclid.report import analyze
from noneuclid.report.program import expression, known_names, program
from noneuclid.spaces import Lp


def output_of(code, **names):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        exec(compile(code, "report", "exec"), names)
    return text.getvalue()


def test_every_public_name_of_the_package_is_known():
    known = known_names()
    for name, home in noneuclid._HOME_OF.items():
        assert known[name] == home.removesuffix("._persistence")
    assert known["cross_val_score"] == "sklearn.model_selection"
    assert known["pairwise"] == "noneuclid.proximities"


def test_imports_are_those_of_names_that_are_used_and_not_defined():
    code = program(
        ["Lp = 3", "x = Sobolev", 'print("GLVQ(", a.Hilbert, Lp)', "def pairwise(): pass"]
    )
    assert code.splitlines()[0] == "from noneuclid.spaces import Sobolev"
    assert code.count("import") == 1


def test_given_imports_come_first_and_once():
    code = program(["import math", "x = math.pi", "import math", "from os import path"])
    assert code == "import math\nfrom os import path\n\nx = math.pi\n"


def test_names_of_one_module_are_sorted():
    assert program(["f(Sobolev, Lp)"]).startswith("from noneuclid.spaces import Lp, Sobolev\n")


def test_expressions_give_the_estimator_again():
    model = GLVQ(space=Lp(1.5), random_state=0)
    text = expression(model)
    assert "\n" not in text
    again = eval(text, {"GLVQ": GLVQ, "Lp": Lp})
    assert repr(again) == repr(model)
    assert expression(StandardScaler()) == "StandardScaler()"


# --- the programs of pages ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(DATA))
def test_programs_without_classes_give_the_groups(kind):
    data = replace(DATA[kind](), labels=None)
    found = analyze(data, QUICK)
    printed = output_of(
        found.code.replace(data.code, f"replace({data.code}, labels=None)"), replace=replace
    )
    table = next(
        block
        for section in found.sections
        if section.title == "Groups without classes"
        for block in section.blocks
        if getattr(block, "prototypes", False)
    )
    sizes = [line.count("'") // 2 for line in printed.splitlines() if re.match(r"\d+ \['", line)]
    assert sizes == [int(row[1]) for row in table.rows]


@pytest.mark.parametrize("metric", ["indel", "osa", "lcs", "jaro_winkler"])
def test_programs_with_other_metrics_run_and_give_the_accuracy(metric):
    """Faulty before: ``edit_distances`` was not imported."""
    data = make_families(6, n_families=2)
    found = analyze(data, QUICK, metric=metric)
    printed = output_of(found.code)
    accuracy = re.search(r"accuracy (\S+ ± \S+ %)", printed)[1]
    own = next(value for name, value in found.results if "LVQ" in name)
    assert accuracy == own.replace("\xa0", " ")
    assert dict(found.results)["signature"] == str(
        tuple(
            map(int, re.search(r"Signature\(\w+=(\d+), \w+=(\d+), \w+=(\d+)\)", printed).groups())
        )
    )


@pytest.mark.parametrize("kind", ["curves", "spikes", "vectors", "similarity"])
def test_programs_take_the_seed(kind):
    """Faulty before: curves and spikes always took 0."""
    data = replace(DATA[kind](), labels=None)
    code = analyze(data, replace(QUICK, random_state=7)).code.replace(data.code, "")
    assert "random_state=7" in code
    assert "random_state=0" not in code


def test_the_program_of_rows_gives_angle_and_outliers():
    found = analysed("vectors")
    angle, names = re.match(r"(\S+) (\[.*\])", output_of(found.code)).groups()
    results = dict(found.results)
    assert f"{float(angle):.1f}" == f"{float(results['angle of components'].rstrip('°')):.1f}"
    assert len(eval(names)) == int(results["outliers"])


def test_the_program_of_trains_gives_the_width_and_the_variance():
    found = analysed("spikes")
    width, ratios = output_of(found.code).splitlines()[:2]
    results = dict(found.results)
    assert float(f"{float(width):.3g}") == float(results["width"].split()[0])
    total = sum(map(float, ratios.strip("[]").split()))
    assert results["variance explained"] == f"{100 * total:.1f}\xa0%"
