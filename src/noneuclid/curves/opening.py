"""One function for whatever form curves come in."""

from typing import Any

from noneuclid._checks import shown
from noneuclid.curves.container import Curves


def as_curves(curves: Any, **options: Any) -> Curves:
    """Curves, in whatever form they come.

    Parameters
    ----------
    curves : Curves, list, array or table
        Curves themselves; a list of pairs (times, values); a list of arrays (channel, time), or an
        array (curve, channel, time), as aeon has them; an array (curve, time), with NaN or masked
        entries as gaps; a table with the columns ``id``, ``time``, ``value`` and perhaps
        ``channel``; scikit-fda's ``FDataGrid`` or ``FDataIrregular``. Without times,
        they are 0, 1, 2 …
    **options
        ``repeated``, ``points`` and ``method``, as for :class:`Curves`.

    Returns
    -------
    Curves

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.curves import as_curves
    >>> as_curves(np.zeros((5, 2, 30)))
    Curves(5 curves, 2 channels, 60 points each, times 0 to 29)
    """
    if isinstance(curves, Curves) and not options:
        return curves
    if isinstance(curves, str):
        raise TypeError(f"curves (={shown(curves)}) must be data, not the name of a file")
    return Curves(curves, **options)
