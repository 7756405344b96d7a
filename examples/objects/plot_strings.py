"""
Strings by edit distance, and their exemplars
=============================================

Sequences have no coordinates, but any two can be compared. A relational LVQ needs no more: its
prototypes are mixtures of sequences, and the sequences with the largest share in them can be read
by a person.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score

from noneuclid import RelationalGLVQ
from noneuclid.datasets import make_families
from noneuclid.displays import EmbeddingDisplay
from noneuclid.prototypes import exemplars, sparsify

data = make_families(30, n_families=4, mutation=0.2, gaps=0.1)
sequences, family = data.X, np.asarray(data.labels)
model = RelationalGLVQ(metric="levenshtein", random_state=0)
scores = cross_val_score(model, sequences, family, cv=5)
print(f"accuracy {scores.mean():.3f} ± {scores.std(ddof=1) / 5**0.5:.3f}")

# %%
# The fitted model uses all 120 sequences. Where only the three nearest to each prototype
# are kept, a new sequence is compared with twelve others instead of 120.

model.fit(sequences, family)
few = sparsify(model, k=3, method="nearest")
print(f"signature of the matrix: {model.signature_}")
print(f"on the training sequences: {model.score(sequences, family):.3f} with all, "
      f"{few.score(sequences, family):.3f} with {len(few.support_)}")  # fmt: skip
for label, found in zip(model.prototype_labels_, exemplars(model, 1, names=sequences)):
    print(f"{label:>6}: {found.objects[0]}")

# %%
# Two dimensions of the pseudo-Euclidean space in which the edit distances are exact. Stars are the
# prototypes, rings mark the sequence that each of them is made of most.

figure, ax = plt.subplots(figsize=(5.7, 4.6))
EmbeddingDisplay.from_estimator(model, labels=family, ax=ax)
plt.show()
