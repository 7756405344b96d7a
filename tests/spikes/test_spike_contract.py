"""scikit-learn's contract; a matrix of numbers is a list of trains of equal length."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from noneuclid.spikes import SpikeTrainKernel, SpikeTrainPCA


class OnMatrices(SpikeTrainPCA):
    """Without the tag that leaves out nearly all checks."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        return tags


_NO_FEATURES = "trains have any number of events: there are no features to count"
_OWN_WORDS = "refused, in words about trains"
EXPECTED_FAILURES = {
    "check_n_features_in": _NO_FEATURES,
    "check_n_features_in_after_fitting": _NO_FEATURES,
    "check_transformer_general": _NO_FEATURES,
    "check_estimators_empty_data_messages": "trains without events are legal; " + _OWN_WORDS,
    "check_complex_data": _OWN_WORDS,
    "check_dtype_object": _OWN_WORDS,
    "check_fit2d_1sample": _OWN_WORDS,
    "check_fit2d_predict1d": _OWN_WORDS,
}


@parametrize_with_checks(
    [OnMatrices(1, kernel=SpikeTrainKernel(1.0))],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
