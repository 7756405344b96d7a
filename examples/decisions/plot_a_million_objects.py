"""
A million objects with Dask
===========================

Everything learned here is a sum over samples, so data may come in blocks that no memory ever
holds together. The million rows below are made block by block while they are read; on a cluster
the same lines run there.
"""

import time

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np

from noneuclid import GLVQ

centres = np.random.default_rng(0).normal(0, 2.0, size=(4, 4))


def block(seed, rows):
    """Rows of four classes; the last column is the class."""
    rng = np.random.default_rng(int(np.ravel(seed)[0]))
    kind = rng.integers(0, 4, rows)
    return np.column_stack([centres[kind] + 1.5 * rng.normal(size=(rows, 4)), kind])


def table(n, rows=125_000):
    seeds = da.arange(n // rows, chunks=1)
    made = seeds[:, None].map_blocks(block, rows=rows, chunks=((rows,) * (n // rows), (5,)),
                                     dtype=float)  # fmt: skip
    return made[:, :4], made[:, 4].astype(int)


# %%
# A few passes over growing tables: time grows with the number of rows. What memory does is
# measured on the :doc:`page on scale </scale>`.

sizes, seconds = (250_000, 500_000, 1_000_000), []
GLVQ(solver="sgd", max_epochs=1, random_state=0).fit(*table(125_000))  # compiles
for n in sizes:
    X, y = table(n)
    start = time.perf_counter()
    model = GLVQ(solver="sgd", max_epochs=1, random_state=0).fit(X, y)
    seconds.append(time.perf_counter() - start)
new, truth = table(125_000)
print(f"accuracy {float((model.predict(new) == truth).mean().compute()):.3f}")

# %%
# Predictions are lazy: they are computed block by block, when they are written somewhere.

figure, ax = plt.subplots(figsize=(5.7, 3.8))
ax.plot(np.array(sizes) / 1e6, seconds, "o-")
ax.set(xlabel="rows (millions)", ylabel="seconds for one epoch", xlim=(0, 1.05), ylim=(0, None))
ax.set_title("a million rows, block by block")
plt.show()
