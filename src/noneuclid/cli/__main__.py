"""``python -m noneuclid.cli``."""

from noneuclid.cli import main

if __name__ == "__main__":
    main()
