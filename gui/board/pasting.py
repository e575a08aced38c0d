"""Ctrl+V: a board as text at once, from a picture a moment later."""

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication, QImage

from engine.formats.board_text import MAX_CHARACTERS, PastedBoard
from engine.platform.errors import InvalidBoardError
from engine.platform.language import sentences, tr
from engine.saved_game import cells_to_text
from gui.board.hex_field import HexField, shortened
from gui.board.picture_reading import read_image
from gui.text.boards import describe_square
from gui.text.messages import message_of, sentence
from gui.work.tasks import TaskRunner


def clipboard_text() -> str:
    """Return the text on the clipboard, cut to little more than a board can have."""
    return QGuiApplication.clipboard().text()[: MAX_CHARACTERS + 1]


def clipboard_picture() -> QImage | None:
    """Return the picture on the clipboard; None if there is none, or if there is also text."""
    data = QGuiApplication.clipboard().mimeData()
    if data is None or not data.hasImage() or data.text().strip():
        return None
    return QGuiApplication.clipboard().image()


def doubts_text(pasted: PastedBoard) -> str:
    """Return the sentence on squares to compare with the picture; "" if there are none."""
    squares = [describe_square(cell, pasted.cells[cell]) for cell in sorted(pasted.doubtful)]
    return tr("Compare with the picture: {squares}.", squares="; ".join(squares)) if squares else ""


class Pasting:
    """Goes to positions that are typed or pasted into a field, or shows there why it can't.

    `go` raises InvalidBoardError for what is no position.
    """

    def __init__(self, field: HexField, tasks: TaskRunner, go: Callable[[str], None]) -> None:
        self._field, self._tasks, self._go = field, tasks, go
        field.entered.connect(self.take)

    def take(self, text: str) -> None:
        self._field.edit.setModified(False)
        self._field.show_error("")
        try:
            self._go(text)
        except InvalidBoardError as error:
            self._field.refuse(error)

    def paste(self) -> None:
        """Go to the position on the clipboard; one with doubtful squares is shown first."""
        if picture := clipboard_picture():
            self._tasks.run(lambda: read_image(picture), self._offer, self._refuse)
            return
        text = clipboard_text()
        self._field.edit.setText(shortened(text))
        self.take(text)

    def _offer(self, pasted: PastedBoard) -> None:
        digits = cells_to_text(pasted.cells)
        if not pasted.doubtful and not pasted.other_boards:
            self._field.edit.setText(digits)
            self.take(digits)
            return
        self._field.take_keys()
        self._field.edit.setText(digits)
        self._field.edit.setModified(True)
        enter = tr("Correct the digits if need be, then press Enter.")
        self._field.show_error(sentences(pasted.other_boards, doubts_text(pasted), enter))

    def _refuse(self, error: BaseException) -> None:
        self._field.show_error(sentence(message_of(error)))
