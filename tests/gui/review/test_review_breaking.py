"""Moves that break the formation, in Review: by a test, by a table, and where none keeps it."""

from coach.play.rules import End
from coach.play.run import Run
from coach.recordings.recording import open_recording
from engine.formats.rpl import write_rpl
from tests.coach.made_sessions import START, STARTED, setup, write_session
from tests.gui.review.conftest import Desk

LEFT, RIGHT, UP, DOWN = range(4)
BREAKS = "breaks the formation"


def opened(desk: Desk, session: Run) -> Desk:
    session.finish(End.NO_MOVE, STARTED)
    write_session(desk.folder / "L3_256_x.json", session)
    desk.page.files.open(desk.folder / "L3_256_x.json")
    return desk


def texts(desk: Desk) -> list[str]:
    return [cell.text() for cell in desk.page.panel.cross.cells]


def test_the_cross_says_which_moves_break_the_formation(desk):
    session = Run(setup(), STARTED)
    assert [session.is_legal(d) for d in range(4)] == [False, True, True, True]
    session.play(RIGHT, (None, 0.98, None, 0.5))
    opened(desk, session)
    assert texts(desk) == ["", "98.00 %", BREAKS, "50.00 %"]
    cells = desk.page.panel.cross.cells
    assert [cell.is_legal for cell in cells] == [False, True, True, True]
    assert cells[UP].accessibleDescription() == BREAKS


def test_the_only_move_is_the_only_one_that_keeps_the_formation(desk):
    session = Run(setup(), STARTED)
    session.play(RIGHT, (None, 0.98, None, None))
    opened(desk, session)
    assert texts(desk) == ["", "98.00 %", BREAKS, BREAKS]
    verdict = desk.page.panel.verdict.text()
    assert verdict == "Right was the only move that kept the formation."


def test_a_zero_in_a_file_is_no_rate_if_the_move_takes_a_locked_tile_away(desk):
    session = Run(setup(), STARTED)
    session.play(RIGHT, (None, 0.98, None, 0.0))
    (desk.folder / "L3_256_x.rpl").write_bytes(write_rpl(session.replay()))
    desk.page.files.open(desk.folder / "L3_256_x.rpl")
    assert desk.page.game.recording.rates[0] == (None, 0.98, 0.0, 0.0), "so the file has it"
    assert texts(desk) == ["", "98.00 %", BREAKS, "0 %"]


def test_what_the_table_does_not_know_breaks_nothing(desk):
    session = Run(setup(), STARTED)
    session.play(RIGHT, (None, 0.98, None, None), unknown=(UP,))
    opened(desk, session)
    assert texts(desk) == ["", "98.00 %", "not in the table", BREAKS]
    recording = open_recording(desk.folder / "L3_256_x.json")
    assert recording.judgements[0] == session.moves[0].judgement, "no forced move"


def test_a_table_that_rates_the_game_says_it_as_well(desk):
    session = Run(setup(), STARTED)
    session.play(RIGHT, (None, 0.98, 0.7, 0.6))
    opened(desk, session)
    assert texts(desk) == ["", "98.00 %", "70.00 %", "60.00 %"]
    others = desk.table.rates_at
    desk.table.rates_at = lambda board: (  # type: ignore[method-assign]
        (None, 0.9, None, None) if board == START else others(board)
    )
    desk.page.rater.rate("tables/L3_512")
    assert desk.page.game.recording
    assert desk.page.game.recording.source == "L3_512"
    assert texts(desk) == ["", "90.00 %", BREAKS, BREAKS]
