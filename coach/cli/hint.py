"""``hint``: the AI's move on a board, with a sentence saying why."""

import argparse
from typing import TYPE_CHECKING, Any

from ai.choice import CHOOSERS
from ai.cli.ai_names import AI_NAMES, ai_name, key_of
from coach.grading.names import move_title
from engine.bitboard import DIRECTIONS
from engine.formats.board_text import read_board
from engine.platform.cli.arguments import milliseconds
from engine.platform.cli.console import DONE, Commands, Output, add_command
from engine.platform.language import tr
from engine.platform.quantities import clauses
from tablebase.library.arguments import add_spawn4, add_tables, table_folders_of

if TYPE_CHECKING:
    from ai.choice import Choice

_DEFAULT_MS = 200.0


def add_to(commands: Commands) -> None:
    """Add ``hint`` to the commands."""
    parser = add_command(
        commands,
        "hint",
        run,
        tr("the AI's move on a board, and why"),
        tr(
            "Says which move the window's AI would make, where the move comes from, and why, in "
            "one sentence."
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
        type=ai_name,
        choices=AI_NAMES,
        default=AI_NAMES[0],
        metavar="AI",
        help=clauses(f"{name}: {tr(CHOOSERS[key_of(name)].title)}" for name in AI_NAMES),
    )
    parser.add_argument(
        "--ms",
        type=milliseconds(0.1, 3_600_000),
        default=_DEFAULT_MS,
        metavar="T",
        help=tr("milliseconds to think (default: {ms:g})", ms=_DEFAULT_MS),
    )
    add_tables(parser)
    add_spawn4(parser)


def run(args: argparse.Namespace) -> int:
    """Answer for each board."""
    boards = [read_board(text).cells for text in args.board]
    output = Output(args.json)
    folders = table_folders_of(args)
    chooser = CHOOSERS[key_of(args.player)].make(folders, args.spawn4)
    for text, board in zip(args.board, boards, strict=True):
        _tell(output, text, board, chooser.choose(board, args.ms), args.spawn4)
    chooser.let_go()
    return DONE


def hint_event(
    text: str, board: tuple[int, ...], choice: "Choice", spawn4: float
) -> dict[str, Any]:
    """Return the JSON object of a hint.

    Parameters
    ----------
    text : str
        The board as typed.
    board : tuple of 16 int
        Its exponents.
    choice : Choice
    spawn4 : float
        The share of fours among the new tiles.
    """
    from coach.reasons.reason import find_reason
    from coach.reasons.words import reason_text

    reason = find_reason(board, choice, spawn4)
    move = None if choice.direction is None else DIRECTIONS[choice.direction]
    return {
        "board": text,
        "move": move,
        "source": choice.source,
        "values": dict(zip(DIRECTIONS, choice.values, strict=True)),
        "kind": choice.kind.name.lower(),
        "reason": type(reason).__name__ if reason else None,
        "words": reason_text(reason) if reason else "",
    }


def _tell(
    output: Output, text: str, board: tuple[int, ...], choice: "Choice", spawn4: float
) -> None:
    event = hint_event(text, board, choice, spawn4)
    if choice.direction is None:
        output.say(tr("{board}: no move is legal", board=text))
    else:
        said = tr(
            "{board}: {move} ({source})", board=text, move=_name(choice), source=choice.source
        )
        output.say(said)
        if event["words"]:
            output.say(f"  {event['words']}")
    output.emit(event)


def _name(choice: "Choice") -> str:
    return "" if choice.direction is None else move_title(choice.direction)
