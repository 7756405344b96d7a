"""One small analysis of every kind, shared by the tests of pages."""

import functools

from noneuclid.datasets import (
    make_contaminated,
    make_families,
    make_indefinite,
    make_spectra,
    make_spike_trains,
)
from noneuclid.report import Settings, analyze

QUICK = Settings(folds=2, repeats=1, quick=True)
DATA = {
    "similarity": lambda: make_indefinite(32),
    "sequences": lambda: make_families(10, n_families=3),
    "curves": lambda: make_spectra(36, n_points=40),
    "vectors": lambda: make_contaminated(60),
    "spikes": lambda: make_spike_trains(20),
}


@functools.cache
def analysed(kind):
    return analyze(DATA[kind](), QUICK)
