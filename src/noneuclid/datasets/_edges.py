"""Proximities as a list of pairs: edges of a graph, and hits of a search of sequences."""

import numpy as np

from noneuclid._files import DataError
from noneuclid._memory import require_matrices
from noneuclid.datasets._table import Column, Table, number
from noneuclid.datasets.content import Content, Wishes
from noneuclid.datasets.understanding import Ambiguous, Part, near_or_far
from noneuclid.typing import Array

# Columns of BLAST, DIAMOND and MMseqs2 in their tabular format (-outfmt 6).
_HITS = 12
_BITS = 11
# Two columns of names of the same objects share at least this part of them.
_SHARED = 0.5
_ALIKE = ("similar", "score", "weight", "identity", "bits", "correlation", "kernel", "strength")
_UNLIKE = ("dist", "dissim", "cost", "length", "time")
# Numbers are names of objects only below such headings.
_ENDS = {"source", "target", "from", "to", "i", "j", "a", "b", "node1", "node2", "query", "subject"}


def is_hits(table: Table) -> bool:
    """Whether it is the table of a search all against all: two names, then ten numbers."""
    columns = table.columns
    if table.has_header or len(columns) != _HITS or any(c.is_number for c in columns[:2]):
        return False
    numbers = [column.numbers for column in columns[2:]]
    if any(values is None for values in numbers):
        return False
    identity, *counts, expected, bits = (np.asarray(values) for values in numbers)
    whole = all((values == values.round()).all() and (values >= 0).all() for values in counts)
    share = identity.min() >= 0 and identity.max() <= 100
    return bool(whole and share and (expected >= 0).all() and (bits >= 0).all())


def hits(table: Table) -> Content:
    r"""Similarities of sequences by the bit scores of their hits.

    :math:`s_{ij} = b_{ij} / \sqrt{b_{ii} b_{jj}}` with the best bit score of every pair, the mean
    of both directions where there are two, and 0 where there is no hit.
    """
    query, subject, bits = table.columns[0], table.columns[1], table.columns[_BITS]
    names, best = _scores(query, subject, np.asarray(bits.numbers), np.maximum)
    own = np.diag(best)
    if np.isnan(own).any():
        lonely = names[int(np.isnan(own).argmax())]
        raise DataError(
            f"{table.file}: {lonely!r} has no hit of itself, so that bit scores cannot be "
            "compared: search all sequences against all, with themselves among them"
        )
    both = np.where(np.isnan(best), best.T, (best + np.where(np.isnan(best.T), best, best.T)) / 2)
    absent = int(np.isnan(both).sum()) // 2
    S = np.nan_to_num(both) / np.sqrt(np.outer(own, own))
    np.fill_diagonal(S, 1.0)
    content = Content(table.file, S, kind="similarity", names=names, features=names)
    pairs = len(names) * (len(names) - 1) // 2
    content.notes.append("best bit scores of hits, over those of sequences with themselves")
    content.notes.append(f"{absent} of {pairs} pairs have no hit: 0")
    return content


def is_edges(table: Table) -> bool:
    """Whether it is a list of pairs of objects with one number each."""
    if len(table.columns) != 3:
        return False
    first, second, value = table.columns
    if value.numbers is None or first.is_number != second.is_number:
        return False
    if first.is_number and not {first.name.lower(), second.name.lower()} <= _ENDS:
        return False
    one, other = set(first.cells), set(second.cells)
    if len(table) < len(one | other):
        return False
    pairs = {tuple(sorted(pair)) for pair in zip(first.cells, second.cells)}
    return len(one & other) >= _SHARED * min(len(one), len(other)) and 2 * len(pairs) >= len(table)


def edges(table: Table, wishes: Wishes) -> Content:
    """The matrix of all pairs; those that are absent must be asked about."""
    first, second, value = table.columns
    if value.numbers is None:
        raise DataError(f"{table.file}: {value.name!r} must hold the numbers of pairs")
    kind = wishes.kind if wishes.kind != "auto" else _value_kind(value)
    if not kind:
        raise Ambiguous(
            f"{table.file} is a list of pairs, but nothing tells whether {value.name!r} says how "
            "near or how far they are: say --kind similarity or --kind dissimilarity",
            near_or_far(),
        )
    names, P = _scores(first, second, np.asarray(value.numbers), _refuse_second(table))
    P = np.where(np.isnan(P), P.T, P)
    if kind == "dissimilarity":
        P[np.diag_indices(len(P))] = np.nan_to_num(np.diag(P))
    absent = np.isnan(P)
    alone = np.diag(absent).copy()
    if absent.any():
        if wishes.missing is None:
            i, j = (int(k) for k in np.argwhere(absent)[0])
            raise DataError(
                f"{table.file} has no value for {names[i]!r} and {names[j]!r}, and {absent.sum()} "
                "entries are absent in all: say with --missing VALUE what they are"
            )
        P[absent] = _filling(wishes.missing)
        # Nothing is less like itself than like others; of dissimilarities none is absent here.
        np.fill_diagonal(P, np.where(alone, P.max(), np.diag(P)))
    content = Content(table.file, P, kind=kind, names=names, features=names)
    content.parts = [
        Part(f"columns {first.name!r} and {second.name!r}", "names of two objects"),
        Part(f"column {value.name!r}", f"their {kind}", (("--kind KIND", "the opposite"),)),
    ]
    content.notes.append(f"{len(table)} pairs")
    if absent.sum() > alone.sum():
        content.notes.append(f"absent pairs taken as {wishes.missing}")
    if alone.any():
        content.notes.append(
            f"self-similarities that are absent ({alone.sum()}) taken as the largest similarity, "
            f"{P.max():g}"
        )
    return content


def _filling(given: str | tuple[float, ...]) -> float:
    value = number(given) if isinstance(given, str) else None
    if value is None:
        raise DataError(f"--missing {given}: absent pairs need a number, such as 0")
    return value


def _value_kind(value: Column) -> str:
    name = value.name.lower()
    if any(word in name for word in _UNLIKE) or name == "d":
        return "dissimilarity"
    return "similarity" if any(word in name for word in _ALIKE) or name == "s" else ""


def _scores(first: Column, second: Column, values: Array, join: object) -> tuple[list[str], Array]:
    """Names in the order in which they come, and the value of every pair; NaN where is none."""
    names = list(dict.fromkeys([*first.cells, *second.cells]))
    what = "the matrix of all pairs"
    require_matrices(what, len(names), copies=4, instead="keep fewer objects")
    at = {name: k for k, name in enumerate(names)}
    P = np.full((len(names), len(names)), np.nan)
    for a, b, value in zip(first.cells, second.cells, values.tolist()):
        i, j = at[a], at[b]
        P[i, j] = value if np.isnan(P[i, j]) else join(P[i, j], value)  # type: ignore[operator]
    return names, P


def _refuse_second(table: Table) -> object:
    def second(before: float, value: float) -> float:
        if before != value:
            raise DataError(f"{table.file} gives a pair the values {before:g} and {value:g}")
        return value

    return second
