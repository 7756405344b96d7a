"""Which geometry suits the data: several of them, under one learner or several, judged honestly."""

from noneuclid.search.candidates import usual_geometries, usual_learners
from noneuclid.search.geometry_search import GeometrySearch

__all__ = ["GeometrySearch", "usual_geometries", "usual_learners"]
