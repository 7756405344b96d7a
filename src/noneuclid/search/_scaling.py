"""Columns of equal spread, also for one row at a time."""

from typing import Any

from sklearn.preprocessing import StandardScaler

from noneuclid._data import is_rows
from noneuclid.typing import Array


class Standardised(StandardScaler):  # type: ignore[misc]
    """scikit-learn's scaler, which answers at once for rows that need no look.

    Examples
    --------
    >>> Standardised().fit([[0.0], [2.0]]).transform([[3.0]])
    array([[2.]])
    """

    def transform(self, X: Any, copy: bool | None = None) -> Array:
        """Rows less the means of the columns, in units of their standard deviations.

        Parameters
        ----------
        X : array of shape (n, d)
        copy : bool, optional
            Whether X must stay as it is; it always does if it is plain.

        Returns
        -------
        array of shape (n, d)
        """
        known = vars(self)
        if (
            copy is not False
            and is_rows(X)
            and "feature_names_in_" not in known
            and known.get("n_features_in_") == X.shape[1]
            and self.with_mean
            and self.with_std
            and self.copy
            and len(X)
        ):
            rows: Array = X - self.mean_
            rows /= self.scale_
            return rows
        return super().transform(X, copy)  # type: ignore[no-any-return]
