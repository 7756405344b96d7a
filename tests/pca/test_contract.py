"""scikit-learn's own checks on every component estimator."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from noneuclid.pca import (
    BanachKernelPCA,
    FunctionalPCA,
    GeneralizedKernelPCA,
    GeneralizedPCA,
    HebbianPCA,
    KernelHebbianPCA,
    SubspaceClassifier,
)

ESTIMATORS = [
    BanachKernelPCA(),
    FunctionalPCA(),
    GeneralizedKernelPCA(),
    GeneralizedKernelPCA(objective="l2"),
    GeneralizedKernelPCA(n_landmarks=15),
    GeneralizedPCA(),
    GeneralizedPCA(objective="skeleton", deflation="joint"),
    HebbianPCA(),
    HebbianPCA(space="l1", random_state=0),
    HebbianPCA(solver="online", tol=1e-2, random_state=0),
    KernelHebbianPCA(random_state=0),
    SubspaceClassifier(),
    SubspaceClassifier(estimator=GeneralizedKernelPCA()),
]


@parametrize_with_checks(ESTIMATORS)
def test_contract(estimator, check):
    check(estimator)
