"""The same classifier over fewer training objects."""

from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes.classifiers import ProximityLVQ


def compact(model: ProximityLVQ) -> ProximityLVQ:
    """Return the same classifier over its support only.

    New objects then need proximities to ``len(model.support_)`` objects instead of all: column k
    of a precomputed row is the proximity to training object ``model.support_[k]``. Decisions are
    the same.

    Parameters
    ----------
    model : ProximityLVQ
        Fitted, without ``correction``: corrected rows mix all training objects.

    Examples
    --------
    >>> from noneuclid.prototypes import RelationalGLVQ, compact
    >>> X, y = [[0.0], [0.1], [0.2], [5.0], [5.1]], [0, 0, 0, 1, 1]
    >>> model = RelationalGLVQ(init="kmedoids", learning_rate=1e-9, random_state=0).fit(X, y)
    >>> small = compact(model)
    >>> small.coefficients_.shape[1] <= 5, small.predict([[0.3], [4.0]])
    (True, array([0, 1]))
    """
    check_is_fitted(model)
    if model.relation_.n_landmarks is not None:
        raise ValueError(
            "a model with n_landmarks needs no compacting: it takes proximities to its "
            f"{len(model.landmark_indices_)} landmarks as they are"
        )
    if model.correction is not None:
        raise ValueError(
            f"a model with correction (={model.correction!r}) cannot be compacted: the corrected "
            "proximities depend on those to all training objects"
        )
    return model.restricted(model.support_)
