"""The user's own palettes: sections of the ``color_schemes.txt`` in the data folder. No Qt.

The file may be written by hand, too: whatever else it holds, comments included, stays as it is.
"""

import re
from pathlib import Path

from engine.platform.files.atomic_file import write_file, writing
from engine.platform.files.input_file import read_text
from engine.platform.language import tr
from gui.style.color_schemes import ColorSchemeError, ColorSchemes, parse_color_schemes

_MAX_BYTES = 1 << 20
_HEAD = "# Your own tile palettes. The program's own color_schemes.txt says what may stand here.\n"
NO_SCHEMES = ColorSchemes({}, {})


class OwnPalettes:
    """Reads and changes one file, which need not exist; it is read each time: others write too."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> ColorSchemes:
        """Return the schemes in the file; raise ColorSchemeError if a line is wrong."""
        return parse_color_schemes(self._read(), self._path.name, partial=True)

    def text_of(self, name: str) -> str:
        """Return the sections of a palette; "" if there are none."""
        lines = self._read().splitlines(keepends=True)
        return "\n".join("".join(lines[a:b]) for a, b in _places(lines, name))

    def put(self, name: str, text: str) -> None:
        """Add a palette, or replace the one with that name; `text` is its sections.

        Raises ColorSchemeError if the file or the text has a wrong line, or WriteError.
        """
        parse_color_schemes(text, name, partial=True)
        self.load()
        old = self._read() or _HEAD
        lines = old.splitlines(keepends=True)
        places = _places(lines, name)
        if places:
            comments = [
                line for a, b in places for line in lines[a:b] if line.lstrip().startswith("#")
            ]
            first = places[0][0]
            for a, b in reversed(places):
                del lines[a:b]
            lines[first:first] = [*comments, text.rstrip("\n") + "\n"]
            new = "".join(lines)
        else:
            new = f"{old.rstrip()}\n\n{text}"
        self._write(new)

    def remove(self, name: str) -> None:
        """Remove a palette; raises as `put`."""
        self.load()
        lines = self._read().splitlines(keepends=True)
        for a, b in reversed(_places(lines, name)):
            while b < len(lines) and not lines[b].strip() and a and not lines[a - 1].strip():
                b += 1  # one empty line is enough where it was
            del lines[a:b]
        self._write("".join(lines))

    def _read(self) -> str:
        if not self._path.exists():
            return ""
        return read_text(self._path, tr("a list of colors"), _MAX_BYTES, ColorSchemeError)

    def _write(self, text: str) -> None:
        with writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, [text.encode("utf-8")])


def _places(lines: list[str], name: str) -> list[tuple[int, int]]:
    """Return the line ranges of a palette's sections, up to their last value."""
    spans: list[tuple[int, int]] = []
    start: int | None = None
    end = 0
    for i, raw in enumerate([*lines, "["]):
        line = raw.strip()
        if line.startswith("["):
            if start is not None:
                spans.append((start, end))
            is_it = re.fullmatch(rf"\[tiles {re.escape(name)}( dark)?\]", line)
            start, end = (i, i + 1) if is_it else (None, 0)
        elif line and not line.startswith("#"):
            end = i + 1
    return spans
