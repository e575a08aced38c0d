"""What a table says of itself, and folders that are dropped onto the page."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from engine.platform.events import read_event
from gui.table_work.question import TableReports, info_command
from gui.tables.about_panel import AboutPanel
from gui.tables.page import TablesPage
from gui.tables.table_list import look_at_dropped
from tablebase.events import ReportEvent, TableReport
from tests.gui.window_fakes import table_info


def layer(number: int, **changes: object) -> dict[str, object]:
    fields = {"layer": number, "tile_sum": 8 + 2 * number, "boards": 100, "stored": 90, "bytes": 5}
    rates = {"sampled": 90, "mean": 0.5, "low": 0.1, "median": 0.6, "high": 0.9}
    return {**fields, **rates, **changes}


def report(**changes: object) -> TableReport | None:
    counts = {"layers": 2, "boards": 200, "stored": 180, "bytes": 10, "tile_sums": [8, 10]}
    table = {"table": "/tables/442_128", "name": "442_128", "pattern": "442", "target": 128}
    marks = {"warning": "", "extra_steps": 0, "cut_off": False, "at_least": False, "options": {}}
    starts = {"mean": 0.9, "best": 0.95, "worst": 0.85, "positions": 28, "all_positions": 28}
    places = [{"folder": "/tables/442_128", "layers": 2, "bytes": 10}]
    layers = [layer(0), layer(1, sampled=0, mean=None, low=None, median=None, high=None)]
    facts = {"places": places, "starts": starts, "by_layer": layers, **changes}
    line = json.dumps({"event": "info", **table, **counts, **marks, **facts})
    return read_event(line.encode(), ReportEvent)


@pytest.fixture
def panel(qtbot):
    reports = TableReports(info_command)
    panel = AboutPanel(table_info(Path("/tables/442_128")), reports, 75.0)
    qtbot.addWidget(panel)
    panel.resize(700, 600)
    panel.show()
    panel.reports = reports
    return panel


def answer(panel: AboutPanel, **changes: object) -> None:
    panel.reports.take_event(report(**changes))
    panel.reports.changed.emit()


def test_a_report_is_told_in_figures_and_charts(panel):
    answer(panel)
    told = {name: figure.value_label.text() for name, figure in panel.facts.items()}
    assert (told["mean"], told["best"], told["worst"]) == ("90.00 %", "95.00 %", "85.00 %")
    assert (told["sums"], told["time"]) == ("8 to 10", "1\u00a0min 15\u00a0s")
    read = panel.rates_chart.read_out(0)
    assert read.startswith("Sum of tiles 8: Mean 50.00 %")
    assert "Worst tenth 10.00 %" in read
    assert "not known" in panel.rates_chart.read_out(1)
    assert panel.sample_label.text() == "Every stored board counts."
    answer(panel, by_layer=[layer(0, stored=90_000), layer(1)])
    assert "at least 90 boards of each" in panel.sample_label.text()


@pytest.mark.parametrize(
    "wrong",
    [
        {"by_layer": []},
        {"by_layer": [layer(0, mean=7)]},
        {"by_layer": [{"layer": 0}]},
        {"starts": [1]},
        {"places": [{"folder": "x"}]},
        {"places": None},
    ],
)
def test_a_line_that_is_no_report_is_no_answer(wrong):
    assert report() is not None
    assert report(**wrong) is None


def test_the_menu_opens_it_and_closing_it_forgets_the_question(stage, qtbot):
    path = stage.home / "442_128"
    stage.put(table_info(path), table_info(stage.home / "L3_64", "partial"))
    card = stage.page.cards[path]
    assert not stage.page.cards[stage.home / "L3_64"].menu_actions["about"].isVisible()
    card.menu_actions["about"].trigger()
    panel = stage.page.changes.panel
    assert isinstance(panel, AboutPanel)
    qtbot.waitUntil(lambda: "can't be shown" in panel.note_label.text())
    qtbot.mouseClick(panel.cancel_button, Qt.MouseButton.LeftButton)
    assert stage.page.changes.panel is None


def test_a_click_anywhere_on_its_row_tells_about_a_table(stage, qtbot):
    path = stage.home / "442_128"
    stage.put(table_info(path), table_info(stage.home / "L3_64", "partial"))
    stage.click(stage.page.cards[stage.home / "L3_64"])
    assert stage.page.changes.panel is None, "not of one that is not finished"
    stage.click(stage.page.cards[path].about_label)
    panel = stage.page.changes.panel
    assert isinstance(panel, AboutPanel)
    qtbot.mouseClick(panel, Qt.MouseButton.LeftButton, pos=panel.rect().topLeft())
    stage.click(stage.page.cards[path].about_label)
    assert stage.page.changes.panel is panel, "it stays"


@pytest.mark.parametrize("seconds", [10**400, float("inf"), float("nan"), -1, "75", True])
def test_a_build_time_that_is_no_time_is_unknown(stage, settings, seconds):
    path = stage.home / "442_128"
    table = table_info(path)
    settings.state.set("build.times", {str(path): [seconds, table.boards]})
    stage.put(table)
    stage.page.cards[path].menu_actions["about"].trigger()
    assert isinstance(stage.page.changes.panel, AboutPanel)


def test_what_was_dropped_is_told_apart(tmp_path):
    full, empty, other = (tmp_path / name for name in ("full", "empty", "other"))
    for folder in (full, empty, other):
        folder.mkdir()
    (tmp_path / "a.txt").write_text("x")
    tables = {
        full: [table_info(full / f"{name}_128") for name in ("442", "L3", "t", "44", "2x4", "3x3")],
        other: [table_info(other / "442_256")],
    }
    found = look_at_dropped(
        [full, empty, tmp_path / "a.txt", other, full],
        lambda folder: tables.get(folder, []),
        [other / "442_256"],
    )
    assert [one.folder for one in found] == [full, None, None, None, None]
    told = [one.text for one in found]
    assert told[0].startswith("Found 6 tables in")
    assert "44 \u2192 128 and 2 more" in told[0]
    assert "There are no tables in" in told[1]
    assert told[2] == "a.txt is not a table. A table is a folder: drop that."
    assert told[3].endswith("are in the list already.")
    assert told[4].endswith("are in the list already."), "what was dropped twice"


def drop(page: TablesPage, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(page, QDragEnterEvent(QPoint(200, 200), *how, none))
    QApplication.sendEvent(page, QDropEvent(QPointF(200, 200), *how, none))


def test_a_dropped_folder_is_looked_in_and_undo_forgets_it(stage, settings, tmp_path):
    there = tmp_path / "drive"
    there.mkdir()
    stage.service.scan_folder = lambda folder: [table_info(folder / "L3_256")]
    drop(stage.page, there)
    banner = stage.wait_for_banner("Found 1 table in")
    assert settings.get("table_folders") == [str(there)]
    stage.click(banner.buttons[0])
    assert settings.get("table_folders") == []
