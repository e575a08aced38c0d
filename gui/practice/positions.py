"""Positions in and out of the practice page: typed, pasted, copied, as a picture."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from engine.bitboard import draw_board, format_board
from engine.formats.board_text import PastedBoard
from engine.platform.errors import InvalidBoardError
from engine.platform.language import mark, sentences, tr
from engine.saved_game import cells_to_text
from gui.board.hex_field import shortened
from gui.board.pasting import clipboard_picture, clipboard_text
from gui.board.picture_reading import PICTURE_SUFFIXES, read_image, read_image_file
from gui.practice.parts import PracticeParts
from gui.text.messages import message_of, sentence
from gui.widgets.file_dialogs import write_png

_PICTURES = mark("Picture (*.png)")
_PICTURES_IN = mark("Pictures ({suffixes});;All files (*)")


class Positions:
    """Copies the board and accepts others."""

    def __init__(self, parts: PracticeParts, have_checked: Callable[[PastedBoard], None]) -> None:
        self._parts, self._game, self._view, self._panel = (
            parts,
            parts.game,
            parts.view,
            parts.panel,
        )
        self._have_checked = have_checked  # lets the user check a board read from a picture

    def ask(self) -> None:
        self._parts.settle()
        self._panel.show_tab("play")
        self._panel.hex_field.take_keys()

    def set_text(self, text: str) -> None:
        self._parts.settle()
        try:
            self._panel.hex_field.edit.setModified(False)
            note = self._game.set_board(text)
        except InvalidBoardError as error:
            self._panel.hex_field.refuse(error)
            return
        self._view.setFocus()
        if note:
            self._report(note)

    def paste(self) -> None:
        if picture := clipboard_picture():
            self._read(lambda: read_image(picture))
            return
        text = clipboard_text()
        self._panel.hex_field.edit.setText(shortened(text))
        self.set_text(text)

    def read_picture(self, path: Path) -> None:
        self._read(lambda: read_image_file(path))

    def choose_picture(self) -> None:
        names = tr(_PICTURES_IN, suffixes=" ".join(f"*{suffix}" for suffix in PICTURE_SUFFIXES))
        path = self._parts.services.dialogs.ask_open(
            self._view, tr("Read the board in a picture"), self._parts.remembered.folder, names
        )
        if path is not None:
            self._parts.remembered.folder = path.parent
            self.read_picture(path)

    def _read(self, work: Callable[[], PastedBoard]) -> None:
        self._parts.settle()
        self._report(tr("Reading the picture…"))
        self._parts.services.files.run(work, self._take, self._refuse)

    def _take(self, pasted: PastedBoard) -> None:
        try:
            self._game.check_playable(pasted.board)
        except InvalidBoardError as error:
            self._refuse(error)
            return
        if pasted.doubtful:
            self._have_checked(pasted)
        else:
            self.set_text(cells_to_text(pasted.cells))
            self._report(sentences(tr("Read from the picture."), pasted.note))

    def _refuse(self, error: BaseException) -> None:
        self._report("")
        self._panel.hex_field.show_error(sentence(message_of(error)))

    def copy(self) -> None:
        if self._game.step:
            QGuiApplication.clipboard().setText(format_board(self._game.step.board))
            self._report(tr("Position copied."))

    def copy_text(self) -> None:
        if step := self._game.step:
            drawn = draw_board(step.board, bool(self._game.lookup.walls(step.board)))
            QGuiApplication.clipboard().setText(drawn)
            self._report(tr("Board copied as text."))

    def copy_picture(self) -> None:
        if self._game.step:
            QGuiApplication.clipboard().setPixmap(self._view.picture())
            self._report(tr("Picture of the board copied."))

    def save_picture(self) -> None:
        if self._game.step is None:
            return
        image, folder = self._view.picture().toImage(), self._parts.remembered.folder
        board = format_board(self._game.step.board)
        name = f"board_{board}_{datetime.now():%H%M%S}.png"  # no text
        path = self._parts.services.dialogs.ask_save(
            self._view, tr("Save a picture of the board"), folder / name, tr(_PICTURES)
        )
        if path is None:
            return
        path = path.with_suffix(".png")
        self._parts.remembered.folder = path.parent
        self._parts.services.files.run(
            lambda: write_png(image, path),
            lambda _: self._report(tr("Saved as {path}", path=path)),
            lambda error: self._report(message_of(error)),
        )

    def _report(self, text: str) -> None:
        self._panel.show_verdict(None, text)
