"""Several things named after each other. No Qt."""

from collections.abc import Sequence

from engine.language import listed, tr


def and_list(names: Sequence[str]) -> str:
    """Return names as a phrase; there is at least one.

    Examples
    --------
    >>> and_list(["left"]), and_list(["left", "up", "down"])
    ('left', 'left, up and down')
    """
    if len(names) == 1:
        return names[0]
    return tr("{names} and {last}", names=listed(names[:-1]), last=names[-1])
