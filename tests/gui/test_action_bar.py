"""The row of actions: what is in it is never cut off, at any width."""

import json
from collections import Counter

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QWidget

from engine.platform import language
from gui.widgets.action_bar import ActionBar

GROUPS = (("Undo", "Redo", "New"), ("Best move", "Play"), ("Review", "Practice this"), ("Copy",))


@pytest.mark.parametrize("width", range(120, 800, 23))
def test_no_name_is_cut_off(qtbot, width):
    window = QWidget()
    qtbot.addWidget(window)
    groups = [[QAction(name, window, objectName=name) for name in group] for group in GROUPS]
    bar = ActionBar(groups)
    row = QHBoxLayout(window)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(bar)
    window.setFixedWidth(width)
    with qtbot.waitExposed(window):
        window.show()
    bar.fit(width)
    row.activate()
    bar.layout().activate()
    shown = [bar.buttons[name] for name in bar.shown]
    if not bar.more_button.isHidden():
        shown.append(bar.more_button)
    assert shown
    for button in shown:
        assert button.width() >= button.sizeHint().width(), button.text()
    lefts = [button.x() for button in shown]
    assert all(a.geometry().right() < b for a, b in zip(shown[:-1], lefts[1:], strict=True))
    assert shown[-1].geometry().right() < width


@pytest.mark.sample(1)
@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_no_two_actions_of_a_row_have_one_name(program, data_dir, code):
    values = {"version": 1, "values": {"language": code}}
    (data_dir / "settings.json").write_text(json.dumps(values))
    running = program()
    assert language.in_force() == code
    running.finish_pages()
    bars = running.window.findChildren(ActionBar)
    assert len(bars) > 5
    for bar in bars:
        names = Counter(b.defaultAction().iconText() for b in bar.buttons.values())
        assert [name for name, n in names.items() if n > 1] == [], names
