"""Times in one unit are never compared with times in another, whatever they come in."""

import numpy as np
import pytest

from noneuclid.information import two_sample_test
from noneuclid.kernels import MultiNeuronKernel, SpikeTrainKernel
from noneuclid.pca import KernelHebbianPCA
from noneuclid.spikes import SpikeTrainPCA, intensity, jittered_templates, read_spike_trains

pq = pytest.importorskip("quantities")

rng = np.random.default_rng(0)
SECONDS = [np.sort(rng.uniform(0, 1, 8)) * pq.s for _ in range(12)]
MILLISECONDS = [train.rescale("ms") for train in SECONDS]
KERNEL = SpikeTrainKernel(0.05)
DIFFERENT = "in s and .* in ms"


def trials(trains):
    return [[train, train] for train in trains]


@pytest.mark.parametrize(
    ("kernel", "collect"),
    [
        (KERNEL, list),
        ([KERNEL, SpikeTrainKernel(0.1)], list),
        (MultiNeuronKernel(KERNEL), trials),
    ],
)
def test_two_samples(kernel, collect):
    same = two_sample_test(
        collect(SECONDS), collect(SECONDS[::-1]), kernel=kernel, n_permutations=99, random_state=0
    )
    assert same.pvalue > 0.9
    with pytest.raises(ValueError, match=DIFFERENT):
        two_sample_test(collect(SECONDS), collect(MILLISECONDS), kernel=kernel)


def test_neurons_of_a_trial():
    mixed = [[s, ms] for s, ms in zip(SECONDS, MILLISECONDS)]
    with pytest.raises(ValueError, match="neuron 0 of X has times in s and neuron 1 in ms"):
        MultiNeuronKernel(KERNEL)(mixed)


def test_where_intensities_are_asked_for():
    at = np.linspace(0, 1, 5)
    expected = intensity(SECONDS[0], at, 0.05)  # bare numbers are in the unit of the trains
    np.testing.assert_array_equal(intensity(SECONDS[0], at * pq.s, 0.05), expected)
    model = SpikeTrainPCA(n_components=1, kernel=KERNEL).fit(SECONDS)
    for ask in (lambda t: intensity(SECONDS[0], t, 0.05), model.component_functions):
        with pytest.raises(ValueError, match="X has times in s and t in ms"):
            ask(at * 1000 * pq.ms)
    with pytest.raises(ValueError, match="t must be a 1-d array of times"):
        intensity(SECONDS[0], 0.5, 0.05)


def test_units_of_the_object_and_of_offsets():
    class Train:
        def __init__(self, times, units):
            self.times, self.units = np.array(times), units

    with pytest.raises(ValueError, match=r"different units \(s, ms\)"):
        KERNEL([Train([0.1], "s"), Train([100.0], "ms")])
    pair = np.array([0.1, 0.2, 0.3]), np.array([0, 1, 3])
    with pytest.raises(ValueError, match="X has times in ms and Y in no unit"):
        KERNEL((pair[0] * pq.ms, pair[1]), pair)


@pytest.mark.parametrize(
    ("kernel", "collect"), [(KERNEL, list), (MultiNeuronKernel(KERNEL), trials)]
)
def test_streams_know_the_unit_of_the_first_trains(kernel, collect):
    model = KernelHebbianPCA(n_components=1, kernel=kernel, random_state=0)
    model.partial_fit(collect(SECONDS[:6])).partial_fit(collect(SECONDS[6:]))
    model.transform(collect(SECONDS))
    with pytest.raises(ValueError, match="X has times in ms and Y in s"):
        model.transform(collect(MILLISECONDS))


def test_bins_are_no_times():
    with pytest.raises(TypeError, match=r"X\[0\] holds truth values, as of bins of time"):
        KERNEL([np.array([False, True, True])])
    for wrong in (
        ["a", "b"],
        [1j, 2.0],
        np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
    ):
        with pytest.raises(TypeError, match="X must be a 1-d array of event times"):
            KERNEL((np.asarray(wrong), np.array([0, 2])))


def test_templates_are_trains():
    with pytest.raises(ValueError, match="holds NaN or infinity"):
        jittered_templates(4, templates=[[0.1, np.nan]])
    with pytest.raises(ValueError, match="templates is a single train"):
        jittered_templates(4, templates=[0.1, 0.2])


@pytest.mark.parametrize("line", ["0,1;0,2", "0,1 0,25", "1,5\t2"])
def test_decimal_commas_are_refused(tmp_path, line):
    path = tmp_path / "trains.txt"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"has commas within its numbers.*write decimals with a point"
    ):
        read_spike_trains(path)
    for right in ("1,2,3", "1, 2, 3", "0.1,0.2;0.3"):
        path.write_text(right, encoding="utf-8")
        assert len(read_spike_trains(path)[0]) == 3


def test_two_samples_of_different_numbers_of_neurons():
    three = [[train] * 3 for train in SECONDS]
    with pytest.raises(ValueError, match="X has 2 neurons and Y 3"):
        two_sample_test(trials(SECONDS), three, kernel=MultiNeuronKernel(KERNEL))
