"""How much to smooth: the width that predicts held-out events best."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import KFold

from noneuclid._parameters import Count, Seed, Share, checked
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.kernels.spike_train import Smoothing
from noneuclid.kernels.trains import Trains, as_trains
from noneuclid.numerics import first_argmax
from noneuclid.typing import Array


class WidthSelection(NamedTuple):
    """The best width, all widths tried, and their log-likelihoods per held-out event."""

    width: float
    widths: Array
    scores: Array


@checked
def select_width(
    trains: Any,
    widths: ArrayLike | None = None,
    *,
    smoothing: Smoothing = "gaussian",
    cv: Count = 5,
    background: Share = 0.01,
    random_state: Seed = 0,
) -> WidthSelection:
    r"""Choose the width of smoothing by cross-validated likelihood.

    The intensity per trial :math:`\hat\lambda` is estimated from the trials of all other folds, and
    the held-out trials are judged as Poisson processes,

    .. math:: \ell = \sum_m \log\hat\lambda(t_m) - \int\hat\lambda\,dt .

    A single train is divided event by event, which divides a Poisson process into independent ones.

    Parameters
    ----------
    trains : list of 1-d arrays, or one of the other forms of ``SpikeTrainKernel``
        Repetitions of one experiment; classes may be mixed.
    widths : array, optional
        Widths to try; by default 30 between a hundredth of the median interval between events and
        a quarter of the duration.
    smoothing : str, default="gaussian"
        As in ``SpikeTrainKernel``.
    cv : int, default=5
        Number of folds, at most the number of trains (or of events).
    background : float, default=0.01
        Share of a constant rate in the estimate, so that one stray event does not decide.
    random_state : int, RandomState or None, default=0
        For the folds.

    Returns
    -------
    WidthSelection
        The best width, and the likelihood of all.

    Examples
    --------
    >>> from noneuclid.spikes import jittered_templates
    >>> data = jittered_templates(100, jitter=0.003, random_state=0)
    >>> best = select_width(data.trains)
    >>> 0.0005 < best.width < 0.005
    True
    """
    X = as_trains(trains, "trains")
    if len(X.times) < 2:
        raise ValueError(f"a width needs at least two events; there are {len(X.times)}")
    span = float(X.times.max() - X.times.min())
    grid = _default_widths(X, span) if widths is None else np.asarray(widths, dtype=np.float64)
    if grid.ndim != 1 or not grid.size or not (np.isfinite(grid) & (grid > 0)).all():
        raise ValueError("widths must be positive numbers, one or more")
    pieces = X if len(X) > 1 else as_trains(list(X.times[:, None]))
    if not cv >= 2:
        raise ValueError(f"cv (={cv!r}) must be at least 2")
    splitter = KFold(min(cv, len(pieces)), shuffle=True, random_state=random_state)
    split = splitter.split(np.empty(len(pieces)))
    folds = [(pieces[train], pieces[test]) for train, test in split]
    scores = np.zeros(len(grid))
    for k, width in enumerate(grid):
        kernel = SpikeTrainKernel(float(width), smoothing=smoothing)
        scores[k] = sum(_held_out(train, test, kernel, background, span) for train, test in folds)
    scores /= len(X.times)
    return WidthSelection(float(grid[first_argmax(scores)]), grid, scores)


def _held_out(
    train: Trains, test: Trains, kernel: SpikeTrainKernel, background: float, span: float
) -> float:
    """Poisson log-likelihood of held-out trains, borders ignored."""
    pooled = Trains(np.sort(train.times), np.array([0, len(train.times)]))
    mean_count = len(train.times) / len(train)
    estimate = kernel.intensities(pooled, test.times)[0] / len(train)
    rate = (1 - background) * estimate + background * max(mean_count, 1e-300) / span
    return float(np.log(np.maximum(rate, 1e-300)).sum() - len(test) * mean_count)


def _default_widths(X: Trains, span: float) -> Array:
    intervals = np.concatenate([np.diff(x) for x in X])
    intervals = intervals[intervals > 0]
    if not span > 0:
        raise ValueError("all events happen at the same time: give the widths to try")
    low = float(np.median(intervals)) / 100 if len(intervals) else span / 1000
    return np.geomspace(min(low, span / 40), span / 4, 30)
