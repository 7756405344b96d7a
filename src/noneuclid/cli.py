"""The command ``noneuclid``: from a data file to an answer a person can look at."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from noneuclid import _signals
from noneuclid import _terminal as terminal
from noneuclid._by_blocks import MemoryLimit, Scheduler, by_blocks, enlarged, say_units
from noneuclid._memory import advising
from noneuclid._options import (
    Axis,
    Case,
    Data,
    Folds,
    Groups,
    Ignore,
    Index,
    Kind,
    KindOption,
    Labels,
    MaxObjects,
    Metric,
    Missing,
    NoLabels,
    Page,
    Quick,
    Repeats,
    Seed,
    Squared,
    Symmetrize,
    Target,
    refuse_by_blocks,
    wishes_of,
)
from noneuclid._version import __version__
from noneuclid.datasets import DataError, Dataset, kept_together, read_dataset

app = typer.Typer(
    cls=terminal.Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_FEWER_OBJECTS = "lower --max-objects"


def _examples(*lines: str, note: str = "") -> str:
    """The end of a help text."""
    shown = "\n".join(f"  noneuclid {line}" for line in lines)
    return f"Example{'s' * (len(lines) > 1)}:\n\n\b\n{shown}\n{note}"


def _command(*examples: str, note: str = "") -> Callable[[Callable[..., None]], Any]:
    """A command that shows examples in its help, and fails in one sentence."""
    declared = app.command(epilog=_examples(*examples, note=note))
    return lambda function: declared(terminal.guarded(function))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"noneuclid {__version__}")
        raise typer.Exit


@app.callback(
    epilog=_examples(
        "demo",
        "analyze distances.csv --labels classes.txt -o report.html",
        "fit spectra.csv --labels fat_class -o model.skops",
        "predict model.skops new_spectra.csv",
        "check similarities.npz",
        "compare before.csv after.csv",
    )
)
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Machine learning in the geometry your data really has."""


@_command(
    "analyze distances.csv --labels classes.txt",
    "analyze spectra.csv --target fat -o spectra.html",
    "analyze genes.fasta --labels families.csv --save model.skops",
    "analyze trains.txt --kind spikes",
    "analyze parts/ --memory-limit 2GiB --max-objects 2000",
)
def analyze(
    data: Data,
    labels: Labels = None,
    target: Target = None,
    kind: KindOption = Kind.auto,
    output: Page = Path("report.html"),
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the model, too (.skops)."),
    ] = None,
    no_labels: NoLabels = False,
    symmetrize: Symmetrize = False,
    axis: Axis = "auto",
    ignore: Ignore = None,
    index: Index = None,
    groups: Groups = None,
    case: Case = "auto",
    missing: Missing = None,
    squared: Squared = None,
    metric: Metric = "levenshtein",
    splits: Folds = 5,
    repeats: Repeats = 2,
    max_objects: MaxObjects = 800,
    seed: Seed = 0,
    quick: Quick = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Look at a data file: diagnosis, comparison of models, prototypes; one HTML page.

    Of data that are read by blocks a random sample of --max-objects rows is looked at.
    """
    from noneuclid.report import Settings

    for file in filter(None, (output, save)):
        terminal.check_target(file)
    if target is not None and labels is not None:
        raise DataError("--labels and --target exclude each other: classes, or numbers")
    options: Any = {"labels": labels, "kind": kind.value, "use_labels": not no_labels}
    wishes = wishes_of(axis, ignore, index, groups, case, missing, squared, target)
    blocks = by_blocks(memory_limit, scheduler, data)
    if blocks is not None:
        refuse_by_blocks(wishes)
        found = blocks.sample(data, max_objects, seed, **options)
    else:
        found = read_dataset(data, symmetrize=symmetrize, **options, **wishes)
        _announce(found, max_objects)
    if save is not None and found.labels is None and found.target is None:
        raise DataError(
            f"there is no model to save: {found.source} has no classes; name them with --labels, "
            "or leave --save out"
        )
    settings = Settings(
        folds=min(splits, 3) if quick else splits,
        repeats=1 if quick else repeats,
        random_state=seed,
        quick=quick,
        max_objects=max_objects,
        metric=metric,
    )
    _report([found], enlarged(settings, len(found)) if blocks else settings, output, save)


def _announce(data: Dataset, most: int) -> None:
    terminal.say(data.understood)
    if len(data) > most:
        terminal.say(f"a random sample of {most} of them is used; --max-objects changes that")


def _report(
    datasets: list[Dataset],
    settings: Any,
    output: Path,
    save: Path | None,
    title: str | None = None,
) -> None:
    from noneuclid import report
    from noneuclid.report.analysis import steps

    total = sum(steps(data, settings) for data in datasets)
    with terminal.progress(total) as advance, advising(_FEWER_OBJECTS):
        results = [report.analyze(data, settings, advance=advance) for data in datasets]
    page = report.render(*results, title=title)
    for found in results:
        if len(results) > 1:
            terminal.say("")
            terminal.say(found.title, style="bold")
        terminal.show(found.results, ("result", "value"))
        for finding in found.findings:
            terminal.say(f"· {finding}")
    terminal.write(output, page)
    terminal.say(f"report: {output.resolve()}")
    if save is not None:
        if results[0].model is None:
            raise DataError(f"no model of {datasets[0].source} was found that could be saved")
        _save(results[0].model, save)
        terminal.say(f"model: {save}")


def _save(fitted: Any, path: Path) -> None:
    from noneuclid._persistence import save

    terminal.note(path)
    save(fitted, path)


@_command(
    "fit spectra.csv --labels fat_class -o spectra.skops",
    "fit spectra.csv --target fat",
    'fit genes.fasta --labels families.csv --model "kernel RSLVQ" --metric indel',
    "fit parts/ --labels class --memory-limit 2GiB --scheduler tcp://localhost:8786",
    "fit huge.zarr --labels classes.npy -o huge.skops",
)
def fit(
    data: Data,
    labels: Labels = None,
    target: Target = None,
    kind: KindOption = Kind.auto,
    wanted: Annotated[
        str,
        typer.Option("--model", "-m", help='"auto", or (part of) a name: kernel GLVQ, GMLVQ …'),
    ] = "auto",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The model to write.", metavar="FILE")
    ] = Path("model.skops"),
    symmetrize: Symmetrize = False,
    axis: Axis = "auto",
    ignore: Ignore = None,
    index: Index = None,
    groups: Groups = None,
    case: Case = "auto",
    missing: Missing = None,
    squared: Squared = None,
    metric: Metric = "levenshtein",
    splits: Folds = 5,
    max_objects: MaxObjects = 5000,
    seed: Seed = 0,
    quick: Quick = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Fit the best model of prototypes and save it.

    For data that are read by blocks the model is chosen on a random sample of --max-objects rows,
    and then fitted to all of them.
    """
    from noneuclid.report import Settings, fit_described

    terminal.check_target(output)
    settings = Settings(
        folds=splits, random_state=seed, quick=quick, max_objects=max_objects, metric=metric
    )
    wishes = wishes_of(axis, ignore, index, groups, case, missing, squared, target)
    if blocks := by_blocks(memory_limit, scheduler, data):
        refuse_by_blocks(wishes)
        fitted, line = blocks.fit(data, settings, wanted, labels=labels, kind=kind.value)
    else:
        found = read_dataset(data, labels=labels, kind=kind.value, symmetrize=symmetrize, **wishes)
        found = kept_together(found)
        _announce(found, max_objects)
        with terminal.progress(4) as advance, advising(_FEWER_OBJECTS):
            fitted, line = fit_described(found, settings, wanted, advance)
    _save(fitted, output)
    terminal.say(line)
    terminal.say(f"model: {output}")


@_command(
    "predict model.skops new_spectra.csv",
    "predict model.skops new_genes.fasta -o classes.csv",
    "predict model.skops new_parts/ --memory-limit 2GiB -o classes.csv",
    note="\nA model of a matrix takes rows of proximities of the new objects to the training "
    "objects.\n",
)
def predict(
    saved: Annotated[Path, typer.Argument(metavar="MODEL", help="Saved by fit or analyze.")],
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A csv file; by default the screen.", metavar="FILE"),
    ] = None,
    no_labels: NoLabels = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Predict the classes of new objects with a saved model."""
    from noneuclid.report.prediction import SavedModel

    if output is not None:
        terminal.check_target(output)
    model = SavedModel(saved)
    if blocks := by_blocks(memory_limit, scheduler, data):
        summary = blocks.predict(model, data, output, not no_labels)
    else:
        lines, summary = model.predict_file(data, use_labels=not no_labels)
        if output is None:
            terminal.show_data(lines)
        else:
            terminal.write(output, lines)
    if output is not None:
        terminal.say(f"predictions: {output}")
    if summary:
        terminal.remark(summary)


@_command("check similarities.npz", "check genes.fasta --landmarks 50")
def check(
    data: Data,
    kind: KindOption = Kind.auto,
    landmarks: Annotated[
        int | None,
        typer.Option("--landmarks", min=2, help="How many; by default a tenth of the objects."),
    ] = None,
    symmetrize: Symmetrize = False,
    seed: Seed = 0,
) -> None:
    """Check quickly whether a few landmarks could replace all proximities."""
    from noneuclid.report.checking import check_landmarks

    found = read_dataset(data, kind=kind.value, symmetrize=symmetrize, use_labels=False)
    terminal.say(found.understood)
    result = check_landmarks(found, landmarks, seed)
    rows = [(str(m), f"{rho:.2f}") for m, rho in result.curve.items()]
    terminal.show(rows, ("landmarks", "rank correlation"))
    terminal.say(result.verdict)


@_command(
    "compare before.csv after.csv",
    "compare group_a.npz group_b.npz --permutations 5000",
    "compare january/ february/ --memory-limit 2GiB",
)
def compare(
    first: Data,
    second: Data,
    width: Annotated[
        float | None,
        typer.Option("--width", help="Of the kernel; by default the median distance."),
    ] = None,
    permutations: Annotated[
        int, typer.Option("--permutations", min=99, help="Of the null distribution.")
    ] = 999,
    raw: Annotated[
        bool, typer.Option("--raw", help="Compare columns in their own units, not standardised.")
    ] = False,
    seed: Seed = 0,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Test whether two samples come from the same distribution.

    All rows of data that are read by blocks are compared, by features of the kernel.
    """
    from noneuclid.report.checking import compare_samples

    if blocks := by_blocks(memory_limit, scheduler, first, second):
        result, used, moved = blocks.compare(first, second, width, permutations, seed, raw=raw)
    else:
        one, other = (read_dataset(path, use_labels=False) for path in (first, second))
        terminal.say(one.understood)
        terminal.say(other.understood)
        say_units(one, raw)
        result, used, moved = compare_samples(one, other, width, permutations, seed, raw=raw)
    numbers = {
        "statistic (Euclidean divergence)": result.statistic,
        "p value": result.pvalue,
        "width of the kernel": used,
    }
    if blocks:
        numbers["error of the statistic"] = result.error
    rows = [(name, f"{value:.4g}") for name, value in numbers.items()]
    terminal.show(rows, ("result", "value"))
    differ = "differ" if result.pvalue < 0.05 else "may well be the same"
    terminal.say(f"The distributions of {first.name} and {second.name} {differ}.")
    if moved:
        terminal.say(f"Columns that differ by themselves: {', '.join(moved)}.")


@_command("demo")
def demo(
    output: Page = Path("noneuclid-demo.html"),
    seed: Seed = 0,
) -> None:
    """Show what a report looks like, on generated data; needs no file."""
    from noneuclid.datasets import make_families, make_spectra
    from noneuclid.report import Settings

    terminal.check_target(output)
    datasets = [make_families(30, random_state=seed), make_spectra(90, random_state=seed)]
    for data in datasets:
        terminal.say(data.understood)
    settings = Settings(folds=5, repeats=1, random_state=seed)
    _report(datasets, settings, output, None, title="noneuclid: a demonstration")


def main() -> None:
    """Run the command; the entry point of the package."""
    _signals.listen()
    with terminal.output():
        app(prog_name="noneuclid")


if __name__ == "__main__":
    main()
