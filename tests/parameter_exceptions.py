"""What parameters are excused from, and why. An exception that is not needed is an error."""

ANYTHING = {}
EXAMPLES = {}
UNCLEAR = {}
