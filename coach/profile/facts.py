"""The judged moves behind a profile: a query over the moves that a person made.

What a profile asks of a move is worked out once, when a profile is read after it was made: the
position's phase, the kind of the best move, the luck before it. Tests in play wait for their end.
Guesses in Practice are stored as they are made. Whole games are stored when they are trained on or
analyzed as the user's own: nothing else says whose they are.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from coach.exam.run_rows import run_of as exam_of
from coach.grading.grade import Rates
from coach.mistakes.mistake import NotedMove, microseconds, time_of
from coach.profile.judged_moves import JudgedMove, judged_moves
from coach.profile.position import MoveKind, Phase, Position
from coach.record.runs import Runs
from coach.recordings.recording import SEARCH, Recording, recording_of_run
from coach.routes.code import GAME
from coach.routes.results import played_table, run_of, stored_run
from coach.whole_game.stored_chances import digest_of
from engine.bitboard import DIRECTIONS, format_board
from engine.platform.errors import AppError
from tablebase.formation.formation import Formation
from tablebase.formation.goal import read_goal

_PRACTICE = "practice "  # no text: before a date and a table
_RATES = tuple(f"rate_{way}" for way in DIRECTIONS)
_NEW = (
    "n_judged < n_moves AND EXISTS (SELECT 1 FROM move WHERE run = run.id) "
    "AND (kind = 'situation' OR kind = 'exam' AND ended IS NOT NULL "
    f"OR kind = 'route' AND who = '' AND code NOT LIKE '{GAME}-%')"
)
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


class JudgedMoves(Runs):
    """The judged moves in the database of a person."""

    @property
    def state(self) -> tuple[object, ...]:
        """Numbers that change whenever there are other judged moves, by any process."""
        of_runs = "SELECT max(id), max(played) FROM run WHERE n_judged > 0"
        of_moves = "SELECT count(lost), sum(lost), count(ai_lost), sum(ai_lost) FROM move"
        with self.reading():
            return (*self.rows(of_runs).fetchone(), *self.rows(of_moves).fetchone())

    def judge_new(
        self,
        formations: Mapping[str, Formation],
        on_progress: Callable[[int, int], None] = lambda _done, _all: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Work out what a profile asks of the moves made since the last time.

        Runs along routes on an unknown formation are skipped until it is known. Moves judged by
        search have the loss shown at the time: zero where search can't tell.
        """
        with self.reading():
            found = self.rows(f"SELECT id FROM run WHERE {_NEW} ORDER BY id").fetchall()
        for done, (number,) in enumerate(found):
            if is_cancelled():
                return
            on_progress(done, len(found))
            self._judge(number, formations)

    def _judge(self, number: int, formations: Mapping[str, Formation]) -> None:
        with self.reading():
            row = self.row(number)
        if row is None:
            return
        moves: list[JudgedMove] = []
        try:
            recording = self._recording(row, formations)
            if recording is None:
                return
            moves = [
                one for one in judged_moves(recording, formations) if one.number > row["n_judged"]
            ]
        except AppError as error:  # the page that shows it says what is wrong with it
            _log.warning("not in the profile: %s", error)
        with self.writing() as db:
            self._insert(number, moves, "UPDATE")
            db.execute("UPDATE run SET n_judged = ? WHERE id = ?", (row["n_moves"], number))

    def _recording(self, row: Any, formations: Mapping[str, Formation]) -> Recording | None:
        """Return a run as a recorded game; None if its table is not known."""
        moves = self.moves(row["id"])
        with self.reading():
            if row["kind"] != "route":
                recording = recording_of_run(exam_of(row, moves))
                is_searched = row["table_name"] == SEARCH
                return replace(recording, source=SEARCH) if is_searched else recording
            kept = stored_run(row, moves)
            table = played_table(kept, formations)
            return recording_of_run(run_of(kept, table), row["code"]) if table else None

    def put_game(self, recording: Recording, moves: Iterable[JudgedMove], when: datetime) -> None:
        """Store a whole game, replacing the data of a known one; `when` has a time zone."""
        name, found = game_source(recording), list(moves)
        with self.writing() as db:
            db.execute("DELETE FROM run WHERE kind = 'game' AND name = ?", (name,))
            game = self._add_run("game", name, when)
            self._insert(game, found, "INSERT")
            self._count(game)

    def n_moves_of(self, recording: Recording) -> int:
        sql = "SELECT n_moves FROM run WHERE kind = 'game' AND name = ?"
        with self.reading():
            row = self.rows(sql, (game_source(recording),)).fetchone()
        return int(row[0]) if row else 0

    def add_guess(self, move: NotedMove, walls: bool) -> bool:
        """Store a move made in Practice while its rates were hidden; return whether it counts.

        All guesses of a day on one table form one run. Only the first one in a position counts:
        after that the rates are known.
        """
        position = Position(move.key.name, move.board, move.rates, move.judgement.best, walls)
        name = f"{_PRACTICE}{move.when.date()} {move.key.name} {move.key.spawn4:g}"
        with self.writing():
            row = self.rows(
                "SELECT id FROM run WHERE kind = 'practice' AND name = ?", (name,)
            ).fetchone()
            run = row[0] if row else self._add_run("practice", name, move.when, walls)
            number, is_known = self.rows(
                "SELECT coalesce(max(number), 0) + 1, coalesce(max(board = ?), 0) "
                "FROM move WHERE run = ?",
                (format_board(move.board), run),
            ).fetchone()
            if not is_known:
                judged = JudgedMove(
                    number, position, move.judgement, move.rates, move.ms, move.luck, move.symmetry
                )
                self._insert(run, [judged], "INSERT")
                self._count(run)
        return not is_known

    def all(self) -> list[Fact]:
        sql = (
            "SELECT run, played, rater, phase, move_kind, lost, ms, luck, ai_lost "
            "FROM move JOIN run ON run.id = run WHERE lost IS NOT NULL"
        )
        with self.reading():
            return [_fact(row) for row in self.rows(sql)]

    def unasked(self, most: int) -> list[Unasked]:
        """Return moves rated by tables that the AI hasn't judged, latest games first."""
        sql = (
            "SELECT run, number, board, rater, "
            "rate_left, rate_right, rate_up, rate_down FROM move JOIN run ON run.id = run "
            "WHERE lost IS NOT NULL AND ai_lost IS NULL AND rater != 'search' "
            # Boards with walls are smaller than the board the AI plays on.
            "AND NOT walls ORDER BY played DESC, run, number LIMIT ?"
        )
        with self.reading():
            return [
                Unasked(row[0], row[1], int(row[2], 16), goal.least_large, tuple(row[4:8]))
                for row in self.rows(sql, (most,))
                if (goal := read_goal(row[3].rpartition("_")[2]))
            ]

    def keep_ai(self, found: Iterable[tuple[Unasked, float]]) -> None:
        with self.writing():
            self.connection.executemany(
                "UPDATE move SET ai_lost = ? WHERE run = ? AND number = ?",
                [(lost, one.game, one.number) for one, lost in found],
            )

    def _add_run(self, kind: str, name: str, when: datetime, walls: bool = False) -> int:
        played = microseconds(when)
        row = {"kind": kind, "name": name, "played": played, "ended": played, "walls": walls}
        return self.insert("run", row)

    def _count(self, run: int) -> None:
        n = "(SELECT count(*) FROM move WHERE run = id)"
        self.rows(f"UPDATE run SET n_moves = {n}, n_judged = {n} WHERE id = ?", (run,))

    def _insert(self, run: int, moves: Iterable[JudgedMove], how: str) -> None:
        if how == "UPDATE":
            names = ", ".join(f"{name} = ?" for name in _JUDGED)
            sql = f"UPDATE move SET {names} WHERE run = ? AND number = ?"
            rows = [(*_judged(one), run, one.number) for one in moves]
        else:
            names = ", ".join((*_JUDGED, "ms", "direction", *_RATES, "run", "number"))
            sql = f"INSERT INTO move ({names}) VALUES ({', '.join('?' * 14)})"
            rows = [
                (*_judged(one), one.ms, one.judgement.direction, *one.rates, run, one.number)
                for one in moves
            ]
        self.connection.executemany(sql, rows)


def game_source(recording: Recording) -> str:
    return f"game {digest_of(recording.replay)}"  # no text: it is stored


_JUDGED = ("rater", "phase", "move_kind", "board", "lost", "luck")


def _judged(one: JudgedMove) -> Sequence[object]:
    position = one.position
    return (
        position.table,
        position.phase.value,
        position.kind.value,
        format_board(position.board),
        one.lost,
        None if one.luck is None else max(one.luck, _NOTHING_LEFT),
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
