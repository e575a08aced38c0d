"""The text at the bottom of the Game page: the reason for a move, or a message."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from engine.platform.language import tr

_LINES, _WIDE_LINES, _WIDE_PX = 3, 2, 440


class Remark(QLabel):
    """A short text with a fixed height, at a place that may be empty.

    A message takes precedence over the reason for a move.
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
        """Show the reason for a move; an empty text removes it."""
        self._reason = text
        self._show()

    def show_message(self, text: str) -> None:
        """Show a message on the last action; an empty text removes it."""
        self._message = text
        self._show()

    def keep_room_for_reasons(self, is_wanted: bool) -> None:
        """Reserve space for reasons, or for one line only."""
        self._has_reasons = is_wanted
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size for any text, with fewer lines if they are longer."""
        lines = _LINES if self.width() < _WIDE_PX else _WIDE_LINES
        line_px = self.fontMetrics().lineSpacing() + 1
        return QSize(0, (lines if self._has_reasons else 1) * line_px)

    minimumSizeHint = sizeHint  # noqa: N815

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return False: a fixed height keeps the page from requesting its preferred size."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Update the size hint, as the line length changed."""
        super().resizeEvent(event)
        self.updateGeometry()

    def _show(self) -> None:
        self.setText(self._message or self._reason)
