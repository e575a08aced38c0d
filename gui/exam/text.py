"""The texts of the test page: verdicts, refusals, ends, notices. No Qt."""

from collections.abc import Iterator, Mapping, Sequence

from coach.exam.history import FinishedTest
from coach.grading.grade import Grade, Tolerance
from coach.grading.names import (
    CHANCE_KEPT,
    grade_title,
    move_title,
    move_word,
    perfect_text,
    score_text,
)
from coach.grading.rated import LowerBoundsError
from coach.play.rules import TARGET, End, ExamGoal
from coach.play.run import PlayedMove, Run
from engine.bitboard import draw_board, format_board
from engine.platform.language import listed, mark, sentences, tr, trn
from gui.text.messages import message_of
from gui.text.numbers import format_seconds, format_whole, moves_text, table_title
from gui.text.rates import describe_move, format_allowance, format_rates, lost_in_moves, match_text
from gui.widgets.grade_bar import describe_counts
from gui.widgets.notice import Message
from tablebase.formation.goal import goal_of, read_goal

INVITATION = Message(
    mark("Test yourself against perfect answers"),
    mark(
        "Play an endgame as well as you can. A table that knows the success rate of every move "
        "grades yours. Build a table first."
    ),
    {"tables": mark("Build a table")},
)
FIRST_MOVE = Message(mark("Find the best move. The rates come after it."))
FIRST_MOVE_HIDDEN = Message(mark("Find the best moves. The rates come at the end."))
LOADING = Message(mark("One moment"), mark("Looking for your last test."))


def failure_message(error: BaseException) -> Message:
    remedies = {"reopen": tr("Try again"), "tables": tr("Show tables")}
    if isinstance(error, LowerBoundsError):
        title = tr("This table can't grade your moves")
        return Message(title, message_of(error), {"tables": remedies["tables"]})
    return Message(tr("This table can't be read"), message_of(error), remedies)


def closed_message(name: str) -> Message:
    return Message(
        tr("{table} is closed", table=table_title(name)),
        tr("Choose another table above."),
        {"tables": tr("Show tables")},
    )


def log_of(run: Run) -> str:
    return "\n".join(_lines(run)) + "\n"


def _lines(run: Run) -> Iterator[str]:
    setup, tolerance = run.setup, run.setup.tolerance
    yield tr(
        "Test on {table}, {time:%Y-%m-%d %H:%M} UTC",
        table=table_title(setup.table),
        time=run.started,
    )
    yield tr(
        "Start {board}, seed {seed}, 4s: {share:g}",
        board=format_board(setup.start),
        seed=setup.seed,
        share=setup.spawn4,
    )
    if setup.goal != TARGET:
        yield tr("Goal: {goal}", goal=goal_in_words(setup.goal))
    if setup.perfect_within:
        yield tr("Perfect moves: {allowance}", allowance=allowance_text(setup.perfect_within))
    match_rates = run.match_rates
    for number, move in enumerate(run.moves, 1):
        yield ""
        yield tr("Move {number}", number=format_whole(number))
        yield draw_board(move.board, setup.walls)
        yield _rates_line(move, tolerance)
        grade, verdict = grade_title(move.judgement.grade), verdict_of(move, tolerance)
        yield tr("{grade}. {verdict}", grade=grade, verdict=verdict)
        kept = match_text(match_rates[number - 1])
        yield tr("{name}: {value}", name=tr(CHANCE_KEPT), value=kept)
    yield ""
    yield draw_board(run.board, setup.walls)
    yield ""
    score = tr("{sentence}.", sentence=_score_text(run)) if run.score.n_moves else ""
    yield tr("{title}. {text}", title=end_title(run), text=sentences(end_text(run), score))
    yield describe_counts(run.score.counts)


def _rates_line(move: PlayedMove, tolerance: Tolerance) -> str:
    figures = format_rates(move.rates, tolerance)
    rated = [(d, rate) for d, rate in enumerate(move.rates) if rate is not None]
    rated.sort(key=lambda pair: (-pair[1], pair[0]))
    return listed(f"{move_word(d)} {figures[d]}" for d, _ in rated)


FOCUS_HINT = mark("Rates and grades are hidden.")
_WORDS: Mapping[End, str] = {
    End.REACHED: mark("target reached"),
    End.NO_MOVE: mark("no moves left"),
    End.LOST: mark("target out of reach"),
    End.OUTSIDE: mark("left the table"),
    End.TIME: mark("out of time"),
    End.MOVES: mark("all moves played"),
    End.MISS: mark("streak ended"),
}


def breaking_text(direction: int, n: int) -> str:
    """Return the line on a refused move that breaks the formation, the `n`th in a test."""
    return trn(
        "{move} breaks the formation, so it can't be graded. The result will say that you tried.",
        "{move} breaks the formation, so it can't be graded. You have tried {n:,} such moves.",
        n,
        move=move_title(direction),
    )


def verdict_of(move: PlayedMove, tolerance: Tolerance) -> str:
    text = describe_move(move.direction, move.rates, tolerance)
    if move.is_retry:
        return sentences(text, tr("You undid an earlier try."))
    return text


def allowance_text(points: float) -> str:
    """Return the allowance for perfect moves: `within 0.01 pts`, or `best only`.

    >>> allowance_text(0.01), allowance_text(0)
    ('within 0.01 pts', 'best only')
    """
    return format_allowance(points / 100) or tr("best only")


def allowance_title(points: float) -> str:
    """Return the allowance as a choice: `Within 0.01 pts`, `Best or as good`."""
    return tr("Within {points:g} pts", points=points) if points else tr("Best or as good")


def goal_name(goal: ExamGoal) -> str:
    """Return a goal as a choice: `Reach the target`, `100 moves`, `Perfect streak`."""
    return _named(goal, tr("Perfect streak"), tr("Reach the target"))


def goal_in_words(goal: ExamGoal) -> str:
    """Return a goal inside a text: `reach the target`, `100 moves`, `perfect streak`."""
    return _named(goal, tr("perfect streak"), tr("reach the target"))


def goal_word(goal: ExamGoal, table: str) -> str:
    """Return a goal for a column: the table's, such as `128`, `100 moves`, `Streak`."""
    target = read_goal(table.rpartition("_")[2])
    return _named(goal, tr("Streak"), target.words() if target else "")


def _named(goal: ExamGoal, streak: str, target: str) -> str:
    if goal.ends_at_miss:
        return streak
    return moves_text(goal.moves) if goal.moves else target


def goal_text(run: Run, made: int) -> str:
    """Return the goal of a test and its progress: `Goal: 12 of 50 moves`.

    `made` is the largest tile so far, or the sum of the tiles for a sum.
    """
    goal, target = run.setup.goal, goal_of(run.setup.target)
    if goal.ends_at_miss:
        return tr("Goal: perfect streak, {n} so far", n=format_whole(run.score.longest_combo))
    if goal.moves:
        moves = moves_text(goal.moves)
        return tr("Goal: {n_moves} of {moves}", n_moves=format_whole(run.n_moves), moves=moves)
    is_under_way = made and run.end is not End.REACHED
    if is_under_way and target.tile:
        return tr("Goal: {target}, largest tile {tile}", target=target.words(), tile=made)
    if is_under_way:
        now = format_whole(made)
        return tr("Goal: {target}, now {sum}", target=target.words(), sum=now)
    return tr("Goal: {target}", target=target.words())


def end_title(run: Run) -> str:
    """Return the outcome of a test in terms of its goal: `128 not reached`, `50 moves played`."""
    goal, n_moves = run.setup.goal, run.n_moves
    if run.end is None:
        return tr("Test stopped early")
    if run.end is End.REACHED:
        return _reached_text(run)
    if goal.ends_at_miss:
        streak = run.score.longest_combo
        return trn("Streak of {n} perfect move", "Streak of {n:,} perfect moves", streak)
    if not goal.moves:
        return tr("{target} not reached", target=goal_of(run.setup.target).words())
    moves = moves_text(goal.moves)
    if run.end is End.MOVES:
        return tr("{moves} played", moves=moves)
    return tr("{n_moves} of {moves} played", n_moves=format_whole(n_moves), moves=moves)


def _reached_text(run: Run) -> str:
    goal, n_moves = run.setup.goal, run.n_moves
    target = goal_of(run.setup.target).words()
    if goal.ends_at_miss and n_moves:
        return tr("{target} reached, every move perfect", target=target)
    if goal.moves:
        return tr(
            "{target} reached after {n_moves} of {moves}",
            target=target,
            n_moves=n_moves,
            moves=moves_text(goal.moves),
        )
    return tr("{target} reached", target=target)


def _score_text(run: Run) -> str:
    score, lost = run.score, run.totals.points_lost
    if score.count(Grade.PERFECT) == score.n_moves:
        return score_text(score, lost)
    perfect, lost_text = perfect_text(score.counts), lost_in_moves(lost, score.n_moves)
    return tr("{perfect} moves perfect, {lost}", perfect=perfect, lost=lost_text)


def end_text(run: Run) -> str:
    """Return why a test ended, what was not counted, and what marks it."""
    score = run.score
    if not run.n_moves:
        return _without_a_move(run)
    parts = [_reason(run)]
    if score.leaves_out_forced and score.n_forced:
        moves = moves_text(score.n_forced)
        parts.append(tr("Not counted: {moves} without a choice.", moves=moves))
    if within := run.setup.perfect_within:
        parts.append(tr("Perfect: {allowance}.", allowance=allowance_text(within)))
    if run.is_marked:
        parts.append(tr("Moves taken back: {n}.", n=run.n_undos))
    if run.n_breaking:
        parts.append(
            trn(
                "You tried {n} move that breaks the formation.",
                "You tried {n:,} moves that break the formation.",
                run.n_breaking,
            )
        )
    return sentences(*parts)


def _without_a_move(run: Run) -> str:
    if run.end is End.TIME:
        return tr("No move within {time}.", time=format_seconds(run.setup.seconds_per_move))
    if run.end is End.REACHED:
        return tr("The target is already on the board. Start somewhere else.")
    return tr("The target is out of reach from here.")


def _reason(run: Run) -> str:
    if run.end is End.NO_MOVE and any(run.is_legal(d) for d in range(4)):
        return tr("Every move left breaks the formation.")
    return {
        End.NO_MOVE: tr("No moves left."),
        End.LOST: tr("The target is out of reach now."),
        End.OUTSIDE: tr("This position isn't in the table."),
        End.TIME: tr("Time ran out."),
        End.MISS: tr("Move {number} wasn't perfect.", number=format_whole(run.n_moves)),
    }.get(run.end or End.REACHED, "")


def drill_text(n: int) -> str:
    return trn("Drill {n} move", "Drill {n:,} moves", n)


def outcome_text(test: FinishedTest) -> str:
    ended = next((end for end in End if end.value == test.outcome), None)
    return tr(_WORDS[ended]) if ended else tr("stopped early")


def remark_text(tests: Sequence[FinishedTest]) -> str:
    """Return the reason why some of these tests can't be compared; "" if all can."""
    has_goals = len({test.goal for test in tests}) > 1
    has_tolerances = len({test.perfect_within for test in tests}) > 1
    if has_goals and has_tolerances:
        return tr("Different goals and tolerances: choose one above to compare like with like.")
    if has_goals:
        return tr("Different goals: choose one above to compare like with like.")
    if has_tolerances:
        return tr("Different tolerances: choose one above to compare like with like.")
    return ""


def left_out_text(tests: Sequence[FinishedTest]) -> str:
    n = sum(test.is_abandoned for test in tests)
    if not n:
        return ""
    return trn(
        "{n} stopped early and isn't in the chart.",
        "{n:,} stopped early and aren't in the chart.",
        n,
    )


def rival_text(run: Run, rival: FinishedTest) -> str:
    if run.setup.goal.ends_at_miss:
        streak = moves_text(rival.longest_combo)
        if run.score.longest_combo > rival.longest_combo:
            return tr(
                "New longest streak with this start and these tiles. Before: {moves}.", moves=streak
            )
        return tr("Your longest streak with this start and these tiles: {moves}.", moves=streak)
    rate, moves = match_text(rival.match_rate), moves_text(rival.n_moves)
    text = mark("Your best with this start and these tiles kept {rate} of the chance, in {moves}.")
    if run.score.match_rate > rival.match_rate:
        text = mark(
            "New best with this start and these tiles. Before, you kept {rate} of the chance, in "
            "{moves}."
        )
    return tr(text, rate=rate, moves=moves)
