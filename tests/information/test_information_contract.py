"""scikit-learn's own checks on the estimators of noneuclid.information."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from noneuclid.information import KernelICA, ParzenClassifier
from noneuclid.testing import all_estimators


@parametrize_with_checks(
    [
        KernelICA(max_iter=1),
        KernelICA(contrast="qmi_cs", max_iter=1),
        ParzenClassifier(),
        ParzenClassifier(rule="map"),
    ]
)
def test_contract(estimator, check):
    check(estimator)


def test_every_estimator_is_discovered():
    assert {KernelICA, ParzenClassifier} <= set(all_estimators())
