"""
Kernel components and their pre-images
======================================

Kernel components live in a feature space where nobody can look. A pre-image is the point of the
data space whose image is nearest to a reconstruction: noisy digits go up, the noise stays behind,
and digits come down.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from noneuclid import Gaussian, GeneralizedKernelPCA

rng = np.random.default_rng(0)
images, digit = load_digits(return_X_y=True)
images = images / 16.0
train, test = np.split(rng.permutation(len(images))[:700], [600])
noisy = images[test] + rng.normal(0, 0.35, images[test].shape)

# %%
# Thirty components each, learned from clean images, applied to noisy ones.

linear = PCA(30).fit(images[train])
kernel = GeneralizedKernelPCA(
    n_components=30, kernel=Gaussian("median"), objective="l2", random_state=0
)
kernel.fit(images[train])
restored = {
    "noisy": noisy,
    "PCA": linear.inverse_transform(linear.transform(noisy)),
    "kernel": kernel.inverse_transform(kernel.transform(noisy)),
}
for name, found in restored.items():
    print(f"{name}: root mean square error {np.sqrt(np.mean((found - images[test]) ** 2)):.3f}")

# %%
# One test image of each digit.

chosen = [np.flatnonzero(digit[test] == d)[0] for d in range(10)]
figure, axs = plt.subplots(4, 10, figsize=(8, 3.5))
for axes, (name, found) in zip(axs, {"clean": images[test], **restored}.items()):
    for ax, k in zip(axes, chosen):
        ax.imshow(found[k].reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    axes[0].set_ylabel(name, rotation=0, ha="right", va="center")
plt.show()
