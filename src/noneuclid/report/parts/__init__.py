"""What analyses are built of: one class per topic."""

from noneuclid.report.parts.base import Part, Study, compose

__all__ = ["Part", "Study", "compose"]
