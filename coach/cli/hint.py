"""``hint``: the AI's move on a board, and in a sentence why."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.choice import CHOOSERS
from coach.grading.names import move_title
from engine.bitboard import DIRECTIONS
from engine.formats.board_text import read_board
from engine.language import tr
from engine.wording import clauses
from tablebase.cli.console import DONE, Commands, Output, add_command, folders_of
from tablebase.cli.options import milliseconds, probability

if TYPE_CHECKING:
    from ai.choice import Choice

_USUAL_MS = 200.0


def add_to(commands: Commands) -> None:
    """Add ``hint`` to the commands."""
    parser = add_command(
        commands,
        "hint",
        run,
        tr("the AI's move on a board, and why"),
        tr(
            "Says which move the AI of the window would make, where it comes from, and in a "
            "sentence what speaks for it."
        ),
    )
    parser.add_argument(
        "board",
        metavar=tr("BOARD"),
        nargs="+",
        help=tr("16 hex digits, row by row from the top left, each the exponent of a tile"),
    )
    parser.add_argument(
        "--player",
        choices=CHOOSERS,
        default=next(iter(CHOOSERS)),
        help=clauses(f"{name}: {tr(kind.title)}" for name, kind in CHOOSERS.items()),
    )
    parser.add_argument(
        "--ms",
        type=milliseconds(0.1, 3_600_000),
        default=_USUAL_MS,
        metavar="T",
        help=tr("milliseconds to think (default: {ms:g})", ms=_USUAL_MS),
    )
    parser.add_argument(
        "--tables",
        nargs="+",
        type=Path,
        metavar=tr("DIR"),
        help=tr("folders with tables to use (default: the tables in the data folder)"),
    )
    parser.add_argument(
        "--spawn4",
        type=probability,
        default=0.1,
        metavar="P",
        help=tr("how often a new tile is a 4 (default: %(default)s)"),
    )


def run(args: argparse.Namespace) -> int:
    """Answer for each board."""
    boards = [read_board(text).cells for text in args.board]
    output = Output(args.json)
    folders = args.tables or [folders_of(args).tables]
    chooser = CHOOSERS[args.player].make(folders, args.spawn4)
    for text, board in zip(args.board, boards, strict=True):
        _tell(output, text, board, chooser.choose(board, args.ms), args.spawn4)
    chooser.let_go()
    return DONE


def _tell(
    output: Output, text: str, board: tuple[int, ...], choice: "Choice", spawn4: float
) -> None:
    from coach.reasons.reason import find_reason
    from coach.reasons.words import reason_text

    reason = find_reason(board, choice, spawn4)
    words = reason_text(reason) if reason else ""
    event: dict[str, Any] = {"board": text, "move": None, "source": choice.source}
    if choice.direction is None:
        output.say(tr("{board}: no move is legal", board=text))
    else:
        event["move"] = DIRECTIONS[choice.direction]
        said = tr(
            "{board}: {move} ({source})", board=text, move=_name(choice), source=choice.source
        )
        output.say(said)
        if words:
            output.say(f"  {words}")
    values = dict(zip(DIRECTIONS, choice.values, strict=True))
    kind = choice.kind.name.lower()
    about = type(reason).__name__ if reason else None
    output.emit({**event, "values": values, "kind": kind, "reason": about, "words": words})


def _name(choice: "Choice") -> str:
    return "" if choice.direction is None else move_title(choice.direction)
