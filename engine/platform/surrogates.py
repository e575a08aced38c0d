"""Texts from outside, made to fit where they go: names of files and JSON may hold anything.

UTF-8 cannot hold half a character, and control characters would command the terminal.
"""

_CONTROLS = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"
}


def escaped(name: str) -> str:
    """Return a name with bytes that are no text escaped.

    >>> print(escaped("game\\udcff.txt"))
    game\\udcff.txt
    """
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def replace_surrogates(text: str) -> str:
    """Return a text with a question mark in place of each half of a character.

    >>> replace_surrogates("half: \\ud800")
    'half: ?'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def without_controls(text: str) -> str:
    """Return a text with control characters escaped, except line breaks and tabs.

    >>> print(without_controls("red: \\x1b[31m"))
    red: \\x1b[31m
    """
    return text.translate(_CONTROLS)
