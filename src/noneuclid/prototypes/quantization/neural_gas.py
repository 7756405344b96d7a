"""Neural gas of vectors."""

from typing import Any, Literal

from numpy.typing import ArrayLike

from noneuclid.prototypes.quantization._quantizer import GasMixin
from noneuclid.prototypes.quantization._vector_quantizer import VectorClusterer
from noneuclid.prototypes.quantization.annealing import Schedule
from noneuclid.spaces import Space


class NeuralGas(GasMixin, VectorClusterer):
    r"""Quantisation of vectors by neural gas, in any space.

    Every sample pulls all prototypes, the nearest most:

    .. math:: \min_w \sum_i\sum_j e^{-k_{ij}/\lambda}\,\|x_i - w_j\|^2 ,

    where :math:`k_{ij}` is the rank of prototype j by its distance from sample i. The range
    :math:`\lambda` shrinks, so that the prototypes first spread over the data together and hardly
    depend on where they start. At its end neural gas is k-means.

    Parameters
    ----------
    n_prototypes : int, default=10
    space : str or Space, default="l2"
        Anything ``as_space`` accepts.
    solver : {"batch", "online"}, default="batch"
        All samples at once, :math:`w_j = \sum_i h_{ij}x_i/\sum_i h_{ij}` (outside of Hilbert spaces
        the minimiser, by descent); or :math:`w_j \leftarrow w_j + \epsilon h_j(x - w_j)`, sample
        by sample.
    width : float or "auto", default="auto"
        :math:`\lambda` at the start; ``"auto"``: half the number of prototypes.
    final_width : float or "auto", default="auto"
        :math:`\lambda` at the end; ``"auto"``: 0.01, winner takes all.
    schedule : {"geometric", "linear", "constant"}, default="geometric"
        How the width goes from start to end.
    learning_rate : float, (float, float) or "auto", default="auto"
        :math:`\epsilon` of online learning, constant or from first to last. ``"auto"``: from 0.5
        to 0.01.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        Online steps along :math:`x - w` or along :math:`J(x - w)`. The first tend to means of
        samples, the second to minimisers of the cost; they agree in Hilbert spaces. ``"auto"``:
        the first, where differences make sense.
    max_epochs : int, default=50
        Passes over the data.
    tol : float, default=1e-6
        With a constant width, stop when the cost falls by no more than this share of itself.
    init : {"auto", "random", "kmeans++"} or array of shape (m, d), default="auto"
        ``"auto"``: random samples.
    shuffle : bool, default=True
        Visit the samples in random order (online).
    verbose : bool, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    prototypes_ : array of shape (m, d)
    labels_ : array of shape (n,)
        Nearest prototype of each training sample.
    space_ : Space
        With everything fixed that is left to the data.
    loss_curve_ : list of float
        Mean cost of every epoch, at its width.
    n_iter_ : int

    References
    ----------
    T. Martinetz, S. Berkovich and K. Schulten (1993), "Neural-gas" network for vector quantization
    and its application to time-series prediction. M. Cottrell, B. Hammer, A. Hasenfuß and
    T. Villmann (2006), Batch and median neural gas.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NeuralGas(n_prototypes=3, random_state=0).fit(X)
    >>> model.quantization_error(X) < 0.7
    True
    """

    def __init__(
        self,
        *,
        n_prototypes: int = 10,
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
        self.n_prototypes = n_prototypes
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
