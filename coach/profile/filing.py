"""Filing the mistakes of an analyzed game for drilling."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from coach.analysis.analyze import GameReport, SegmentReport
from coach.analysis.coverage import LargeTiles
from coach.grading.position import position_symmetry
from coach.mistakes.mistake import ANALYSIS, NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.profile.judged_moves import JudgedMove
from coach.recordings.recording import SEARCH
from engine.bitboard import LARGEST_NIBBLE, cells
from engine.formats.replay import Cells, bitboard
from engine.platform.surrogates import escaped
from tablebase.formation.formation import Formation
from tablebase.formation.goal import goal_in


def file_game(
    mistakes: Mistakes, moves: Iterable[JudgedMove], spawn4: float, name: str, when: datetime
) -> list[int]:
    """File the mistakes of a whole game and return their ids, costliest first.

    Filing a game again adds no duplicates, as long as its name and time are the same. `mistakes`
    decides which moves are filed, by its threshold.
    """
    # A 32768 among real tiles is left out: drills would take it for any large one.
    return _file(
        mistakes,
        (
            NotedMove(
                TableKey(one.position.table, spawn4),
                one.position.board,
                one.judgement,
                one.rates,
                when,
                _source(name),
                one.number,
                one.symmetry,
            )
            for one in _costliest(moves)
            if one.position.table != SEARCH or LARGEST_NIBBLE not in cells(one.position.board)
        ),
    )


def file_parts(
    mistakes: Mistakes,
    report: GameReport,
    formations: Mapping[str, Formation],
    name: str,
    when: datetime,
) -> list[int]:
    """File the mistakes in the parts of a game that tables cover; see `file_game`."""
    return _file(mistakes, _moves_of_parts(report, formations, _source(name), when))


def _moves_of_parts(
    report: GameReport, formations: Mapping[str, Formation], source: str, when: datetime
) -> Iterator[NotedMove]:
    for part in report.segments:
        formation = formations.get(part.segment.table.rpartition("_")[0])
        symmetry = position_symmetry(formation) if formation else "full"
        key = TableKey(part.segment.table, part.segment.spawn4)
        for move in part.moves:
            board = _masked(part, move.position.cells, report.replay.merge_32768)
            judged, rates = move.judgement, move.position.rates
            if judged and not judged.is_perfect and board is not None:
                yield NotedMove(key, board, judged, rates, when, source, move.number, symmetry)


def _file(mistakes: Mistakes, moves: Iterable[NotedMove]) -> list[int]:
    ids = [one for move in moves if (one := mistakes.note(move)) is not None]
    return list(dict.fromkeys(ids))


def _source(name: str) -> str:
    return f"{ANALYSIS}{escaped(name)}"


def _masked(part: SegmentReport, position: Cells, merge_32768: bool) -> int | None:
    """Return a position as the table of a part stores it; without large tiles, F is a wall."""
    segment = part.segment
    if not segment.large:
        return bitboard(position)
    tiles, goal = LargeTiles(position, merge_32768), goal_in(segment.target)
    return tiles.masked(len(segment.large), goal.least_large) if goal else None


def filed_of_test(mistakes: Mistakes, moves: Iterable[JudgedMove]) -> list[int]:
    """Return the mistakes of a test, already filed when they were made, costliest first."""
    found: dict[int, None] = {}
    for one in _costliest(moves):
        position = one.position
        ids = mistakes.ids_of_board(position.table, position.board, one.symmetry)
        found.update(dict.fromkeys(ids))
    return list(found)


def _costliest(moves: Iterable[JudgedMove]) -> list[JudgedMove]:
    wrong = [one for one in moves if not one.judgement.is_perfect]
    return sorted(wrong, key=lambda one: (-one.lost, one.number))
