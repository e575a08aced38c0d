"""Tooltips that end with the current keys of an action."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gui.keys.key_bindings import keys_of


def add_key_tip(widget: QWidget, action: QAction) -> None:
    """Make the tooltip of a widget, even if set later, end with the keys of an action."""
    _KeyTip(widget, action)


def add_key_tips(actions: Mapping[str, QAction], widgets: Mapping[str, QWidget]) -> None:
    for name, widget in widgets.items():
        add_key_tip(widget, actions[name])


class _KeyTip(QObject):
    """Watches a widget and an action; lives as long as the widget."""

    def __init__(self, widget: QWidget, action: QAction) -> None:
        super().__init__(widget)
        self._widget, self._action = widget, action
        self._text, self._is_writing = widget.toolTip(), False
        widget.installEventFilter(self)
        action.changed.connect(self._write)
        self._write()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.ToolTipChange and not self._is_writing:
            self._text = self._widget.toolTip()
            self._write()
        return super().eventFilter(watched, event)

    def _write(self) -> None:
        keys, text = keys_of(self._action), self._text
        tip = f"{text} ({keys})" if keys and text else text or keys
        if tip != self._widget.toolTip():
            self._is_writing = True
            self._widget.setToolTip(tip)
            self._is_writing = False
