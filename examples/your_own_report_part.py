"""A part of a report: how evenly the objects are spread over the classes."""

import math

from noneuclid.datasets import make_indefinite
from noneuclid.report import Part, Settings, Table, analyze


class ClassBalance(Part):
    """Whether some classes are much smaller than others."""

    title = "How even are the classes?"

    def __init__(self, study):
        sizes = study.data.classes
        self.shares = {name: size / len(study.data) for name, size in sizes.items()}
        entropy = -sum(p * math.log(p) for p in self.shares.values())
        self.evenness = entropy / math.log(len(sizes))
        self.sentence = f"The evenness of the classes is {self.evenness:.2f}; 1 is even."

    def blocks(self):
        rows = [[str(name), f"{p:.0%}"] for name, p in self.shares.items()]
        return [Table("Shares", ["class", "share"], rows, "Objects of the class over all.")]

    def results(self):
        return [("evenness", f"{self.evenness:.2f}")]

    def code(self):
        return [
            "import numpy as np",
            "p = np.array(list(data.classes.values())) / len(data)",
            "print((p * np.log(p)).sum() / np.log(1 / len(p)))",
        ]


if __name__ == "__main__":
    quick = Settings(folds=2, repeats=1, quick=True)
    found = analyze(make_indefinite(40), quick, parts=[ClassBalance])
    print(found.sections[-1].title, found.findings[-1])
