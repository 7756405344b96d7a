"""Source C, table 6.6 and figures 6.5–6.7: two data sets that can be looked at.

python literature/c_berlin.py [--reduced]
"""

import numpy as np
from _experiment import Result, cell, claim, drawn, load, run
from c_sparse import COLUMNS, centrality, matched, plane, used
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import shortest_path
from sklearn.cluster import KMeans

from noneuclid.prototypes import (
    KernelRSLVQ,
    assignment_entropy,
    description_length,
    fit_sparse,
    n_exemplars,
    sparsify,
)
from noneuclid.proximities import SpectrumCorrection, signature, to_similarity

SPEED, STOP = 35.0, 1.0  # km/h between stops, minutes lost at each
WANTED = {"OMP": 4.08, "MEB": 7.0, "training": 14.42}
MEASURES = ("error", "exemplars", "length", "entropy")


def network():
    """Stops with their places, and the minutes between any two along the rail lines."""
    data = load("vbb_berlin_rail_lines")
    names, inverse = np.unique(data["stop_name"], return_inverse=True)
    place = np.zeros((len(names), 2))
    place[inverse] = np.column_stack([data["latitude"], data["longitude"]])
    place = (place - place.mean(axis=0)) * 111.2 * [1, np.cos(np.radians(52.5))]  # km
    pairs = [
        (inverse[i], inverse[i + 1])
        for a, b in zip(data["offsets"], data["offsets"][1:])
        for i in range(a, b - 1)
    ]
    rows, columns = np.array(pairs).T
    minutes = 60 * np.linalg.norm(place[rows] - place[columns], axis=1) / SPEED + STOP
    one_way = coo_matrix((minutes, (rows, columns)), shape=(len(names),) * 2).toarray()
    one_way[one_way == 0] = np.inf
    graph = np.minimum(one_way, one_way.T)
    times = shortest_path(np.where(np.isfinite(graph), graph, 0))
    reached = np.isfinite(times[np.argmin((place**2).sum(axis=1))])
    links = {frozenset(pair) for pair in pairs}
    number = np.cumsum(reached) - 1
    kept = sorted(
        sorted(number[list(link)].tolist()) for link in links if reached[list(link)].all()
    )
    return place[reached], times[np.ix_(reached, reached)], len(links), kept


def berlin():
    """Similarities of the stops, twelve areas of the map as classes, and how stops are linked."""
    place, times, n_links, links = network()
    areas = KMeans(12, n_init=10, random_state=0).fit_predict(place)
    return to_similarity(times**2), areas, n_links, links


def picture(K, classes, models):
    """Points, classes and exemplars of two sparse versions, for drawing."""
    chosen = {name: used(models[COLUMNS.index(name)]) for name in ("nearest 1", "MEB")}
    return {"points": drawn(plane(K), 3), "class": np.asarray(classes).tolist(), **chosen}


def artificial(seed):
    """Three classes of ten points each in the plane."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(3), 10)
    X = np.array([[0, 0], [4, 0], [2, 3.5]])[y] + rng.normal(size=(30, 2))
    return X @ X.T, y


def versions(K, y, wanted, seed):
    """The full model with one prototype per class, and its sparse versions."""
    new = KernelRSLVQ(kernel="precomputed", n_prototypes=1, random_state=seed)
    full = KernelRSLVQ(**new.get_params()).fit(K, y)
    return [
        full,
        *(sparsify(full, method="nearest", k=n) for n in (1, 10)),
        *(sparsify(full, method="hull", k=n) for n in (1, 10)),
        matched(full, "omp", wanted["OMP"]),
        matched(full, "meb", wanted["MEB"]),
        fit_sparse(new, K, y, n_exemplars=wanted["training"], max_fits=6),
    ]


def measures(models, K, y):
    """Error in %, exemplars, length and entropy of each on the training set, as published."""
    return np.array(
        [
            [
                100 * (1 - model.score(K, y)),
                n_exemplars(model),
                description_length(model, K, y),
                assignment_entropy(model, K),
            ]
            for model in models
        ]
    )


def figures(setting):
    """The table and its three figures."""
    seeds = list(range(10 if setting == "full" else 2))
    S, areas, n_links, links = berlin()
    found, models = {}, {}
    for method in ("clip", "flip"):
        K = SpectrumCorrection(method=method).fit_transform(S)
        models[method] = versions(K, areas, WANTED, 0)
        found[f"Berlin, {method}"] = measures(models[method], K, areas)[None]
    measured, central, first = [], [], None
    for seed in seeds:
        K, y = artificial(seed)
        made = versions(K, y, {"OMP": 2.0, "MEB": 4.33, "training": 4.0}, seed)
        first = first or picture(K, y, made)
        measured.append(measures(made, K, y))
        central.append([centrality(K, y, made[COLUMNS.index(c)]) for c in ("nearest 1", "MEB")])
    found["artificial"] = np.array(measured)
    cells = {
        f"{measure}: {row}": {c: cell(numbers[:, j, k]) for j, c in enumerate(COLUMNS)}
        for k, measure in enumerate(MEASURES)
        for row, numbers in found.items()
    }
    made = _results(cells, found, models, S, areas, n_links, np.array(central), seeds)
    clip = SpectrumCorrection(method="clip").fit_transform(S)
    ends = np.transpose([link for link in links if len(link) == 2]).tolist()
    made["C-figure-6.5"].series = {"points": drawn(plane(clip), 3), "links": ends}
    made["C-figure-6.6"].series = first
    made["C-figure-6.7"].series = picture(clip, areas, models["clip"])
    return made


def _results(cells, found, models, S, areas, n_links, central, seeds):
    """The items, with what the source concludes."""
    errors = found["Berlin, clip"][0, :, 0]
    plane = found["artificial"][:, :, 0].mean(axis=0)
    kinds = signature(S)
    clip = SpectrumCorrection(method="clip").fit_transform(S)
    inner = [
        centrality(clip, areas, models["clip"][COLUMNS.index(c)]) for c in ("nearest 1", "MEB")
    ]
    network_text = (
        "Stops of the Berlin rail lines as far as they are connected; minutes along the lines at "
        f"{SPEED:.0f} km/h and {STOP:.0f} minute per stop, squared; twelve areas of the map (by "
        "k-means) as classes (published: 352 stops, times of 2013 with buses, twelve districts). "
    )
    why = "no buses, no timetable and no districts in the data that can be had"
    table_text = network_text + (
        "One prototype per class, errors on the training set. Artificial data: three normal "
        f"classes of ten points, {len(seeds)} draws (published: one draw that is not given)."
    )
    return {
        "C-table-6.6": Result(
            table_text,
            cells,
            [
                claim(
                    "The full model makes hardly an error on the Berlin stops",
                    errors[0] < 5,
                    f"{errors[0]:.1f} % (published 0)",
                ),
                claim(
                    "Sparse versions lose much there",
                    min(errors[1:]) > errors[0] + 3,
                    f"{min(errors[1:]):.1f} to {max(errors[1:]):.1f} %",
                ),
                claim(
                    "On the plane only single exemplars lose",
                    max(plane[[2, 4, 5, 6]]) < plane[0] + 2,
                    f"full {plane[0]:.1f}, nearest 1 {plane[1]:.1f}, hull 1 {plane[3]:.1f}, "
                    f"others at most {max(plane[[2, 4, 5, 6]]):.1f} %",
                ),
            ],
            seeds,
            why + "; the artificial points are drawn anew",
        ),
        "C-figure-6.5": Result(
            network_text,
            {
                "stops": {"value": cell(len(areas))},
                "links": {"value": cell(n_links)},
                "positive eigenvalues": {"value": cell(kinds.positive)},
                "negative eigenvalues": {"value": cell(kinds.negative)},
            },
            [
                claim(
                    "Travel times are not Euclidean",
                    kinds.negative > 0,
                    f"{kinds.negative} of {len(areas)} eigenvalues are negative",
                )
            ],
            [],
            why,
        ),
        "C-figure-6.6": Result(
            "Three normal classes of ten points in the plane; squared distance of exemplars to the "
            "class mean, over that of the class.",
            {"nearest 1": {"value": cell(central[:, 0])}, "MEB": {"value": cell(central[:, 1])}},
            [
                claim(
                    "Only the nearest exemplar lies near the centre of its class",
                    central[:, 0].mean() < 0.5 < central[:, 1].mean(),
                    f"nearest 1 {central[:, 0].mean():.2f}, MEB {central[:, 1].mean():.2f}",
                )
            ],
            seeds,
        ),
        "C-figure-6.7": Result(
            network_text
            + "Squared distance of exemplars to their class mean, over that of the class.",
            {"nearest 1": {"value": cell(inner[0])}, "MEB": {"value": cell(inner[1])}},
            [
                claim(
                    "Nearest exemplars lie in the middle of their area, those of MEB at its border",
                    inner[0] < inner[1],
                    f"nearest 1 {inner[0]:.2f}, MEB {inner[1]:.2f}",
                )
            ],
            [],
            why,
        ),
    }


if __name__ == "__main__":
    run(figures)
