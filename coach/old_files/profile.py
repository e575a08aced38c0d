"""``profile.db``: guesses in Practice, whole games, and what was worked out of other moves.

What was worked out of tests, routes and situations is taken over where it is of the same moves; the
rest is worked out again when a profile is read.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from coach.exam.history import FOLDER
from coach.mistakes.mistake import microseconds
from coach.old_files.reading import OldFiles
from coach.old_files.runs import aware, differ, left_out
from coach.profile.position import MoveKind, Phase
from coach.record.database import insert_row, sound_rows
from engine.bitboard import DIRECTIONS

NAME = "profile.db"
_VERSION = "1"  # of what was worked out
MIGRATIONS = (
    """
    CREATE TABLE game (
        id INTEGER PRIMARY KEY,
        source TEXT NOT NULL UNIQUE,  -- the file name of a test; 'game ' and a digest
        stamp TEXT NOT NULL,          -- of the file; '' of a game
        played INTEGER NOT NULL       -- microseconds since 1970, UTC
    );
    CREATE TABLE move (
        game INTEGER NOT NULL REFERENCES game (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,      -- in the game, from 1 on
        table_name TEXT NOT NULL,     -- 'search' where no table rates it
        phase TEXT NOT NULL,
        kind TEXT NOT NULL,
        board TEXT NOT NULL,          -- 16 hex digits, large tiles as f
        walls INTEGER NOT NULL,
        rate_left REAL,
        rate_right REAL,
        rate_up REAL,
        rate_down REAL,
        lost REAL NOT NULL,           -- of the chance, in [0, 1]
        ms INTEGER,
        luck REAL,                    -- of the worst of the last tiles, a logarithm
        ai_lost REAL,                 -- what the AI would have lost; NULL: not asked
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
    """,
)
_RATES = tuple(f"rate_{way}" for way in DIRECTIONS)
SOUND = {
    "game": "played BETWEEN -2208988800000000 AND 221845392000000000",  # years 1900 to 9000
    "move": "number BETWEEN 1 AND 1 << 31 AND lost BETWEEN 0 AND 1 "
    "AND length(board) = 16 AND board NOT GLOB '*[^0-9a-f]*' AND walls BETWEEN 0 AND 1 "
    f"AND phase IN ({', '.join(repr(one.value) for one in Phase)}) "
    f"AND kind IN ({', '.join(repr(one.value) for one in MoveKind)}) "
    + "".join(f"AND coalesce({name}, 0) BETWEEN 0 AND 1 " for name in _RATES)
    + "AND coalesce(ms, 0) BETWEEN 0 AND 1 << 50 AND coalesce(luck, 0) <= 1e9 "
    "AND coalesce(ai_lost, 0) BETWEEN 0 AND 1",
}
_JUDGED = ("rater", "phase", "move_kind", "board", "lost", "luck", "ai_lost")
_OLD_JUDGED = ("table_name", "phase", "kind", "board", "lost", "luck", "ai_lost")


class ProfileReader:
    """Reads ``profile.db``, after everything else."""

    name = NAME

    def read(self, old: OldFiles, new: sqlite3.Connection) -> Mapping[str, int]:
        games = self._games(old)
        n_runs = n_moves = 0
        for i, (game, source, stamp, played) in enumerate(games):
            old.show(i / len(games))
            moves = self._moves(old, game)
            if stamp == "":
                _add_game(new, source, played, moves)
            elif not _store_judged(new, _known(new, source, stamp, old.folder), moves):
                continue
            n_runs, n_moves = n_runs + 1, n_moves + len(moves)
        if n_left_out := old.n_rows(NAME, MIGRATIONS, "game") - len(games):
            old.problems.append(left_out(n_left_out, old.folder / NAME))
        return {"run": n_runs, "move": n_moves}

    def check(self, old: OldFiles, new: sqlite3.Connection) -> None:
        for game, source, stamp, _ in self._games(old):
            names = "lost, luck, ai_lost, phase, move_kind, board"  # no text
            run = "(SELECT id FROM run WHERE name = ? AND (n_judged > 0 OR kind = 'game'))"
            sql = f"SELECT number, {names} FROM move WHERE run = {run} AND lost IS NOT NULL"
            stored = new.execute(sql, (source,)).fetchall()
            wanted = [
                tuple(
                    one[name]
                    for name in ("number", "lost", "luck", "ai_lost", "phase", "kind", "board")
                )
                for one in self._moves(old, game)
            ]
            if stored != wanted and (stored or stamp == ""):
                raise differ(old.folder / NAME)
        new.execute("UPDATE run SET name = '' WHERE kind IN ('route', 'situation')")

    def _games(self, old: OldFiles) -> list[tuple[Any, ...]]:
        source = old.database(NAME, MIGRATIONS)
        if source is None:
            return []
        sound = sound_rows(source, "game", SOUND)
        names = "id, source, stamp, played"  # no text
        return list(old.rows(NAME, f"SELECT {names} FROM game WHERE {sound} ORDER BY id"))

    def _moves(self, old: OldFiles, game: int) -> list[dict[str, Any]]:
        source = old.database(NAME, MIGRATIONS)
        assert source is not None
        names = ("number", *_OLD_JUDGED, "ms", "walls", *_RATES)
        sound = sound_rows(source, "move", SOUND)
        rows = old.rows(
            NAME,
            f"SELECT {', '.join(names)} FROM move WHERE game = {game} AND {sound} ORDER BY number",
        )
        return [dict(zip(names, row, strict=True)) for row in rows]


def _add_game(
    new: sqlite3.Connection, source: str, played: int, moves: Sequence[Mapping[str, Any]]
) -> None:
    kind = "practice" if source.startswith("practice ") else "game"
    n, walls = len(moves), any(one["walls"] for one in moves)
    row = {"kind": kind, "name": source, "played": played, "ended": played, "walls": walls}
    run = insert_row(new, "run", {**row, "n_moves": n, "n_judged": n})
    names = ", ".join(("run", "number", *_JUDGED, "ms", *_RATES))
    marks = ", ".join("?" * (3 + len(_JUDGED) + len(_RATES)))
    rows = [
        (run, one["number"], *(one[name] for name in (*_OLD_JUDGED, "ms", *_RATES)))
        for one in moves
    ]
    new.executemany(f"INSERT INTO move ({names}) VALUES ({marks})", rows)


def _known(new: sqlite3.Connection, source: str, stamp: str, folder: Path) -> int | None:
    """Return the run whose moves were worked out, if it has not changed since."""
    row = new.execute(
        "SELECT id, kind, played, n_moves, ended FROM run WHERE name = ? "
        "AND kind IN ('exam', 'route', 'situation') ORDER BY id DESC",
        (source,),
    ).fetchone()
    if row is None:
        return None
    run, kind, played, n_moves, ended = row
    if kind == "exam":
        return run if ended is not None and stamp == _stamp(folder / FOLDER / source) else None
    version, _, rest = stamp.partition(" ")
    when, _, n = rest.partition(" ") if kind == "situation" else (rest, "", str(n_moves))
    try:
        at = microseconds(aware(datetime.fromisoformat(when)))
    except ValueError:
        return None
    return run if (version, at, n) == (_VERSION, played, str(n_moves)) else None


def _stamp(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{_VERSION} {status.st_size} {status.st_mtime_ns}"


def _store_judged(
    new: sqlite3.Connection, run: int | None, moves: Sequence[Mapping[str, Any]]
) -> bool:
    """Store what was worked out of a run's moves; return whether it is of the same moves."""
    if run is None:
        return False
    names = ", ".join(("number", *_RATES))
    there = {
        row[0]: row[1:] for row in new.execute(f"SELECT {names} FROM move WHERE run = ?", (run,))
    }
    rates = {one["number"]: tuple(one[name] for name in _RATES) for one in moves}
    if not there or any(there.get(number) != four for number, four in rates.items()):
        return False
    new.executemany(
        f"UPDATE move SET {', '.join(f'{name} = ?' for name in _JUDGED)} "
        "WHERE run = ? AND number = ?",
        [(*(one[name] for name in _OLD_JUDGED), run, one["number"]) for one in moves],
    )
    new.execute("UPDATE run SET n_judged = n_moves WHERE id = ?", (run,))
    return True


PROFILE = ProfileReader()
