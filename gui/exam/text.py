"""What the test page says: verdicts, refusals, ends. No Qt."""

from collections.abc import Iterator, Mapping, Sequence

from coach.exam.goal import TARGET, Goal
from coach.exam.history import FinishedTest
from coach.exam.session import End, PlayedMove, Refusal, Session
from coach.grading.grade import Tolerance
from engine.bitboard import draw_board, format_board
from engine.wording import rate_text, span_text
from gui.text.numbers import format_table
from gui.text.rates import (
    DIRECTION_NAMES,
    describe_move,
    format_allowance,
    format_lost,
    format_rates,
)
from gui.widgets.grade_bar import describe_counts


def log_of(session: Session) -> str:
    """Return a test as text, move by move, and at the end what it adds up to."""
    return "\n".join(_lines(session)) + "\n"


def _lines(session: Session) -> Iterator[str]:
    setup, tolerance = session.setup, session.setup.tolerance
    yield f"Test on {table_name(setup.table)}, {session.started:%Y-%m-%d %H:%M} UTC"
    yield f"Start {format_board(setup.start)}, seed {setup.seed}, 4s: {setup.spawn4:g}"
    if setup.goal != TARGET:
        yield f"Goal: {goal_name(setup.goal).lower()}"
    if setup.perfect_within:
        yield f"Perfect moves: {allowance_text(setup.perfect_within)}"
    match_rates = session.match_rates
    for number, move in enumerate(session.moves, 1):
        yield ""
        yield f"Move {number}"
        yield draw_board(move.board, setup.walls)
        yield _rates_line(move, tolerance)
        grade = move.judgement.grade.value.capitalize()
        yield f"{grade}. {verdict_of(move, tolerance)}"
        yield f"Match rate {match_text(match_rates[number - 1])}"
    yield ""
    yield draw_board(session.board, setup.walls)
    yield ""
    yield f"{end_title(session)}. {end_text(session)}"
    yield describe_counts(session.score.counts)


def _rates_line(move: PlayedMove, tolerance: Tolerance) -> str:
    figures = format_rates(move.rates, tolerance)
    known = [(d, rate) for d, rate in enumerate(move.rates) if rate is not None]
    known.sort(key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{DIRECTION_NAMES[d]} {figures[d]}" for d, _ in known)


FOCUS_HINT = "Hints are hidden. Show them with the eye below the board."
_SMALL = 1e-5  # below it a percentage has no digits left
_WORDS: Mapping[End, str] = {
    End.REACHED: "target reached",
    End.NO_MOVE: "no moves left",
    End.LOST: "target out of reach",
    End.OUTSIDE: "left the table",
    End.TIME: "out of time",
    End.MOVES: "all moves played",
    End.MISS: "streak ended",
}


def verdict_of(move: PlayedMove, tolerance: Tolerance) -> str:
    """Return what a move was worth in a sentence or two."""
    text = describe_move(move.direction, move.rates, tolerance)
    return f"{text} You took back an earlier try." if move.is_retry else text


def refusal_text(direction: int, refusal: Refusal, table: str) -> str:
    """Return why a move is not accepted."""
    name = DIRECTION_NAMES[direction].capitalize()
    if refusal is Refusal.ILLEGAL:
        return f"{name} isn't possible: nothing slides that way."
    if refusal is Refusal.UNKNOWN:
        return f"The {table_name(table)} table can't rate {name.lower()} here. Try another move."
    return (
        f"{name} breaks the formation, so the {table_name(table)} table can't rate it. Try another "
        "move."
    )


def match_text(rate: float) -> str:
    """Return a match rate: `97.3128 %`, `100 %` only when all was kept.

    Examples
    --------
    >>> match_text(1.0), match_text(1 - 3e-9), match_text(0.5), match_text(0.0), match_text(3e-7)
    ('100 %', '99.9999 %', '50.0000 %', '0 %', '3.0e-7')
    """
    if rate <= 0 or rate >= 1:
        return "0 %" if rate <= 0 else "100 %"
    return rate_text(rate) if rate < _SMALL else f"{min(rate * 100, 99.9999):.4f} %"


def allowance_text(points: float) -> str:
    """Return which moves count as perfect: `within 0.01 pts`, or the best only.

    Examples
    --------
    >>> allowance_text(0.01), allowance_text(0)
    ('within 0.01 pts', 'best only')
    """
    return format_allowance(points / 100) or "best only"


def moves_text(n_moves: int) -> str:
    """Return a number of moves."""
    return "1 move" if n_moves == 1 else f"{n_moves} moves"


def goal_name(goal: Goal) -> str:
    """Return a goal as a choice: `Reach the target`, `100 moves`, `Perfect streak`."""
    if goal.ends_at_miss:
        return "Perfect streak"
    return moves_text(goal.moves) if goal.moves else "Reach the target"


def goal_word(goal: Goal) -> str:
    """Return a goal for a column: `Target`, `100 moves`, `Streak`."""
    if goal.ends_at_miss:
        return "Streak"
    return moves_text(goal.moves) if goal.moves else "Target"


def goal_text(session: Session, largest: int) -> str:
    """Return the goal of a test and how far it is: `Goal: 12 of 50 moves`.

    Parameters
    ----------
    session : Session
    largest : int
        The largest tile made so far.
    """
    goal, target = session.setup.goal, session.setup.target
    if goal.ends_at_miss:
        return f"Goal: perfect streak, {session.score.longest_combo} so far"
    if goal.moves:
        return f"Goal: {session.n_moves} of {moves_text(goal.moves)}"
    is_under_way = largest and session.end is not End.REACHED
    return f"Goal: {target}, largest tile {largest}" if is_under_way else f"Goal: {target}"


def end_title(session: Session) -> str:
    """Return how a test ended, in terms of its goal: `128 not reached - you kept 19.7 %`."""
    goal, n_moves = session.setup.goal, session.n_moves
    if session.end is None:
        return "Test stopped early"
    if session.end is End.REACHED:
        reached = f"{session.setup.target} reached"
        if goal.ends_at_miss and n_moves:
            return f"{reached}, every move perfect"
        return f"{reached} after {n_moves} of {moves_text(goal.moves)}" if goal.moves else reached
    if goal.ends_at_miss:
        streak = session.score.longest_combo
        return f"Streak of {streak} perfect {'move' if streak == 1 else 'moves'}"
    missed = f"{session.setup.target} not reached"
    if goal.moves:
        played = "" if session.end is End.MOVES else f"{n_moves} of "
        missed = f"{played}{moves_text(goal.moves)} played"
    if not n_moves:
        return missed
    return f"{missed} \N{EN DASH} you kept {kept_text(session.score.match_rate)}"


def end_text(session: Session) -> str:
    """Return what a finished test adds up to."""
    score = session.score
    if not session.n_moves:
        return {
            End.TIME: f"No move within {span_text(session.setup.seconds_per_move)}.",
            End.REACHED: "The target is already on the board. Start somewhere else.",
        }.get(session.end or End.LOST, "The target is out of reach from here.")
    text = f"You kept {match_text(score.match_rate)} over {moves_text(session.n_moves)}."
    if reason := _reason(session):
        text = f"{reason} {text}"
    if score.longest_combo > 1 and not session.setup.goal.ends_at_miss:
        text += f" Longest streak: {score.longest_combo} perfect moves."
    if score.leaves_out_forced and score.n_forced:
        text += f" Not counted: {moves_text(score.n_forced)} without a choice."
    if within := session.setup.perfect_within:
        text += f" Perfect: {allowance_text(within)}."
    if session.is_marked:
        text += f" Moves taken back: {session.n_undos}."
    return text


def _reason(session: Session) -> str:
    """Return why a test ended short of its goal, as a sentence."""
    if session.end is End.NO_MOVE and any(session.is_legal(d) for d in range(4)):
        return "Every move left breaks the formation."
    return {
        End.NO_MOVE: "No moves left.",
        End.LOST: "The target is out of reach now.",
        End.OUTSIDE: "This position isn't in the table.",
        End.TIME: "Time ran out.",
        End.MISS: f"Move {session.n_moves} wasn't perfect.",
    }.get(session.end or End.REACHED, "")


def kept_text(rate: float) -> str:
    """Return a match rate for a headline: one digit, and 100 % only when all was kept.

    Examples
    --------
    >>> kept_text(0.19681), kept_text(1 - 1e-7), kept_text(1.0), kept_text(1e-6), kept_text(0.0)
    ('19.7 %', '99.9 %', '100 %', '< 0.1 %', '0 %')
    """
    if rate <= 0 or rate >= 1:
        return match_text(rate)
    return "< 0.1 %" if rate < 0.0005 else f"{min(rate * 100, 99.9):.1f} %"


def to_drill_text(n: int) -> str:
    """Return how many moves of a test are to be drilled: `3 moves to drill.`, "" for none."""
    return f"{moves_text(n)} to drill." if n else ""


def table_name(name: str) -> str:
    """Return a table's name as people read it: `L3 → 256` for L3_256."""
    pattern, _, target = name.rpartition("_")
    return format_table(pattern, int(target)) if pattern and target.isdecimal() else name


def outcome_text(test: FinishedTest) -> str:
    """Return how a test of the history ended."""
    return next((_WORDS[end] for end in End if end.value == test.outcome), "stopped early")


def remark_text(tests: Sequence[FinishedTest]) -> str:
    """Return why some of these tests cannot be compared, for after their number."""
    different = [
        name
        for name, values in (
            ("goals", {test.goal for test in tests}),
            ("tolerances", {test.perfect_within for test in tests}),
        )
        if len(values) > 1
    ]
    if not different:
        return ""
    return f". Different {' and '.join(different)}: choose one above to compare like with like."


def loss_text(move: PlayedMove, number: int) -> str:
    """Return a mistake as a line of a list: `Move 34: up, 1.2 points lost`."""
    lost = format_lost(move.judgement)
    return f"Move {number}: {DIRECTION_NAMES[move.direction]}, {lost} lost"


def rival_text(session: Session, rival: FinishedTest) -> str:
    """Return how a test compares with the best one before it with the same start and tiles."""
    if session.setup.goal.ends_at_miss:
        before = moves_text(rival.longest_combo)
        if session.score.longest_combo > rival.longest_combo:
            return f"New longest streak with this start and these tiles. Before: {before}."
        return f"Your longest streak with this start and these tiles: {before}."
    before = f"{match_text(rival.match_rate)} over {moves_text(rival.n_moves)}"
    if session.score.match_rate > rival.match_rate:
        return f"New best with this start and these tiles. Your best before: {before}."
    return f"Your best with this start and these tiles: {before}."
