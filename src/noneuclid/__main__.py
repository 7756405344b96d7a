"""``python -m noneuclid``, and the command."""

from noneuclid import _signals


def main() -> None:
    """Run the command; interrupts are heeded before the modules it needs are loaded."""
    _signals.listen()
    from noneuclid.cli import main as run

    run()


if __name__ == "__main__":
    main()
