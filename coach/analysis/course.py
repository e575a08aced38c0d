"""The course of a whole game: its phases and decisive moments, and their text.

They come as plain data in the format of `coach.whole_game.report.to_json` and ``analyze --engine
--json``: moves counted from 1, chances in [0, 1].
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coach.grading.grade import GRADES, Grade
from coach.grading.names import grade_word, move_word
from engine.bitboard import DIRECTIONS, N_CELLS
from engine.platform.language import listed, mark, tr, trn
from engine.platform.quantities import points_text, rate_text, rate_texts
from engine.saved_game import cells_from_text

TILE = "tile"
"""The kinds of moments caused by a new tile; all others are moves."""

BY_SEARCH = "search"
"""Stands among table names for moves judged by search."""

_MAX_EXPONENT = 17


@dataclass(frozen=True)
class CoursePhase:
    """A phase of a whole game: the building of another 2048."""

    # Its first and last move, from 1, both inclusive.
    first: int
    last: int
    large: tuple[int, ...]  # the large tiles on the board during the phase, as face values
    is_made: bool  # whether the phase made its tile
    n_judged: int
    # Number of moves by what judged them: a table name, "search", or "" for nothing.
    sources: Mapping[str, int]
    # points_lost, points_of_luck: chance lost by moves and gained by new tiles.
    points_lost: float
    points_of_luck: float
    first_chance: float | None
    least_chance: float | None
    # The larger tile that the phase's tile completes, such as 32768, if the chances are known to
    # refer to it.
    makes: int | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "CoursePhase":
        """Return a phase from plain data; raise KeyError, TypeError or ValueError if invalid."""
        return cls(
            int(data["first_move"]),
            int(data["last_move"]),
            tuple(int(tile) for tile in data["large_tiles"]),
            bool(data["made"]),
            int(data["judged"]),
            {str(name): int(n) for name, n in data["sources"].items()},
            float(data["points_lost"]),
            float(data["points_of_luck"]),
            chance_in(data["first_chance"]),
            chance_in(data["least_chance"]),
            data.get("makes") and int(data["makes"]),
        )

    @property
    def mean_loss(self) -> float | None:
        return self.points_lost / self.n_judged if self.n_judged else None


@dataclass(frozen=True)
class CourseMoment:
    """A move, or the new tile after it, that changed the chance a lot."""

    is_tile: bool  # whether the tile changed the chance, not the move
    number: int  # number of the move, from 1
    tile: int  # face value of the new tile
    cells: tuple[int, ...]  # exponents before the move
    played: int  # direction of the move
    best: tuple[int, ...]  # all equally best directions; () if unknown
    # The chance before and after.
    before: float
    after: float
    grade: Grade | None  # grade of the move
    makes: int | None = None  # as in `CoursePhase`

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "CourseMoment":
        """Return a moment from plain data; raise KeyError, TypeError or ValueError if invalid."""
        best, grade = data["best"], data.get("grade")
        before, after = share_in(data["before"]), share_in(data["after"])
        return cls(
            data["what"] == TILE,
            int(data["move"]),
            int(data["tile"]),
            exponents(data["board"]),
            DIRECTIONS.index(data["played"]),
            () if best is None else (DIRECTIONS.index(best),),
            before,
            after,
            None if grade is None else Grade(grade),
            data.get("makes") and int(data["makes"]),
        )

    @property
    def change(self) -> float:
        return self.after - self.before


def exponents(board: str) -> tuple[int, ...]:
    """Return the 16 exponents of a board in a report; raise ValueError if it is invalid."""
    cells = tuple(cells_from_text(board))
    if len(cells) != N_CELLS or max(cells) > _MAX_EXPONENT:
        raise ValueError(board)  # no text
    return cells


def phase_title(phase: CoursePhase) -> str:
    if phase.large:
        return tr("beside {tiles}", tiles=" ".join(map(str, phase.large)))
    return tr("to the first 2048")


def phase_line(phase: CoursePhase) -> str:
    message = mark("moves {first:,} to {last:,}, {phase}")
    parts = [tr(message, first=phase.first, last=phase.last, phase=phase_title(phase))]
    if phase.first_chance is not None and phase.least_chance is not None:
        text = mark("chance {first} at first, {least} at least")
        if phase.makes:
            text = mark("chance of {tile} {first} at first, {least} at least")
        first, least = rate_text(phase.first_chance), rate_text(phase.least_chance)
        parts.append(tr(text, tile=phase.makes, first=first, least=least))
    problem = mark("moves lost {lost}, new tiles gave {given}")
    parts.append(
        tr(problem, lost=points_text(phase.points_lost), given=points_text(phase.points_of_luck))
    )
    if phase.mean_loss is not None:
        lost = points_text(phase.mean_loss)
        parts.append(tr("{lost} per move on average, {judged}", lost=lost, judged=judged_by(phase)))
    parts.append(done_word(phase))
    return "; ".join(parts)


def judged_by(phase: CoursePhase) -> str:
    tables = listed(sorted(one for one in phase.sources if one not in ("", BY_SEARCH)))
    if not tables:
        return tr("analyzed by search")
    if phase.sources.get(BY_SEARCH):
        return tr("analyzed by {tables} and search", tables=tables)
    return tr("analyzed by {tables}", tables=tables)


def done_word(phase: CoursePhase) -> str:
    return tr("done") if phase.is_made else tr("not done")


def moment_line(moment: CourseMoment) -> str:
    line = _moment_line(moment)
    return tr("{line} (of {tile})", line=line, tile=moment.makes) if moment.makes else line


def _moment_line(moment: CourseMoment) -> str:
    before, after = rate_texts((moment.before, moment.after))
    if moment.is_tile:
        text = mark("move {number:,}: the new {tile} changed the chance from {before} to {after}")
        return tr(text, number=moment.number, tile=moment.tile, before=before, after=after)
    return tr(
        "move {number:,}: {played} instead of {best}, {before} became {after}",
        number=moment.number,
        played=move_word(moment.played),
        best=move_word(moment.best[0]) if moment.best else "",
        before=before,
        after=after,
    )


def game_lines(game: Mapping[str, Any]) -> Iterator[str]:
    text = mark("the whole game: {judged:,} moves judged, {searched:,} of them by search")
    yield tr(text, judged=game["judged"], searched=game["by_search"])
    counts = game["grades"]
    words = [f"{grade_word(one)} {counts[one.value]}" for one in GRADES if counts[one.value]]
    if words:
        yield f"  {listed(words)}"
    for phase in game["phases"]:
        yield f"  {phase_line(CoursePhase.of(phase))}"
    if game["moments"]:
        yield tr("what decided it:")
    for moment in game["moments"]:
        yield f"  {moment_line(CourseMoment.of(moment))}"
    if not game.get("complete", True):
        yield trn(
            "canceled: {done:,} of {n:,} position searched; the same command resumes",
            "canceled: {done:,} of {n:,} positions searched; the same command resumes",
            game["to_search"],
            done=game["searched"],
        )


def chance_in(value: Any) -> float | None:
    return None if value is None else share_in(value)


def share_in(value: Any) -> float:
    """Return a share in plain data; raise ValueError if it is out of range."""
    share = float(value)
    if not 0.0 <= share <= 1.0:
        raise ValueError(value)  # no text
    return share
