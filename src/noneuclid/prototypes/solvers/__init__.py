"""Solvers: a geometry and a cost in, a trained state out. They know neither data nor estimators."""
