"""The files of an analysis: HTML, text, JSON and CSV per game, one .rpl per segment."""

import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain, count
from pathlib import Path

from coach.analysis.data import FORMAT, AnalyzedFile, segment_replay, to_csv, to_json
from coach.analysis.game_facts import GameFacts, facts_of_data
from coach.analysis.html import to_html
from coach.analysis.text import to_text
from engine.formats.replay import ReplayError
from engine.formats.rpl import write_rpl
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import write_file, writing
from engine.platform.files.input_file import read_text
from engine.platform.language import tr

_ODD = re.compile(r"[^\w.,()+ -]+")  # characters that some file system forbids in a name, and more
_OF_A_GAME = ("format", "moves", "points", "final")
_SUFFIXES = (".html", ".txt", ".json", ".csv")
MAX_BYTES = 256 << 20
"""Of a report that is read again: a game of 100,000 moves has 50 MB of JSON."""


def write_reports(file: AnalyzedFile, folder: Path, stem: str) -> dict[str, Path]:
    """Write the reports of a game and return them by kind: html, text, json, csv.

    The folder is created if missing; files with the same names are replaced. Raises WriteError.
    """
    make_folder(folder)
    data = json.dumps(to_json(file), allow_nan=False, ensure_ascii=False)
    texts = {
        "html": (f"{stem}.html", to_html(file)),
        "text": (f"{stem}.txt", to_text(file)),
        "json": (f"{stem}.json", data + "\n"),
        "csv": (f"{stem}.csv", to_csv(file)),
    }
    for name, text in texts.values():
        # The name of the game may have bytes that are no text; JSON escapes them in the same way.
        _write(folder / name, text.encode("utf-8", "backslashreplace"))
    return {kind: folder / name for kind, (name, _) in texts.items()}


def write_recordings(file: AnalyzedFile, folder: Path, stem: str) -> Iterator[Path | None]:
    """Write the recording of each segment; yield its path, or None if it cannot be recorded.

    Named as 2048EndgameTablebase names them, the table first: L3_256_game_7401_0.9912.rpl. Raises
    WriteError.
    """
    make_folder(folder)
    for one in file.report.segments:
        first, match_rate = one.segment.first + 1, one.score.match_rate
        path = folder / f"{one.segment.table}_{stem}_{first}_{match_rate:.4f}.rpl"
        try:
            data = write_rpl(segment_replay(one))
        except ReplayError:
            yield None
            continue
        _write(path, data)
        yield path


def stem_of(
    path: Path, taken: Collection[str], is_free: Callable[[str], bool] = lambda _: True
) -> str:
    """Return the stem for a file's report names: its own name, made safe, and not in `taken`.

    `taken` holds names in lower case, for case-insensitive file systems. `is_free` decides whether
    a name is unused; see the function of that name.

    >>> stem_of(Path("games/my game?.txt"), set()), stem_of(Path("b.txt"), {"b"})
    ('my game-', 'b-2')
    """
    stem = _ODD.sub("-", path.stem)[:100].strip() or "game"
    names = chain([stem], (f"{stem}-{i}" for i in count(2)))
    return next(name for name in names if name.lower() not in taken and is_free(name))


def is_free(file: AnalyzedFile, is_game: Callable[[Path], bool], folder: Path, stem: str) -> bool:
    """Return whether a stem is unused in a folder; reports of this same game may use it.

    Games are distinguished by their moves, points and last positions. A file that is no report is
    never replaced; `is_game` tells whether a file is one of the recorded games.
    """
    path = folder / f"{stem}.json"
    there = [folder / f"{stem}{suffix}" for suffix in _SUFFIXES]
    if not path.exists():
        return not any(map(os.path.lexists, there))
    if any(map(is_game, there)):
        return False
    try:
        found = json.loads(read_text(path, tr("the report of an analysis"), MAX_BYTES))
    except (AppError, ValueError, RecursionError):
        return False
    mine = to_json(file, with_moves=False)
    return isinstance(found, dict) and all(found.get(name) == mine[name] for name in _OF_A_GAME)


def facts_in_file(path: Path) -> GameFacts:
    """Return the facts of the game in a JSON report; raise AppError if it is not such a report."""
    what = tr("the report of an analysis")
    text = read_text(path, what, MAX_BYTES)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise AppError("{name} is not the report of an analysis", name=path.name)
    return facts_of_data(data)


def make_folder(folder: Path) -> None:
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


def _write(path: Path, data: bytes) -> None:
    with writing(path):
        write_file(path, [data], durable=False)
