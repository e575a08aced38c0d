"""A test as a text to read: every position, its rates, the move and what it was worth. No Qt."""

from collections.abc import Iterator

from coach.exam.session import PlayedMove, Session
from coach.grading.grade import Tolerance
from engine.bitboard import draw_board, format_board
from gui.exam.text import end_text, end_title, match_text, verdict_of
from gui.text.rates import DIRECTION_NAMES, format_rate
from gui.widgets.grade_bar import describe_counts


def log_of(session: Session) -> str:
    """Return a test as text, move by move, and at the end what it adds up to."""
    return "\n".join(_lines(session)) + "\n"


def _lines(session: Session) -> Iterator[str]:
    setup, tolerance = session.setup, Tolerance.of_type(session.setup.rate)
    yield f"Test on {setup.table}, {session.started:%Y-%m-%d %H:%M} UTC"
    yield f"Start {format_board(setup.start)}, seed {setup.seed}, 4s: {setup.spawn4:g}"
    match_rates = session.match_rates
    for number, move in enumerate(session.moves, 1):
        yield ""
        yield f"Move {number}"
        yield draw_board(move.board, setup.walls)
        yield _rates_line(move)
        grade = move.judgement.grade.value.capitalize()
        yield f"{grade}. {verdict_of(move, tolerance)}"
        yield f"Match rate {match_text(match_rates[number - 1])}"
    yield ""
    yield draw_board(session.board, setup.walls)
    yield ""
    yield f"{end_title(session)}. {end_text(session)}"
    yield describe_counts(session.score.counts)


def _rates_line(move: PlayedMove) -> str:
    known = [(d, rate) for d, rate in enumerate(move.rates) if rate is not None]
    known.sort(key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{DIRECTION_NAMES[d]} {format_rate(rate)}" for d, rate in known)
