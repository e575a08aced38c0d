"""Letters as a search compares them: neither case nor accents nor their width matter. No Qt."""

import unicodedata
from functools import lru_cache


def folded(text: str) -> str:
    """Return a text as searches compare it.

    Examples
    --------
    >>> folded("Zürich，ＡＢ"), folded("定式")
    ('zurich,ab', '定式')
    """
    return text.lower() if text.isascii() else "".join(map(_folded_letter, text))


def folded_with_places(text: str) -> tuple[str, list[int]]:
    """Return the folded text, and for each of its letters which one of `text` it comes from."""
    parts = [_folded_letter(letter) for letter in text]
    return "".join(parts), [i for i, part in enumerate(parts) for _ in part]


@lru_cache(maxsize=4096)
def _folded_letter(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()
