"""Where prototypes start: in their classes, on samples, or in the plane of the data."""
