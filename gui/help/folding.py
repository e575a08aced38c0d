"""Text folding for search: case, accents and width are ignored. No Qt."""

import unicodedata
from functools import lru_cache


def folded(text: str) -> str:
    """Return a text in folded form, for searches.

    Examples
    --------
    >>> folded("Zürich，ＡＢ"), folded("定式")
    ('zurich,ab', '定式')
    """
    return text.lower() if text.isascii() else "".join(map(_folded_letter, text))


def folded_with_places(text: str) -> tuple[str, list[int]]:
    """Return the folded text, and for each of its letters the index in `text` it comes from."""
    parts = [_folded_letter(letter) for letter in text]
    return "".join(parts), [i for i, part in enumerate(parts) for _ in part]


@lru_cache(maxsize=4096)
def _folded_letter(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()
