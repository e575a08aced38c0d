"""The words at the foot of the Game page: why a move, or what was just done."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from engine.language import tr

_LINES, _WIDE_LINES, _WIDE_PX = 3, 2, 440


class Remark(QLabel):
    """A short text whose room stays the same whatever it says, at a place that may be empty.

    What was just done goes before the reason of a move.
    """

    def __init__(self) -> None:
        super().__init__()
        self._reason = self._message = ""
        self._has_reasons = True
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(tr("Why this move"))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the board keeps the keys
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_reason(self, text: str) -> None:
        """Say what speaks for a move; an empty text takes it away."""
        self._reason = text
        self._show()

    def show_message(self, text: str) -> None:
        """Say what was just done; an empty text takes it away."""
        self._message = text
        self._show()

    def keep_room_for_reasons(self, is_wanted: bool) -> None:
        """Keep room for reasons, or for one line only."""
        self._has_reasons = is_wanted
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the room for all that may be said, in fewer lines where they are longer."""
        lines = _LINES if self.width() < _WIDE_PX else _WIDE_LINES
        line_px = self.fontMetrics().lineSpacing() + 1
        return QSize(0, (lines if self._has_reasons else 1) * line_px)

    minimumSizeHint = sizeHint  # noqa: N815

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return that the height is fixed: else the page would ask for the room it would like."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Have the room looked at again: the lines are longer now, or shorter."""
        super().resizeEvent(event)
        self.updateGeometry()

    def _show(self) -> None:
        self.setText(self._message or self._reason)
