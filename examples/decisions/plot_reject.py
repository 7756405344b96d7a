"""
Certainty, and the right to say nothing
=======================================

A classifier that must answer will guess. Every prototype classifier here says how certain it is,
and may decline. The more it declines, the fewer of its answers are wrong; conformal sets instead
name all classes that cannot be ruled out, with a promise on how often the right one is missing.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from noneuclid import RSLVQ, ConformalClassifier

X, y = load_digits(return_X_y=True)
rng = np.random.default_rng(0)
X = X + rng.normal(0, 4.0, X.shape)  # make it hard
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
model = RSLVQ(n_prototypes=1, random_state=0).fit(X_train, y_train)

# %%
# Sort the test digits by certainty, and answer only the most certain ones.

order = np.argsort(-model.certainty(X_test))
right = (model.predict(X_test) == y_test)[order]
answered = np.arange(1, len(right) + 1) / len(right)
error = 1 - np.cumsum(right) / np.arange(1, len(right) + 1)
print(f"error {error[-1]:.3f} if all are answered, {error[len(right) // 2]:.3f} if half are")

# %%
# Sets of classes that miss the right one in at most 5 % of all cases. A quarter of the training
# digits calibrates them, so that a per cent more or less in one run is chance.

sets = ConformalClassifier(RSLVQ(random_state=0), alpha=0.05, random_state=0)
sets.fit(X_train, y_train)
chosen = sets.predict_set(X_test)
hit = chosen[np.arange(len(y_test)), y_test].mean()
print(f"the right digit is in {hit:.1%} of the sets, of {chosen.sum(axis=1).mean():.2f} digits")

# %%
# Left: what declining buys. Right: how large the sets are.

figure, (left, middle) = plt.subplots(1, 2, figsize=(8.5, 3.6))
left.plot(100 * answered, 100 * error)
left.plot(100, 100 * error[-1], "o", color="C0")
left.set(xlabel="digits answered (%)", ylabel="errors among the answers (%)", ylim=(0, None))
left.set_title("declining")
sizes = np.bincount(chosen.sum(axis=1), minlength=6)
middle.bar(range(len(sizes)), 100 * sizes / sizes.sum(), color="C1")
middle.set(xlabel="classes in the set", ylabel="test digits (%)",
           title=f"sets, the right class in {hit:.0%}")  # fmt: skip
plt.show()
