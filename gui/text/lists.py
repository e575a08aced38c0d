"""Several things named after each other. No Qt."""

from collections.abc import Sequence

from engine.language import tr, trc


def and_list(names: Sequence[str]) -> str:
    """Return names as a phrase; there is at least one.

    Examples
    --------
    >>> and_list(["left"]), and_list(["left", "up", "down"])
    ('left', 'left, up and down')
    """
    if len(names) == 1:
        return names[0]
    first = names[0]
    for name in names[1:-1]:
        first = trc("names", "{before}, {item}", before=first, item=name)
    return tr("{names} and {last}", names=first, last=names[-1])
