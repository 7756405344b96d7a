"""Periodic functions, by the Fourier transform."""

import functools
from typing import Literal, Self

import numpy as np

from noneuclid._estimator import estimator
from noneuclid._parameters import NotNegative, Positive
from noneuclid.spaces.base import HILBERT_LAWS
from noneuclid.spaces.charts import Chart
from noneuclid.spaces.linear import LinearSpace
from noneuclid.spaces.sobolev import equal_step
from noneuclid.typing import Array


@estimator
class FourierSobolev(LinearSpace):
    r"""Sobolev space of periodic functions, by the Fourier transform.

    .. math:: \|g\|^2 = \frac{\Delta x}{N} \sum_j m(\omega_j) |\hat g_j|^2, \qquad
              m(\omega) = (1 + \omega^2)^s \text{ or } 1 + \alpha\,\omega^{2s}

    A Hilbert space whose Gram matrix is circulant, so everything costs one FFT. The order may be
    fractional.

    Parameters
    ----------
    order : float, default=1
        s ≥ 0.
    spacing : float or "unit", default=1.0
        Distance of neighbouring points; ``"unit"`` makes the period 1. For ``Curves`` that of
        their times, unless another than 1 is given.
    form : {"bessel", "derivative"}, default="bessel"
        Bessel-potential norm, :math:`(1+\omega^2)^s`, or the function and its derivative of order
        s, :math:`1 + \alpha\,\omega^{2s}`.
    alpha : float, default=1.0
        Weight of the derivative in the second form.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.arange(64) / 64
    >>> space = FourierSobolev(order=1, spacing="unit")
    >>> space.squared_norm([np.sin(2 * np.pi * t)]).round(4)  # (1 + 4π²)/2
    array([20.2392])
    """

    laws = HILBERT_LAWS
    _looks_along = True

    order: NotNegative = 1
    spacing: Positive | Literal["unit"] = 1.0
    form: Literal["bessel", "derivative"] = "bessel"
    alpha: NotNegative = 1.0

    @classmethod
    def examples(cls) -> list[Self]:
        """Return both forms and a fractional order."""
        return [cls(), cls(order=0.5, spacing="unit"), cls(form="derivative", order=2, alpha=0.1)]

    def _on_axis(self, grid: Array) -> "FourierSobolev":
        step = equal_step(grid, self, "Sobolev")
        if step is None or self.spacing != 1.0:  # what was said stays
            return self
        return type(self)(**{**self.get_params(deep=False), "spacing": step})

    def _multiply(self, V: Array, power: float) -> Array:
        """Apply Gᵖᵒʷᵉʳ, a multiplication in the Fourier domain."""
        n = V.shape[1]
        step = 1 / n if self.spacing == "unit" else float(self.spacing)
        omega = 2 * np.pi * np.fft.rfftfreq(n, step)
        if self.form == "bessel":
            symbol = (1 + omega**2) ** self.order
        else:
            symbol = 1 + self.alpha * omega ** (2 * self.order)
        return np.fft.irfft(np.fft.rfft(V, axis=1) * (step * symbol) ** power, n=n, axis=1)

    def dual(self, V: Array) -> Array:
        """J(w) = Δx F⁻¹ m(ω) F w."""
        return self._multiply(V, 1.0)

    def _chart(self, d: int) -> Chart:
        """The square root of the Gram matrix, and its inverse."""
        forth, back = (functools.partial(self._multiply, power=power) for power in (0.5, -0.5))
        return Chart(forth, back, np.ones(d))
