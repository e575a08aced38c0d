"""The name of a chained table's formation: both formations, the next one's cut off if too long."""

_MAX_LENGTH = 32
_BETWEEN = "then"


def chain_name(first: str, after: str) -> str:
    return f"{first}{_BETWEEN}{after}"[:_MAX_LENGTH]


def first_name(name: str, then: str) -> str:
    """Return the formation that the name of a chain begins with, `name` itself if it is none.

    `then` is the table that it continues in: either formation may be named with "then" itself.
    """
    if not then:
        return name
    after = then.rpartition("_")[0]
    starts = (name[:n] for n in range(1, len(name)))
    whole = (first for first in starts if chain_name(first, after) == name)
    return next(whole, name.partition(_BETWEEN)[0])  # that table may be renamed
