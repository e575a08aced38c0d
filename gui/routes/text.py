"""The texts of the Routes page: results, ends, comparisons. No Qt."""

from collections.abc import Mapping, Sequence

from coach.grading.names import move_word
from coach.play.rules import End
from coach.play.run import PlayedMove, Run
from coach.routes.result import RECEIVED, RouteResult
from coach.routes.results import StoredRun
from engine.platform.language import listed, mark, sentences, tr, trn
from gui.text.numbers import format_seconds, moves_text
from gui.text.rates import describe_move, format_lost, format_points, format_rates, match_so_far
from gui.text.routes import figure_text, who_text

_ENDS: Mapping[End, str] = {
    End.REACHED: mark("Target reached"),
    End.NO_MOVE: mark("No moves left"),
    End.LOST: mark("Target out of reach"),
    End.OUTSIDE: mark("The table does not know this position"),
    End.MOVES: mark("Route finished"),
}


def mistakes_text(n: int) -> str:
    return trn("{n} mistake", "{n:,} mistakes", n)


def outcome_text(result: RouteResult) -> str:
    if result.outcome:
        return tr(_ENDS[End(result.outcome)])
    return "" if result.who == RECEIVED else tr("Not finished")


def end_title(run: Run) -> str:
    return tr(_ENDS[run.end]) if run.end else tr("Not finished")


def end_text(run: Run) -> str:
    time = format_seconds(run.played_ms / 1000)
    if not run.setup.is_judged:
        points = trn("{n:,} point", "{n:,} points", run.totals.points)
        return tr(
            "{points} in {moves}, {time}.", points=points, moves=moves_text(run.n_moves), time=time
        )
    return tr(
        "Match rate {rate} over {moves}: {mistakes}, {lost} lost, {time}.",
        rate=match_so_far(run.score),
        moves=moves_text(run.n_moves),
        mistakes=mistakes_text(run.totals.n_mistakes),
        lost=format_points(run.totals.points_lost),
        time=time,
    )


def progress_text(run: Run) -> str:
    if run.setup.goal.moves:
        return tr("Move {n:,} of {of:,}", n=run.n_moves, of=run.setup.goal.moves)
    return tr("Move {n:,}", n=run.n_moves)


def verdict_text(move: PlayedMove, run: Run) -> str:
    if move.judged is None:
        return ""
    text = describe_move(move.direction, move.rates, run.setup.tolerance)
    corrected = tr("Corrected: {move}.", move=move_word(move.made))
    return sentences(text, corrected) if move.is_corrected else text


def correction_lines(move: PlayedMove, run: Run) -> tuple[str, str, str]:
    figures = format_rates(move.rates, run.setup.tolerance)
    best = move.best
    yours = tr("You: {move} {rate}", move=move_word(move.direction), rate=figures[move.direction])
    better = tr("Best: {move} {rate}", move=move_word(best), rate=figures[best])
    return yours, better, tr("{points} lost", points=format_lost(move.judgement))


def ranking_lines(runs: Sequence[StoredRun], shown: int = 0, most: int = 6) -> list[str]:
    """Return the results on one route, best first, a line each; `shown` is the number of a run."""
    lines = []
    over = [run for run in runs if not run.is_unfinished]
    this = next((run.result for run in over if run.number == shown), None)
    over.sort(key=lambda run: run.result.merit, reverse=True)
    for place, run in enumerate(over[:most], 1):
        result = run.result
        facts = [figure_text(result), moves_text(result.n_moves)]
        if result.n_mistakes:
            facts.insert(1, mistakes_text(result.n_mistakes))
        who = tr("This run") if result is this else who_text(result.who)
        lines.append(tr("{place}. {who}: {facts}", place=place, who=who, facts=listed(facts)))
    return lines


def pace_text(result: RouteResult) -> str:
    return format_seconds(result.played_ms / 1000) if result.played_ms else ""
