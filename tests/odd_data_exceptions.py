"""What odd data are excused from, and why: {setting: {odd data: reason}}.

An excuse is from the answer that is expected only: nobody may crash, mutter or say NaN. It is
strict, so that one that is no longer needed is an error.
"""

_UNIT = "its width, or the constant beside its product, is a number: other units are other data"
_DENSITY = "it says logarithms of densities: another unit adds a constant"
_TRAIN = "trains have any number of events"
_TABLE = "rows of a table are no trains: refused, for columns might be meant"
_LIKELY = "the likelihood is that of another unit: its best width is found up to 1e-5 only"
_ALIKE = "rows without any variation have no such distance: refused"


def _scales(reason: str, *names: str) -> dict[str, str]:
    return {f"scale {name}": reason for name in names}


_SMALL = ("1e-60", "1e-30")
_TRAINS = {
    "pandas": _TABLE,
    "pandas, nullable": _TABLE,
    "polars": _TABLE,
    "text of numbers": "words are no times",
    "new rows that are wider": _TRAIN,
    "new rows that are narrower": _TRAIN,
}

EXCUSED: dict[str, dict[str, str]] = {
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
