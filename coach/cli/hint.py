"""``hint``: the AI's move on a board, with a sentence saying why."""

import argparse
from typing import TYPE_CHECKING

from ai.choice import AI_NAMES, CHOOSERS, ai_name, key_of
from ai.thinking_time import HINT_MS
from coach.grading.names import move_title
from engine.formats.board_text import read_board
from engine.platform.cli.arguments import milliseconds
from engine.platform.cli.console import DONE, Commands, Output, add_command
from engine.platform.language import mark, tr
from engine.platform.quantities import clauses
from tablebase.library.arguments import add_option, add_tables, table_folders_of

if TYPE_CHECKING:
    from ai.choice import Choice


def add_to(commands: Commands) -> None:
    text = tr(
        "It is the move that the window's AI would make, with its source and a sentence that says "
        "why."
    )
    parser = add_command(commands, "hint", run, tr("show the AI's move on a board, and why"), text)
    text = tr("16 hex digits, row by row from the top left, each the exponent of a tile")
    parser.add_argument("board", metavar=tr("BOARD"), nargs="+", help=text)
    text = clauses(f"{name}: {tr(CHOOSERS[key_of(name)].title)}" for name in AI_NAMES)
    parser.add_argument(
        "--player", type=ai_name, choices=AI_NAMES, default="tables", metavar="AI", help=text
    )
    text = tr("milliseconds to think (default: {ms:g})", ms=HINT_MS)
    parser.add_argument(
        "--ms", type=milliseconds(0.1, 3_600_000), default=HINT_MS, metavar="T", help=text
    )
    add_tables(parser)
    add_option(parser, "spawn4")


def run(args: argparse.Namespace) -> int:
    boards = [read_board(text).cells for text in args.board]
    output = Output(args.json)
    folders = table_folders_of(args)
    chooser = CHOOSERS[key_of(args.player)].make(folders, args.spawn4)
    for text, board in zip(args.board, boards, strict=True):
        _report(output, text, board, chooser.choose(board, args.ms), args.spawn4)
    chooser.release()
    return DONE


def _report(
    output: Output, text: str, board: tuple[int, ...], choice: "Choice", spawn4: float
) -> None:
    from coach.reasons.words import hint_event

    event = hint_event(text, board, choice, spawn4)
    if choice.direction is None:
        output.show(tr("{board}: no moves left", board=text))
    else:
        message = mark("{board}: {move} ({source})")
        text_line = tr(message, board=text, move=move_title(choice.direction), source=choice.source)
        output.show(text_line)
        if event["words"]:
            output.show(f"  {event['words']}")
    output.emit(event)
