"""The name of a chained table's formation: both formations, the next one's cut off if too long."""

_MAX_LENGTH = 32
_BETWEEN = "then"


def chain_name(first: str, after: str) -> str:
    return f"{first}{_BETWEEN}{after}"[:_MAX_LENGTH]


def first_name(name: str) -> str:
    """Return the name of the formation that the name of a chain begins with."""
    return name.partition(_BETWEEN)[0]
