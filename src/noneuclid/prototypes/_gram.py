"""Inner products of the training objects a fitted model was trained on."""

from typing import Any

import numpy as np
from scipy import linalg

from noneuclid.prototypes.combinations import GEOMETRIES, CombinationGeometry
from noneuclid.proximities.checks import check_proximities
from noneuclid.typing import Array, IntArray

# An eigenvalue below minus this share of the largest is no rounding.
_NEGATIVE = 1e-8


class Gram:
    """Products K of the training objects, after the model's correction, with its geometry."""

    def __init__(self, model: Any, P: Any = None):
        self.model = model
        self.geometry = _geometry(model, P)
        self.n = len(self.geometry.diagonal)
        self._K: Array | None = None
        self._lowest: float | None = None

    @property
    def K(self) -> Array:
        """The matrix of similarities, if there is one and not only features."""
        if self._K is None:
            self._K = GEOMETRIES[self.model.proximity].similarities(self.geometry.M)
        return self._K

    @property
    def diagonal(self) -> Array:
        """k_ii."""
        return self.geometry.diagonal if self._in_features else np.diag(self.K)

    @property
    def _in_features(self) -> bool:
        return self.model._features is not None

    def block(self, rows: IntArray, columns: IntArray) -> Array:
        """K of some rows and columns."""
        if not self._in_features:
            return self.K[np.ix_(rows, columns)]
        Z = self.geometry.Z
        return (Z[rows] * self.geometry.signs) @ Z[columns].T

    def dot(self, gamma: Array) -> Array:
        """Kγ."""
        if not self._in_features:
            return self.K @ gamma
        Z = self.geometry.Z
        return Z @ (self.geometry.signs * (gamma @ Z))

    def require_positive(self, method: str) -> None:
        """Raise ValueError if the products are indefinite."""
        if self._lowest is None:
            if self._in_features:
                self._lowest = -1.0 if (self.geometry.signs < 0).any() else 0.0
            else:
                values = linalg.eigvalsh(self.K)
                self._lowest = values[0] / max(np.abs(values).max(), 1e-300)
        if self._lowest < -_NEGATIVE:
            raise ValueError(
                f'method="{method}" needs positive semi-definite similarities, and these are '
                'indefinite: fit the model with correction="clip" or "flip", or use "nearest" or '
                '"hull"'
            )


def _geometry(model: Any, P: Any) -> Any:
    if model._features is not None:
        if getattr(model, "_training_features", None) is None:
            if P is None:
                raise ValueError(_ASK)
            model._training_features = model._features.embedding.transform(P)
        return model._features.geometry(model)
    return _matrix_geometry(model, P)


_ASK = "the model did not keep the proximities of its training objects: pass them as P"


def _matrix_geometry(model: Any, P: Any) -> CombinationGeometry:
    if P is not None:
        P = check_proximities(P, model.proximity)
    elif "_training" in model.__dict__:
        P = model._training
    elif not model._source.is_precomputed:
        objects = model._source.objects
        P = model._source.rows(model, objects, np.arange(len(objects)))[0]
    else:
        raise ValueError(_ASK)
    n = model.coefficients_.shape[1]
    if P.shape != (n, n):
        raise ValueError(
            f"P has shape {P.shape}, but the model was trained on {n} objects: give the "
            "proximities between those"
        )
    if model._correction is not None:
        P = model._correction.transform(P)
        P = (P + P.T) / 2
    return GEOMETRIES[model.proximity](np.ascontiguousarray(P), "none")
