"""The state that the window remembers by itself, such as the last page and table.

It is in a file of its own, ``state.json`` beside the settings, which is written now and then during
play, and when the window closes. It has no listeners.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from engine.platform.files.input_file import is_number
from engine.platform.language import mark
from gui.settings_model.json_values import JsonValues
from gui.settings_model.options import (
    FACTS,
    FILE_PLACES,
    YES_OR_NO,
    Expected,
    Option,
    is_plain,
    one_of,
    text,
)

_SAVE_DELAY_MS = 3000

PLACES: Mapping[str, Option] = {
    "window.geometry": Option("", *text(mark("a text written by the window"))),
    "window.page": Option("", *text(mark("the name of a page"))),
    "window.tabs": Option({}, *FACTS),  # by door: the page that it opens on
    "build.options_open": Option(False, *YES_OR_NO),
    "analysis.folder": Option("", *text(mark("a folder"))),  # folder of the last chosen games
    "build.charts_open": Option(False, *YES_OR_NO),
    "build.times": Option({}, *FACTS),  # by folder: seconds that a table took, and its boards
    "help.place": Option("", *text(mark("a page of the help and a section"))),
    "help.is_tour_over": Option(False, *YES_OR_NO),
    "minigames.hard": Option(False, *YES_OR_NO),  # the mode of the gallery
    "mistakes.view": Option("drill", *text(mark("the name of a view"))),
    "practice.last_table": Option("", *text(mark("the folder of a table"))),
    "practice.has_seen_hints": Option(False, *YES_OR_NO),
    "practice.folder": Option("", *text(mark("a folder"))),  # folder of the last recordings
    "share.folder": Option("", *text(mark("a folder"))),  # folder of the last cards and pages
    "practice.tab": Option("play", *one_of("play", "why", "line")),
    "review.recent": Option([], *FILE_PLACES),
    "review.headings": Option({}, *FACTS),  # by file: the titles of recent games
    "routes.last_table": Option("", *text(mark("the folder of a table"))),
    "settings.section": Option("", *text(mark("the name of a section"))),
    "tables.move_to": Option("", *text(mark("a folder"))),  # folder of the last moved layers
    "test.rules_open": Option(False, *YES_OR_NO),
    "test.last_table": Option("", *text(mark("the folder of a table"))),
}
_MAX_SECONDS = 1e9  # 30 years
BOARD_OF = "practice.board."
"""Prefix of the name of a value that every table has: its last board."""
_BOARD = Option("", *text(mark("a board")))
_ANY = Option(None, is_plain, Expected(mark("a short value")))


def build_seconds(times: Mapping[str, Any], folder: Path, boards: int) -> float | None:
    """Return the time that a table took, from "build.times"; None if unknown."""
    match times.get(str(folder)):
        case [seconds, known] if known == boards and is_number(seconds, 0, _MAX_SECONDS):
            return float(seconds)
    return None


def place_of(name: str) -> Option:
    """Return the option of a value; undescribed values may be any short value."""
    return _BOARD if name.startswith(BOARD_OF) else PLACES.get(name, _ANY)


class State(JsonValues):
    """The values, and the file that stores them; see `JsonValues`."""

    def __init__(
        self,
        path: Path | None = None,  # the file; None keeps everything in memory
        parent: QObject | None = None,
        is_read_only: bool = False,
    ) -> None:
        super().__init__(
            path,
            place_of,
            mark("last boards and pages"),
            _SAVE_DELAY_MS,
            parent,
            is_durable=False,  # a power cut may only lose the last place
            is_read_only=is_read_only,
        )
