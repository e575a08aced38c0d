"""Columns and rows of widgets: what is below or beside what, and how far apart.

>>> column(title, row(board, STRETCH, panel), part(chart, stretch=1), space=12)  # doctest: +SKIP
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

SPACE = 8
"""Pixels between neighbors, if nothing else is said. Others: 4, 12, 16, 24."""

Margins: TypeAlias = int | tuple[int, int, int, int]


@dataclass(frozen=True)
class Part:
    """One part of a layout, with more than the usual room or at a side of it."""

    what: QWidget | QLayout
    stretch: int = 0
    align: Qt.AlignmentFlag | None = None


class _Stretch:
    """Room that takes what the others leave."""


STRETCH: Final = _Stretch()
Item: TypeAlias = QWidget | QLayout | Part | _Stretch | int


def part(what: QWidget | QLayout, stretch: int = 0, align: Qt.AlignmentFlag | None = None) -> Part:
    """Return a part that grows with its layout, or keeps to one side of it."""
    return Part(what, stretch, align)


def column(
    *items: Item, space: int = SPACE, margins: Margins = 0, parent: QWidget | None = None
) -> QVBoxLayout:
    """Return a layout of items from top to bottom; a number among them is that many pixels.

    Parameters
    ----------
    space : int
        Pixels between neighbors.
    margins : int or tuple of int
        Pixels around all of them; left, top, right and bottom if they differ.
    parent : QWidget, optional
        The widget that is laid out.
    """
    box = QVBoxLayout(parent) if parent else QVBoxLayout()
    _fill(box, items, space, margins)
    return box


def row(
    *items: Item, space: int = SPACE, margins: Margins = 0, parent: QWidget | None = None
) -> QHBoxLayout:
    """Return a layout of items side by side; see `column`."""
    box = QHBoxLayout(parent) if parent else QHBoxLayout()
    _fill(box, items, space, margins)
    return box


def laid_out(layout: QLayout, name: str = "") -> QWidget:
    """Return a widget that has this layout, and this name in the style sheet."""
    widget = QWidget()
    widget.setLayout(layout)
    if name:
        widget.setObjectName(name)
    return widget


def _fill(box: QBoxLayout, items: tuple[Item, ...], space: int, margins: Margins) -> None:
    box.setSpacing(space)
    box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    for item in items:
        if isinstance(item, int):
            box.addSpacing(item)
        elif isinstance(item, _Stretch):
            box.addStretch(1)
        else:
            _add(box, item if isinstance(item, Part) else Part(item))


def _add(box: QBoxLayout, item: Part) -> None:
    if isinstance(item.what, QLayout):
        box.addLayout(item.what, item.stretch)
        if item.align is not None:
            box.setAlignment(item.what, item.align)
    elif item.align is not None:
        box.addWidget(item.what, item.stretch, item.align)
    else:
        box.addWidget(item.what, item.stretch)
