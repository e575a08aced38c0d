"""The texts of the Routes page: results, ends, comparisons."""

from collections.abc import Mapping, Sequence

from coach.grading.names import move_word
from coach.play.rules import End
from coach.play.run import PlayedMove, Run
from coach.routes.result import RECEIVED, TABLE, YOU, RouteResult
from coach.routes.results import StoredRun
from engine.platform.language import listed, mark, sentences, tr, trn
from gui.text.numbers import format_seconds, moves_text
from gui.text.rates import (
    describe_move,
    format_lost,
    format_rates,
    lost_in_moves,
    match_so_far,
    points_lost,
)
from gui.text.routes import figure_text, short_figure, who_text

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
    if not run.setup.is_judged:
        return trn("{n:,} point", "{n:,} points", run.totals.points)
    n = run.n_moves - run.totals.n_mistakes
    return tr("{n:,} of {of:,} moves correct", n=n, of=run.n_moves)


def end_text(run: Run) -> str:
    end = tr(_ENDS[run.end]) if run.end else tr("Not finished")
    moves, time = moves_text(run.n_moves), format_seconds(run.played_ms / 1000)
    parts = [tr("{end}: {moves} in {time}.", end=end, moves=moves, time=time)]
    if run.setup.is_judged:
        lost = run.totals.points_lost
        text = lost_in_moves(lost, run.n_moves)
        is_much = bool(points_lost(lost))
        parts.append(tr("{sentence}.", sentence=text) if is_much else tr("You lost nothing."))
        if not run.setup.is_corrected:
            parts.append(tr("You kept {rate} of your chance.", rate=match_so_far(run.score)))
    return sentences(*parts)


def progress_text(run: Run) -> str:
    if most := run.setup.goal.moves:
        is_judged = run.setup.is_judged  # then the target may end it sooner
        text = mark("Move {n:,} of at most {of:,}") if is_judged else mark("Move {n:,} of {of:,}")
        return tr(text, n=run.n_moves, of=most)
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


def standing_text(runs: Sequence[StoredRun], number: int) -> str:
    """Return how the run of that number compares with the AI's and with earlier ones of its player.

    "" if there is nothing to compare with.
    """
    over = [run for run in runs if not run.is_unfinished]
    this = next((run.result for run in over if run.number == number), None)
    if this is None:
        return ""
    parts = []
    if ai := _best([run for run in over if run.result.who not in (YOU, TABLE, RECEIVED)]):
        figure = figure_text(ai)
        if short_figure(ai) == short_figure(this):
            parts.append(tr("As good as the AI."))
        elif this.merit > ai.merit:
            parts.append(tr("You beat the AI ({figure}).", figure=figure))
        else:
            parts.append(tr("The AI did better: {figure}.", figure=figure))
    if best := _best([run for run in over if run.result.who == YOU and run.number != number]):
        is_best = this.merit > best.merit
        parts.append(
            tr("Your best so far.")
            if is_best
            else tr("Your best: {figure}.", figure=figure_text(best))
        )
    return sentences(*parts)


def _best(runs: Sequence[StoredRun]) -> RouteResult | None:
    return max((run.result for run in runs), key=lambda one: one.merit, default=None)


def ranking_lines(runs: Sequence[StoredRun], shown: int = 0, most: int = 6) -> list[str]:
    """Return the results on one route, best first, a line each; `shown` is the number of a run."""
    over = [run for run in runs if not run.is_unfinished]
    over.sort(key=lambda run: run.result.merit, reverse=True)
    return [
        tr(
            "{place}. {who}: {facts}",
            place=place,
            who=tr("This run") if run.number == shown else who_text(run.result.who),
            facts=listed(_facts(run.result)),
        )
        for place, run in enumerate(over[:most], 1)
    ]


def _facts(result: RouteResult) -> list[str]:
    if result.route.is_corrected:
        return [figure_text(result)]
    mistakes = [mistakes_text(result.n_mistakes)] if result.n_mistakes else []
    has_moves = not result.route.is_game and result.who != RECEIVED  # in its figure
    moves = [] if has_moves else [moves_text(result.n_moves)]
    return [figure_text(result), *mistakes, *moves]


def pace_text(result: RouteResult) -> str:
    return format_seconds(result.played_ms / 1000) if result.played_ms else ""
