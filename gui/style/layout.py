"""Columns and rows of widgets: what is below or beside what, and how far apart.

>>> column(title, row(board, STRETCH, panel), placed(chart, stretch=1), space=12)  # doctest: +SKIP
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

SPACE = 8
"""Pixels between neighbors, if nothing else is said. Others: 4, 12, 16, 24."""

NO_LIMIT = (1 << 24) - 1
"""Pixels: the size of a widget that may be as large as it likes."""

Margins: TypeAlias = int | tuple[int, int, int, int]

_DEFAULT_FRAME = QSize(16, 40)  # of a window with a title bar, where none was shown yet


class _Stretch:
    """Room that takes what the others leave."""


STRETCH: Final = _Stretch()


@dataclass(frozen=True)
class Placed:
    """One part of a layout that grows with it, or keeps to one side of it."""

    what: QWidget | QLayout | _Stretch
    stretch: int = 0
    align: Qt.AlignmentFlag | None = None


Item: TypeAlias = QWidget | QLayout | Placed | _Stretch | int


placed = Placed


def column(
    *items: Item, space: int = SPACE, margins: Margins = 0, parent: QWidget | None = None
) -> QVBoxLayout:
    """Return a layout of items from top to bottom; a number among them is that many pixels.

    Margins are left, top, right and bottom if they differ; `parent` is the widget that is laid out.
    """
    box = QVBoxLayout(parent) if parent else QVBoxLayout()
    _fill(box, items, space, margins)
    return box


def row(
    *items: Item, space: int = SPACE, margins: Margins = 0, parent: QWidget | None = None
) -> QHBoxLayout:
    box = QHBoxLayout(parent) if parent else QHBoxLayout()
    _fill(box, items, space, margins)
    return box


def grid_layout(
    space: int | tuple[int, int],
    wide: Collection[int] = (),
    margins: Margins = 0,
    parent: QWidget | None = None,
) -> QGridLayout:
    """Return an empty grid; `space` is across, then down; `wide` columns share what is left."""
    grid = QGridLayout(parent) if parent else QGridLayout()
    across, down = (space, space) if isinstance(space, int) else space
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(down)
    grid.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    for at in wide:
        grid.setColumnStretch(at, 1)
    return grid


def card(*items: Item, space: int = 12, margins: Margins = 16) -> QFrame:
    frame = QFrame()
    frame.setProperty("card", True)
    frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    column(*items, space=space, margins=margins, parent=frame)
    return frame


def laid_out(layout: QLayout) -> QWidget:
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def stack(box: QBoxLayout, is_stacked: bool) -> None:
    """Put the items of a layout below each other, or side by side."""
    directions = QBoxLayout.Direction
    box.setDirection(directions.TopToBottom if is_stacked else directions.LeftToRight)


def clear_layout(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()


def _fill(box: QBoxLayout, items: tuple[Item, ...], space: int, margins: Margins) -> None:
    box.setSpacing(space)
    box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    for item in items:
        if isinstance(item, int):
            box.addSpacing(item)
        else:
            _add(box, item if isinstance(item, Placed) else Placed(item))


def _add(box: QBoxLayout, item: Placed) -> None:
    if isinstance(item.what, _Stretch):
        box.addStretch(item.stretch)
    elif isinstance(item.what, QLayout):
        box.addLayout(item.what, item.stretch)
        if item.align is not None:
            box.setAlignment(item.what, item.align)
    elif item.align is not None:
        box.addWidget(item.what, item.stretch, item.align)
    else:
        box.addWidget(item.what, item.stretch)


def bring_into_sight(widget: QWidget) -> None:
    """Scroll the areas around a widget until it is visible at its upcoming position."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    parent = widget.parentWidget()
    while parent:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()


def fitting_size(window: QWidget, wanted: QSize) -> QSize:
    """Return the wanted size of a window, smaller if its screen lacks the room.

    The desktop adds the frame when the window is first shown; before, that of its parent is taken.
    """
    windows = [widget.window() for widget in (window, window.parentWidget()) if widget]
    frames = [shown.frameGeometry().size() - shown.size() for shown in windows]
    frame = next((size for size in frames if size.height() > 0), _DEFAULT_FRAME)
    return wanted.boundedTo(window.screen().availableSize() - frame)
