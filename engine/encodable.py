"""Texts that UTF-8 cannot hold, made to fit: names of files and JSON may have half a character."""


def escaped(name: str) -> str:
    """Return a name with bytes that are no text escaped.

    Examples
    --------
    >>> print(escaped("game\\udcff.txt"))
    game\\udcff.txt
    """
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def without_halves(text: str) -> str:
    """Return a text with a question mark in place of each half of a character.

    Examples
    --------
    >>> without_halves("half: \\ud800")
    'half: ?'
    """
    return text.encode("utf-8", "replace").decode("utf-8")
