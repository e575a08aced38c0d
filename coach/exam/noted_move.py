"""A judged move of a run, as the book of mistakes takes it down."""

from datetime import datetime

from coach.exam.session_file import file_name
from coach.grading.grade import Tolerance, judge
from coach.grading.rated import UnknownRates
from coach.mistakes.mistake import NotedMove, TableKey
from coach.play.player import Player
from coach.play.run import PlayedMove


def noted_move(
    player: Player, move: PlayedMove, number: int, when: datetime, source: str = ""
) -> NotedMove:
    """Return move number `number` of the run in play, judged without the rules of a test.

    Drills don't have these rules: the best moves are those of the table. `source` identifies the
    game; by default it is the test's own file.
    """
    run, table = player.run, player.table
    assert run is not None
    assert table is not None
    setup = run.setup
    unknown = UnknownRates(frozenset(move.unknown), is_best_known=True) if move.unknown else None
    judgement = judge(move.rates, move.direction, Tolerance.of_type(setup.rate), unknown)
    assert judgement is not None
    return NotedMove(
        TableKey(setup.table, setup.spawn4),
        player.masked(move.board),
        judgement,
        move.rates,
        when,
        source or file_name(run),
        number,
        table.formation.symmetry if setup.walls else "full",
    )
