"""Estimators whose parameters are said once: fields of a dataclass, inherited with their words.

A class declares a parameter as a field and describes it in the ``Parameters`` section of its
docstring, as numpydoc does. Sub-classes inherit both; they may give another default, describe it
anew, or remove it by declaring it a ``ClassVar``. The decorator writes the whole section into
every class, so that ``help()`` shows all parameters of a class with the defaults it has, and has
every ``fit`` begin with a look at the parameters: nobody can forget to check them.
"""

import dataclasses
import functools
import inspect
import re
from collections.abc import Callable, Sized
from typing import Any, TypeVar, dataclass_transform

from sklearn.utils.validation import check_is_fitted

from noneuclid._blocks import is_collection, lazily
from noneuclid._documentation import Entries, complete_methods, entries_of, with_section
from noneuclid._memory import advised
from noneuclid._parameters import check_parameters
from noneuclid.numerics.threads import one_blas_thread

C = TypeVar("C", bound=type)

_DEFAULT = re.compile(r"(?:, |^)(?:default=.*|optional)$")

# Methods that learn: they change an estimator wholly or not at all.
_LEARNING = ("fit", "partial_fit", "fit_transform", "fit_predict")
# Methods that say something of every sample: of dask collections they do so block by block.
_SAYING = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_or_reject",
    "predict_set",
    "predict_interval",
    "p_values",
    "decision_function",
    "certainty",
    "nonconformity",
    "outlyingness",
    "transform",
    "inverse_transform",
    "positions",
    "project",
    "score_samples",
    "reconstruction_error",
    "score",
)

_NOT_IN_BLOCKS = (
    "{} does not take dask collections: it needs all samples at once; give it a part of them, "
    "computed"
)


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(dataclasses.field,))
def estimator(cls: C) -> C:
    """Make a class a keyword-only dataclass; document all its parameters, and check them in fit.

    Its methods that learn leave an object as it was if they do not come to their end.

    Examples
    --------
    >>> from typing import ClassVar
    >>> from sklearn.base import BaseEstimator
    >>> @estimator
    ... class Learner(BaseEstimator):
    ...     '''Learns.
    ...
    ...     Parameters
    ...     ----------
    ...     width : float, default=1.0
    ...         How far it reaches.
    ...     depth : int, default=3
    ...     '''
    ...     width: float = 1.0
    ...     depth: int = 3
    >>> @estimator
    ... class Narrow(Learner):
    ...     '''Learns what is near.'''
    ...     width: float = 0.1
    ...     depth: ClassVar[int] = 1
    >>> Narrow.__doc__.splitlines()[-2:]
    ['width : float, default=0.1', '    How far it reaches.']
    >>> Narrow(width=2.0)
    Narrow(width=2.0)
    """
    own = dict(cls.__dict__).get("__doc__")
    made: C = dataclasses.dataclass(kw_only=True, repr=False, eq=False)(cls)  # type: ignore[assignment]
    cls._own_documentation = inspect.cleandoc(own) if own else ""  # type: ignore[attr-defined]
    made.__init__.__signature__ = _readable(inspect.signature(made.__init__))  # type: ignore[misc]
    made.__doc__ = _documentation(made)
    complete_methods(made)
    if (setter := getattr(made, "set_params", None)) and not hasattr(setter, "_knows_names"):
        made.set_params = _knowing_names(setter)  # type: ignore[attr-defined]
    for name in _LEARNING:
        if inspect.isfunction(method := vars(made).get(name)):
            setattr(made, name, _wholly(method))
    for name in _SAYING:
        _let_be_lazy(made, name)
    return made


def _readable(signature: inspect.Signature) -> inspect.Signature:
    """Names and defaults, as ``help()`` shows them: what values may be is said in the docstring."""
    plain = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    return signature.replace(parameters=plain, return_annotation=signature.empty)


def _knowing_names(set_params: Callable[..., Any]) -> Callable[..., Any]:
    """The method, which says that a part given by its name has no parameters to be set."""

    @functools.wraps(set_params)
    def run(self: Any, **params: Any) -> Any:
        for key in params:
            part, _, inner = key.partition("__")
            value = params.get(part, getattr(self, part, None))
            if inner and isinstance(value, str) and part in self._get_param_names():
                raise ValueError(
                    f"{key} cannot be set: {part} (={value!r}) is a name, which has no parameters; "
                    f"set {part} to an object that has the parameter {inner}"
                )
        return set_params(self, **params)

    run._knows_names = True  # type: ignore[attr-defined]
    return run


def _let_be_lazy(cls: type, name: str) -> None:
    """Have a method take dask collections, whether the class defines it or scikit-learn does."""
    owner = next((base for base in cls.__mro__ if name in vars(base)), None)
    if owner is None or (owner is not cls and hasattr(owner, "_own_documentation")):
        return
    method = vars(owner)[name]
    if inspect.isfunction(method):
        setattr(cls, name, _lazy(method))
    elif owner is cls and inspect.isfunction(getattr(method, "fn", None)):  # available_if
        method.fn = _lazy(method.fn)


def _lazy(say: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(say)
    def run(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if is_collection(X):
            check_is_fitted(self)
            return lazily(self, say.__name__, X, *args, **kwargs)
        return say(self, X, *args, **kwargs)

    return run


def _wholly(learn: Callable[..., Any]) -> Callable[..., Any]:
    """The method, after a look at the parameters; unless it comes to its end, nothing changes.

    An error or an interrupt at any moment leaves no half-learned model. Attributes are put back,
    not what they hold: a method that goes on from them must not change arrays in place.
    """

    @functools.wraps(learn)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        check_parameters(self)
        if any(map(is_collection, args[:2])) or is_collection(kwargs.get("X")):
            if learn.__name__ != "fit":
                return _of_collection(self, learn.__name__, *args, **kwargs)
            if not hasattr(self, "_fit_blocks"):
                raise TypeError(_NOT_IN_BLOCKS.format(type(self).__name__))
        before = dict(self.__dict__)
        if kept := getattr(self, "_kept", ()):
            self._fitted_with = {name: getattr(self, name) for name in kept}
        try:
            with one_blas_thread(_multiplications(args[0] if args else kwargs.get("X"))):
                return advised(getattr(self, "_instead", ""), learn, self, *args, **kwargs)
        except BaseException:
            self.__dict__ = before
            raise

    return run


def as_fitted(model: Any, name: str) -> Any:
    """The value a parameter had when the model last learned; it may have been set since.

    A class names in ``_kept`` the parameters that decide what a fitted model says. A model that
    has not learned yet, or comes from a file of an earlier version, knows the present value only.
    """
    return vars(model).get("_fitted_with", {}).get(name, getattr(model, name))


def learned_anew(model: Any, learn: Callable[..., Any], *args: Any) -> Any:
    """``learn(model, *args)`` without anything of an earlier fit; returns the model.

    A fit in blocks sends what it knows to where they lie, and a checkpoint compares it.
    """
    fresh = type(model)(**model.get_params(deep=False))
    learn(fresh, *args)
    vars(model).update(vars(fresh))
    return model


def _multiplications(X: Any) -> int:
    """About as many as a product, or a decomposition, of matrices as large as the data.

    Larger ones know better, where they are, which products they make.
    """
    if hasattr(X, "shape"):
        sides = [side for side in X.shape if isinstance(side, int)]  # dask may not know them
    else:
        sides = [len(X)] if isinstance(X, Sized) else []
    return max(sides, default=0) ** 3 // 8


def _of_collection(model: Any, name: str, X: Any, *args: Any, **kwargs: Any) -> Any:
    """What follows a fit on a dask collection is said of it lazily."""
    if name == "partial_fit":
        raise TypeError(
            "partial_fit takes one block at a time: call it with X.blocks[k].compute() for each k, "
            "or call fit with the whole collection"
        )
    return getattr(model.fit(X, *args, **kwargs), name.removeprefix("fit_"))(X)


def _documentation(cls: type) -> str:
    """The docstring of the class, with all its parameters, and attributes of its bases too."""
    text = vars(cls)["_own_documentation"]
    known, attributes = _inherited(cls, "Parameters"), _inherited(cls, "Attributes")
    parameters = inspect.signature(cls).parameters.values()
    entries = [_entry(p, *known.get(p.name, ("", ""))) for p in parameters]
    text = with_section(text, "Parameters", entries, after=None)
    described = [_joined(name, *attribute) for name, attribute in attributes.items()]
    return with_section(text, "Attributes", described, after="Parameters")


def _inherited(cls: type, section: str) -> Entries:
    """Entries of a section in the docstrings of a class and its bases; the nearest one wins."""
    known: Entries = {}
    for base in reversed(cls.__mro__):
        known.update(entries_of(vars(base).get("_own_documentation", ""), section))
    return known


def _entry(parameter: inspect.Parameter, kind: str, description: str) -> str:
    kind = _DEFAULT.sub("", kind)
    if parameter.default is not inspect.Parameter.empty:
        default = _shown(parameter.default)
        kind = f"{kind}, {default}" if kind else default
    return _joined(parameter.name, kind, description)


def _joined(name: str, kind: str, description: str) -> str:
    head = f"{name} : {kind}" if kind else name
    return f"{head}\n{description}" if description else head


def _shown(default: Any) -> str:
    if default is None:
        return "optional"
    return f'default="{default}"' if isinstance(default, str) else f"default={default!r}"


def parameter_descriptions(cls: type) -> dict[str, str]:
    """Description of every parameter that ``help()`` shows: empty where there is none."""
    entries = entries_of(inspect.getdoc(cls) or "", "Parameters")
    return {name: text.strip() for name, (_, text) in entries.items()}
