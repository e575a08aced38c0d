"""Playing on the Minigames page by keys."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.page_driver import ARROWS


def opened(qtbot, page, name):
    page.open_game(name)
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    session = page.view.session
    assert session.spec.name == name
    return session


def press(page, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(page.view.board, key, modifier)


def play(qtbot, page, n):
    session = page.view.session
    for _ in range(n):
        run = session.run
        if run.state.over:
            return
        before = run.state
        press(page, ARROWS[run.rules.legal(run.state)[0]])
        qtbot.waitUntil(lambda before=before, run=run: run.state is not before)
