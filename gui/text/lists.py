"""Several things named after each other. No Qt."""

from collections.abc import Sequence

from engine.language import tr


def and_list(names: Sequence[str]) -> str:
    """Return names as a phrase; there is at least one.

    Examples
    --------
    >>> and_list(["left"]), and_list(["left", "up", "down"])
    ('left', 'left, up and down')
    """
    if len(names) == 1:
        return names[0]
    return tr("{names} and {last}", names=comma_list(names[:-1]), last=names[-1])


def comma_list(names: Sequence[str]) -> str:
    """Return names or facts with commas between.

    Examples
    --------
    >>> comma_list(["3 good", "1 blunder"]), comma_list([])
    ('3 good, 1 blunder', '')
    """
    text = ""
    for name in names:
        text = tr("{names}, {next}", names=text, next=name) if text else name
    return text
