"""Finding recorded games among files and folders, and setting aside those of an analysis.

Its texts and recordings may lie beside the games, have the same suffixes, and a segment's recording
even is a recorded game; but analyzed again they would tell nothing new.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.files.input_file import read_bytes
from engine.platform.language import listed, mark, tr
from engine.platform.surrogates import escaped

if TYPE_CHECKING:
    from engine.formats.replay import Replay

SUFFIXES = (".txt", ".vrs", ".rpl", ".rec")
"""Suffixes accepted in folders; files named by the user may be called anything."""


_HEAD_BYTES = 400  # bytes of a test that contain its format
_TEST_FORMAT = b'"endgame2048-test"'  # as written by coach.exam.session_file


def find_games(paths: Sequence[Path]) -> tuple[list[Path], list[tuple[Path, str]]]:
    """Return the game files, each once, and the unusable paths with the reason.

    A folder gives its files with a suffix in `SUFFIXES`, by name, without those of an analysis
    written there; subfolders are ignored.
    """
    found: dict[str, Path] = {}
    problems = []
    for path in paths:
        try:
            games = [path]
            if path.is_dir():
                inside = [file for file in sorted(path.iterdir()) if file.is_file()]
                ours = set(files_of_reports(inside))
                games = [f for f in inside if f.suffix.lower() in SUFFIXES and f not in ours]
            if not games:
                suffixes = tr("{names} or {last}", names=listed(SUFFIXES[:-1]), last=SUFFIXES[-1])
                text = mark("no recorded game in {path}: expected {suffixes}")
                problems.append((path, tr(text, path=path, suffixes=suffixes)))
            for game in games:
                found.setdefault(os.path.realpath(game), game)  # a loop of links stays as it is
        except OSError as error:
            text = mark("cannot read {path}: {problem}")
            problems.append((path, tr(text, path=path, problem=error.strerror or error)))
    return list(found.values()), problems


def is_test(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{" and _TEST_FORMAT in data[:_HEAD_BYTES]


def read_game_file(path: Path) -> bytes:
    """Return the bytes of a file, up to a little more than a recorded game can have."""
    from engine.formats.replay_rules import SIZE_LIMIT_BYTES  # not needed for --help

    return read_bytes(path, tr("a recorded game"), SIZE_LIMIT_BYTES)


def read_game(data: bytes, name: str) -> "tuple[str, Replay]":
    """Return the format and the game of a file whose moves tables can judge.

    Raises ReplayError if it is not a recorded game, or a test: its large tiles are all F. Which
    tables cover a position depends on their values, so only the test's own table could judge it,
    and did.
    """
    from engine.formats.reading import read_replay
    from engine.formats.replay import ReplayError

    if is_test(data):
        text = mark(
            "{name} is a test: its large tiles have no values that another table could "
            "go by, and its own table has judged every move. Review shows it"
        )
        raise ReplayError(text, name=name)
    return read_replay(data)


_HEAD = re.compile(r'\{"format": "endgame2048-analysis", "version": \d+, "file": ')
"""As written by coach.analysis.data."""
_HEAD_BYTES = 4000  # longer than a file name, escaped
_SEGMENT = re.compile(r"(?P<table_and_stem>.+)_\d+_\d\.\d{4}\.rpl")  # see coach.analysis.files


def files_of_reports(files: Iterable[Path]) -> Iterator[Path]:
    """Yield the texts and recordings that belong to reports among a folder's files."""
    files = list(files)
    games = {f.stem: game for f in files if f.suffix == ".json" and (game := _game_of(f))}
    for file in files:
        if file.suffix == ".txt":
            if file.stem in games and _head(file).startswith(escaped(games[file.stem])):
                yield file
        elif named := _SEGMENT.fullmatch(file.name):
            name = named["table_and_stem"]
            if any(name[at + 1 :] in games for at, letter in enumerate(name) if letter == "_"):
                yield file


def _game_of(report: Path) -> str | None:
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
