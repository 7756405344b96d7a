"""Self-organising maps of vectors."""

from typing import Any, Literal

from numpy.typing import ArrayLike

from noneuclid.prototypes.quantization._quantizer import MapMixin
from noneuclid.prototypes.quantization._vector_quantizer import VectorClusterer
from noneuclid.prototypes.quantization.annealing import Schedule
from noneuclid.prototypes.quantization.grids import Topology
from noneuclid.spaces import Space


class SelfOrganizingMap(MapMixin, VectorClusterer):
    r"""Map of vectors on which neighbours are alike, in any space.

    Heskes' variant, which has a cost:

    .. math:: \min_w \sum_i \min_k \sum_j T_{kj}\,\|x_i - w_j\|^2, \qquad
              T_{kj} = c_k e^{-g(k, j)^2/2\sigma^2},

    where g is the distance of two units on the map, and :math:`c_k` gives all units the same
    total. The width :math:`\sigma` shrinks.

    Parameters
    ----------
    shape : (int, int), default=(10, 10)
        Rows and columns of the map. It may have more units than there are samples.
    topology : {"grid", "hex"}, default="grid"
        Units are squares with 8 neighbours, or hexagons with 6.
    toroidal : bool, default=False
        Join opposite edges, so that no unit is at one.
    space : str or Space, default="l2"
        Anything ``as_space`` accepts.
    solver : {"batch", "online"}, default="batch"
        All samples at once, or :math:`w_j \leftarrow w_j + \epsilon T_{kj}(x - w_j)`, sample by
        sample.
    width : float or "auto", default="auto"
        :math:`\sigma` at the start; ``"auto"``: half of the larger side.
    final_width : float or "auto", default="auto"
        :math:`\sigma` at the end; ``"auto"``: 0.3. More keeps the map smoother, less brings its
        units nearer to the data.
    schedule : {"geometric", "linear", "constant"}, default="geometric"
        How the width goes from start to end.
    learning_rate : float, (float, float) or "auto", default="auto"
        :math:`\epsilon` of online learning, constant or from first to last. ``"auto"``: from 0.5
        to 0.01.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        Online steps along :math:`x - w` or along :math:`J(x - w)`, see :class:`NeuralGas`.
    max_epochs : int, default=50
        Passes over the data.
    tol : float, default=1e-6
        With a constant width, stop when the cost falls by no more than this share of itself.
    init : {"auto", "pca", "random", "kmeans++"} or array of shape (m, d), default="auto"
        ``"auto"``: in the plane of the first two principal components; for a torus, random samples.
    shuffle : bool, default=True
        Visit the samples in random order (online).
    verbose : bool, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    prototypes_ : array of shape (rows · columns, d)
        Row by row.
    grid_ : Grid
        The units' positions, distances and neighbours.
    labels_ : array of shape (n,)
        Nearest unit of each training sample.
    space_ : Space
        With everything fixed that is left to the data.
    loss_curve_ : list of float
        Mean cost of every epoch, at its width.
    n_iter_ : int

    References
    ----------
    T. Kohonen (1995), Self-Organizing Maps. T. Heskes (1999), Energy functions for self-organizing
    maps.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SelfOrganizingMap(shape=(4, 6), topology="hex", random_state=0).fit(X)
    >>> model.quantization_error(X) < 0.4, model.topographic_error(X) < 0.3
    (True, True)
    """

    def __init__(
        self,
        *,
        shape: tuple[int, int] = (10, 10),
        topology: Topology = "grid",
        toroidal: bool = False,
        space: str | Space = "l2",
        solver: Literal["batch", "online"] = "batch",
        width: float | Literal["auto"] = "auto",
        final_width: float | Literal["auto"] = "auto",
        schedule: Schedule = "geometric",
        learning_rate: float | tuple[float, float] | Literal["auto"] = "auto",
        gradient: Literal["auto", "riesz", "coordinates"] = "auto",
        max_epochs: int = 50,
        tol: float = 1e-6,
        init: str | ArrayLike = "auto",
        shuffle: bool = True,
        verbose: bool = False,
        random_state: Any = None,
    ):
        self.shape = shape
        self.topology = topology
        self.toroidal = toroidal
        self.space = space
        self.solver = solver
        self.width = width
        self.final_width = final_width
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.gradient = gradient
        self.max_epochs = max_epochs
        self.tol = tol
        self.init = init
        self.shuffle = shuffle
        self.verbose = verbose
        self.random_state = random_state
