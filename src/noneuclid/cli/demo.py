"""``noneuclid demo``: what a page looks like."""

from pathlib import Path

from noneuclid import _terminal as terminal
from noneuclid.cli.options import Page, Seed
from noneuclid.cli.program import command
from noneuclid.cli.running import report_on


@command("demo")
def demo(
    output: Page = Path("noneuclid-demo.html"),
    seed: Seed = 0,
) -> None:
    """Show what a report looks like, on generated data; needs no file."""
    terminal.check_target(output)
    from noneuclid.datasets import make_families, make_spectra
    from noneuclid.report import Settings

    datasets = [make_families(30, random_state=seed), make_spectra(90, random_state=seed)]
    for data in datasets:
        terminal.say(data.understood)
    settings = Settings(folds=5, repeats=1, random_state=seed)
    report_on(datasets, settings, output, None, title="noneuclid: a demonstration")
