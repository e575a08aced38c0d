"""Lists of names, for reports."""

from collections.abc import Sequence

from engine.platform.language import listed, tr


def any_of(names: Sequence[str]) -> str:
    """Return names joined as alternatives; there is at least one.

    Examples
    --------
    >>> any_of(["left"]), any_of(["left", "up", "down"])
    ('left', 'left, up or down')
    """
    if len(names) == 1:
        return names[0]
    return tr("{names} or {last}", names=listed(names[:-1]), last=names[-1])
