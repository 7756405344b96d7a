"""``python -m noneuclid``."""

from noneuclid.cli import main

if __name__ == "__main__":
    main()
