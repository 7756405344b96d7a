"""Kernel components of a stream: Sanger's rule in the coordinates of a bounded dictionary."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from noneuclid.numerics.kernel_hebbian import feature_hebbian_pass
from noneuclid.pca._dictionary import Dictionary
from noneuclid.typing import Array

# Rows that meet the dictionary together; it changes between blocks only.
_BLOCK = 1000
RATE, HORIZON = 0.1, 300.0


@dataclass(frozen=True, eq=False)
class Stream:
    """What is known of the objects so far. It never changes; it is replaced."""

    dictionary: Dictionary
    W: Array
    """Components in the coordinates of the dictionary."""
    average: Array
    """Their mean over the stream, late ones counting most: the noise of the steps is gone."""
    power: Array
    mean: Array
    own: float
    """Mean of k(x, x)."""
    clock: int = 0

    @classmethod
    def start(cls, kernel: Any, objects: Any, k: int) -> "Stream":
        """Nothing seen yet."""
        nothing = np.zeros((k, 0))
        dictionary = Dictionary.empty(kernel, objects)
        return cls(dictionary, nothing, nothing, np.zeros(k), np.zeros(0), 0.0)

    @property
    def total(self) -> float:
        """The variance of all there is, in feature space."""
        return max(self.own - float(self.mean @ self.mean), 0.0)

    def met(self, objects: Any, budget: int, rng: np.random.RandomState) -> "Stream":
        """The stream whose dictionary knows these objects, which it learned nothing of."""
        stream = self
        for block in _blocks(objects):
            stream = stream._moved_to(stream.dictionary.grown(block, budget), rng)
        return stream

    def informed(self, Z: Array, objects: Any) -> "Stream":
        """The same with the mean of objects of such coordinates."""
        own = float(np.mean(self.dictionary.kernel.diag(objects)))
        return replace(self, mean=Z.mean(axis=0), own=own)

    def after(self, W: Array, power: Array, clock: int) -> "Stream":
        """The same after so many steps."""
        return replace(self, W=W, average=W, power=power, clock=clock)

    def shown(
        self, objects: Any, budget: int, per_component: bool, rng: np.random.RandomState
    ) -> "Stream":
        """The stream after these objects too, in their order."""
        stream = self
        for block in _blocks(objects):
            stream = stream._moved_to(stream.dictionary.grown(block, budget), rng)
            stream = stream._learned(block, per_component)
        return stream

    def _moved_to(self, dictionary: Dictionary, rng: np.random.RandomState) -> "Stream":
        """The same in the coordinates of another dictionary."""
        if dictionary is self.dictionary:
            return self
        T = self.dictionary.change(dictionary)
        W, average = self.W @ T.T, self.average @ T.T
        if self.clock == 0:
            W = rng.normal(size=W.shape)
            W /= np.maximum(np.linalg.norm(W, axis=1, keepdims=True), 1e-150)
        return replace(self, dictionary=dictionary, W=W, average=average, mean=T @ self.mean)

    def _learned(self, block: Any, per_component: bool) -> "Stream":
        Z, n = self.dictionary.coordinates(block), len(block)
        clock = self.clock + n
        mean = self.mean + n / clock * (Z.mean(axis=0) - self.mean)
        own = float(np.mean(self.dictionary.kernel.diag(block)))
        W, power = self.W.copy(), self.power.copy()
        feature_hebbian_pass(
            Z, mean, np.arange(n), W, power,
            clock=self.clock, per_component=per_component, rate=RATE, horizon=HORIZON,
        )  # fmt: skip
        average = self.average + min(3.0 * n / (clock + 2.0 * n), 1.0) * (W - self.average)
        own = self.own + n / clock * (own - self.own)
        return replace(self, W=W, average=average, power=power, mean=mean, own=own, clock=clock)


def _blocks(objects: Any) -> Iterator[Any]:
    for start in range(0, len(objects), _BLOCK):
        yield objects[np.arange(start, min(start + _BLOCK, len(objects)))]
