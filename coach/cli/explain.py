"""``explain``: why a move is worse than the best one, from a table or from search."""

import argparse
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ai.thinking_time import EXPLAIN_MS, nodes_of
from coach.grading.names import move_title
from engine.bitboard import DIRECTIONS
from engine.formats.board_text import read_board
from engine.platform.cli.arguments import milliseconds
from engine.platform.cli.console import DONE, Commands, Output, add_command, folders_of
from engine.platform.errors import AppError
from engine.platform.language import mark, tr

if TYPE_CHECKING:
    from coach.explanations.explanation import Explanation
    from coach.explanations.lines import Line
    from coach.explanations.outcomes import AfterMove
    from coach.explanations.source import Source


def add_to(commands: Commands) -> None:
    text = tr(
        "Compares a move with the best one, or with another: which new tiles hurt it, what "
        "it costs on the board, and a line that shows the difference. Chances are those of "
        "a table, or estimated by search without one."
    )
    parser = add_command(
        commands, "explain", run, tr("explain why a move is worse than the best one"), text
    )
    text = tr("16 hex digits, row by row from the top left, each the exponent of a tile")
    parser.add_argument("board", metavar=tr("BOARD"), help=text)
    text = tr("the move to explain: left, right, up or down")
    parser.add_argument("move", metavar=tr("MOVE"), choices=DIRECTIONS, help=text)
    parser.add_argument(
        "--than", choices=DIRECTIONS, help=tr("compare it with this move (default: the best one)")
    )
    text = tr("a table's folder, or its name such as 442_128 (default: search)")
    parser.add_argument("--table", metavar=tr("TABLE"), help=text)
    text = tr("search: milliseconds for each board (default: {ms:g})", ms=EXPLAIN_MS)
    parser.add_argument("--ms", type=milliseconds(0.1, 1000), metavar="T", help=text)


def run(args: argparse.Namespace) -> int:
    from coach.explanations.explanation import explain
    from coach.explanations.words import AT_ONCE, headline, refutation_text, sentences_of

    if args.ms is not None and args.table is not None:
        raise AppError(tr("--ms is for search, and --table replaces search: leave out one of them"))
    board = read_board(args.board).cells
    output = Output(args.json)
    best = None if args.than is None else DIRECTIONS.index(args.than)
    with _source(args, board) as source:
        explanation = explain(source, board, DIRECTIONS.index(args.move), best)
    sentences = sentences_of(explanation)
    refutation = refutation_text(explanation)
    event = {
        **_figures(explanation),
        "headline": headline(explanation),
        "sentences": sentences[:AT_ONCE],
        "more": sentences[AT_ONCE:],
        "words": refutation,
    }
    output.report(event, headline(explanation))
    for sentence in [*sentences, *filter(None, [refutation])]:
        output.show(f"  {sentence}")
    for after in (explanation.pair.best, explanation.pair.played):
        output.show("")
        text = mark("{move}: {rate}, empty cells: {free}")
        rate = tr("unknown")
        if after.rate is not None:
            rate = _figure(after.rate, explanation.is_bound)
        output.show(tr(text, move=move_title(after.direction), rate=rate, free=after.n_free))
        for line in _tile_lines(after, explanation.is_bound):
            output.show(f"  {line}")
    return DONE


@contextlib.contextmanager
def _source(args: argparse.Namespace, board: tuple[int, ...]) -> "Iterator[Source]":
    from coach.explanations.source import SearchSource, TableSource

    if args.table is None:
        from ai.chances.chance_search import ChanceSearch

        nodes = nodes_of(args.ms or EXPLAIN_MS)
        yield SearchSource(ChanceSearch().look, board, nodes=nodes)
        return
    from tablebase.library.opening import open_named

    with open_named(folders_of(args), args.table) as table:
        yield TableSource(table)


def _figures(explanation: "Explanation") -> dict[str, Any]:
    pair = explanation.pair
    is_rated = None not in (pair.played.rate, pair.best.rate)
    return {
        "source": explanation.source or "search",
        "estimate": explanation.is_estimate,
        "at_least": explanation.is_bound,
        "mistake": explanation.is_mistake if is_rated else None,
        "chance": pair.chance if pair.best.rate is not None else None,
        "loss": pair.loss if is_rated else None,
        "by_tiles": {
            "chance": pair.chance_by_tiles,
            "loss": pair.loss_by_tiles if is_rated else None,
        },
        "played": _move_figures(pair.played),
        "best": _move_figures(pair.best),
        "facts": [
            {"about": type(one.fact).__name__, "share": one.share} for one in explanation.facts
        ],
        "refutation": _line_figures(explanation.refutation),
        "answer": _line_figures(explanation.answer),
        "typical": {
            "played": _line_figures(pair.played_line),
            "best": _line_figures(pair.best_line),
        },
    }


def _move_figures(after: "AfterMove") -> dict[str, Any]:
    return {
        "move": DIRECTIONS[after.direction],
        "rate": after.rate,
        "free": after.n_free,
        "tiles": [
            {
                "cell": outcome.cell,
                "tile": 1 << outcome.exponent,
                "probability": outcome.probability,
                "rate": outcome.rate,
                "reply": None if outcome.reply is None else DIRECTIONS[outcome.reply],
            }
            for outcome in after.outcomes
        ],
    }


def _line_figures(line: "Line") -> list[dict[str, Any]]:
    return [
        {
            "move": DIRECTIONS[step.direction],
            "rate": step.rate,
            "cell": step.tile[0] if step.tile else None,
            "tile": 1 << step.tile[1] if step.tile else None,
            "left": step.left,
        }
        for step in line.steps
    ]


def _figure(rate: float, is_bound: bool) -> str:
    from engine.platform.quantities import bound_figure, rate_text

    return bound_figure(rate_text(rate)) if is_bound else rate_text(rate)


def _tile_lines(after: "AfterMove", is_bound: bool) -> "Iterator[str]":
    from coach.reasons.words import place_text
    from engine.platform.quantities import rate_text

    for outcome in after.by_harm():
        yield tr(
            "{rate}  {tile} in {place} ({probability})",
            rate=f"{_figure(outcome.rate or 0.0, is_bound):>10}",
            tile=1 << outcome.exponent,
            place=place_text(outcome.cell),
            probability=rate_text(outcome.probability),
        )
