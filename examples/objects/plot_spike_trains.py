"""
Principal components of spike trains
====================================

Two templates of ten spikes within a quarter of a second; every train keeps each spike with
probability 0.8 and moves it by 3 ms. A kernel on spike trains needs no bins, and its principal
components are functions of time: they show *when* trains differ.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid.displays import RasterDisplay, SpikeScoresDisplay
from noneuclid.spikes import SpikeTrainKernel, SpikeTrainPCA, jittered_templates

training = jittered_templates(50, random_state=0)
test = jittered_templates(200, templates=training.templates, random_state=1)
pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.002)).fit(training.trains)
print("shares of the variance:", pca.explained_variance_ratio_.round(2))

# %%
# The labels are used for colours only: the components do not know them.

words = np.array(["template 1", "template 2"])
time = np.linspace(0, 0.25, 500)
figure, axs = plt.subplots(1, 3, figsize=(10, 3.4))
RasterDisplay.from_trains(training.trains, words[training.labels], ax=axs[0], legend=False)
axs[0].set_title("50 training trains")
for k, (values, style) in enumerate(zip(pca.component_functions(time), ("-", "--"))):
    axs[1].plot(time, values, style, color=f"C{k + 2}", label=f"component {k + 1}", linewidth=1.2)
axs[1].set(xlabel="time (s)", ylabel="rate, relative", title="when they differ")
axs[1].legend(loc="lower right")
SpikeScoresDisplay.from_estimator(pca, test.trains, words[test.labels], ax=axs[2], legend=False)
axs[2].set_title("200 new trains")
plt.show()
