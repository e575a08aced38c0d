"""Editing a board cell by cell, with a palette, clicks or keys; it is one undoable step."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from coach.play.board_edits import put
from engine.bitboard import LARGEST_NIBBLE, cells, format_board
from engine.formats.board_text import PastedBoard
from engine.platform.language import sentences, tr
from gui.board.board_paint import draw_tile
from gui.board.board_view import ARROW_STEPS
from gui.board.pasting import doubts_text
from gui.practice.parts import PracticeParts
from gui.style.layout import STRETCH, grid_layout, row
from gui.style.theme import app_theme, smooth_painter, theme_source
from gui.widgets.buttons import button

_PER_ROW = 8
DIGITS = range(Qt.Key.Key_0, Qt.Key.Key_9 + 1)
"""Keys of the tiles by their exponents, as in the position's code: 0 empties, 3 is an 8."""


class BoardEdit:
    """A board being edited.

    With `walls`, nibble F is a wall: walls stay, and no tile becomes one.
    """

    def __init__(self, board: int, walls: bool) -> None:
        self.board = board
        self.chosen = 0
        self._walls = walls
        self._before: list[int] = []
        self._undone: list[int] = []

    @property
    def choices(self) -> list[int]:
        """The exponents that may be placed; 0 empties the cell."""
        return list(range(LARGEST_NIBBLE if self._walls else LARGEST_NIBBLE + 1))

    def place(self, cell: int) -> None:
        """Place the chosen tile; the same tile again empties the cell."""
        self._put(cell, 0 if self._at(cell) == self.chosen else self.chosen)

    def set_tile(self, cell: int, exponent: int) -> None:
        self._put(cell, exponent)

    def double(self, cell: int) -> None:
        self._put(cell, (self._at(cell) + 1) % len(self.choices))

    def halve(self, cell: int) -> None:
        self._put(cell, (self._at(cell) - 1) % len(self.choices))

    def undo(self) -> bool:
        if not self._before:
            return False
        self._undone.append(self.board)
        self.board = self._before.pop()
        return True

    def redo(self) -> bool:
        if not self._undone:
            return False
        self._before.append(self.board)
        self.board = self._undone.pop()
        return True

    def _at(self, cell: int) -> int:
        return cells(self.board)[cell]

    def _put(self, cell: int, exponent: int) -> None:
        if self._walls and self._at(cell) == LARGEST_NIBBLE:
            return
        board = put(self.board, cell, exponent)
        if board != self.board:
            self._before.append(self.board)
            self._undone.clear()
            self.board = board


class _TileButton(QAbstractButton):
    def __init__(self, exponent: int) -> None:
        super().__init__()
        self.exponent = exponent
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        name = str(1 << exponent) if exponent else tr("Empty")
        self.setAccessibleName(name)
        has_key = exponent < len(DIGITS)
        self.setToolTip(tr("{tile} (key {key})", tile=name, key=exponent) if has_key else name)
        theme_source().changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(36, 28)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(24, 26)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, theme = smooth_painter(self), app_theme()
        side = min(self.width(), self.height()) - 6.0
        box = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        if self.exponent:
            draw_tile(painter, box, self.exponent, theme, _short_name(self.exponent))
        else:
            painter.setPen(QPen(theme.text_muted, 1))
            painter.setBrush(theme.empty_cell)
            painter.drawRoundedRect(box, side * 0.1, side * 0.1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.isChecked():
            painter.setPen(QPen(theme.accent, 2.5))
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), side * 0.13, side * 0.13)
        if self.hasFocus():  # inside of the ring of the chosen one
            painter.setPen(QPen(theme.focus, theme.focus_px))
            painter.drawRoundedRect(box.adjusted(2, 2, -2, -2), side * 0.08, side * 0.08)


class TilePalette(QWidget):
    """Two rows of tiles, one of them chosen."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self._buttons = [_TileButton(exponent) for exponent in range(16)]
        layout = grid_layout(space=2, parent=self)
        for exponent, tile in enumerate(self._buttons):
            self._group.addButton(tile, exponent)
            layout.addWidget(tile, *divmod(exponent, _PER_ROW))
        self._group.idClicked.connect(self.chosen)

    def offer(self, exponents: Sequence[int], chosen: int) -> None:
        for tile in self._buttons:
            tile.setVisible(tile.exponent in exponents)
        self._buttons[chosen].setChecked(True)


def _short_name(exponent: int) -> str:
    return str(1 << exponent) if exponent < 10 else f"{1 << (exponent - 10)}k"


def moved_cursor(cell: int, key: int) -> int | None:
    """Return the cell next to `cell` in the direction of an arrow key; None for another key."""
    if key not in ARROW_STEPS:
        return None
    down, right = ARROW_STEPS[key]
    row, column = divmod(cell, 4)
    return (row + down) % 4 * 4 + (column + right) % 4


class EditBar(QWidget):
    """The palette under the board, and the editing of its cells while it is open.

    Left click places the chosen tile, right click doubles, middle click halves. With keys: arrows
    go from cell to cell, Enter places, 1 to 9 set a 2 to a 512, 0 empties, plus and minus double
    and halve; Ctrl+Z undoes a change.
    """

    toggled = Signal(bool)

    def __init__(self, parts: PracticeParts) -> None:
        super().__init__()
        self._game, self._view, self._panel, self._demo = (
            parts.game,
            parts.view,
            parts.panel,
            parts.demo,
        )
        self._edit: BoardEdit | None = None
        self._cursor = 0
        self.palette_row = TilePalette()
        self.palette_row.chosen.connect(self._choose)
        self.done_button = button(
            tr("Done"),
            "primary",
            tip=tr("Apply the changes"),
            by_tab=True,
            work=lambda: self.finish(keep=True),
        )
        self.cancel_button = button(
            tr("Cancel"), tip=tr("Discard the changes (Esc)"), by_tab=True, work=self.cancel
        )
        buttons = self.done_button, self.cancel_button
        row(STRETCH, self.palette_row, *buttons, STRETCH, space=8, parent=self)
        parts.settling.connect(self.cancel)

    @property
    def is_active(self) -> bool:
        return self._edit is not None

    def toggle(self) -> None:
        if self.is_active:
            self.finish(keep=True)
        elif self._game.step:
            self._begin(self._game.step.board)

    def check(self, pasted: PastedBoard) -> None:
        if self._game.step:
            self._begin(pasted.board)
            self._draw(pasted.board)
            self._view.show_doubts(pasted.doubtful)
            self._panel.show_verdict(None, sentences(doubts_text(pasted), pasted.note))

    def cancel(self) -> None:
        self.finish(keep=False)

    def finish(self, keep: bool) -> None:
        if self._edit is None:
            return
        board = self._edit.board if keep else None
        self._edit = None
        self._view.show_cursor(None)
        self._view.unsetCursor()
        self._game.hold(False)
        self.toggled.emit(False)
        self._view.show_doubts(())
        self._view.setFocus()
        if board is not None:
            self._game.walk(lambda session: session.edit(board))
        else:
            self._game.show_again()

    def click(self, cell: int, button: Qt.MouseButton) -> None:
        if self._edit is None:
            return
        if button == Qt.MouseButton.LeftButton:
            self._edit.place(cell)
        elif button == Qt.MouseButton.RightButton:
            self._edit.double(cell)
        else:
            self._edit.halve(cell)
        self._draw(self._edit.board)

    def press(self, key: int) -> bool:
        """Handle a key that changes a cell or moves the cursor; return False for other keys."""
        if self._edit is None:
            return False
        changes: dict[int, Callable[[int], None]] = {
            Qt.Key.Key_Return: self._edit.place,
            Qt.Key.Key_Enter: self._edit.place,
            Qt.Key.Key_Space: self._edit.place,
            Qt.Key.Key_Plus: self._edit.double,
            Qt.Key.Key_Minus: self._edit.halve,
            Qt.Key.Key_Delete: partial(self._edit.set_tile, exponent=0),
            Qt.Key.Key_Backspace: partial(self._edit.set_tile, exponent=0),
            **{
                key: partial(self._edit.set_tile, exponent=exponent)
                for exponent, key in enumerate(DIGITS)
            },
        }
        if (cell := moved_cursor(self._cursor, key)) is not None:
            self._cursor = cell
        elif key == Qt.Key.Key_Escape:
            self.cancel()
            return True
        elif change := changes.get(key):
            change(self._cursor)
            self._draw(self._edit.board)
        else:
            return False
        self._view.show_cursor(self._cursor)
        return True

    def undo(self) -> None:
        if self._edit and self._edit.undo():
            self._draw(self._edit.board)

    def redo(self) -> None:
        if self._edit and self._edit.redo():
            self._draw(self._edit.board)

    def _choose(self, exponent: int) -> None:
        if self._edit is not None:
            self._edit.chosen = exponent

    def _begin(self, board: int) -> None:
        self._demo.stop()
        self._game.hold(True)
        self._view.show_hint(None)
        self._edit = BoardEdit(board, bool(self._game.lookup.walls(board)))
        self._cursor = 0
        self.palette_row.offer(self._edit.choices, self._edit.chosen)
        self._view.setFocus()  # Escape, arrows and Enter apply to the cells now
        self._view.show_cursor(self._cursor)
        self._view.setCursor(Qt.CursorShape.PointingHandCursor)
        self.toggled.emit(True)

    def _draw(self, board: int) -> None:
        lookup = self._game.lookup
        self._view.show_board(cells(board), lookup.locked(board), lookup.walls(board))
        self._panel.cross.show_stale()
        self._panel.hex_field.show_position(format_board(board))
