"""Recognizing the files of an analysis among the files of a folder.

They may lie beside the games, have the same suffixes, and a segment's recording even is a recorded
game; but analyzed again they would tell nothing new.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.platform.surrogates import escaped

_HEAD = re.compile(r'\{"format": "endgame2048-analysis", "version": \d+, "file": ')
"""As written by coach.analysis.data."""
_HEAD_BYTES = 4000  # longer than a file name, escaped
_SEGMENT = re.compile(r"(?P<table_and_stem>.+)_\d+_\d\.\d{4}\.rpl")  # see coach.analysis.files


def files_of_reports(files: Iterable[Path]) -> Iterator[Path]:
    """Yield the texts and the recordings of segments that belong to reports among the files.

    Parameters
    ----------
    files : iterable of Path
        The files of one folder. Those that cannot be read are no reports.
    """
    files = list(files)
    games = {one.stem: game for one in files if one.suffix == ".json" and (game := _game_of(one))}
    for one in files:
        if one.suffix == ".txt":
            if one.stem in games and _head(one).startswith(escaped(games[one.stem])):
                yield one
        elif (named := _SEGMENT.fullmatch(one.name)) and any(
            stem in games for stem in _ends(named["table_and_stem"])
        ):
            yield one


def _ends(text: str) -> Iterator[str]:
    """Yield what follows each underscore."""
    return (text[at + 1 :] for at, letter in enumerate(text) if letter == "_")


def _game_of(report: Path) -> str | None:
    """Return the name of the game that a report is about; None if the file is no report."""
    head = _head(report)
    if not (found := _HEAD.match(head)):
        return None
    try:
        name, _ = json.JSONDecoder().raw_decode(head, found.end())
    except ValueError:
        return None
    return name if isinstance(name, str) else None


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
