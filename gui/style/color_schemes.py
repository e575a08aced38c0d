"""Colors as data: ``color_schemes.txt`` read into plain values, every line checked. No Qt.

The format is described at the top of ``color_schemes.txt`` itself.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import AppError
from engine.files.input_file import read_text
from engine.language import mark, tr
from engine.project_files import project_file

SCHEMES_NAME = "color_schemes.txt"
TOKENS = (
    "background",
    "surface",
    "raised",
    "border",
    "text",
    "text-muted",
    "accent",
    "accent-text",
    "focus",
    "good",
    "warning",
    "bad",
    "best-move",
    "board",
    "empty-cell",
)
N_TILES = 16
_MOST_BYTES = 1 << 20
DARK_INK, LIGHT_INK = "#0e1116", "#ffffff"

_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_SECTION = re.compile(r"\[(window|tiles) ([\w-]+)( dark)?\]")


class ColorSchemeError(AppError, ValueError):
    """A line of a color file is wrong; the message names file, line and value."""


@dataclass(frozen=True)
class TilePalette:
    """One palette: `(fill, ink)` of the tiles 2, 4, ... 65536 on a light and on a dark window."""

    name: str
    title: str
    light: tuple[tuple[str, str], ...]
    dark: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ColorSchemes:
    """Everything that can be chosen: window colors by "light"/"dark", palettes by name."""

    windows: Mapping[str, Mapping[str, str]]
    palettes: Mapping[str, TilePalette]

    def merged_with(self, other: "ColorSchemes") -> "ColorSchemes":
        """Return these schemes with those of `other` added; `other` wins."""
        return ColorSchemes({**self.windows, **other.windows}, {**self.palettes, **other.palettes})


@dataclass
class _Section:
    kind: str
    name: str
    is_dark: bool
    line: int
    values: dict[str, str] = field(default_factory=dict)


def load_color_schemes(path: Path | None = None, *, partial: bool = False) -> ColorSchemes:
    """Return the schemes of a file.

    Parameters
    ----------
    path : Path, optional
        UTF-8 text; the project's own file by default.
    partial : bool
        Accept a file that leaves out window colors or palettes (it is merged with another).

    Raises
    ------
    ColorSchemeError
        The file cannot be read, or a line is wrong.
    """
    path = path or project_file(SCHEMES_NAME)
    text = read_text(path, tr("a list of colors"), _MOST_BYTES, ColorSchemeError)
    return parse_color_schemes(text, path.name, partial=partial)


def parse_color_schemes(text: str, source: str, *, partial: bool = False) -> ColorSchemes:
    """Return the schemes written in `text`; `source` is what error messages call it."""
    sections = list(_sections(text, source))
    windows = {s.name: _window_colors(s, source) for s in sections if s.kind == "window"}
    palettes = _palettes([s for s in sections if s.kind == "tiles"], source)
    if not partial:
        for name in ("light", "dark"):
            if name not in windows:
                raise ColorSchemeError(
                    tr(
                        "{file}: there is no section {section}",
                        file=source,
                        section=f"[window {name}]",
                    )
                )
        if not palettes:
            raise ColorSchemeError(
                tr("{file}: there is no section {section}", file=source, section="[tiles NAME]")
            )
    return ColorSchemes(windows, palettes)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21 (WCAG 2.2, "contrast ratio").

    Examples
    --------
    >>> contrast("#000000", "#ffffff")
    21.0
    """
    brighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def readable_ink(fill: str) -> str:
    """Return near-black or white, whichever reads better on `fill`."""
    return max(DARK_INK, LIGHT_INK, key=lambda ink: contrast(ink, fill))


def _luminance(color: str) -> float:
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
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
            section = _open_section(line, where, number)
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


def _open_section(line: str, where: str, number: int) -> _Section:
    match = _SECTION.fullmatch(line)
    if not match or (match[1] == "window" and (match[2] not in ("light", "dark") or match[3])):
        expected = tr("[window light], [window dark], [tiles NAME] or [tiles NAME dark]")
        raise _error(where, mark("{line!r}: expected {expected}"), line=line, expected=expected)
    return _Section(match[1], match[2], bool(match[3]), number)


def _add_value(section: _Section, line: str, where: str) -> None:
    key, equals, value = (part.strip() for part in line.partition("="))
    if not equals or not value:
        raise _error(where, mark("{line!r}: expected NAME = #rrggbb"), line=line)
    allowed = TOKENS if section.kind == "window" else ("title", *map(str, _faces()))
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
    if key != "title":
        colors = value.split()
        most = 1 if section.kind == "window" else 2
        if len(colors) > most or not all(_COLOR.fullmatch(color) for color in colors):
            raise _error(where, mark("{value!r}: expected a color such as #5a45b5"), value=value)
    section.values[key] = value


def _error(where: str, text: str, **values: object) -> ColorSchemeError:
    """Return what to say of a line: where it is, and a marked text with its values."""
    return ColorSchemeError(tr("{where}: {problem}", where=where, problem=tr(text, **values)))


def _faces() -> tuple[int, ...]:
    return tuple(1 << exponent for exponent in range(1, N_TILES + 1))


def _window_colors(section: _Section, source: str) -> dict[str, str]:
    for token in TOKENS:
        if token not in section.values:
            where = tr("{file}, line {number}", file=source, number=section.line)
            raise _error(
                where, mark("[window {name}] lacks {token!r}"), name=section.name, token=token
            )
    return section.values


def _palettes(sections: list[_Section], source: str) -> dict[str, TilePalette]:
    dark = {s.name: _tile_colors(s, source) for s in sections if s.is_dark}
    light = {s.name: s for s in sections if not s.is_dark}
    for section in sections:
        if section.name not in light:
            where = tr("{file}, line {number}", file=source, number=section.line)
            raise _error(where, mark("[tiles {name} dark] needs [tiles {name}]"), name=section.name)
    return {
        name: TilePalette(
            name,
            section.values.get("title", name),
            _tile_colors(section, source),
            dark.get(name) or _tile_colors(section, source),
        )
        for name, section in light.items()
    }


def _tile_colors(section: _Section, source: str) -> tuple[tuple[str, str], ...]:
    colors = []
    for face in _faces():
        value = section.values.get(str(face), "").split()
        if not value:
            where = tr("{file}, line {number}", file=source, number=section.line)
            raise _error(
                where, mark("[tiles {name}] lacks the tile {tile}"), name=section.name, tile=face
            )
        colors.append((value[0], value[1] if len(value) > 1 else readable_ink(value[0])))
    return tuple(colors)
