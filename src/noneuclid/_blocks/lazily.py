"""What a fitted model says of dask collections: lazily, block by block."""

import inspect
from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.metrics import r2_score

from noneuclid._blocks import door
from noneuclid._blocks.survey import column
from noneuclid.typing import Array

# What a method takes beside X that is of its rows, one number each.
_OWN = "self_similarity"


def lazily(model: Any, method: str, X: Any, *args: Any, **kwargs: Any) -> Any:
    """``model.method(X)`` as a dask array; blocks are computed when they are asked for."""
    if method == "score":
        return _score(model, X, *args, **kwargs)
    dask = door.import_dask()
    if door.is_frame(X) or door.holds_objects(X):
        opened = _loose(X, model)
    else:
        X = door.whole_rows(X) if X.ndim == 2 else X
        if X.ndim != 2:
            raise ValueError(
                f"X must be two-dimensional, one row per sample, and its shape is {X.shape}"
            )
        blocks = list(X.to_delayed().ravel())
        opened = door.Opened(blocks, list(X.chunks[0]), _row(X.shape[1]))
    given = _by_name(model, method, args, kwargs)
    beside = [None] * len(opened.blocks)
    if given.get(_OWN) is not None:
        beside = door.opened_beside(given.pop(_OWN), opened, _OWN)
        args, kwargs = (), given
    some = None if beside[0] is None else np.ones(len(opened.example))
    empty = np.asarray(_answer(model, method, opened.example, some, args, kwargs))[:0]
    shared = dask.delayed(_travelling(model), pure=True, traverse=False)
    call = dask.delayed(_applied, pure=True)
    import dask.array as da

    parts = [
        da.from_delayed(
            call(shared, method, block, own, empty, args, kwargs),
            shape=(size, *empty.shape[1:]),
            dtype=empty.dtype,
            meta=empty,
        )
        for block, own, size in zip(opened.blocks, beside, opened.sizes)
    ]
    return da.concatenate(parts, axis=0, allow_unknown_chunksizes=True)


def _by_name(model: Any, method: str, args: Any, kwargs: Any) -> dict[str, Any]:
    """What stands behind X in a call, by its name."""
    call = inspect.signature(getattr(model, method)).bind(None, *args, **kwargs)
    return dict(list(call.arguments.items())[1:])


def _travelling(model: Any) -> Any:
    """The model, with what it finds in this process and would miss in others."""
    return model._carried() if hasattr(model, "_carried") else model


def _loose(X: Any, model: Any) -> door.Opened:
    """Blocks of a table or of objects, whose lengths are not known."""
    opened = door.opened_objects(X)
    if opened.example is None:
        if not hasattr(model, "_example_objects"):
            raise TypeError(
                f"X is a dask collection of objects, but {type(model).__name__} takes rows of "
                "numbers: a dask array"
            )
        opened.example = model._example_objects()
    return opened


def _row(d: int) -> Any:
    """A row that every metric takes: no zeros, no two equal numbers."""
    return np.linspace(1.0, 2.0, d)[None, :]


def _answer(model: Any, method: str, block: Any, own: Any, args: Any, kwargs: Any) -> Any:
    beside = {} if own is None else {_OWN: column(own)}
    return getattr(model, method)(block, *args, **kwargs, **beside)


def _applied(
    model: Any, method: str, block: Any, own: Any, empty: Any, args: Any, kwargs: Any
) -> Any:
    block = block if hasattr(block, "__len__") else list(block)
    if len(block) == 0:
        return empty
    return np.asarray(_answer(model, method, block, own, args, kwargs), dtype=empty.dtype)


# --- scores -----------------------------------------------------------------------------------


def _score(model: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
    """The score over all blocks, as a dask array of one number."""
    dask = door.import_dask()
    import dask.array as da

    opened = door.opened_objects(X)
    given = _by_name(model, "score", args, kwargs)
    names = [name for name, values in given.items() if values is not None]
    beside = [door.opened_beside(given[name], opened, name) for name in names]
    shared = dask.delayed(_travelling(model), pure=True, traverse=False)
    part, whole = (_answers, _score_once) if _is_no_mean(model) else (_score_sums, _score_of)
    parts = [
        dask.delayed(part, pure=True)(shared, names, *block)
        for block in zip(opened.blocks, *beside)
    ]
    score = dask.delayed(whole, pure=True)(shared, parts)
    return da.from_delayed(score, shape=(), dtype=np.float64)


def _is_no_mean(model: Any) -> bool:
    """Whether a score is not the mean of what single samples score: R², or what users choose."""
    return hasattr(model, "_score_answers") or is_regressor(model)


def _answers(model: Any, names: list[str], block: Any, *beside: Any) -> Any:
    """What is predicted for a block, and what stands beside it."""
    block = block if hasattr(block, "__len__") else list(block)
    if len(block) == 0:
        return None
    return np.asarray(model.predict(block)), _columns(names, beside)


def _score_once(model: Any, parts: list[Any]) -> np.ndarray:
    """The score of what was predicted for all blocks."""
    there = [part for part in parts if part is not None]
    if not there:
        raise ValueError("X has no samples, and a score needs some")
    said = np.concatenate([answers for answers, _ in there])
    known = {name: np.concatenate([own[name] for _, own in there]) for name in there[0][1]}
    score = model._score_answers if hasattr(model, "_score_answers") else _r2
    return np.asarray(score(said, **known), dtype=np.float64)


def _r2(said: np.ndarray, y: np.ndarray, sample_weight: Array | None = None) -> float:
    return float(r2_score(y, said, sample_weight=sample_weight))


def _score_sums(model: Any, names: list[str], block: Any, *beside: Any) -> Any:
    block = block if hasattr(block, "__len__") else list(block)
    if len(block) == 0:
        return np.zeros(2)
    known = _columns(names, beside)
    weights = known.get("sample_weight")
    if hasattr(model, "_score_sums"):
        return model._score_sums(block, known.get("y"), weights)
    mass = float(len(block) if weights is None else np.sum(weights))
    return np.array([mass * float(model.score(block, **known)), mass]) if mass else np.zeros(2)


def _columns(names: list[str], beside: tuple[Any, ...]) -> dict[str, np.ndarray]:
    return {name: column(values) for name, values in zip(names, beside)}


def _score_of(model: Any, sums: list[Any]) -> np.ndarray:
    """Means of all samples are means of the blocks; a model whose score is none says what it is."""
    total = np.sum(sums, axis=0)
    return np.asarray(
        model._score_of(total) if hasattr(model, "_score_of") else total[0] / total[1]
    )
