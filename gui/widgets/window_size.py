"""The size of a window of its own: with its frame it fits the screen."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

_DEFAULT_FRAME = QSize(16, 40)  # with a title bar, where no window was shown yet


def fitting_size(window: QWidget, wanted: QSize) -> QSize:
    """Return the wanted size of a window, smaller if its screen lacks the room.

    The desktop adds the frame when the window is first shown; before, that of its parent is taken.
    """
    frames = [_frame(one) for one in (window, window.parentWidget()) if one]
    frame = next((one for one in frames if one.height() > 0), _DEFAULT_FRAME)
    return wanted.boundedTo(window.screen().availableSize() - frame)


def _frame(widget: QWidget) -> QSize:
    window = widget.window()
    return window.frameGeometry().size() - window.size()
