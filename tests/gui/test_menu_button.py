"""Buttons that open a menu: afterwards they look as the pointer is, not as it was before."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from gui.widgets.buttons import attach_menu


# Without a display no menu can be raised or take the keys.
@pytest.mark.qt_log_ignore(
    r"^This plugin does not support (raise\(\)|grabbing the keyboard)$", extend=True
)
@pytest.mark.parametrize("kind", [QToolButton, QPushButton])
def test_a_button_is_not_highlighted_after_its_menu(qtbot, kind):
    window, button = QWidget(), kind()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
    menu = QMenu(button)
    menu.addAction("Copy")
    attach_menu(button, menu)
    with qtbot.waitExposed(window):
        window.show()
    # As on X11, where the pointer enters, and leaves while the menu has it.
    place = button.rect().center()
    event = QEnterEvent(place, place, button.mapToGlobal(place))
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    QApplication.sendEvent(button, event)
    assert button.underMouse()
    menu.popup(window.mapToGlobal(QPoint(0, 300)))
    menu.close()
    assert not button.underMouse()


@pytest.mark.qt_log_ignore(
    r"^This plugin does not support (raise\(\)|grabbing the keyboard)$", extend=True
)
def test_menu_at_right_edge_of_screen_ends_with_its_button(qtbot):
    window, button = QWidget(), QToolButton(text="More")
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(button)
    menu = QMenu(button)
    menu.addAction("Play this position ten times")
    attach_menu(button, menu)
    screen = window.screen().availableGeometry()
    window.move(screen.right() - 80, screen.top())
    with qtbot.waitExposed(window):
        window.show()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    assert menu.geometry().right() == button.mapToGlobal(button.rect().topRight()).x()
    menu.close()
