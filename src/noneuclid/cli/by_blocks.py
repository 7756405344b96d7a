"""The commands on data that are read by blocks: parts in a folder, zarr arrays, large files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noneuclid import _terminal as terminal
from noneuclid._files import DataError
from noneuclid._memory import size_of
from noneuclid._writing import writing_atomically

if TYPE_CHECKING:
    from noneuclid.datasets import Dataset
    from noneuclid.datasets.large import LargeDataset, Memory

MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Such as 2GiB: larger data are read by blocks; by default half of what is available.",
        show_default=False,
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Of a dask cluster that runs already, to read by blocks there: tcp://host:8786.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class ByBlocks:
    """What the user said about reading by blocks."""

    limit: float | None
    address: str | None

    @contextmanager
    def working(self) -> Iterator[tuple["Memory", Callable[..., None]]]:
        """Threads or the cluster, for as long as they are needed; and a bar for their passes."""
        from noneuclid.report.engine import engine

        with terminal.passes() as watch, engine(self.address, self.limit, watch) as memory:
            yield memory, watch

    def sample(self, path: Path, most: int, seed: int, **options: Any) -> "Dataset":
        """A bounded sample of all blocks, for an analysis."""
        from noneuclid.datasets.large import open_large

        with self.working() as (memory, _):
            data = open_large(path, memory=memory, **options)
            terminal.say(data.understood)
            found = data.sample(most, random_state=seed)
        if len(found) < len(data):
            terminal.say(
                f"a random sample of {len(found)} of its {len(data)} rows, drawn from all blocks, "
                "is looked at; --max-objects changes that"
            )
        return found

    def look(self, path: Path, **options: Any) -> None:
        """Tell what the blocks are taken for."""
        from noneuclid.datasets.large import open_large

        with self.working() as (memory, _):
            terminal.say(open_large(path, memory=memory, **options).understood)

    def fit(self, path: Path, settings: Any, wanted: str, **options: Any) -> tuple[Any, str]:
        """A model of all rows, and a line about it."""
        from noneuclid.datasets.large import open_large
        from noneuclid.report.large import fit_large

        with self.working() as (memory, watch):
            data = open_large(path, memory=memory, **options)
            terminal.say(data.understood)
            fitted, name, accuracy, n = fit_large(data, settings, wanted=wanted, advance=watch)
        where = "" if n == len(data) else f" of a random sample of {n} rows"
        return fitted, (
            f"{name}: {100 * accuracy:.1f} % of held-out objects in cross-validation{where}; then "
            f"fitted to all {len(data)} rows"
        )

    def predict(self, saved: Any, path: Path, output: Path | None, use_labels: bool) -> str:
        """Write predictions as they come; gives a sentence on how many are right."""
        from noneuclid.datasets.large import open_large
        from noneuclid.report.large import Agreement, predictions

        agreement = Agreement()
        with self.working() as (memory, watch):
            options = {"kind": saved.kind, "use_labels": use_labels, "lenient": True}
            data = open_large(path, memory=memory, **options)  # type: ignore[arg-type]
            found = _told(predictions(saved, data, agreement), len(data.pieces), watch)
            if output is None:
                for lines in found:
                    terminal.show_data(lines.decode())
            else:
                terminal.note(output)
                with writing_atomically(output) as write:
                    for lines in found:
                        write(lines)
        if not agreement.known:
            return ""
        n = len(data)
        return f"{agreement.right} of {n} predictions agree with the classes in {data.source}"

    def compare(
        self, first: Path, second: Path, *options: Any, raw: bool = False
    ) -> tuple[Any, float, list[str]]:
        """The test of two samples, the width of its kernel, and columns that differ."""
        from noneuclid.datasets.large import open_large
        from noneuclid.report.large import compare_large

        with self.working() as (memory, _):
            samples: list[LargeDataset] = []
            for path in (first, second):
                samples.append(open_large(path, use_labels=False, memory=memory))
                terminal.say(samples[-1].understood)
            say_units(samples[0], raw)
            return compare_large(samples[0], samples[1], *options, raw=raw)


def say_units(data: Any, raw: bool) -> None:
    """Tell that columns of vectors count alike."""
    if data.kind == "vectors" and not raw:
        terminal.say("columns are standardised: each counts alike; --raw leaves them as they are")


def _told(lines: Iterator[bytes], n: int, watch: Callable[..., None]) -> Iterator[bytes]:
    """The lines, while somebody watches which block they are of; the first is a header."""
    for k, one in enumerate(lines):
        watch(f"block {k} of {n}")
        yield one


def by_blocks(size: str | None, scheduler: str | None, *paths: Path) -> ByBlocks | None:
    """How data are read by blocks, if one of them is too large, or in parts, or on a cluster."""
    from noneuclid.datasets.large import is_large

    limit = None if size is None else size_of(size)
    if size is not None and not limit:
        raise DataError(f"--memory-limit {size} must be a size such as 500MiB or 2GiB")
    wanted = scheduler is not None
    if wanted or any(is_large(path, limit) for path in paths):
        for path in paths:
            if path.exists() and not is_large(path, limit, wanted=True) and path.is_dir():
                raise DataError(
                    f"{path.name} is a folder of curves, one file each, which is not read by "
                    "blocks: leave --scheduler out"
                )
        return ByBlocks(limit, scheduler)
    return None


def enlarged(settings: Any, n: int) -> Any:
    """The settings, for a sample that has some more objects because of rare classes."""
    return replace(settings, max_objects=max(settings.max_objects, n))
