"""How much memory something takes, without what compiling it takes."""

import tracemalloc


def peak_of(run):
    """Bytes that a second run allocates at most at the same time."""
    run()
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
