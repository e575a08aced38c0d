"""No part of a page is a window of its own, not even for a moment.

A widget that is shown before it has a parent is one: it flashes up and takes the keyboard along.
Once it has moved into its page, no window is active, and the next key is lost.
"""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from gui.tables.advice_panel import AdviceRow
from gui.tables.move_panel import MovePanel
from gui.tables.table_list import TableCard
from tablebase.events import AdvisedTable
from tests.gui.furnished_window import Furnished, add_table
from tests.gui.window_fakes import table_info


class ShownWindows(QObject):
    """Notes each widget that is shown as a window."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Note what is shown."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.names.append(type(watched).__name__)
        return False


@pytest.fixture
def shown(qapp: QApplication) -> Iterator[ShownWindows]:
    watcher = ShownWindows()
    qapp.installEventFilter(watcher)
    yield watcher
    qapp.removeEventFilter(watcher)


@pytest.mark.thorough
def test_only_the_window_itself_is_shown(program, qtbot, table, data_dir, shown):
    own_table = add_table(table("44", 64), data_dir)
    running = program()
    for view, _ in Furnished(running, qtbot, own_table).views():
        assert shown.names == ["MainWindow"], view
    assert running.window.isActiveWindow()


@pytest.mark.parametrize("state", ["complete", "partial", "damaged"])
def test_what_is_said_of_a_table_is_no_window(
    qtbot, formations, settings, tasks, tmp_path, shown, state
):
    info = table_info(tmp_path / "44_64", state, message="A file is missing.", origin="other")
    card = TableCard(info, formations["44"], "home")
    panel = MovePanel(info, lambda: [info, info], tasks, settings)
    row = AdviceRow(
        AdvisedTable(0, "44", 64, "build", "to practice", "", 1.0, bytes=1), formations["44"]
    )
    for widget in (card, panel, row):
        qtbot.addWidget(widget)
    assert shown.names == []
