"""Trials in which several neurons were recorded at once: for each neuron, a train per trial."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

from noneuclid.kernels.trains import Trains, as_trains, check_units, is_one_train
from noneuclid.typing import Array


class Trials:
    """The trains of several neurons over the same trials; takes indices and slices as a list does.

    Parameters
    ----------
    neurons : list of Trains
        For every neuron its trains, one per trial.
    n : int
        Number of trials.
    """

    def __init__(self, neurons: list[Trains], n: int):
        self.neurons, self.n = neurons, n

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.neurons, self.n = state["neurons"], state["n"]
        if any(len(trains) != self.n for trains in self.neurons):  # a file may say anything
            raise ValueError("what was saved has neurons with different numbers of trials")

    def __len__(self) -> int:
        return self.n

    def __iter__(self) -> Iterator[list[Array]]:
        return (self[i] for i in range(self.n))

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, (int, np.integer)):
            return [trains[which] for trains in self.neurons]
        return Trials([trains[which] for trains in self.neurons], len(np.arange(self.n)[which]))

    def followed_by(self, other: "Trials") -> "Trials":
        """These trials and then the others, of as many neurons."""
        if self.n_neurons != other.n_neurons:
            raise ValueError(f"X has {self.n_neurons} neurons and Y {other.n_neurons}")
        neurons = [a.followed_by(b) for a, b in zip(self.neurons, other.neurons)]
        return Trials(neurons, self.n + other.n)

    @property
    def trains(self) -> list[Array]:
        """The trains of all neurons, neuron by neuron."""
        return [train for trains in self.neurons for train in trains]

    @property
    def n_neurons(self) -> int:
        """How many neurons there are."""
        return len(self.neurons)


def as_trials(X: Any, name: str = "X", n_neurons: int | None = None) -> Trials:
    """Return trials in one form, or raise with one sentence.

    Parameters
    ----------
    X : list of trials, or array of shape (n, n_neurons, n_events)
        A trial is a list of trains, one per neuron, in the same order in all trials; a train is
        what it is for ``SpikeTrainKernel``, and may be without events.
    name : str, default="X"
        What errors call it.
    n_neurons : int, optional
        How many neurons there must be; by default as many as in the first trial.

    Returns
    -------
    Trials

    Examples
    --------
    >>> trials = as_trials([[[0.1, 0.2], []], [[0.3], [0.4]]])
    >>> len(trials), trials.n_neurons, trials[1]
    (2, 2, [array([0.3]), array([0.4])])
    """
    if isinstance(X, Trials):
        return _counted(X, name, n_neurons)
    if issparse(X) or hasattr(X, "columns"):
        raise TypeError(f"{name} is a table: give a list of trials, each a list of trains")
    if isinstance(X, (str, Trains)) or not np.iterable(X):
        raise TypeError(f"{name} must be a list of trials, not {type(X).__name__}")
    trials = [_one(trial, f"{name}[{i}]") for i, trial in enumerate(X)]
    wanted = n_neurons if n_neurons is not None else len(trials[0]) if trials else 0
    for i, trial in enumerate(trials):
        if len(trial) != wanted:
            first = f"{name}[0] has" if n_neurons is None else "there must be"
            raise ValueError(
                f"{name}[{i}] has {len(trial)} neurons, and {first} {wanted}: give every neuron a "
                "train in every trial, [] where it had no event"
            )
    neurons = [as_trains([t[k] for t in trials], f"neuron {k} of {name}") for k in range(wanted)]
    for k, trains in enumerate(neurons):
        check_units(neurons[0], trains, (f"neuron 0 of {name}", f"neuron {k}"))
    return Trials(neurons, len(trials))


def _one(trial: Any, name: str) -> list[Any]:
    if isinstance(trial, (str, dict)) or not np.iterable(trial):
        raise TypeError(f"{name} must be a trial, a list of trains, not {type(trial).__name__}")
    if is_one_train(trial):
        raise ValueError(f"{name} is a single train: a trial is a list of trains, one per neuron")
    trains = list(trial)
    if len(trains) == 0:
        raise ValueError(f"{name} has no neurons: a trial is a list of trains, one per neuron")
    return trains


def _counted(X: Trials, name: str, n_neurons: int | None) -> Trials:
    if n_neurons is not None and len(X) > 0 and X.n_neurons != n_neurons:
        raise ValueError(f"{name} has {X.n_neurons} neurons, and there must be {n_neurons}")
    return X
