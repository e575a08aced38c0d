"""The position of the test page as text: typed, copied, pasted."""

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication

from engine.bitboard import format_board
from engine.errors import InvalidBoardError
from gui.board.hex_field import HexField
from gui.board.pasting import Pasting
from gui.core.tasks import TaskRunner
from gui.exam.screen import TestScreen
from gui.text.messages import sentence


class PositionText:
    """Stands between the field with the position, the clipboard and the test.

    Parameters
    ----------
    field : HexField
    display : TestScreen
        Knows the board that is shown.
    start_at : callable
        Begins a test at a position; raises InvalidBoardError when there is none.
    leave : callable
        Gives the keyboard back to the board.
    tasks : TaskRunner
        Where pictures are read.
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
        """Begin a test at the position that was typed, or say why that cannot be."""
        self._field.edit.setModified(False)
        self._field.show_error("")
        try:
            self._start_at(text)
            self._leave()
        except InvalidBoardError as error:
            self._field.refuse(error)

    def refuse(self, reason: str) -> None:
        """Say why a position is none to begin at."""
        self._field.show_error(sentence(reason))

    def copy(self) -> None:
        """Put the position shown on the clipboard, if there is one."""
        if self._display.has_position:
            QGuiApplication.clipboard().setText(format_board(self._display.board))

    def paste(self) -> None:
        """Begin a test at the position on the clipboard."""
        self._pasting.paste()
