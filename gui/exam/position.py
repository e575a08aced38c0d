"""The position of the test page as text: typing, copying, pasting."""

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication

from engine.bitboard import format_board
from engine.platform.errors import InvalidBoardError
from gui.board.hex_field import HexField
from gui.board.pasting import Pasting
from gui.exam.screen import TestScreen
from gui.text.messages import sentence
from gui.work.tasks import TaskRunner


class PositionText:
    """Connects the position field, the clipboard and the test.

    Parameters
    ----------
    field : HexField
    display : TestScreen
        Provides the board shown.
    start_at : callable
        Begins a test at a position; raises InvalidBoardError if it is invalid.
    leave : callable
        Returns the focus to the board.
    tasks : TaskRunner
        Runs the reading of pictures.
    """

    def __init__(
        self,
        field: HexField,
        display: TestScreen,
        start_at: Callable[[str], None],
        leave: Callable[[], None],
        tasks: TaskRunner,
    ) -> None:
        self._field, self._display = field, display
        self._start_at, self._leave = start_at, leave
        self._pasting = Pasting(field, tasks, self.start_at)
        field.entered.connect(self.start_at)
        field.dropped.connect(leave)
        field.copy_button.clicked.connect(lambda _=False: self.copy())

    def start_at(self, text: str) -> None:
        """Begin a test at the typed position, or show why that's impossible."""
        self._field.edit.setModified(False)
        self._field.show_error("")
        try:
            self._start_at(text)
            self._leave()
        except InvalidBoardError as error:
            self._field.refuse(error)

    def refuse(self, reason: str) -> None:
        """Show why a position can't be a start."""
        self._field.show_error(sentence(reason))

    def copy(self) -> None:
        """Copy the position shown, if there is one, to the clipboard."""
        if self._display.has_position:
            QGuiApplication.clipboard().setText(format_board(self._display.board))

    def paste(self) -> None:
        """Begin a test at the position on the clipboard."""
        self._pasting.paste()
