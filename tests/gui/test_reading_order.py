"""Tab continues from the keyboard focus, even if that is not a tab stop."""

import pytest
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets import reading_order


class Shown:
    """A rail, and a card with two buttons before another button."""

    def __init__(self, qtbot: QtBot) -> None:
        self.root, self.card = QWidget(), QFrame()
        self.cancel, self.pause = QPushButton("Cancel"), QPushButton("Pause")
        self.rail, self.last = QPushButton("Tables"), QPushButton("Practice")
        inside = QVBoxLayout(self.card)
        for button in (self.pause, self.cancel):
            inside.addWidget(button)
        column = QVBoxLayout(self.root)
        for part in (self.rail, self.card, self.last):
            column.addWidget(part)
        qtbot.addWidget(self.root)
        self.root.show()

    def after(self, focused: QWidget | None, *, forward: bool = True) -> QWidget | None:
        assert reading_order.step(self.root, focused, forward)
        return self.root.focusWidget()


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    return Shown(qtbot)


def test_from_a_card_it_goes_into_the_card(shown):
    assert shown.after(shown.card) is shown.pause
    assert shown.after(shown.card, forward=False) is shown.rail


def test_from_a_button_that_was_disabled_it_goes_on(shown):
    shown.cancel.setEnabled(False)
    assert shown.after(shown.cancel) is shown.last
    assert shown.after(shown.cancel, forward=False) is shown.pause


def test_it_goes_round_and_begins_at_the_first(shown):
    assert shown.after(shown.last) is shown.rail
    assert shown.after(shown.rail, forward=False) is shown.last
    assert shown.after(None) is shown.rail
    assert shown.after(None, forward=False) is shown.last
