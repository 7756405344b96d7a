"""What editors and type checkers see of the package."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import noneuclid
from noneuclid._discovery import all_estimators

SOURCE = Path(noneuclid.__file__)
RIGHT = """
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import noneuclid
from noneuclid import GLVQ, Gaussian, Lp, Relation, load, two_sample_test

model = GLVQ(n_prototypes=3, space=Lp(1.5), random_state=0)
assert_type(model, noneuclid.prototypes.GLVQ)
words: NDArray[np.str_] = model.fit([[0.0], [1.0]], ["a", "b"]).predict([[0.0]])
two_sample_test(np.zeros((9, 2)), np.ones((9, 2)), kernel=Gaussian(2.0)).pvalue + 1.0
Relation(metric="levenshtein", proximity="dissimilarity")
load("model.skops")
"""
WRONG = {
    "from noneuclid import GLQV": 'has no attribute "GLQV"',
    "noneuclid.GVLQ": 'has no attribute "GVLQ"',
    "model.predic([[0.0]])": 'has no attribute "predic"',
    "GLVQ(solver='adam')": "solver",
    "two_sample_test([[1.0]], [[2.0]], n_permutation=9)": "n_permutation",
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What mypy says of every line that is wrong, by its number; one run for all."""
    folder = tmp_path_factory.mktemp("typed")
    lines = [*RIGHT.splitlines(), *WRONG]
    for name in constructors():
        lines += [f"noneuclid.{name}(no_such_parameter=1)"]
    (folder / "use.py").write_text("\n".join(lines))
    (folder / "mypy.ini").write_text("[mypy]\nignore_missing_imports = true\nfollow_imports=silent")
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--hide-error-context"]
    environment = {"MYPYPATH": str(SOURCE.parents[1]), "PATH": ""}
    done = subprocess.run(
        [*command, "--cache-dir", cache(), "use.py"],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )
    found = {}
    for line in done.stdout.splitlines():
        if line.startswith("use.py:"):
            _, number, said = line.split(":", 2)
            found.setdefault(lines[int(number) - 1], said)
    assert found, done.stdout + done.stderr
    return found


def cache():
    """A folder beside the tests' own, so that the next run takes a second."""
    return str(SOURCE.parents[2] / ".mypy_cache" / "users")


def constructors():
    own = {cls.__name__ for cls in all_estimators()}
    return sorted(own & set(noneuclid.__all__))


def test_right_uses_pass(complaints):
    assert not [line for line in RIGHT.splitlines() if line in complaints], complaints


@pytest.mark.parametrize("line", WRONG)
def test_wrong_uses_are_found(complaints, line):
    assert WRONG[line] in complaints[line]


def test_every_constructor_knows_its_parameters(complaints):
    """A class whose base is one of scikit-learn's is open to all: see ``noneuclid._sklearn``."""
    lines = {name: f"noneuclid.{name}(no_such_parameter=1)" for name in constructors()}
    open_to_all = [name for name, line in lines.items() if line not in complaints]
    assert len(constructors()) > 30
    assert not open_to_all, "import their bases from noneuclid._sklearn"


def test_what_type_checkers_see_is_what_there_is():
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    (block,) = [
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    seen = {}
    for line in block.body:
        assert isinstance(line, ast.ImportFrom)
        for name in line.names:
            assert name.asname == name.name  # or it is private to type checkers
            seen[name.name] = line.module
    subpackages = dict.fromkeys(noneuclid._SUBPACKAGES, "noneuclid")
    assert seen == {**noneuclid._HOME_OF, **subpackages}


@pytest.mark.parametrize("cls", all_estimators(), ids=lambda cls: cls.__name__)
def test_help_begins_with_a_signature_that_can_be_read(cls):
    signature = inspect.signature(cls)
    assert sorted(signature.parameters) == cls._get_param_names()
    assert "Annotated" not in str(signature)
    assert len(str(signature)) < 500


@pytest.mark.parametrize(
    ("model", "key"),
    [
        (noneuclid.RelationalGLVQ(metric="victor_purpura"), "metric__cost"),
        (noneuclid.GLVQ(space="l1.5"), "space__p"),
        (noneuclid.KernelGLVQ(kernel="rbf"), "kernel__width"),
    ],
)
def test_a_part_given_by_its_name_has_no_parameters_and_says_so(model, key):
    part, _, inner = key.partition("__")
    with pytest.raises(ValueError, match=f"{key} cannot be set: {part} .* that has .* {inner}"):
        model.set_params(**{key: 2.0})


def test_a_part_and_its_parameter_are_set_together():
    model = noneuclid.GLVQ(space="l2").set_params(space=noneuclid.Lp(1.5), space__p=1.2)
    assert model.space.p == 1.2
