"""
A hexagonal map
===============

Wines of three growers, described by 13 chemical measurements, on a map of hexagons. The U-matrix
shows how far neighbouring fields are apart: ridges are borders between kinds of wine, and the
growers, which the map never saw, live between them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from noneuclid import SelfOrganizingMap
from noneuclid.displays import ClassMapDisplay, ComponentPlanesDisplay, UMatrixDisplay

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
grower = np.array(["grower 1", "grower 2", "grower 3"])[wine.target]
som = SelfOrganizingMap(shape=(8, 10), topology="hex", max_epochs=30, random_state=0).fit(X)
print(f"quantisation error {som.quantization_error(X):.2f}, "
      f"topographic error {som.topographic_error(X):.2f}")  # fmt: skip

# %%
# Borders, growers, and one of the measurements on the same map.

figure, axs = plt.subplots(1, 3, figsize=(10, 3.3))
UMatrixDisplay.from_estimator(som, ax=axs[0])
axs[0].set_title("distance to the neighbours")
ClassMapDisplay.from_estimator(som, grower, X, ax=axs[1])
names = wine.feature_names
features = [names.index("flavanoids")]
ComponentPlanesDisplay.from_estimator(som, features=features, names=names, axs=axs[2])
plt.show()
