"""The names of the window's AIs on the command line, such as ``network-search``."""

from ai.choice import CHOOSERS

_KEYS = {name.replace("_", "-"): name for name in CHOOSERS}
AI_NAMES = tuple(_KEYS)
"""All of them: the order is that of `CHOOSERS`."""


def ai_name(text: str) -> str:
    """Return the name meant by a text, which may have underscores instead of hyphens."""
    return text.replace("_", "-")


def key_of(name: str) -> str:
    """Return the key in `CHOOSERS` of one of `AI_NAMES`, as settings and results have it."""
    return _KEYS[name]
