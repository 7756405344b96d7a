"""``python -m noneuclid``, and the command."""

import importlib.util
import sys

from noneuclid import _signals

# Of the extra [cli]: what every command needs.
_NEEDED = ("typer", "rich", "jinja2", "pandas", "skops")


def main() -> None:
    """Run the command; interrupts are heeded before the modules it needs are loaded."""
    _signals.listen()
    if missing := [name for name in _NEEDED if importlib.util.find_spec(name) is None]:
        sys.exit(
            f"The command noneuclid needs {' and '.join(missing)}, which the library alone does "
            'not: pip install "noneuclid[cli]"'
        )
    from noneuclid.cli import main as run

    run()


if __name__ == "__main__":
    main()
