"""Which geometry suits the data: several of them, under one learner or several, judged honestly."""

from noneuclid.search.candidates import usual_geometries, usual_learners
from noneuclid.search.folds import SampledFolds, sampled_rows
from noneuclid.search.geometry_search import GeometrySearch

__all__ = ["GeometrySearch", "SampledFolds", "sampled_rows", "usual_geometries", "usual_learners"]
