"""The words at the foot of the Game page: why a move, or what was just done."""

from PySide6.QtCore import QEvent, Qt
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
        self._keep_room()

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
        self._keep_room()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return that the height is fixed: else the page would ask for the room it would like."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keep room for fewer lines where they are longer."""
        super().resizeEvent(event)
        self._keep_room()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Keep room for lines of another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._keep_room()

    def _keep_room(self) -> None:
        lines = _LINES if self.width() < _WIDE_PX else _WIDE_LINES
        line_px = self.fontMetrics().lineSpacing() + 1
        self.setFixedHeight((lines if self._has_reasons else 1) * line_px)

    def _show(self) -> None:
        self.setText(self._message or self._reason)
