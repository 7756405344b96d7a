"""What odd data are excused from, and why: {setting: {odd data: reason}}.

An excuse is from the answer that is expected only: nobody may crash, mutter or say NaN. It is
strict, so that one that is no longer needed is an error.
"""

_UNIT = "its width, or the constant beside its product, is a number: other units are other data"
_DENSITY = "it says logarithms of densities: another unit adds a constant"
_TRAIN = "trains have any number of events"
_TABLE = "rows of a table are no trains: refused, for columns might be meant"
_LIKELY = "the likelihood is that of another unit: its best width is found up to 1e-5 only"
_RIDGE = "its regressor is one of scikit-learn's, which takes them"
_PENALTY = "the penalty of its Ridge is a number: other units are other data"
_ALIKE = "rows without any variation have no such distance: refused"


def _scales(reason: str, *names: str) -> dict[str, str]:
    return {f"scale {name}": reason for name in names}


_SMALL = ("1e-60", "1e-30")
_TABLES = {
    "pandas": _TABLE,
    "pandas, nullable": _TABLE,
    "polars": _TABLE,
    "text of numbers": "words are no times",
}
_TRAINS = {
    **_TABLES,
    "new rows that are wider": _TRAIN,
    "new rows that are narrower": _TRAIN,
}

EXCUSED: dict[str, dict[str, str]] = {
    "ConformalRegressor(alpha=0.4, calibration=0.5, random_state=0)": {
        **dict.fromkeys(("sparse rows", "sparse array", "new sparse"), _RIDGE),
        **_scales(_PENALTY, "1e60", "1e30", *_SMALL),
        "one class": "Ridge learns a constant, and intervals about it hold what they should",
    },
    "GeneralizedKernelPCA(kernel=Polynomial())": _scales(_UNIT, "1e30", *_SMALL),
    "KernelGLVQ(kernel=Polynomial())": _scales(_UNIT, "1e30", *_SMALL),
    "MedianLVQ(metric='correlation')": {"bytes": _ALIKE},
    "ParzenClassifier(rule='map')": _scales(_DENSITY, "1e60", "1e30", *_SMALL),
    "ParzenClassifier(width='loo')": _scales(_LIKELY, "1e60", "1e30", *_SMALL),
    "RSLVQ(space=KernelMetric(kernel=Gaussian(width=3.0)))": _scales(_UNIT, "1e30", *_SMALL),
    "SpikeTrainPCA()": _TRAINS,
    "SpikeTrainPCA(kernel=SpikeTrainKernel(width=1.0), n_components=1)": {
        **_TRAINS,
        **_scales(_UNIT, "1e30", "1e-30"),
    },
    "VectorLVQ(space=KernelMetric(kernel=Polynomial()))": _scales(_UNIT, "1e30", *_SMALL),
}

_WORDS = "words and categories are compared by their shares"
_INVENTORY = (
    "objects that are none",
    "text of numbers",
    "words",
    "pandas, categorical",
    "pandas, words",
    "new words",
)
_TWO = "two variables have their own numbers of features"
_WIDTHS = {"new rows that are wider": _TWO, "new rows that are narrower": _TWO}

# The same of public functions.
EXCUSED_FUNCTIONS: dict[str, dict[str, str]] = {
    "information.cross_covariance_norm": _WIDTHS,
    "information.drifted_columns": dict.fromkeys(_INVENTORY, _WORDS),
    "information.f_correlation": _WIDTHS,
    "information.independence_test": {**_WIDTHS, "one-dimensional": "n numbers are one column"},
    "information.quadratic_mutual_information": _WIDTHS,
    "proximities.as_series": {"three-dimensional": "series of several channels"},
    "spikes.intensity": {
        **_TABLES,
        "no feature": "trains without events are all right",
        "one-dimensional": "one train is all right",
    },
    "spikes.select_width": _TABLES,
}
