"""Colors as data: ``color_schemes.txt`` read into plain values, every line checked. No Qt.

The format is described at the top of ``color_schemes.txt`` itself.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from engine.platform.errors import AppError
from engine.platform.files.input_file import read_text
from engine.platform.language import in_force, mark, tr
from engine.platform.project_files import project_file
from gui.style.color_ramp import N_TILES, Ramp, RampError, parse_ramp
from gui.style.oklch import Oklch, from_hex, linear_rgb, to_hex

SCHEMES_NAME = "color_schemes.txt"
TOKENS = (
    *("background", "surface", "raised", "border", "text", "text-muted", "accent", "accent-text"),
    *("focus", "good", "warning", "bad", "best-move", "board", "empty-cell"),
)
STANDARD = "standard"
"""The window's usual colors, which have no name in the file."""
CONTRAST = "contrast"
"""The scheme for those who need more contrast."""
DEFAULT_PALETTE = "lagoon"
FOCUS_PX, _MAX_FOCUS_PX = 2, 4
_MAX_BYTES = 1 << 20
DARK_INK, LIGHT_INK = "#0e1116", "#ffffff"

FAMILIES = (
    *("single", "two", "rainbow", "warm", "cold", "gray", "pastel", "contrast", "neon"),
    "own",
)
"""What a palette may be called alike with others."""
MIN_CONTRAST = 4.5
"""Of a figure with its tile, as WCAG 2.2 asks of small text; of large bold figures it asks 3."""
_RAMPS = ("generate", "figures")
_WORDS = ("title", "title-zh", "family")
_FOCUS_WIDTH = "focus-width"
_WINDOW_WORDS = ("title", "title-zh", _FOCUS_WIDTH)  # of those that have a name

_FACES = tuple(1 << exponent for exponent in range(1, N_TILES + 1))
_IN_TILES = (*_WORDS, *_RAMPS, *map(str, _FACES))
_IN_NAMED_WINDOW = (*TOKENS, *_WINDOW_WORDS)
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_WINDOW = re.compile(r"\[window (?:([\w-]+) )?(light|dark)\]")
_TILES = re.compile(r"\[tiles ([\w-]+)( dark)?\]")


class ColorSchemeError(AppError, ValueError):
    """A line of a color file is wrong; the message names file, line and value."""


Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shade:
    """The tiles on a light or on a dark window: generated, given one by one, or both."""

    # Ramps of the tiles and of their figures.
    fills: Ramp | None = None
    figures: Ramp | None = None
    # ``#rrggbb`` of tiles and of their figures ("" for the default), by exponent.
    given: Mapping[int, tuple[str, str]] = field(default_factory=dict)

    def pairs(self) -> Pairs:
        """Return `(fill, ink)` of all sixteen."""
        return tuple(self._pair(i) for i in range(N_TILES))

    def _pair(self, i: int) -> tuple[str, str]:
        fill, ink = self.given.get(i + 1, ("", ""))
        if not fill and self.fills:
            fill = to_hex(self.fills.at(i))
        if not ink and self.figures:
            ink = to_hex(self.figures.at(i))
        if not ink:
            ink = tinted_ink(fill) if self.fills else readable_ink(fill)
        return fill, ink


@dataclass(frozen=True)
class TilePalette:
    """One palette: the colors of the tiles 2, 4, ... 65536 on a light and on a dark window.

    The colors are computed on first use, as those of all palettes would take too long.
    """

    name: str
    titles: Mapping[str, str]
    family: str
    shades: tuple[Shade, Shade]

    @property
    def title(self) -> str:
        return _title(self.titles, self.name)

    @cached_property
    def light(self) -> Pairs:
        return self.shades[0].pairs()

    @cached_property
    def dark(self) -> Pairs:
        return self.shades[1].pairs()

    def pairs(self, is_dark: bool) -> Pairs:
        """Return `(fill, ink)` of the tiles on a window of that shade."""
        return self.dark if is_dark else self.light


@dataclass(frozen=True)
class WindowScheme:
    """Named colors of the window."""

    name: str
    titles: Mapping[str, str]
    # ``#rrggbb`` by token.
    light: Mapping[str, str]
    dark: Mapping[str, str]
    focus_px: int = FOCUS_PX  # how wide the frame is around the focused widget

    @property
    def title(self) -> str:
        return _title(self.titles, self.name)


@dataclass(frozen=True)
class ColorSchemes:
    """All available schemes: window colors, palettes by name."""

    # The usual colors of the window, by "light" and "dark".
    windows: Mapping[str, Mapping[str, str]]
    palettes: Mapping[str, TilePalette]
    # Other colors of the window, by name.
    named: Mapping[str, WindowScheme] = field(default_factory=dict)

    def merged_with(self, other: "ColorSchemes") -> "ColorSchemes":
        """Return these schemes with those of `other` added; `other` wins."""
        return ColorSchemes(
            {**self.windows, **other.windows},
            {**self.palettes, **other.palettes},
            {**self.named, **other.named},
        )

    def palette(self, name: str) -> TilePalette:
        """Return a palette; the default one if there is none with that name."""
        known = self.palettes
        return known.get(name) or known.get(DEFAULT_PALETTE) or next(iter(known.values()))

    def window(self, scheme: str, is_dark: bool) -> Mapping[str, str]:
        """Return the colors of a window; the default ones if there is no scheme with that name."""
        if named := self.named.get(scheme):
            return named.dark if is_dark else named.light
        return self.windows["dark" if is_dark else "light"]

    def focus_px(self, scheme: str) -> int:
        named = self.named.get(scheme)
        return named.focus_px if named else FOCUS_PX


@dataclass
class _Section:
    kind: str
    name: str
    is_dark: bool
    where: str  # file and line, for errors
    values: dict[str, str] = field(default_factory=dict)

    @property
    def half(self) -> str:
        return "dark" if self.is_dark else "light"


def load_color_schemes(path: Path | None = None) -> ColorSchemes:
    """Return the schemes of a UTF-8 file, by default our own; raise ColorSchemeError."""
    path = path or project_file(SCHEMES_NAME)
    text = read_text(path, tr("a list of colors"), _MAX_BYTES, ColorSchemeError)
    return parse_color_schemes(text, path.name)


def parse_color_schemes(text: str, source: str, *, partial: bool = False) -> ColorSchemes:
    """Return the schemes written in `text`; `source` is its name in error messages.

    A `partial` one may leave out window colors or palettes (it is merged with another).
    """
    sections = list(_sections(text, source))
    windows = {s.half: _window_colors(s) for s in sections if s.kind == "window" and not s.name}
    named = _named_windows([s for s in sections if s.kind == "window" and s.name])
    palettes = _palettes([s for s in sections if s.kind == "tiles"])
    missing: list[str] = []
    if not partial:
        for name in ("light", "dark"):
            if name not in windows:
                missing.append(f"[window {name}]")
        if not palettes:
            missing.append("[tiles NAME]")  # no text
    for section in missing[:1]:
        text = tr("{file}: there is no section {section}", file=source, section=section)
        raise ColorSchemeError(text)
    return ColorSchemes(windows, palettes, named)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21 (WCAG 2.2, "contrast ratio").

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    brighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def readable_ink(fill: str) -> str:
    """Return near-black or white, whichever reads better on `fill`."""
    return max(DARK_INK, LIGHT_INK, key=lambda ink: contrast(ink, fill))


def tinted_ink(fill: str) -> str:
    """Return a near-black or near-white with a hint of the hue of `fill`, if readable.

    Else plain black or white: one of those has a contrast of at least 4.58 with any color.
    """
    color = from_hex(fill)
    tinted = (
        to_hex(Oklch(0.24, min(color.chroma / 2, 0.06), color.hue)),
        to_hex(Oklch(0.985, min(color.chroma / 6, 0.015), color.hue)),
    )
    for inks in (tinted, (DARK_INK, LIGHT_INK), ("#000000", "#ffffff")):
        best = max(inks, key=lambda ink: contrast(ink, fill))
        if contrast(best, fill) >= MIN_CONTRAST:
            break
    return best


def _luminance(color: str) -> float:
    red, green, blue = linear_rgb(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _sections(text: str, source: str) -> Iterator[_Section]:
    section: _Section | None = None
    seen: set[tuple[str, str, bool]] = set()
    for number, raw in enumerate(text.splitlines(), start=1):
        line, where = raw.strip(), tr("{file}, line {number}", file=source, number=number)
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if section:
                yield section
            section = _open_section(line, where)
            key = (section.kind, section.name, section.is_dark)
            if key in seen:
                raise _error(where, mark("{section} appears twice"), section=line)
            seen.add(key)
        elif section is None:
            raise _error(where, mark("{line!r} comes before the first [section]"), line=line)
        else:
            _add_value(section, line, where)
    if section:
        yield section


def _open_section(line: str, where: str) -> _Section:
    if match := _WINDOW.fullmatch(line):
        if match[1] == STANDARD:
            raise _error(where, mark("{line!r}: the usual colors have no name"), line=line)
        return _Section("window", match[1] or "", match[2] == "dark", where)
    if match := _TILES.fullmatch(line):
        return _Section("tiles", match[1], bool(match[2]), where)
    expected = tr(
        "[window light], [window dark], [window NAME light], [window NAME dark], "
        "[tiles NAME] or [tiles NAME dark]"
    )
    raise _error(where, mark("{line!r}: expected {expected}"), line=line, expected=expected)


def _add_value(section: _Section, line: str, where: str) -> None:
    key, equals, value = (part.strip() for part in line.partition("="))
    if not equals or not value:
        raise _error(where, mark("{line!r}: expected NAME = #rrggbb"), line=line)
    in_window = _IN_NAMED_WINDOW if section.name else TOKENS
    allowed = _IN_TILES if section.kind == "tiles" else in_window
    if key not in allowed:
        close = difflib.get_close_matches(key, allowed, n=1)
        if close:
            hint = mark("{key!r} is not a name here; did you mean {close!r}?")
            raise _error(where, hint, key=key, close=close[0])
        names = ", ".join(allowed)
        raise _error(
            where, mark("{key!r} is not a name here; expected one of {names}"), key=key, names=names
        )
    if key in section.values:
        raise _error(where, mark("{key!r} is given twice"), key=key)
    if key in _RAMPS:
        try:
            parse_ramp(value)
        except RampError as error:
            raise _error(where, "{why}", why=error) from error
    elif key == "family":
        if value not in FAMILIES:
            expected = ", ".join(FAMILIES)
            raise _error(
                where, mark("{value!r}: expected one of {expected}"), value=value, expected=expected
            )
    elif key == _FOCUS_WIDTH:
        if value not in map(str, range(1, _MAX_FOCUS_PX + 1)):
            raise _error(
                where, mark("{value!r}: expected 1 to {most}"), value=value, most=_MAX_FOCUS_PX
            )
    elif key not in _WORDS:
        colors = value.split()
        most = 1 if section.kind == "window" else 2
        if len(colors) > most or not all(_COLOR.fullmatch(color) for color in colors):
            raise _error(where, mark("{value!r}: expected a color such as #5a45b5"), value=value)
    section.values[key] = value


def _error(where: str, text: str, **values: object) -> ColorSchemeError:
    return ColorSchemeError("{where}: {problem}", where=where, problem=tr(text, **values))


def _window_colors(section: _Section) -> dict[str, str]:
    for token in TOKENS:
        if token not in section.values:
            name = f"{section.name} {section.half}".strip()
            raise _error(
                section.where, mark("[window {name}] lacks {token!r}"), name=name, token=token
            )
    return {token: section.values[token] for token in TOKENS}


def _named_windows(sections: list[_Section]) -> dict[str, WindowScheme]:
    halves: dict[str, dict[str, _Section]] = {}
    for section in sections:
        halves.setdefault(section.name, {})[section.half] = section
    schemes: dict[str, WindowScheme] = {}
    for name, by_half in halves.items():
        for half, other in (("light", "dark"), ("dark", "light")):
            if half not in by_half:
                raise _error(
                    by_half[other].where,
                    mark("{section} needs {other}"),
                    section=f"[window {name} {other}]",
                    other=f"[window {name} {half}]",
                )
        words = {**by_half["dark"].values, **by_half["light"].values}
        schemes[name] = WindowScheme(
            name,
            {word: words[word] for word in _WINDOW_WORDS[:2] if word in words},
            _window_colors(by_half["light"]),
            _window_colors(by_half["dark"]),
            int(words.get(_FOCUS_WIDTH, FOCUS_PX)),
        )
    return schemes


def _title(titles: Mapping[str, str], name: str) -> str:
    wanted = "title-zh" if in_force() == "zh_CN" else "title"
    return titles.get(wanted) or titles.get("title", name)


def _palettes(sections: list[_Section]) -> dict[str, TilePalette]:
    dark = {s.name: _shade(s) for s in sections if s.is_dark}
    light = {s.name: s for s in sections if not s.is_dark}
    for section in sections:
        if section.name not in light:
            raise _error(
                section.where, mark("[tiles {name} dark] needs [tiles {name}]"), name=section.name
            )
    return {
        name: TilePalette(
            name,
            {word: section.values[word] for word in _WORDS[:2] if word in section.values},
            section.values.get("family", "own"),
            (shade := _shade(section), dark.get(name) or shade),
        )
        for name, section in light.items()
    }


def _shade(section: _Section) -> Shade:
    ramps = [parse_ramp(section.values[key]) if key in section.values else None for key in _RAMPS]
    given: dict[int, tuple[str, str]] = {}
    for exponent, face in enumerate(_FACES, start=1):
        value = section.values.get(str(face), "").split()
        if not value and not ramps[0]:
            text = mark("[tiles {name}] lacks the tile {tile}")
            raise _error(section.where, text, name=section.name, tile=face)
        if value:
            given[exponent] = (value[0], value[1] if len(value) > 1 else "")
    return Shade(ramps[0], ramps[1], given)
