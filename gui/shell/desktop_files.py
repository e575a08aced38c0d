"""The program's files for the Linux desktop: its entry, icons, and file types.

The same for a distribution's package and for a user's own folder; see
https://specifications.freedesktop.org (desktop entry, icon theme, shared MIME info).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from engine.platform import language
from engine.platform.language import mark
from engine.platform.project_files import APP_NAME, APP_TITLE

ICON_SIDES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
_APP_ICON = Path(__file__).parent.parent / "style" / "app_icon.svg"
_SCALABLE = PurePosixPath(f"icons/hicolor/scalable/apps/{APP_NAME}.svg")  # no text
_TRANSLATED = {
    "GenericName": mark("2048 endgame trainer"),
    "Comment": mark("Compute 2048 endgames, practice them, and review games"),  # no text
    "Keywords": mark("puzzle;tiles;endgame;tablebase;practice;"),  # no text
}
_PLAIN = re.compile(r"[\w./+@%:,=-]+")


@dataclass(frozen=True)
class Kind:
    """A kind of files that the program opens."""

    suffix: str
    mime: str
    comment: str  # for people; see `engine.platform.language.mark`


KINDS = (
    Kind(".rpl", "application/x-endgame2048-rpl", mark("Recorded 2048 test")),
    Kind(".rec", "application/x-endgame2048-rec", mark("Recorded 2048 practice")),
    Kind(".vrs", "application/x-endgame2048-vrs", mark("2048 Verse replay")),
)


def desktop_files(command: Sequence[str]) -> Mapping[PurePosixPath, bytes]:
    """Return all files for a folder ``share``, by their paths in it; icons are drawn by Qt."""
    files = {_icon_path(n): icon_png(n) for n in ICON_SIDES}
    return {**files, _SCALABLE: _APP_ICON.read_bytes(), **_texts(command)}


def desktop_paths() -> list[PurePosixPath]:
    return [*map(_icon_path, ICON_SIDES), _SCALABLE, *_texts([APP_NAME])]


def _icon_path(side: int) -> PurePosixPath:
    return PurePosixPath(f"icons/hicolor/{side}x{side}/apps/{APP_NAME}.png")  # no text


def desktop_entry(command: Sequence[str]) -> str:
    lines = ["[Desktop Entry]", "Type=Application", "Version=1.1", f"Name={APP_TITLE}"]  # no text
    for key, text in _TRANSLATED.items():
        lines += [f"{key}{code}={value}" for code, value in _translations(text)]
    words = " ".join(map(_quoted, command))
    lines += [
        f"Exec={words} %f",
        f"Icon={APP_NAME}",
        "Terminal=false",  # no text
        "Categories=Game;LogicGame;",  # no text
        f"MimeType={''.join(f'{kind.mime};' for kind in KINDS)}",
        "StartupNotify=true",  # no text
        f"StartupWMClass={APP_NAME.capitalize()}",  # as Qt names its windows
    ]
    return "\n".join(lines) + "\n"


def mime_info() -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">')
    for kind in KINDS:
        lines.append(f"  <mime-type type={quoteattr(kind.mime)}>")  # no text
        for code, text in _translations(kind.comment):
            where = f' xml:lang="{code[1:-1]}"' if code else ""  # no text
            lines.append(f"    <comment{where}>{escape(text)}</comment>")  # no text
        lines.append(f'    <icon name="{APP_NAME}"/>')  # no text
        lines.append(f"    <glob pattern={quoteattr(f'*{kind.suffix}')}/>")  # no text
        lines.append("  </mime-type>")  # no text
    return "\n".join([*lines, "</mime-info>"]) + "\n"


def icon_png(side: int) -> bytes:
    """Return the icon of the program as PNG, `side` pixels wide; no window or display is needed."""
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(_APP_ICON)).render(painter, QRectF(0, 0, side, side))
    painter.end()
    png: Any = "PNG"  # PySide's hints want bytes here, PySide itself a str
    buffer = QBuffer(content := QByteArray())
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, png)
    return bytes(content.data())


def _texts(command: Sequence[str]) -> dict[PurePosixPath, bytes]:
    return {
        PurePosixPath(f"mime/packages/{APP_NAME}.xml"): mime_info().encode(),  # no text
        PurePosixPath(f"applications/{APP_NAME}.desktop"): desktop_entry(command).encode(),
    }


def _translations(text: str) -> list[tuple[str, str]]:
    """Return a text in all languages, each with its language tag; English first."""
    others = [code for code in language.LANGUAGES if code != "en"]
    return [("", text), *((f"[{code}]", language.translated(code, text)) for code in others)]


def _quoted(word: str) -> str:
    """Return a word of a command in the quoting of a desktop entry: a string within a string."""
    word = word.replace("%", "%%")
    if _PLAIN.fullmatch(word):
        return word
    inner = re.sub(r'(["`$\\])', r"\\\1", word)
    return f'"{inner}"'.replace("\\", "\\\\")
