"""The Game page says why, moves nothing for it, and says which tables its AI lacks."""

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
    assert page.remark.text() == with_hint
    press(page, Qt.Key.Key_Right)
    assert page.remark.text() == "", "it was about another board"
    set_board(page, CORNER)
    step(page, qtbot)
    assert page.remark.text() == with_step, "of the board before the move"


@pytest.mark.usefixtures("left")
def test_a_reason_is_told_to_who_does_not_see_it(page, qtbot, monkeypatch):
    told = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr("gui.game.page.announce", lambda widget, text: told.append((widget, text)))
    assert announcer.announce
    set_board(page, CORNER)
    hint(page, qtbot)
    assert (page.remark, WHY) in told


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
    label, combo = page.remark, page.panel.player_combo
    places = laid_out(page, label, combo)
    hint(page, qtbot)
    for reason in LONGEST:
        page.remark.show_reason(reason_text(reason))
        wraps = Qt.TextFlag.TextWordWrap
        text = label.fontMetrics().boundingRect(0, 0, label.width(), 999, wraps, label.text())
        assert text.height() <= label.height(), reason
        assert laid_out(page, label, combo) == places
    page.panel.hex_field.copy_button.click()
    assert label.text() == "Position copied."
    assert laid_out(page, label, combo) == places
    page.remark.show_message("")
    page.remark.show_reason("")
    assert laid_out(page, label, combo) == places


@pytest.mark.usefixtures("left")
@pytest.mark.parametrize("has_figures", [False, True])
def test_no_gap_is_left_where_no_reason_is_said(page, qtbot, has_figures):
    page.resize(1280, 800)
    set_board(page, CORNER)
    above = page.panel.notice
    if has_figures:
        step(page, qtbot)
        above = page.panel.unit_label
    assert not page.remark.text()
    place, combo = laid_out(page, above, page.panel.player_combo)
    assert 0 <= combo.top() - place.bottom() <= 24
    board, remark = laid_out(page, page.board_view, page.remark)
    assert remark.top() >= board.bottom() - 12, "beside the actions, below the panel"


def test_the_tables_that_the_ai_lacks_are_told_and_offered(page, settings):
    label, needed = page.panel.tables_label, CHOOSERS["tables"].tables
    tables = [
        SimpleNamespace(pattern=name.split("_")[0], target=name.split("_")[1], state="complete")
        for name in needed
    ]
    assert not label.isVisible(), "before it is known"
    page.set_tables([tables[0], SimpleNamespace(pattern="L3", target=512, state="partial")])
    assert f"1 of its {len(needed)} tables built" in label.text()
    missing = ", ".join(needed[1:]).replace("_", " \N{RIGHTWARDS ARROW} ")
    said = label.text().replace("\N{NO-BREAK SPACE}", " ")
    assert said.replace(" and ", ", ").endswith(f"Missing: {missing}.")
    asked = []
    page.builds_requested.connect(asked.append)
    page.panel.tables_button.click()
    parts = [name.split("_") for name in needed[1:]]
    assert asked == [[(pattern, int(target)) for pattern, target in parts]]
    page.set_tables(tables)
    assert label.text() == f"All its {len(needed)} tables are built."
    assert not page.panel.tables_button.isVisible()
    settings.set("game.player", "network_search")
    said = label.text().replace("\N{NO-BREAK SPACE}", " ")
    assert "tables built. Missing: 4421 \N{RIGHTWARDS ARROW} 1024" in said
    page.panel.tables_button.click()
    assert asked[1:] == [[("4421", 1024), ("L3", 1024)]]
    settings.set("game.player", "search")
    assert not label.isVisible(), "it needs none"
