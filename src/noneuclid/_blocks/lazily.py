"""What a fitted model says of dask collections: lazily, block by block."""

from typing import Any

import numpy as np

from noneuclid._blocks import door


def lazily(model: Any, method: str, X: Any, *args: Any, **kwargs: Any) -> Any:
    """``model.method(X)`` as a dask array; blocks are computed when they are asked for."""
    if method == "score":
        return _score(model, X, *args, **kwargs)
    dask = door.import_dask()
    if door.is_frame(X) or door.holds_objects(X):
        blocks, sizes, example = _loose(X, model)
    else:
        X = door.whole_rows(X) if X.ndim == 2 else X
        if X.ndim != 2:
            raise ValueError(
                f"X must be two-dimensional, one row per sample, and its shape is {X.shape}"
            )
        blocks, sizes = list(X.to_delayed().ravel()), list(X.chunks[0])
        example = _row(X.shape[1])
    empty = _empty(model, method, example, args, kwargs)
    shared = dask.delayed(_travelling(model), pure=True, traverse=False)
    call = dask.delayed(_applied, pure=True)
    import dask.array as da

    parts = [
        da.from_delayed(
            call(shared, method, block, empty, args, kwargs),
            shape=(size, *empty.shape[1:]),
            dtype=empty.dtype,
            meta=empty,
        )
        for block, size in zip(blocks, sizes)
    ]
    return da.concatenate(parts, axis=0, allow_unknown_chunksizes=True)


def _travelling(model: Any) -> Any:
    """The model, with what it finds in this process and would miss in others."""
    return model._carried() if hasattr(model, "_carried") else model


def _loose(X: Any, model: Any) -> tuple[list[Any], list[float], Any]:
    """Blocks of a table or of objects, whose lengths are not known."""
    opened = door.opened_objects(X)
    example = opened.example
    if example is None:
        if not hasattr(model, "_example_objects"):
            raise TypeError(
                f"X is a dask collection of objects, but {type(model).__name__} takes rows of "
                "numbers: a dask array"
            )
        example = model._example_objects()
    return opened.blocks, opened.sizes, example


def _row(d: int) -> Any:
    """A row that every metric takes: no zeros, no two equal numbers."""
    return np.linspace(1.0, 2.0, d)[None, :]


def _empty(model: Any, method: str, example: Any, args: Any, kwargs: Any) -> np.ndarray:
    """No rows of the answer: its dtype and width, from the answer to one row."""
    answer = getattr(model, method)(example, *args, **kwargs)
    return np.asarray(answer)[:0]


def _applied(model: Any, method: str, block: Any, empty: Any, args: Any, kwargs: Any) -> Any:
    block = block if hasattr(block, "__len__") else list(block)
    if len(block) == 0:
        return empty
    return np.asarray(getattr(model, method)(block, *args, **kwargs), dtype=empty.dtype)


# --- scores -----------------------------------------------------------------------------------


def _score(model: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """The score over all blocks, as a dask array of one number."""
    dask = door.import_dask()
    import dask.array as da

    opened = door.opened_objects(X)
    ys, ws = (
        [None] * len(opened.blocks) if v is None else door.opened_beside(v, opened, name)
        for v, name in ((y, "y"), (sample_weight, "sample_weight"))
    )
    shared = dask.delayed(_travelling(model), pure=True, traverse=False)
    sums = [
        dask.delayed(_score_sums, pure=True)(shared, *block) for block in zip(opened.blocks, ys, ws)
    ]
    score = dask.delayed(_score_of, pure=True)(shared, sums)
    return da.from_delayed(score, shape=(), dtype=np.float64)


def _score_sums(model: Any, block: Any, y: Any, weights: Any) -> Any:
    block = block if hasattr(block, "__len__") else list(block)
    if len(block) == 0:
        return np.zeros(2)
    if hasattr(model, "_score_sums"):
        return model._score_sums(block, y, weights)
    mass = float(len(block) if weights is None else np.sum(weights))
    said = (block,) if y is None else (block, np.asarray(y).ravel())
    kwargs = {} if weights is None else {"sample_weight": np.asarray(weights).ravel()}
    return np.array([mass * float(model.score(*said, **kwargs)), mass]) if mass else np.zeros(2)


def _score_of(model: Any, sums: list[Any]) -> np.ndarray:
    """Means of all samples are means of the blocks; a model whose score is none says what it is."""
    total = np.sum(sums, axis=0)
    return np.asarray(
        model._score_of(total) if hasattr(model, "_score_of") else total[0] / total[1]
    )
