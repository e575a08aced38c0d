"""A palette being edited or imported: its colors, its text, and undo. No Qt."""

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.platform.language import tr
from gui.style.color_schemes import (
    ColorSchemeError,
    Pairs,
    TilePalette,
    parse_color_schemes,
    readable_ink,
)


@dataclass(frozen=True)
class Draft:
    """Title and colors; an ink of "" is the usual one."""

    title: str
    # 16 pairs of str: `(fill, ink)` of the tiles on a light and on a dark window.
    light: Pairs
    dark: Pairs

    def pairs(self, is_dark: bool) -> Pairs:
        """Return `(fill, ink)` of the tiles, with the usual inks filled in."""
        pairs = self.dark if is_dark else self.light
        return tuple((fill, ink or readable_ink(fill)) for fill, ink in pairs)

    def has_own_ink(self, is_dark: bool, exponent: int) -> bool:
        return bool((self.dark if is_dark else self.light)[exponent - 1][1])

    def with_fill(self, is_dark: bool, exponent: int, color: str) -> "Draft":
        _, ink = (self.dark if is_dark else self.light)[exponent - 1]
        return self._with(is_dark, exponent, (color, ink))

    def with_ink(self, is_dark: bool, exponent: int, color: str) -> "Draft":
        """Return it with another color of a figure; "" for the usual one."""
        fill, _ = (self.dark if is_dark else self.light)[exponent - 1]
        return self._with(is_dark, exponent, (fill, color))

    def text(self, name: str) -> str:
        title = " ".join(self.title.split())
        parts = [f"[tiles {name}]", *([f"title = {title}"] if title else []), *_lines(self.light)]
        if self.dark != self.light:
            parts += ["", f"[tiles {name} dark]", *_lines(self.dark)]  # no text
        return "\n".join(parts) + "\n"

    def _with(self, is_dark: bool, exponent: int, pair: tuple[str, str]) -> "Draft":
        pairs = list(self.dark if is_dark else self.light)
        pairs[exponent - 1] = pair
        light, dark = (self.light, tuple(pairs)) if is_dark else (tuple(pairs), self.dark)
        return replace(self, light=light, dark=dark)


class DraftHistory:
    """The steps of editing; changes of one thing without another in between are one step."""

    def __init__(self, draft: Draft) -> None:
        self._drafts = [draft]
        self._at = 0
        self._key: Hashable = None

    @property
    def now(self) -> Draft:
        return self._drafts[self._at]

    @property
    def can_undo(self) -> bool:
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        return self._at + 1 < len(self._drafts)

    def change(self, draft: Draft, key: Hashable = None) -> None:
        """Take a step; one with the key of the last step becomes part of it."""
        if draft == self.now:
            return
        if key is not None and key == self._key and self.can_undo and not self.can_redo:
            self._drafts[self._at] = draft
        else:
            self._drafts[self._at + 1 :] = [draft]
            self._at += 1
        self._key = key

    def end_step(self) -> None:
        """Let the next change be a step of its own."""
        self._key = None

    def undo(self) -> None:
        self._at = max(0, self._at - 1)
        self._key = None

    def redo(self) -> None:
        self._at = min(len(self._drafts) - 1, self._at + 1)
        self._key = None


def draft_of(palette: TilePalette, title: str = "") -> Draft:
    return Draft(
        title or palette.title, *map(_without_automatic_ink, (palette.light, palette.dark))
    )


def draft_from_text(text: str, source: str) -> tuple[str, Draft]:
    """Return the first palette of a text, and its name; raise ColorSchemeError."""
    schemes = parse_color_schemes(text, source, partial=True)
    for name, palette in schemes.palettes.items():
        return name, draft_of(palette)
    raise ColorSchemeError("{source}: there is no section [tiles NAME]", source=source)


def free_name(title: str, taken: Collection[str]) -> str:
    """Return a name for a palette of that title that no other has.

    >>> free_name("My own!", []), free_name("Fjord", ["fjord", "fjord-2"])
    ('my-own', 'fjord-3')
    """
    name = re.sub(r"[^\w-]+", "-", title.lower()).strip("-") or "mine"
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _without_automatic_ink(pairs: Pairs) -> Pairs:
    return tuple((fill, "" if ink == readable_ink(fill) else ink) for fill, ink in pairs)


def _lines(pairs: Pairs) -> list[str]:
    return [f"{1 << (i + 1)} = {fill} {ink}".rstrip() for i, (fill, ink) in enumerate(pairs)]


def imported_palette(colors: Sequence[str], taken: Collection[str]) -> tuple[str, str]:
    """Return a name that no palette has, and its sections; `colors` are of the tiles 2 to 65536."""
    name = free_name("imported", taken)
    return name, _draft(colors, tr("Imported")).text(name)


def imported_before(colors: Sequence[str], own: Mapping[str, TilePalette]) -> str:
    """Return the name of one of the user's palettes with just these colors; "" if none has them."""
    drafts = ((name, draft_of(palette)) for name, palette in own.items())
    return next((name for name, draft in drafts if draft == _draft(colors, draft.title)), "")


def _draft(colors: Sequence[str], title: str) -> Draft:
    pairs = tuple((color, "") for color in colors)  # the ink that is read best
    return Draft(title, pairs, pairs)
