"""Clicks on everything clickable on a page, like a curious user."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QTabBar,
    QWidget,
)

from gui.charts.line_chart import LineChart

CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QTabBar, LineChart)


def click_every_control(
    page: QWidget, check: Callable[[str], None], restore: Callable[[], None]
) -> list[str]:
    """Click each control once, those that appear meanwhile too, and return their names.

    Parameters
    ----------
    page : QWidget
    check : callable
        Called after each click with the name of what was clicked.
    restore : callable
        Brings the page back to where the next click is to happen.
    """
    clicked: list[str] = []
    while found := next((one for one in _controls(page) if one[0] not in clicked), None):
        name, widget = found
        clicked.append(name)
        QTimer.singleShot(0, close_popup)  # a menu waits for an answer
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=_place(widget))
        close_popup()
        page.window().activateWindow()  # a menu was a window of its own
        QApplication.processEvents()
        check(name)
        restore()
    return clicked


def press(key: Qt.Key) -> None:
    """Press a key wherever the keyboard is; out of a field it is led by Esc first."""
    focused = QApplication.focusWidget()
    assert focused, f"nobody has the keyboard in {QApplication.focusWindow()}"
    if isinstance(focused, (QLineEdit, QAbstractSpinBox)):
        QTest.keyClick(focused, Qt.Key.Key_Escape)
        focused = QApplication.focusWidget()
        assert focused, "nobody has the keyboard after Esc"
    QTest.keyClick(focused, key)


def _controls(page: QWidget) -> Iterator[tuple[str, QWidget]]:
    for widget in page.findChildren(QWidget):
        is_inner = isinstance(widget.parentWidget(), (QComboBox, QLineEdit, QAbstractSpinBox))
        can_be = isinstance(widget, CONTROLS) and widget.isEnabled() and not is_inner
        hears = not widget.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        if can_be and hears and _is_seen(widget):
            yield _name(widget), widget


def _is_seen(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    return widget.isVisible() and not (
        parent and parent.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    )


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__}: {widget.accessibleName() or text or widget.toolTip()}"


def _place(widget: QWidget) -> QPoint:
    if isinstance(widget, QAbstractButton) and widget.width() > 200:
        return QPoint(12, widget.height() // 2)  # of a check box only the words and the box
    return widget.rect().center()


def close_popup() -> None:
    """Close the menu or list that is open, if any."""
    while popup := QApplication.activePopupWidget():
        popup.close()
