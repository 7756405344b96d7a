"""Your own metric: a function of two objects, and every learner on pairs works with it."""

import numpy as np

from noneuclid.prototypes import RelationalGLVQ
from noneuclid.proximities import Relation, register_metric


def routes_apart(a, b):
    """One minus the share of stops two routes have in common."""
    return 1.0 - len(set(a) & set(b)) / len(set(a) | set(b))


register_metric("routes apart", routes_apart)

if __name__ == "__main__":
    routes = ["ABCD", "ABC", "BCD", "WXYZ", "WXY", "XYZV"]
    relation = Relation("routes apart", proximity="dissimilarity").fit(routes)
    print("similarities:", relation.block([0], [1, 3]).round(2), relation.signature_)
    model = RelationalGLVQ(metric="routes apart", random_state=0)
    model.fit(routes, [0, 0, 0, 1, 1, 1])
    assert np.array_equal(model.predict(["ABD", "VWX"]), [0, 1])
    print("routes ABD and VWX belong to lines", model.predict(["ABD", "VWX"]))
