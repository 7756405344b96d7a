"""
A landmark check that saves 90 % of the comparisons
===================================================

Comparing all pairs of N objects costs N² comparisons. With m landmarks it costs N·m, if the
matrix is of low rank, and nobody knows that beforehand. The check looks at a few rows under
different landmarks: where they agree, landmarks will do.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import RelationalGLVQ, nystroem_check
from noneuclid.datasets import make_families

good = make_families(100, n_families=4, length=40, mutation=0.2, gaps=0.05)
families = np.asarray(good.labels)
rng = np.random.default_rng(0)
chance = ["".join(rng.choice(list("ACGT"), 40)) for _ in range(400)]  # no structure at all

shares = (0.01, 0.02, 0.05, 0.1)
checks = {"families of sequences": [], "random sequences": []}
for name, sequences in zip(checks, (good.X, chance)):
    for share in shares:
        found = nystroem_check(
            sequences, share, metric="levenshtein", proximity="dissimilarity", n_pairs=4,
            n_rows=20, random_state=0,
        )  # fmt: skip
        checks[name].append(found.rho_pairwise)
    print(f"{name}: {np.round(checks[name], 2)}; at {shares[-1]:.0%} suitable: {found.suitable}")

# %%
# Half of the sequences train a classifier, half test it. What does it lose with landmarks?

train = rng.permutation(400)[:200]
test = np.setdiff1d(np.arange(400), train)
sequences = np.array(good.X)
accuracy = []
for m in [*(max(int(share * 200), 4) for share in shares), None]:
    model = RelationalGLVQ(metric="levenshtein", n_landmarks=m, random_state=0)
    model.fit(list(sequences[train]), families[train])
    accuracy.append(model.score(list(sequences[test]), families[test]))

# %%
# Left: the check, before any training. Right: what training then gives. More landmarks are not
# always better in the check: they bring small eigenvalues, which are noise, and dividing by
# them makes two approximations disagree.

figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.5))
for (name, values), style in zip(checks.items(), ("o-", "s--")):
    left.plot(100 * np.array(shares), values, style, label=name)
left.axhline(0.5, color="#777777", linewidth=1, linestyle=":")
left.annotate("above: landmarks will do", (10, 0.51), ha="right", va="bottom", color="#555555")
left.annotate("families of sequences", (10, 0.9), ha="right", color="C0")
left.annotate("random sequences", (10, 0.3), ha="right", color="C1")
left.set(xlabel="landmarks (% of the objects)", ylabel="rank correlation of two\napproximations",
         ylim=(-0.1, 1.02), title="the check")  # fmt: skip
right.plot(100 * np.array(shares), accuracy[:-1], "o-", label="landmarks")
right.axhline(accuracy[-1], color="C1", linestyle="--", label="all comparisons")
right.set(xlabel="comparisons made (%)", ylabel="accuracy on new sequences", ylim=(0, 1.02),
          title="the model")  # fmt: skip
right.legend(loc="lower right")
plt.show()
