"""Parameters said once: fields and words are inherited, overridden and removed together."""

import dataclasses
import inspect
import pickle
from dataclasses import field
from typing import Any, ClassVar

import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import ParameterGrid

from noneuclid._estimator import estimator, parameter_descriptions
from noneuclid.testing import all_estimators


@estimator
class Widths:
    """What all kernels have.

    Parameters
    ----------
    width : float, default=1.0
        How far it reaches.

        A second paragraph.
    low, high : float, default=0.0
        Ends of the range.
    """

    width: float = 1.0
    low: float = 0.0
    high: float = 0.0


@estimator
class Depths:
    """What all trees have.

    Parameters
    ----------
    depth : int or "auto", default="auto"
        How deep it goes.

    Attributes
    ----------
    depth_ : int
        How deep it went.
    """

    depth: int | str = "auto"


@estimator
class Learner(Depths, Widths, BaseEstimator):
    r"""Learns :math:`\alpha`.

    Two lines of preface.

    Parameters
    ----------
    n_components : int, default=2
        How many.
    random_state : int, optional
        A seed.

    Attributes
    ----------
    components_ : array
        What it learned.

    Notes
    -----
    A note.

    Examples
    --------
    >>> 1 + 1
    2
    """

    n_components: int = field(default=2, kw_only=False)
    random_state: int | None = None
    options: tuple[str, ...] = ("a", "b")

    def fit(self, X: Any, y: Any = None) -> "Learner":
        self.components_ = [self.n_components]
        return self


@estimator
class Narrow(Learner):
    """Learns what is near."""

    width: float = 0.1
    depth: ClassVar[int] = 3


@estimator
class Described(Narrow):
    """Describes a parameter anew.

    Parameters
    ----------
    width : float
        In metres.
    """


@estimator
class Silent(Described):
    pass


def section(cls, name="Parameters"):
    """The lines of a section of the docstring."""
    lines = inspect.getdoc(cls).splitlines()
    start = lines.index(name) + 2
    ends = [k - 1 for k in range(start, len(lines)) if set(lines[k]) == {"-"}]
    return [line for line in lines[start : ends[0] if ends else None] if line.strip()]


def test_every_parameter_is_there_with_its_own_default():
    assert section(Learner) == [
        "n_components : int, default=2",
        "    How many.",
        "width : float, default=1.0",
        "    How far it reaches.",
        "    A second paragraph.",
        "low : float, default=0.0",
        "    Ends of the range.",
        "high : float, default=0.0",
        "    Ends of the range.",
        'depth : int or "auto", default="auto"',
        "    How deep it goes.",
        "random_state : int, optional",
        "    A seed.",
        "options : default=('a', 'b')",
    ]


def test_the_signature_is_that_of_the_section():
    for cls in (Learner, Narrow, Described, Silent):
        named = [line.split(" : ")[0] for line in section(cls) if not line.startswith(" ")]
        assert named == list(inspect.signature(cls).parameters)


def test_a_default_is_overridden_and_the_words_stay():
    assert "width : float, default=0.1" in section(Narrow)
    assert "    How far it reaches." in section(Narrow)
    assert Narrow().width == 0.1
    assert Learner().width == 1.0


def test_a_class_variable_removes_a_parameter_and_its_words():
    assert Narrow().depth == 3
    assert "depth" not in Narrow().get_params()
    assert not any(line.startswith("depth :") for line in section(Narrow))
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        Narrow(depth=2)
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        Narrow().set_params(depth=2)


def test_words_are_replaced_by_those_of_the_nearest_class():
    for cls in (Described, Silent):
        at = section(cls).index("width : float, default=0.1")
        assert section(cls)[at + 1] == "    In metres."
    assert "    How far it reaches." not in section(Described)


def test_sections_after_the_parameters_are_kept():
    text = inspect.getdoc(Learner)
    assert text.startswith("Learns :math:`\\alpha`.\n\nTwo lines of preface.\n\nParameters\n---")
    headings = [a for a, b in zip(text.splitlines(), text.splitlines()[1:]) if set(b) == {"-"}]
    assert headings == ["Parameters", "Attributes", "Notes", "Examples"]
    assert text.endswith("Examples\n--------\n>>> 1 + 1\n2")
    assert "\n\nNotes\n-----\nA note.\n\nExamples" in text


def test_attributes_are_inherited_in_words():
    assert section(Learner, "Attributes") == [
        "depth_ : int",
        "    How deep it went.",
        "components_ : array",
        "    What it learned.",
    ]


def test_a_class_without_words_still_says_its_parameters():
    assert not inspect.getdoc(Silent).startswith("Describes")
    assert inspect.getdoc(Silent).splitlines()[0] == "Parameters"


def test_a_class_without_parameters_keeps_its_docstring():
    @estimator
    class Nothing(BaseEstimator):
        """Does nothing.

        Notes
        -----
        None.
        """

    assert inspect.getdoc(Nothing) == "Does nothing.\n\nNotes\n-----\nNone."


# --- diamonds -------------------------------------------------------------------------------------


@estimator
class Top(BaseEstimator):
    """Top.

    Parameters
    ----------
    a : int
        From the top.
    b : int
        From the top.
    """

    a: int = 0
    b: int = 0


@estimator
class Left(Top):
    """Left.

    Parameters
    ----------
    a : int
        From the left.
    """

    a: int = 1


@estimator
class Right(Top):
    """Right.

    Parameters
    ----------
    a : int
        From the right.
    b : int
        From the right.
    """

    a: int = 2
    b: int = 2


@estimator
class Bottom(Left, Right):
    """Bottom: what the first base inherited would hide what the second one says, so it is said."""

    b: int = 2


def test_a_diamond_follows_the_order_of_the_bases():
    assert [cls.__name__ for cls in Bottom.__mro__[:4]] == ["Bottom", "Left", "Right", "Top"]
    assert (Bottom().a, Bottom().b) == (1, 2)
    assert parameter_descriptions(Bottom) == {"a": "From the left.", "b": "From the right."}
    assert section(Bottom)[::2] == ["a : int, default=1", "b : int, default=2"]


# --- manners of scikit-learn ----------------------------------------------------------------------


@pytest.mark.parametrize("cls", [Learner, Narrow, Described, Silent, Bottom])
def test_scikit_learn_takes_it_for_its_own(cls):
    model = cls()
    names = list(inspect.signature(cls).parameters)
    assert sorted(model.get_params()) == sorted(names)
    assert repr(model) == f"{cls.__name__}()"
    copy = clone(model.set_params(**{names[0]: 7}))
    assert copy is not model
    assert copy.get_params() == model.get_params()
    assert repr(copy) == f"{cls.__name__}({names[0]}=7)"
    back = pickle.loads(pickle.dumps(model))
    assert type(back) is cls
    assert back.get_params() == model.get_params()


def test_learned_attributes_survive_a_pickle_but_no_clone():
    model = Learner(3).fit(None)
    assert pickle.loads(pickle.dumps(model)).components_ == [3]
    assert not hasattr(clone(model), "components_")


def test_only_the_obvious_parameter_comes_without_its_name():
    assert Learner(5).n_components == 5
    with pytest.raises(TypeError, match="positional argument"):
        Learner(5, 1.0)


def test_equality_and_hash_are_those_of_objects():
    assert Learner() != Learner()
    assert len({Learner(), Learner()}) == 2


def test_a_grid_over_inherited_parameters():
    settings = ParameterGrid({"width": [1.0, 2.0], "depth": [1, 2]})
    found = {(m.width, m.depth) for m in (Learner().set_params(**s) for s in settings)}
    assert found == {(1.0, 1), (1.0, 2), (2.0, 1), (2.0, 2)}


def test_descriptions_of_what_is_not_described_are_empty():
    found = parameter_descriptions(Learner)
    assert found["options"] == ""
    assert found["low"] == found["high"] == "Ends of the range."
    assert found["width"].splitlines() == ["How far it reaches.", "", "    A second paragraph."]
    assert parameter_descriptions(int) == {}


FIELDS = [cls for cls in all_estimators() if dataclasses.is_dataclass(cls)]


@pytest.mark.parametrize("cls", FIELDS, ids=lambda cls: cls.__name__)
def test_every_learner_of_fields_describes_every_parameter(cls):
    described = parameter_descriptions(cls)
    assert set(inspect.signature(cls).parameters) <= set(described)
    text = inspect.getdoc(cls)
    assert "see elsewhere" not in text
    assert text.count("Parameters\n----------") == 1


@pytest.mark.parametrize("cls", FIELDS, ids=lambda cls: cls.__name__)
def test_no_base_hides_the_default_of_another(cls):
    """All fields of the first base, but the nearest attribute: Python must find the same."""
    for name, parameter in inspect.signature(cls).parameters.items():
        assert getattr(cls, name) is parameter.default, f"{cls.__name__}.{name}"
