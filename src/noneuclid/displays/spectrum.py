"""The spectrum of a matrix of proximities."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.displays._axes import Display, legend_above, plain
from noneuclid.displays.scaling import similarities
from noneuclid.displays.style import NEGATIVE, POSITIVE, ZERO
from noneuclid.proximities import Signature, negative_mass, spectrum
from noneuclid.proximities.checks import Proximity
from noneuclid.proximities.spectrum import count_signs


class SpectrumDisplay(Display):
    """Eigenvalues of a matrix of proximities: how Euclidean it is, and how large its rank.

    Parameters
    ----------
    eigenvalues : array of shape (n,)
        Of the similarities.
    cutoff : float, default=1e-4
        Eigenvalues below this share of the largest modulus count as zero.

    Attributes
    ----------
    eigenvalues : array
        Largest first.
    signature : Signature
    negative_mass : float
        Share of the negative eigenvalues in the sum of all moduli; 0 if Euclidean.
    ax_, figure_ : after :meth:`plot`

    Examples
    --------
    >>> display = SpectrumDisplay([2.0, 1.0, -1.0])
    >>> display.signature, display.negative_mass
    (Signature(positive=2, negative=1, zero=0), 0.25)
    """

    def __init__(self, eigenvalues: ArrayLike, *, cutoff: float = 1e-4):
        self.eigenvalues = np.sort(np.asarray(eigenvalues, dtype=np.float64))[::-1]
        self.cutoff = cutoff

    @classmethod
    def from_matrix(
        cls,
        P: ArrayLike,
        *,
        proximity: Proximity = "similarity",
        cutoff: float = 1e-4,
        **kwargs: Any,
    ) -> Self:
        """Draw the spectrum of similarities, or of those behind dissimilarities.

        Parameters
        ----------
        P : array of shape (n, n)
            Proximities.
        proximity : {"similarity", "dissimilarity"}, default="similarity"
            What the numbers of P are.
        cutoff : float, default=1e-4
            Eigenvalues below this share of the largest modulus count as zero.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        return cls(spectrum(similarities(P, proximity)), cutoff=cutoff).plot(**kwargs)

    @classmethod
    def from_estimator(cls, estimator: Any, *, cutoff: float = 1e-4, **kwargs: Any) -> Self:
        """Draw the spectrum a fitted ``SpectrumCorrection``, embedding or proximity model has seen.

        A model has it of its training objects, after its correction if it has one, as long as it
        is in memory.

        Parameters
        ----------
        estimator : fitted SpectrumCorrection, embedding or proximity model
            Whose spectrum is drawn.
        cutoff : float, default=1e-4
            Eigenvalues below this share of the largest modulus count as zero.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        check_is_fitted(estimator)
        values = getattr(estimator, "eigenvalues_", None)
        relation = getattr(estimator, "relation_", None)
        if values is None and relation is not None and relation.n_landmarks is None:
            values = spectrum(relation.block(slice(None), slice(None)))
        if values is None:
            raise ValueError(
                f"{type(estimator).__name__} has no eigenvalues of its training proximities: use "
                "SpectrumDisplay.from_matrix(P)"
            )
        return cls(values, cutoff=cutoff).plot(**kwargs)

    @property
    def signature(self) -> Signature:
        """Numbers of positive, negative and zero eigenvalues."""
        return count_signs(self.eigenvalues, self.cutoff)

    @property
    def negative_mass(self) -> float:
        """−Σ of the negative eigenvalues over Σ of all moduli."""
        return negative_mass(self.eigenvalues)

    def plot(self, ax: Any = None, *, log: bool = False) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        log : bool, default=False
            Logarithmic in both directions, linear within the cutoff.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        ax = self._into(ax)
        positive, negative, zero = self.signature
        rank = np.arange(1, len(self.eigenvalues) + 1)
        groups = [
            (slice(positive), POSITIVE, f"{positive} positive"),
            (slice(positive, positive + zero), ZERO, f"{zero} zero"),
            (slice(positive + zero, None), NEGATIVE, f"{negative} negative"),
        ]
        width = float(np.clip(250.0 / max(len(rank), 1), 0.8, 6.0))
        shown = [group for group in groups if len(rank[group[0]])]
        for part, colour, name in shown:
            values = self.eigenvalues[part]
            ax.vlines(rank[part], 0.0, values, color=colour, linewidth=width, label=name)
        ax.axhline(0.0, color="0.3", linewidth=0.8)
        if log:
            limit = max(self.cutoff * float(np.abs(self.eigenvalues).max(initial=0.0)), 1e-300)
            ax.set_yscale("symlog", linthresh=limit)
        ax.set(
            xlabel=f"rank of the eigenvalue (negative mass {self.negative_mass:.1%})",
            ylabel="eigenvalue of the similarities",
        )
        plain(ax)
        legend_above(ax, len(shown))
        return self
