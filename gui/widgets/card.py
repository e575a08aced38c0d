"""A card, and how it is emptied."""

from PySide6.QtWidgets import QFrame, QLayout, QSizePolicy, QVBoxLayout


def card(margin: int = 16, spacing: int = 12) -> tuple[QFrame, QVBoxLayout]:
    """Return an empty card and the column in it."""
    frame = QFrame()
    frame.setProperty("card", True)
    frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    column = QVBoxLayout(frame)
    column.setContentsMargins(margin, margin, margin, margin)
    column.setSpacing(spacing)
    return frame, column


def clear_layout(layout: QLayout) -> None:
    """Remove and destroy all widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
