"""``board`` reads the board in a picture, ``card`` draws the card of an analyzed game."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.bitboard import draw_cells
from engine.platform.cli.arguments import file
from engine.platform.cli.console import DONE, Commands, Output, add_command, note
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import check_writable
from engine.platform.language import tr
from engine.saved_game import cells_to_text

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

_PNG = ".png"
_DEFAULT_NAME = f"{{}}-card{_PNG}"  # beside a game there may be its screenshot, with its name


def add_picture_commands(commands: Commands) -> None:
    board = add_command(
        commands,
        "board",
        _read_boards,
        tr("read the boards in pictures"),
        tr(
            "Looks for 4 x 4 squares with gaps of one color and reads the numbers on them. It "
            "names the squares it isn't sure of: compare those with the picture."
        ),
    )
    board.add_argument(
        "image", metavar=tr("IMAGE"), type=Path, nargs="+", help=tr("a screenshot, PNG or JPEG")
    )
    card = add_command(
        commands,
        "card",
        _draw_card,
        tr("make a picture of an analyzed game to share"),
        tr("Takes the JSON that analyze --out writes."),
    )
    card.add_argument("report", metavar=tr("REPORT"), type=Path, help=tr("the JSON of a game"))
    card.add_argument(
        "--out",
        type=file,
        metavar=tr("FILE"),
        help=tr("the picture (default: beside the report, GAME-card.png)"),
    )
    card.add_argument("--dark", action="store_true", help=tr("in dark colors"))


def _application() -> "QCoreApplication":
    """Return the application object that Qt needs for drawing text, without a display."""
    if sys.platform.startswith("linux"):  # elsewhere the fonts come with the window system
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    return QGuiApplication.instance() or QGuiApplication([])


def _read_boards(args: argparse.Namespace) -> int:
    application = _application()
    from gui.board.pasting import doubts_text
    from gui.board.picture_reading import read_image_file

    output, failures = Output(args.json), []
    for path in args.image:
        try:
            found = read_image_file(path)
        except AppError as error:
            failures.append(_named(path, error))
            output.emit({"image": str(path), "error": str(error)})
            if len(args.image) > 1:
                note(tr("warning: {problem}", problem=failures[-1]))
            continue
        digits = cells_to_text(found.cells)
        output.show(f"{path.name}: {digits}")
        output.show(draw_cells(found.cells))
        if found.doubtful:
            output.show(doubts_text(found))
        if found.other_boards:
            output.show(found.other_boards)
        facts = {"doubtful": sorted(found.doubtful), "boards": found.n_boards}
        output.emit({"image": str(path), "board": digits, **facts})
    del application
    if len(failures) < len(args.image):
        return DONE
    none = tr("none of the pictures has a board to read")
    raise AppError(failures[0] if len(failures) == 1 else none)


def _named(path: Path, error: AppError) -> str:
    """Return an error with the name of the picture, which some have already."""
    text = str(error)
    return text if path.name in text else tr("{name}: {problem}", name=path.name, problem=text)


def _draw_card(args: argparse.Namespace) -> int:
    from coach.analysis.files import facts_in_file

    if args.out and (not args.out.name or args.out.is_dir()):
        raise AppError(
            "{path} is a folder: give the picture a name in it, such as {example}",
            path=args.out,
            example=args.out / _DEFAULT_NAME.format("game"),
        )
    if args.out:
        check_writable(args.out)  # the name without its suffix may be that of a device
    facts = facts_in_file(args.report)
    application = _application()
    from gui.style.color_schemes import load_color_schemes
    from gui.style.theme import make_theme
    from gui.widgets.file_dialogs import write_png
    from gui.widgets.share_card import draw_card

    out = args.out or args.report.with_name(_DEFAULT_NAME.format(args.report.stem))
    if out.suffix.lower() != _PNG:  # another suffix may belong to the name: game 1.5
        out = out.with_name(f"{out.name}{_PNG}")
    write_png(draw_card(facts, make_theme(load_color_schemes(), args.dark, "")), out)
    output = Output(args.json)
    output.show(tr("Saved as {path}", path=out))
    output.emit({"event": "card", "path": str(out)})
    del application
    return DONE
