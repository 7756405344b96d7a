"""A fixture that runs a test on every kind of data."""

import pytest
from small_analyses import DATA, analysed


@pytest.fixture(params=sorted(DATA))
def kind(request):
    return request.param


@pytest.fixture
def found(kind):
    return analysed(kind)
