"""How much work an analysis does."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How much work an analysis does.

    Parameters
    ----------
    folds, repeats : int
        Of the outer cross-validation: accuracies are means over folds × repeats test sets.
    inner_folds : int
        Of the inner one, which chooses parameters.
    random_state : int
        Decides all splits and starts.
    quick : bool
        Try fewer parameters, and leave the slower geometries out.
    thorough : bool
        Try all geometries, the slow ones, too.
    max_objects : int
        All objects are learned from. Where there are more than this, parameters are chosen on a
        random sample of this size, and so is whatever takes the square of their number: support
        vectors, nearest neighbours, groups, pictures.
    metric : str
        The distance between sequences.
    n_groups : int, optional
        How many groups to find where there are no classes; by default, evidence decides.
    """

    folds: int = 5
    repeats: int = 2
    inner_folds: int = 3
    random_state: int = 0
    quick: bool = False
    max_objects: int = 1000
    metric: str = "levenshtein"
    thorough: bool = False
    n_groups: int | None = None
