"""``noneuclid warm-up``: compile ahead, so that no first fit waits."""

from noneuclid import _terminal as terminal
from noneuclid.cli.program import command


@command("warm-up", note="\nOnce per installation and per user; about a minute or two.")
def warm_up() -> None:
    """Compile ahead what first fits would compile, and keep it on disk."""
    import warnings

    from noneuclid._warm_up import cache_folder, tasks

    work = list(tasks())
    with terminal.progress(len(work)) as advance, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of tiny problems, about which nobody asked
        for name, run in work:
            run()
            advance(name)
    folder = cache_folder()
    if folder is None:
        terminal.say("nothing was kept: no folder is writable; set NUMBA_CACHE_DIR to one that is")
    else:
        terminal.say(f"compiled code is kept in {folder}")
