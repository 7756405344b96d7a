"""Geometries: how far samples are from prototypes, and what forces on distances do to them."""
