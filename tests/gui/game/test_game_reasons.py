"""The Game page says why, moves nothing for it, and says which tables its AI lacks."""

import re
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from ai.choice import CHOOSERS, Choice, ValueKind
from coach.reasons.reason import (
    EquallyGood,
    Keeps,
    LeavesOrder,
    LeavesPairs,
    MayEnd,
    MayUproot,
    TablePrefers,
)
from coach.reasons.words import reason_text
from gui.board import announcer
from tests.gui.game.driver import n_moves, set_board
from tests.gui.page_driver import press

CORNER = "8301 2010 0000 0000"
WHY = "Left keeps the 256 in its corner; Right would pull it out."
LONGEST = (
    MayUproot(1, 3, 15, 1, 15),
    MayEnd(1, 3, 15, 1),
    TablePrefers(1, (0, 1, 3)),
    EquallyGood((1, 0, 3), is_exact=False),
    LeavesOrder(1, 7, 3, 6),
    LeavesPairs(1, 12, 3, 11),
    Keeps(1, 0.99999, 3, 0.98, is_estimate=False),
)


@pytest.fixture
def left(chooser):
    """The player takes left, which the first rule about the board speaks for."""
    chooser.choose = lambda *_: Choice(0, (4.0, 3.0, 2.0, 1.0), "First move", ValueKind.VALUES)


def hint(page, qtbot):
    press(page, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: page.board_view.hint is not None)


def step(page, qtbot):
    before = n_moves(page)
    press(page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: n_moves(page) > before)


@pytest.mark.usefixtures("left")
@pytest.mark.parametrize(
    ("when", "with_hint", "with_step"), [("hint", WHY, ""), ("always", WHY, WHY), ("never", "", "")]
)
def test_the_reason_comes_when_it_is_wanted(page, qtbot, settings, when, with_hint, with_step):
    settings.set("game.reasons", when)
    set_board(page, CORNER)
    hint(page, qtbot)
    assert page.panel.reason_label.text() == with_hint
    press(page, Qt.Key.Key_Right)
    assert not page.panel.reason_label.isVisible(), "it was about another board"
    set_board(page, CORNER)
    step(page, qtbot)
    assert page.panel.reason_label.text() == with_step, "of the board before the move"


@pytest.mark.usefixtures("left")
def test_a_reason_is_told_to_who_does_not_see_it(page, qtbot, monkeypatch):
    told = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr("gui.game.page.announce", lambda widget, text: told.append((widget, text)))
    assert announcer.announce
    set_board(page, CORNER)
    hint(page, qtbot)
    assert (page.panel.reason_label, WHY) in told


def laid_out(page, *widgets):
    """Return the places of widgets on the page, once it is laid out."""
    for _ in range(5):  # layouts that follow from others
        QApplication.processEvents()
    return [QRect(one.mapTo(page, QPoint(0, 0)), one.size()) for one in widgets]


@pytest.mark.usefixtures("left")
@pytest.mark.parametrize("size", [(1280, 800), (800, 600), (520, 900)])
def test_nothing_moves_when_a_reason_comes_and_goes(page, qtbot, size):
    page.resize(*size)
    set_board(page, CORNER)
    qtbot.waitUntil(lambda: page.width() == size[0])
    hint(page, qtbot)
    label = page.panel.reason_label
    parts = page.panel.ai.box, page.panel.cross, page.panel.options, page.board_view
    places = laid_out(page, *parts)
    for reason in LONGEST:
        label.setText(reason_text(reason))
        wraps = Qt.TextFlag.TextWordWrap
        text = label.fontMetrics().boundingRect(0, 0, label.width(), 999, wraps, label.text())
        assert text.height() <= label.height(), reason
        assert laid_out(page, *parts) == places
    label.setText("")
    assert laid_out(page, *parts) == places


def built(*names, then=""):
    return [
        SimpleNamespace(
            pattern=name.split("_")[0],
            target=int(name.split("_")[1]),
            state="complete",
            spawn4=0.1,
            then=then,
        )
        for name in names
    ]


def said(label):
    return label.text().replace("\N{NO-BREAK SPACE}", " ")


def test_an_ai_says_how_strong_it_is_with_the_tables_there_are(page, qtbot, settings):
    ai, needed = page.panel.ai, CHOOSERS["network_search"].tables
    assert said(ai.about_label) == "About 570,000 points a game."
    assert not ai.build_button.isVisible(), "before it is known"
    page.set_tables(built("442_128"))
    qtbot.waitUntil(ai.build_button.isVisible)
    assert said(ai.about_label) == "About 570,000 points a game."
    assert ai.box.currentText() == "Search with a network", "no table applies"
    both = "4421 \N{RIGHTWARDS ARROW} 1024, L3 \N{RIGHTWARDS ARROW} 1024"
    assert said(ai.build_button) == f"Build {both}"
    asked = []
    page.builds_requested.connect(asked.append)
    ai.build_button.click()
    assert asked == [[("4421", 1024), ("L3", 1024)]]
    page.set_tables(built("442_128", *needed))
    qtbot.waitUntil(lambda: not ai.build_button.isVisible())
    assert said(ai.about_label) == f"About 630,000 points a game. It uses your {both}."
    settings.set("game.player", "tables")
    assert "It uses your 442" in said(ai.about_label), "search alone asks small ones, too"
    settings.set("game.player", "search")
    assert said(ai.about_label) == "About 470,000 points a game.", "it uses none"


def test_chained_tables_are_not_the_ais(page, settings, qtbot):
    settings.set("game.player", "tables")
    page.set_tables([*built("442_128"), *built("4421thenL3_128", then="L3_128")])
    qtbot.waitUntil(lambda: "442" in said(page.panel.ai.about_label))
    assert said(page.panel.ai.about_label).endswith("It uses your 442 \N{RIGHTWARDS ARROW} 128.")


def test_the_menu_begins_with_the_strongest_and_has_six_and_more(page, settings):
    ai = page.panel.ai
    *shown, more = ai.box.menu.actions()
    assert len(shown) == 6
    assert len(shown) + len(more.menu().actions()) == len(CHOOSERS)
    for actions in (shown, more.menu().actions()):
        scores = [int(re.sub(r"\D", "", one.text().split("\t")[1])) for one in actions]
        assert scores == sorted(scores, reverse=True)
    assert shown[0].isChecked()
    more.menu().actions()[-1].trigger()
    assert settings.get("game.player") == "hand"
    assert ai.box.currentText() == "Simple scores"
