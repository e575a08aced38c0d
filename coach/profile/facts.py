"""The facts behind a profile: one row per judged move of a person's games.

Tests are imported from their files, re-imported when a file changes, and removed with it; likewise
runs along routes and attempts at situations, from their databases. Guesses in Practice are stored
as they are made. Whole games are stored when they are trained on or analyzed as the user's own:
nothing else says whose they are.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from coach.exam.session_file import CURRENT
from coach.grading.grade import Rates
from coach.mistakes.mistake import NotedMove, microseconds, time_of
from coach.mistakes.query import in_chunks
from coach.profile.judged_moves import JudgedMove, judged_moves
from coach.profile.position import MoveKind, Phase, Position
from coach.record.database import DatabaseError, Store
from coach.recordings.recording import (
    SEARCH,
    Recording,
    open_recording,
    recording_of_session,
)
from coach.routes.recording import played_table, recording_of_run
from coach.routes.results import RouteResults, run_of
from coach.situations.situations import Situations
from coach.whole_game.stored_chances import digest_of
from engine.bitboard import DIRECTIONS, format_board
from engine.platform.errors import AppError
from engine.platform.files.damaged_file import is_set_aside
from tablebase.formation.formation import Formation
from tablebase.formation.goal import read_goal

PROFILE_NAME = "profile.db"
"""In the data folder."""

VERSION = 1
"""Counted up when the same test would give other facts than before."""

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
_RATES = " AND ".join(f"coalesce(rate_{way}, 0) BETWEEN 0 AND 1" for way in DIRECTIONS)
SOUND = {
    "game": "played BETWEEN -2208988800000000 AND 221845392000000000",  # years 1900 to 9000
    "move": "number BETWEEN 1 AND 1 << 31 AND lost BETWEEN 0 AND 1 "
    "AND length(board) = 16 AND board NOT GLOB '*[^0-9a-f]*' AND walls BETWEEN 0 AND 1 "
    f"AND phase IN ({', '.join(repr(one.value) for one in Phase)}) "
    f"AND kind IN ({', '.join(repr(one.value) for one in MoveKind)}) AND {_RATES} "
    "AND coalesce(ms, 0) BETWEEN 0 AND 1 << 50 AND coalesce(luck, 0) <= 1e9 "
    "AND coalesce(ai_lost, 0) BETWEEN 0 AND 1",
}
"""A condition for every row, by table."""

_Judged = tuple[list[JudgedMove] | None, datetime | None]
# Prefixes of source names, and where the sources are stored.
_ROUTE = "route "  # no text: before the number of a run
_SITUATION = "situation "  # no text: before the number of an attempt
_PRACTICE = "practice "  # no text: before a date and a table
_TESTS, _ROUTES, _SITUATIONS = "tests", "routes.db", "situations.db"
_log = logging.getLogger(__name__)
_NOTHING_LEFT = -1e9  # for -inf, which SQLite can't store as a number


class Fact(NamedTuple):
    """The data of a judged move that a profile needs."""

    game: int
    played: datetime  # time of its game, in UTC
    formation: str  # `coach.recordings.recording.SEARCH` if no table rates it
    phase: Phase
    kind: MoveKind
    lost: float  # the chance lost, in [0, 1]
    ms: int | None
    luck: float | None  # luck of the worst of the last tiles, a logarithm
    ai_lost: float | None  # the AI's loss there; None if it was not asked


@dataclass(frozen=True)
class Unasked:
    """A position that the AI hasn't judged yet."""

    # Ids of the game and the move.
    game: int
    number: int
    board: int  # large tiles as F
    smallest_large: int  # the exponent of the smallest of them: that of the table's target
    rates: Rates


class JudgedMoves(Store):
    """The database of facts."""

    migrations, sound = MIGRATIONS, SOUND

    @property
    def state(self) -> tuple[int, int]:
        """Two numbers that change whenever something is written, here or by another process."""
        with self.reading():
            version = self.connection.execute("PRAGMA data_version").fetchone()[0]
        return self.connection.total_changes, version

    def take_all(
        self,
        folder: Path,
        formations: Mapping[str, Formation],
        on_progress: Callable[[int, int], None] = lambda _done, _all: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Import what was played in a data folder: tests, routes and situations."""
        self.take_tests(folder / _TESTS, formations, on_progress, is_cancelled)
        self.take_routes(folder / _ROUTES, formations, on_progress, is_cancelled)
        self.take_situations(folder / _SITUATIONS, formations, on_progress, is_cancelled)

    def take_tests(
        self,
        folder: Path,
        formations: Mapping[str, Formation],
        on_progress: Callable[[int, int], None] = lambda _done, _all: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Import the tests in a folder that are new or changed; remove those that are gone.

        An unreadable test is left out: Review says what is wrong with it.

        Parameters
        ----------
        folder : Path
            It need not exist.
        """
        found = [path for path in sorted(folder.glob("*.json")) if not is_set_aside(path)]
        paths = {path.name: path for path in found if path.name != CURRENT}

        def read(name: str) -> _Judged:
            recording = open_recording(paths[name])
            return list(judged_moves(recording, formations)), recording.played_at

        here = {name: _stamp(path) for name, path in paths.items()}
        self._take("source GLOB '*.json'", here, read, on_progress, is_cancelled)

    def take_routes(
        self,
        path: Path,
        formations: Mapping[str, Formation],
        on_progress: Callable[[int, int], None] = lambda _done, _all: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Import runs along routes on tables that are new or continued; remove deleted ones.

        Runs on an unknown formation are skipped until it is known.

        Parameters
        ----------
        path : Path
            The database of runs; it need not exist. An unreadable one changes nothing: the Routes
            page says what is wrong with it.
        """
        if not path.exists():
            return
        with ExitStack() as stack:
            try:
                results = stack.enter_context(closing(RouteResults(path)))
                stamps = results.judged()
            except DatabaseError as error:
                _log.warning("no routes in the profile: %s", error)
                return
            numbers = {f"{_ROUTE}{number}": number for number in stamps}

            def read(source: str) -> _Judged:
                kept = results.get(numbers[source])
                table = played_table(kept, formations) if kept else None
                if kept is None or table is None:
                    return None, None
                recording = recording_of_run(run_of(kept, table), source, kept.played)
                return list(judged_moves(recording, formations)), kept.played

            here = {source: f"{VERSION} {stamps[number]}" for source, number in numbers.items()}
            self._take(f"source GLOB '{_ROUTE}*'", here, read, on_progress, is_cancelled)

    def take_situations(
        self,
        path: Path,
        formations: Mapping[str, Formation],
        on_progress: Callable[[int, int], None] = lambda _done, _all: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Import attempts at situations that are new or continued; remove deleted ones.

        Moves judged by search have the loss shown at the time: zero where search can't tell.

        Parameters
        ----------
        path : Path
            The database of situations; it need not exist. An unreadable one changes nothing: the
            Situations page says what is wrong with it.
        """
        if not path.exists():
            return
        with ExitStack() as stack:
            try:
                situations = stack.enter_context(closing(Situations(path)))
                stamps = situations.judged()
            except DatabaseError as error:
                _log.warning("no situations in the profile: %s", error)
                return
            numbers = {f"{_SITUATION}{number}": number for number in stamps}

            def read(source: str) -> _Judged:
                session = situations.session(numbers[source])
                if session is None:
                    return None, None
                recording = recording_of_session(session, source)
                if session.setup.table == SEARCH:
                    recording = replace(recording, source=SEARCH)
                return list(judged_moves(recording, formations)), session.started

            here = {source: f"{VERSION} {stamps[number]}" for source, number in numbers.items()}
            self._take(f"source GLOB '{_SITUATION}*'", here, read, on_progress, is_cancelled)

    def _take(
        self,
        which: str,
        here: Mapping[str, str],
        read: Callable[[str], _Judged],
        on_progress: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> None:
        """Import sources that are new or whose stamp changed; remove those that are gone.

        Parameters
        ----------
        which : str
            An SQL condition for the sources of this kind.
        here : mapping of str to str
            The stamps by source.
        read : callable
            Returns the moves of a source and their time; None for the moves if it should be read
            again later. If it raises, the source is left out.
        """
        with self.reading():
            sql = f"SELECT source, stamp FROM game WHERE stamp != '' AND {which}"
            known = {row[0]: row[1] for row in self.connection.execute(sql)}
        if gone := known.keys() - here.keys():
            self._forget(gone)
        new = [source for source, stamp in here.items() if known.get(source) != stamp]
        for done, source in enumerate(new):
            if is_cancelled():
                return
            on_progress(done, len(new))
            moves, played = list[JudgedMove](), None
            with suppress(AppError):
                found, played = read(source)
                if found is None:
                    continue
                moves = found
            when = 0 if played is None else microseconds(played)
            self._put(source, here[source], when, moves)

    def put_game(self, recording: Recording, moves: Iterable[JudgedMove], when: datetime) -> None:
        """Store a whole game, replacing the data of a known one.

        Parameters
        ----------
        when : datetime
            When it was played, with a time zone.
        """
        self._put(game_source(recording), "", microseconds(when), moves)

    def n_moves_of(self, recording: Recording) -> int:
        """Return the number of moves stored of a whole game."""
        sql = "SELECT count(*) FROM move JOIN game ON game.id = game WHERE source = ?"
        with self.reading():
            row = self.connection.execute(sql, (game_source(recording),)).fetchone()
        return int(row[0])

    def add_guess(self, move: NotedMove, walls: bool) -> bool:
        """Store a move made in Practice while its rates were hidden.

        All guesses of a day on one table form one game. Only the first one in a position counts:
        after that the rates are known.

        Returns
        -------
        bool
            Whether it counts.
        """
        position = Position(move.key.name, move.board, move.rates, move.judgement.best, walls)
        source = f"{_PRACTICE}{move.when.date()} {move.key.name} {move.key.spawn4:g}"
        with self.writing() as db:
            db.execute(
                "INSERT OR IGNORE INTO game (source, stamp, played) VALUES (?, '', ?)",
                (source, microseconds(move.when)),
            )
            game, number, is_known = db.execute(
                "SELECT id, coalesce((SELECT max(number) FROM move WHERE game = id), 0) + 1, "
                "EXISTS (SELECT 1 FROM move WHERE game = id AND board = ?) "
                "FROM game WHERE source = ?",
                (format_board(move.board), source),
            ).fetchone()
            if not is_known:
                judged = JudgedMove(
                    number,
                    position,
                    move.judgement,
                    move.rates,
                    move.ms,
                    move.luck,
                    move.symmetry,
                )
                self._insert(game, [judged])
        return not is_known

    def all(self) -> list[Fact]:
        """Return all moves, latest game first."""
        sql = (
            "SELECT game, played, table_name, phase, kind, lost, ms, luck, ai_lost "
            "FROM move JOIN game ON game.id = game ORDER BY played DESC, game, number"
        )
        with self.reading():
            return [_fact(row) for row in self.connection.execute(sql)]

    def unasked(self, most: int) -> list[Unasked]:
        """Return moves rated by tables that the AI hasn't judged, latest games first."""
        sql = (
            "SELECT game, number, board, table_name, "
            "rate_left, rate_right, rate_up, rate_down FROM move "
            "JOIN game ON game.id = game WHERE ai_lost IS NULL AND table_name != 'search' "
            # Boards with walls are smaller than the board the AI plays on.
            "AND NOT walls ORDER BY played DESC, game, number LIMIT ?"
        )
        with self.reading():
            rows = self.connection.execute(sql, (most,))
            return [
                Unasked(row[0], row[1], int(row[2], 16), goal.least_large, tuple(row[4:8]))
                for row in rows
                if (goal := read_goal(row[3].rpartition("_")[2]))
            ]

    def keep_ai(self, found: Iterable[tuple[Unasked, float]]) -> None:
        """Store the AI's losses."""
        with self.writing():
            self.connection.executemany(
                "UPDATE move SET ai_lost = ? WHERE game = ? AND number = ?",
                [(lost, one.game, one.number) for one, lost in found],
            )

    def _put(self, source: str, stamp: str, played: int, moves: Iterable[JudgedMove]) -> None:
        found = list(moves)
        with self.writing() as db:
            db.execute("DELETE FROM game WHERE source = ?", (source,))
            added = db.execute(
                "INSERT INTO game (source, stamp, played) VALUES (?, ?, ?)", (source, stamp, played)
            )
            self._insert(added.lastrowid, found)

    def _insert(self, game: int | None, moves: Iterable[JudgedMove]) -> None:
        rows = [(game, *_row(one)) for one in moves]
        marks = ",".join("?" * 15)
        self.connection.executemany(f"INSERT INTO move VALUES ({marks})", rows)

    def _forget(self, sources: Iterable[str]) -> None:
        with self.writing():
            for chunk in in_chunks(sources):  # type: ignore[arg-type]
                marks = ",".join("?" * len(chunk))
                self.connection.execute(f"DELETE FROM game WHERE source IN ({marks})", chunk)


def has_games(folder: Path) -> bool:
    """Return whether a data folder has any games for a profile."""
    return any((folder / name).exists() for name in (PROFILE_NAME, _TESTS, _ROUTES, _SITUATIONS))


def game_source(recording: Recording) -> str:
    """Return the source name that identifies a whole game."""
    return f"game {digest_of(recording.replay)}"  # no text: it is stored


def _stamp(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return f"{VERSION}"
    return f"{VERSION} {status.st_size} {status.st_mtime_ns}"


def _row(one: JudgedMove) -> Sequence[object]:
    position = one.position
    return (
        one.number,
        position.table,
        position.phase.value,
        position.kind.value,
        format_board(position.board),
        position.walls,
        *one.rates,
        one.lost,
        one.ms,
        None if one.luck is None else max(one.luck, _NOTHING_LEFT),
        None,
    )


def _fact(row: Sequence[Any]) -> Fact:
    """Return a row as a fact; raise ValueError or TypeError if it is not one of ours."""
    game, played, table, phase, kind, lost, ms, luck, ai_lost = row
    when = time_of(played)
    numbers = [lost, 0.0 if ai_lost is None else ai_lost]
    if when is None or not all(0 <= one <= 1 for one in numbers):
        raise ValueError(str(row[:3]))
    return Fact(
        int(game),
        when,
        table.rpartition("_")[0] or table,
        Phase(phase),
        MoveKind(kind),
        float(lost),
        None if ms is None else int(ms),
        None if luck is None else float(luck),
        None if ai_lost is None else float(ai_lost),
    )
