"""What several commands do: tell what was understood, write the page, save the model."""

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noneuclid import _terminal as terminal
from noneuclid._files import DataError
from noneuclid._memory import advising

if TYPE_CHECKING:
    from noneuclid.datasets import Dataset
    from noneuclid.report import Analysis

FEWER_OBJECTS = "lower --max-objects"
# Seconds of work that are told beforehand.
_LONG = 30


def say_sample(data: "Dataset", most: int) -> None:
    """Tell how much of the data is used."""
    if len(data) > most:
        terminal.say(
            f"all are learned from; a random sample of {most} is compared pair by pair, and "
            "decides on parameters (--max-objects)"
        )


def expect(seconds: float) -> None:
    """Tell how long the work will take, if it is long."""
    if seconds >= _LONG:
        terminal.remark(f"this will take about {duration(seconds)}; --quick takes less")


def duration(seconds: float) -> str:
    """Seconds in words.

    Examples
    --------
    >>> duration(42), duration(200), duration(9000)
    ('40 seconds', '3 minutes', '2.5 hours')
    """
    if seconds < 90:
        return f"{10 * max(round(seconds / 10), 1)} seconds"
    if seconds < 5400:
        return f"{max(round(seconds / 60), 2)} minutes"
    return f"{seconds / 3600:.1f} hours"


@dataclass(frozen=True)
class Taken:
    """The folder that takes everything away."""

    folder: Path
    width: float
    force: bool

    def check(self) -> None:
        """Raise before the work begins, if the folder could not be written."""
        from noneuclid.report.export import check_export

        check_export(self.folder, width=self.width, force=self.force)

    def write(self, found: "Analysis") -> None:
        """Write it."""
        terminal.note(self.folder)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            found.export(self.folder, width=self.width, force=self.force)
        for sentence in dict.fromkeys(str(one.message) for one in caught):
            terminal.remark(f"note: {sentence}")
        terminal.say(f"export: {self.folder.resolve()}")


def report_on(
    datasets: list["Dataset"],
    settings: Any,
    output: Path,
    save: Path | None,
    title: str | None = None,
    taken: Taken | None = None,
) -> None:
    """Analyse the datasets, show the results, and write one page."""
    from noneuclid import report
    from noneuclid.report.analysis import steps

    total = sum(steps(data, settings) for data in datasets)
    with terminal.progress(total) as advance, advising(FEWER_OBJECTS):
        results = [
            report.analyze(data, settings, advance=advance, expect=expect) for data in datasets
        ]
    if title is not None and len(results) == 1:
        results = [replace(results[0], title=title)]
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
        save_model(results[0].model, save)
        terminal.say(f"model: {save}")
    if taken is not None:
        taken.write(results[0])


def save_model(fitted: Any, path: Path) -> None:
    """Save a model, and remember its file for the case of an interrupt."""
    from noneuclid._persistence import save

    terminal.note(path)
    save(fitted, path)
