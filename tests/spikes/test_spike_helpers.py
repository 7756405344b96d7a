import numpy as np
import pytest

from noneuclid.spikes import (
    intensity,
    jittered_templates,
    poisson_trains,
    read_spike_trains,
    select_width,
)

SMOOTHINGS = ["gaussian", "exponential", "laplacian", "alpha", "rectangular"]


def smoothing_function(t, width, name):
    z = t / width
    with np.errstate(over="ignore"):
        values = {
            "gaussian": np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi),
            "exponential": np.where(z >= 0, np.exp(-np.abs(z)), 0),
            "laplacian": np.exp(-np.abs(z)) / 2,
            "alpha": np.where(z >= 0, z * np.exp(-np.abs(z)), 0),
            "rectangular": np.where(np.abs(z) <= 0.5, 1.0, 0),
        }
    return values[name] / width


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("width", [0.001, 0.05, 2.0])
def test_intensity_is_the_sum_of_smoothing_functions(smoothing, width):
    rng = np.random.default_rng(0)
    trains = [rng.random(40), np.empty(0), rng.random(3)]
    t = rng.uniform(-1, 2, 500)  # in any order
    expected = np.array(
        [[smoothing_function(s - x, width, smoothing).sum() for s in t] for x in trains]
    )
    got = intensity(trains, t, width, smoothing=smoothing)
    np.testing.assert_allclose(got, expected, atol=1e-12 / width)
    np.testing.assert_array_equal(intensity(trains[0], t, width, smoothing=smoothing), got[0])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: intensity([0.1], [0.1], 0.0), ValueError, r"width \(=0.0\) must be a positive"),
        (lambda: intensity([0.1], [np.nan], 1.0), ValueError, "t holds NaN or infinity"),
        (lambda: intensity([np.nan], [0.1], 1.0), ValueError, r"train\[0\] holds NaN"),
        (lambda: jittered_templates(-1), ValueError, r"n_trains \(=-1\)"),
        (lambda: jittered_templates(keep=1.5), ValueError, r"keep \(=1.5\) must be"),
        (lambda: jittered_templates(jitter=-1), ValueError, r"jitter \(=-1\)"),
        (lambda: jittered_templates(duration=0), ValueError, r"duration \(=0\) must be pos|a pos"),
        (lambda: jittered_templates(templates=[]), ValueError, "templates is empty"),
        (lambda: poisson_trains(2, rate=-1.0, duration=1), ValueError, r"rate \(=-1.0\)"),
        (lambda: poisson_trains(2, rate=np.sin, duration=1), ValueError, "needs max_rate"),
        (
            lambda: poisson_trains(2, rate=lambda t: 9 + t, duration=1, max_rate=5),
            ValueError,
            r"between 0 and max_rate \(=5.0\)",
        ),
        (lambda: select_width([[0.1]]), ValueError, "at least two events; there are 1"),
        (lambda: select_width([[0.1], [0.1]]), ValueError, "all events happen at the same time"),
        (lambda: select_width([[0.1, 0.2]], [0.0]), ValueError, "widths must be positive"),
        (lambda: select_width([[0.1, 0.2]], cv=1), ValueError, r"cv \(=1\) must be at least 2"),
        (lambda: select_width([[1, 2]], background=0), ValueError, r"background \(=0\)"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_jittered_templates():
    data = jittered_templates(
        3000, n_templates=3, n_spikes=20, keep=0.7, jitter=0.01, random_state=0
    )
    assert np.bincount(data.labels).tolist() == [1000] * 3
    counts = np.array([len(x) for x in data.trains])
    assert counts.mean() == pytest.approx(14, abs=0.2)
    assert counts.var() == pytest.approx(20 * 0.7 * 0.3, rel=0.1)
    assert all((np.diff(x) >= 0).all() for x in data.trains)
    exact = jittered_templates(4, keep=1.0, jitter=0.0, random_state=0)
    assert [x.tolist() for x in exact.trains[::2]] == [x.tolist() for x in exact.templates]
    again = jittered_templates(4, keep=1.0, jitter=0.0, random_state=0)
    assert [x.tolist() for x in again.trains] == [x.tolist() for x in exact.trains]


def test_poisson_trains():
    trains = poisson_trains(2000, rate=30.0, duration=2.0, random_state=0)
    counts = np.array([len(x) for x in trains])
    assert counts.mean() == pytest.approx(60, rel=0.02)
    assert counts.var() == pytest.approx(60, rel=0.1)
    varying = poisson_trains(
        500, rate=lambda t: 50 * (1 + np.sin(np.pi * t)), duration=2, max_rate=100, random_state=0
    )
    shares = np.histogram(np.concatenate(varying), bins=[0, 1, 2])[0] / 500
    np.testing.assert_allclose(shares, [50 + 100 / np.pi, 50 - 100 / np.pi], rtol=0.03)
    assert poisson_trains(0, rate=1.0, duration=1.0) == []
    assert [len(x) for x in poisson_trains(2, rate=0.0, duration=1.0)] == [0, 0]


@pytest.mark.parametrize("jitter", [0.001, 0.004, 0.016])
def test_the_width_follows_the_jitter(jitter):
    data = jittered_templates(200, jitter=jitter, duration=1.0, random_state=0)
    chosen = select_width(data.trains)
    assert jitter / 5 < chosen.width < jitter
    assert chosen.scores.argmax() == np.flatnonzero(chosen.widths == chosen.width)[0]


def test_the_width_of_one_train():
    rate = poisson_trains(
        1, rate=lambda t: 500 * (np.sin(8 * t) > 0.9), duration=20, max_rate=500, random_state=0
    )
    assert 0.002 < select_width(rate).width < 0.1
    assert select_width(rate, [0.03, 5.0]).width == 0.03


# --- files ------------------------------------------------------------------------------------


def test_text_files(tmp_path):
    path = tmp_path / "trains.txt"
    path.write_text("# two neurons, seconds\n0.3\t0.1 # unsorted\n\n-1e-3,2;3\n", encoding="utf-8")
    assert [x.tolist() for x in read_spike_trains(path)] == [[0.1, 0.3], [], [-0.001, 2, 3]]
    path.write_text("", encoding="utf-8")
    assert read_spike_trains(str(path)) == []


@pytest.mark.parametrize("name", ["times", "spike_times"])
def test_npz_files(tmp_path, name):
    path = tmp_path / "trains.npz"
    np.savez(path, **{name: [0.3, 0.1, 0.2], "offsets": [0, 2, 2, 3]})
    assert [x.tolist() for x in read_spike_trains(path)] == [[0.1, 0.3], [], [0.2]]


def test_files_that_are_not_trains(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_spike_trains(tmp_path / "none.txt")
    path = tmp_path / "file"
    for content, message in (
        (b"0.1\n0.2 spike\n", "line 2 of 'file' must hold numbers only: '0.2 spike'"),
        (b"0.1\n1_1\n", "line 2 of 'file' must hold numbers only: '1_1'"),
        (b"0.1 nan\n", "line 1 of 'file' holds NaN or infinity"),
        (b"\xff\xfe\x00\x81", "neither text, one train per line, nor an npz file"),
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=message):
            read_spike_trains(path)
    np.savez(tmp_path / "x.npz", a=[1.0])
    with pytest.raises(ValueError, match=r"must hold the arrays times .* it holds a"):
        read_spike_trains(tmp_path / "x.npz")
    np.savez(tmp_path / "x.npz", times=[1.0], offsets=[0, 2])
    with pytest.raises(ValueError, match=r"offsets of x\.npz must be integers that rise"):
        read_spike_trains(tmp_path / "x.npz")
