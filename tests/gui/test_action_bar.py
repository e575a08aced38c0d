"""The row of actions: what is in it is never cut off, at any width."""

import json
from collections import Counter

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QWidget

from engine.platform import language
from gui.keys.key_bindings import give_keys
from gui.widgets.action_bar import ActionBar

TOOLS = ("Undo", "Redo", "New", "Best move", "Play", "Review", "Practice this", "Copy")


@pytest.mark.parametrize("width", range(120, 800, 23))
def test_no_name_is_cut_off(qtbot, width):
    window = QWidget()
    qtbot.addWidget(window)
    tools = [QAction(name, window, objectName=name) for name in TOOLS]
    bar = ActionBar(tools)
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


def bar_of(qtbot, n: int, others: list[str]) -> ActionBar:
    tools = [QAction(f"Tool {i}", objectName=f"tool_{i}") for i in range(n)]
    rest = [QAction(meaning, objectName=meaning) for meaning in others]
    for action in rest:
        give_keys(action, action.objectName())
    bar = ActionBar(tools, [*tools, *rest])
    bar.held = [*tools, *rest]
    qtbot.addWidget(bar)
    return bar


def test_seven_tools_at_most_and_the_rest_in_more_by_groups(qtbot):
    bar = bar_of(qtbot, 9, ["save", "why", "left", "undo", "copy", "paste", "practice"])
    assert bar.shown == [f"tool_{i}" for i in range(7)]
    bar.more_menu.aboutToShow.emit()
    groups = " ".join(one.objectName() or "|" for one in bar.more_menu.actions())
    wanted = "undo | why | copy paste | save | tool_7 tool_8 practice"
    assert groups.strip("| ") == wanted, "moves are keys"


def test_tools_that_do_not_fit_are_first_in_more(qtbot):
    bar = bar_of(qtbot, 3, ["save"])
    bar.fit(150)
    assert bar.shown == ["tool_0", "tool_1"]
    bar.more_menu.aboutToShow.emit()
    names = [one.objectName() or "-" for one in bar.more_menu.actions()]
    assert [name for name in names if name != "-"] == ["tool_2", "save"]


def test_keys_are_under_the_tools_only_if_wished(qtbot, settings):
    bar = bar_of(qtbot, 2, ["save"])
    bar.follow_settings(settings)
    low = bar.sizeHint().height()
    settings.set("keys_under_tools", True)
    bar.layout().activate()
    assert bar.sizeHint().height() > low
    settings.set("keys_under_tools", False)
    bar.layout().activate()
    assert bar.sizeHint().height() == low


@pytest.mark.thorough
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
