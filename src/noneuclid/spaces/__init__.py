"""Geometries: where data live, and what products and distances mean there.

A space is its duality map J; see :mod:`noneuclid.spaces.base`.
"""

from noneuclid.spaces.base import (
    HILBERT_LAWS,
    SEMI_INNER_PRODUCT_LAWS,
    IncompatibleSpace,
    Space,
    require,
)
from noneuclid.spaces.charts import Chart
from noneuclid.spaces.fourier import FourierSobolev
from noneuclid.spaces.functional import LeeVerleysen
from noneuclid.spaces.hilbert import Euclidean, Hilbert, PseudoEuclidean
from noneuclid.spaces.kernel_metric import KernelMetric, KernelResponse
from noneuclid.spaces.linear import LinearSpace
from noneuclid.spaces.locality import attention, local_parts
from noneuclid.spaces.lp import GeneralizedLp, Lp
from noneuclid.spaces.names import as_space
from noneuclid.spaces.product import ProductSpace
from noneuclid.spaces.sobolev import Sobolev

__all__ = [
    "HILBERT_LAWS",
    "SEMI_INNER_PRODUCT_LAWS",
    "Chart",
    "Euclidean",
    "FourierSobolev",
    "GeneralizedLp",
    "Hilbert",
    "IncompatibleSpace",
    "KernelMetric",
    "KernelResponse",
    "LeeVerleysen",
    "LinearSpace",
    "Lp",
    "ProductSpace",
    "PseudoEuclidean",
    "Sobolev",
    "Space",
    "as_space",
    "attention",
    "local_parts",
    "require",
]
