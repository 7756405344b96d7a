"""scikit-learn's own checks on every component estimator."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from noneuclid.pca import GeneralizedPCA, HebbianPCA

ESTIMATORS = [
    GeneralizedPCA(),
    GeneralizedPCA(objective="skeleton", deflation="joint"),
    HebbianPCA(),
    HebbianPCA(space="l1", random_state=0),
    HebbianPCA(solver="online", tol=1e-2, random_state=0),
]


@parametrize_with_checks(ESTIMATORS)
def test_contract(estimator, check):
    check(estimator)
