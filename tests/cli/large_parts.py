"""A table in parts, in several formats, for the tests of data that are read by blocks."""

import gzip

import numpy as np
import pandas as pd
from typer.testing import CliRunner

from noneuclid.cli import app

RNG = np.random.default_rng(0)
N = 240
Y = np.array(["low", "mid", "high"])[RNG.integers(0, 3, N)]
X = RNG.normal(size=(N, 4)) * [1.0, 2.0, 0.5, 3.0] + (Y == "mid")[:, None] * 2.0
X[:, 3] -= 4.0 * (Y == "high")
TABLE = pd.DataFrame(X, columns=["u", "v", "w", "x"])
TABLE.insert(0, "name", [f"o{i:03d}" for i in range(N)])
TABLE["species"] = Y
SMALL = ["--memory-limit", "96KiB"]
QUICK = ["--quick", "--splits", "2"]


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exit_code == code, result.output
    return result


def in_parts(folder, ending, write, table=TABLE, n=12):
    folder.mkdir()
    for k, rows in enumerate(np.array_split(np.arange(len(table)), n)):
        # A slice, of which parquet files keep no index: every pandas knows that it only counts.
        write(table.iloc[rows[0] : rows[-1] + 1], folder / f"part-{k}{ending}")
    return folder


def to_csv(table, path, **options):
    table.to_csv(path, index=False, **options)


def to_parquet(table, path):
    table.to_parquet(path, row_group_size=7)


def to_european(table, path):
    table.to_csv(path, index=False, sep=";", decimal=",", encoding="cp1252")


def to_zipped(table, path):
    path.write_bytes(gzip.compress(table.to_csv(index=False).encode()))


FORMATS = {
    "csv": (".csv", to_csv),
    "tsv": (".tsv", lambda table, path: to_csv(table, path, sep="\t")),
    "semicolons and decimal commas": (".csv", to_european),
    "gzip": (".csv.gz", to_zipped),
    "parquet": (".parquet", to_parquet),
}
HEAD = "name,u,v,w,x,species\n"


def columns(**named):
    return pd.DataFrame(named)


U, V, W = X[:, 0], X[:, 1], X[:, 2]
