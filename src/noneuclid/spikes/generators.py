"""Random event sequences whose structure is known."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from noneuclid._parameters import (
    ClosedShare,
    Count,
    NotNegative,
    Positive,
    Rule,
    Seed,
    Whole,
    checked,
)
from noneuclid.kernels.trains import as_trains
from noneuclid.typing import Array, IntArray


class JitteredTemplates(NamedTuple):
    """Trains, the template of each, and the templates."""

    trains: list[Array]
    labels: IntArray
    templates: list[Array]


@checked
def jittered_templates(
    n_trains: Whole = 50,
    *,
    n_templates: Count = 2,
    n_spikes: Whole = 10,
    duration: Positive = 0.25,
    keep: ClosedShare = 0.8,
    jitter: NotNegative = 0.003,
    templates: Any = None,
    random_state: Seed = None,
) -> JitteredTemplates:
    """Noisy copies of a few templates: events are lost with some probability, and jittered.

    The defaults are the experiment of Paiva, Park and Príncipe (2009), section 9.7 of Príncipe's
    *Information Theoretic Learning*.

    Parameters
    ----------
    n_trains : int, default=50
        In equal shares per template, the first template's first.
    n_templates, n_spikes, duration : int, int, float
        Templates have ``n_spikes`` independent, uniform events between 0 and ``duration``.
    keep : float, default=0.8
        Probability that an event is copied.
    jitter : float, default=0.003
        Standard deviation of the normal jitter.
    templates : list of arrays, optional
        Given templates, for instance those of an earlier call, for test data.
    random_state : int, RandomState or None

    Returns
    -------
    JitteredTemplates
        Trains, their labels, and the templates.

    Examples
    --------
    >>> training = jittered_templates(6, random_state=0)
    >>> test = jittered_templates(4, templates=training.templates, random_state=1)
    >>> training.labels, len(test.trains)
    (array([0, 0, 0, 1, 1, 1]), 4)
    """
    rng = check_random_state(random_state)
    if templates is None:
        chosen = [np.sort(rng.uniform(0, duration, n_spikes)) for _ in range(n_templates)]
    else:
        chosen = list(as_trains(templates, "templates"))
        if not chosen:
            raise ValueError("templates is empty: give at least one")
    labels = np.sort(np.arange(n_trains) % len(chosen))
    trains = []
    for label in labels:
        kept = chosen[label][rng.uniform(size=len(chosen[label])) < keep]
        trains.append(np.sort(kept + rng.normal(scale=jitter, size=len(kept))))
    return JitteredTemplates(trains, labels, chosen)


_Rate = (
    NotNegative
    | Annotated[
        Callable[[Array], Any],
        Rule("a function of time", lambda v: callable(v) and not isinstance(v, type)),
    ]
)


@checked
def poisson_trains(
    n_trains: Whole,
    *,
    rate: _Rate,
    duration: Positive,
    max_rate: NotNegative | None = None,
    random_state: Seed = None,
) -> list[Array]:
    """Poisson processes between 0 and ``duration``, with a constant or a varying rate.

    Parameters
    ----------
    n_trains : int
    rate : float or callable
        Events per time; a function of an array of times gives an inhomogeneous process.
    duration : float
    max_rate : float, optional
        An upper bound of a varying rate, which is thinned from it (Lewis and Shedler, 1979).
    random_state : int, RandomState or None

    Returns
    -------
    list of array
        Times of every train, rising.

    Examples
    --------
    >>> [len(train) for train in poisson_trains(3, rate=20.0, duration=1.0, random_state=0)]
    [21, 21, 19]
    >>> ramp = poisson_trains(
    ...     1, rate=lambda t: 100 * t, duration=1.0, max_rate=100, random_state=0
    ... )
    >>> bool(ramp[0].mean() > 0.5)
    True
    """
    rng = check_random_state(random_state)
    if callable(rate) and max_rate is None:
        raise ValueError("a varying rate needs max_rate, an upper bound of it")
    highest: Any = max_rate if callable(rate) else rate
    trains = []
    for count in rng.poisson(float(highest) * duration, size=n_trains):
        times = np.sort(rng.uniform(0, duration, count))
        trains.append(_thinned(times, rate, float(highest), rng) if callable(rate) else times)
    return trains


def _thinned(times: Array, rate: Callable[[Array], Any], highest: float, rng: Any) -> Array:
    rates = np.broadcast_to(np.asarray(rate(times), dtype=np.float64), times.shape)
    if not ((rates >= 0) & (rates <= highest * (1 + 1e-12))).all():
        raise ValueError(f"the rate must stay between 0 and max_rate (={highest})")
    return times[rng.uniform(size=len(times)) * highest < rates]
