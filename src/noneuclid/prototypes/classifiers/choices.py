"""What is left to the learner itself: parameters of the cost, bandwidths, how many prototypes."""

import dataclasses
from typing import Any, ClassVar

from noneuclid._blocks import in_blocks
from noneuclid._estimator import as_fitted
from noneuclid._sklearn import BaseEstimator
from noneuclid.prototypes.classifiers.growing import grown
from noneuclid.prototypes.costs import Cost, as_cost, costs
from noneuclid.prototypes.geometries.bandwidths import BandwidthGeometry
from noneuclid.typing import Array


class ChoosesItself(BaseEstimator):
    """A classifier with ``n_prototypes``, ``init`` and a cost, any of which may be left open."""

    cost: Any
    n_prototypes: Any
    init: Any
    checkpoint: Any
    cost_: Any
    prototype_labels_: Array
    _learns_bandwidths: ClassVar[bool] = False
    _kept: ClassVar[tuple[str, ...]] = ("cost",)

    def _check_params(self) -> None:
        cost = self._make_cost()
        if cost.learns_bandwidth and not self._learns_bandwidths:
            raise ValueError(
                f"sigma2 of {cost!r} can be learned with prototypes that are vectors only, not by "
                f'{type(self).__name__}: give a number, or "scale"'
            )
        if self._is_open() and not isinstance(self.init, str):
            raise ValueError(
                'n_prototypes="auto" tries several numbers of prototypes, and init has the '
                "prototypes of one: name a way to start, or give the number"
            )

    # --- the cost -----------------------------------------------------------------------------

    def _make_cost(self) -> Cost:
        """The cost asked for; one given by name takes its parameters from the classifier."""
        if isinstance(self.cost, Cost):
            self._refuse_parameters_beside_the_cost()
        cost = as_cost(self.cost, **vars(self))
        cost.check()
        return cost

    def _refuse_parameters_beside_the_cost(self) -> None:
        """A cost that is an object has its own parameters: those given beside it do nothing."""
        of_costs = {name for cls in costs().values() for name in cls._get_param_names()}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.name in of_costs and value is not field.default and value != field.default:
                raise ValueError(
                    f"{field.name} (={value!r}) is a parameter of the cost, and cost is an object: "
                    f"give it there, as in {type(self.cost).__name__}({field.name}={value!r})"
                )

    def _is_soft(self) -> bool:
        """Whether the cost models class probabilities."""
        cost = as_fitted(self, "cost")
        known = costs().get(cost) if isinstance(cost, str) else cost
        return bool(getattr(known, "is_soft", False))

    # --- the number of prototypes -------------------------------------------------------------

    def _is_open(self) -> bool:
        return isinstance(self.n_prototypes, str)

    def _wanted(self) -> Any:
        """Prototypes per class: as given, or as chosen."""
        return self.n_prototypes_ if self._is_open() else self.n_prototypes

    def _choose_number(self, X: Any, y: Any, sample_weight: Any) -> None:
        """Choose the number of prototypes by validation, where it was left open."""
        if not self._is_open():
            for name in ("n_prototypes_", "validation_errors_"):  # of an earlier fit
                self.__dict__.pop(name, None)
            return
        if in_blocks(X, y, sample_weight) or getattr(self, "checkpoint", None) is not None:
            raise ValueError(
                'n_prototypes="auto" fits many times, to parts of samples in memory: choose it on '
                "some of them, and give the number"
            )
        self.n_prototypes_, self.validation_errors_ = grown(self, X, y, sample_weight)

    def _require_number(self) -> None:
        """Raise where samples come one after another before a number was chosen."""
        if self._is_open() and not hasattr(self, "n_prototypes_"):
            raise ValueError(
                'n_prototypes="auto" is chosen by validation in fit: begin with fit, or give '
                "partial_fit a number"
            )

    # --- bandwidths ---------------------------------------------------------------------------

    def _widened(self, geometry: Any, parameters: Any = None) -> tuple[Any, Any]:
        """The geometry and its parameters, with bandwidths if they are to be learned."""
        learned = self._make_cost().learns_bandwidth
        if learned is None:
            return geometry, parameters
        m = len(self.prototype_labels_)
        geometry = BandwidthGeometry(geometry, m, each=learned == "each")
        return geometry, None if parameters is None else geometry.first(parameters)

    def _finish(self, geometry: Any, theta: Any) -> None:
        """Keep what was learned; learned bandwidths become those of the cost."""
        if isinstance(geometry, BandwidthGeometry):
            self.cost_ = self.cost_.widened(geometry.widths(theta.parameters))
            geometry, theta = geometry.inner, theta.inner
        self._keep(geometry, theta)  # type: ignore[attr-defined]
