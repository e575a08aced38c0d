"""Lists of names and facts. No Qt."""

from collections.abc import Iterable, Sequence

from engine.platform.language import listed, tr, trc


def and_list(names: Sequence[str]) -> str:
    """Return names as a phrase; there is at least one.

    >>> and_list(["left"]), and_list(["left", "up", "down"])
    ('left', 'left, up and down')
    """
    if len(names) == 1:
        return names[0]
    return tr("{names} and {last}", names=listed(names[:-1]), last=names[-1])


def fact_list(facts: Iterable[str]) -> str:
    """Return facts joined in a list, without empty ones.

    >>> fact_list(["3 good", "", "1 blunder"]), fact_list([])
    ('3 good, 1 blunder', '')
    """
    return trc("facts", "{before}, {item}", before="", item="").join(filter(None, facts))
