"""Your own file format: distance matrices as PHYLIP and its relatives write them."""

import tempfile
from pathlib import Path

import numpy as np

from noneuclid.datasets import Content, Reader, read_dataset, register_reader
from noneuclid.testing import check_reader


@register_reader
class PhylipReader(Reader):
    """The number of objects, then a name and distances each: all of them, or those above it."""

    suffixes = (".phy", ".phylip", ".dist")

    def read(self, file):
        """Names end at a blank, or after ten letters; rows may go on in further lines."""
        first, *lines = [line for line in file.text().splitlines() if line.strip()]
        n, names, rows = int(first), [], []
        triangle = bool(lines) and len(lines[0].split()) == 1
        for line in lines:
            if rows and len(rows[-1]) < (len(rows) - 1 if triangle else n):
                rows[-1] += map(float, line.split())
                continue
            try:
                name, *numbers = line.split()
                rows.append([float(number) for number in numbers])
            except ValueError:
                name = line[:10].strip()
                rows.append([float(number) for number in line[10:].split()])
            names.append(name)
        if [len(row) for row in rows] != [i if triangle else n for i in range(n)]:
            raise ValueError(f"{n} objects need {n} rows of {n} distances, or of 0, 1, 2 ...")
        D = np.array([row + [0.0] * (n - len(row)) for row in rows])
        return Content(file.name, D + D.T if triangle else D, names=names, kind="dissimilarity")


FILE = """  4
Human      0.000 0.304 0.301 0.722
Chimp      0.304 0.000 0.290 0.711
Gorilla    0.301 0.290 0.000 0.702
Orang utan 0.722 0.711 0.702 0.000
"""

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "apes.phy"
        path.write_text(FILE)
        check_reader(PhylipReader, path)
        print(read_dataset(path).understood)
