"""The analysis of spike trains: width, components, scores, classes."""

from typing import Any

import numpy as np
from sklearn.base import clone

from noneuclid.datasets import DataError, Dataset
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.report._code import program
from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Analysis, Fact, Facts, Section
from noneuclid.report.comparison import Settings
from noneuclid.report.figures import Series, lines, raster, scatter
from noneuclid.report.proximities import Advance, analyze_matrix
from noneuclid.spikes import SpikeTrainPCA, WidthSelection, select_width

_GRID = 400


def analyze_spikes(data: Dataset, settings: Settings, advance: Advance) -> Analysis:
    """Choose a width, show components as functions of time, and classify."""
    if sum(map(len, data.X)) < 2:
        raise DataError(f"{data.source} holds fewer than two events: there is nothing to smooth")
    try:
        selection = select_width(data.X, random_state=settings.random_state)
    except ValueError as error:
        raise DataError(f"{data.source}: {error}") from None
    advance("width")
    kernel = SpikeTrainKernel(float(f"{selection.width:.4g}"))
    pca = SpikeTrainPCA(min(3, len(data) - 1), kernel=kernel).fit(data.X)
    advance("components")
    K = kernel(data.X)

    def portable(model: Any) -> Any:
        return clone(model).set_params(metric=kernel).fit(data.X, data.labels)

    rest = analyze_matrix(
        data,
        K,
        "similarity",
        f"SpikeTrainKernel({kernel.width})(data.X)",
        settings,
        advance,
        portable=portable,
    )
    share = float(pca.explained_variance_ratio_.sum())
    finding = (
        f"Smoothed with a width of {number(kernel.width)} s, {len(pca.explained_variance_ratio_)} "
        f"components explain {percent(share)} of the differences between trains."
    )
    code = program(
        [
            *_after_imports(rest.code)[:1],
            "print(select_width(data.X).width)",
            f"pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel({kernel.width})).fit(data.X)",
            "print(pca.explained_variance_ratio_)",
            *_after_imports(rest.code)[1:],
        ]
    )
    return Analysis(
        rest.title,
        rest.understood,
        [finding, *rest.findings[1:]],
        [_trains(data, selection, kernel.width), _components(data, pca, finding), *rest.sections],
        code,
        [
            ("width", f"{number(kernel.width)} s"),
            ("variance explained", percent(share)),
            *rest.results[1:],
        ],
        rest.model,
    )


def _after_imports(code: str) -> list[str]:
    lines_ = code.strip().splitlines()
    return lines_[next(k for k, line in enumerate(lines_) if line.startswith("data =")) :]


def _trains(data: Dataset, found: WidthSelection, width: float) -> Section:
    counts = np.array([len(train) for train in data.X])
    facts = Facts(
        [
            Fact("Trains", str(len(data)), "Lines of the file, or trains of the array."),
            Fact("Events", f"{counts.sum():,}", "Over all trains."),
            Fact(
                "Events per train",
                f"{np.median(counts):g} ({counts.min()} to {counts.max()})",
                "Median (smallest to largest).",
            ),
            Fact(
                "Width",
                f"{number(width)} s",
                "Width of the Gaussian that predicts held-out events best, see below.",
            ),
        ]
    )
    drawn = raster(
        data.X,
        data.labels,
        title="The spike trains",
        reading="Every line is a train, every mark an event"
        + (", coloured by class." if data.labels is not None else "."),
        how="Events as they are in the file, trains sorted by class; at most 200 trains and 400 "
        "events of each.",
    )
    widths = lines(
        found.widths,
        [Series("log-likelihood", found.scores, marks=False)],
        title="How much to smooth",
        axes=("width of the smoothing (s, logarithmic)", "log-likelihood per event"),
        reading=f"Events that were left out are predicted best with a width of {number(width)} s.",
        how="For every width the intensity is estimated from four fifths of the trains, and the "
        "others are judged as Poisson processes; sum over five folds "
        "(noneuclid.spikes.select_width).",
        log=True,
        height=300,
        vertical=(found.width, f"best: {number(found.width)} s"),
    )
    return Section("The spike trains", [facts, drawn, widths])


def _components(data: Dataset, pca: SpikeTrainPCA, finding: str) -> Section:
    times = np.concatenate(data.X)
    edge = 3 * float(pca.kernel_.width)
    t = np.linspace(times.min() - edge, times.max() + edge, _GRID)
    functions = pca.component_functions(t)
    ratios = pca.explained_variance_ratio_
    series = [
        Series(f"component {k + 1} ({percent(ratios[k])})", function)
        for k, function in enumerate(functions[:2])
    ]
    peak = float(t[np.abs(functions[0]).argmax()])
    blocks: list[Any] = [
        lines(
            t,
            series,
            title="Components as functions of time",
            axes=("time (s)", "component ξ(t)"),
            reading=f"Trains differ most around {number(peak)} s, where the first component is "
            "largest.",
            how="ξ(t) = Σ b_i (λ_i(t) − mean), b the eigenvectors of the centred Gram matrix of "
            "the "
            "smoothed trains, scaled to ∫ξ² = 1 (noneuclid.SpikeTrainPCA).",
        )
    ]
    scores = pca.transform(data.X)
    if scores.shape[1] >= 2:
        blocks.append(
            scatter(
                scores[:, :2],
                data.names,
                data.labels,
                title="Scores of the trains",
                axes=(f"score 1 ({percent(ratios[0])})", f"score 2 ({percent(ratios[1])})"),
                reading="Trains near each other fire at the same times.",
                how="Projections of the smoothed trains on the first two components.",
                extra=[f"{len(train)} events" for train in data.X],
            )
        )
    return Section("Components as functions of time", blocks, finding)
