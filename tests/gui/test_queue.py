"""The line of builds: kept over restarts, paused, put into another order, and what failed."""

import errno
import json
import os
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from engine.platform.files import json_file
from gui.charts.build_charts import BuildCharts
from gui.shell.work_reports import BuildNotices
from gui.table_work.builds import BuildHistory, BuildProgress, Builds
from gui.table_work.queue_file import QueueFile, request_from_json, request_to_json
from gui.table_work.requests import BuildRequest, ConvertRequest, ImportRequest, RelocateRequest
from gui.widgets.build_card import BuildCard, FailedRow, WaitingRow
from tests.gui.counting import calls_of
from tests.gui.window_fakes import child

HOME = Path("/tables").absolute()
ALL_KINDS = (
    BuildRequest(
        *("442", 512, HOME, 0.2, "uint16", 0.25, True, 4),
        level="small",
        pack_scratch=True,
        threads=3,
        memory_bytes=1 << 40,
    ),
    ImportRequest("L3", 256, HOME, HOME / "other" / "L3_256"),
    ConvertRequest("442", 128, HOME, HOME / "442_128", "float32", None, level="small"),
    ConvertRequest("44", 64, HOME, HOME / "44_64", threshold=0.5, is_copy=True),
    RelocateRequest("t", 64, HOME, HOME / "t_64", HOME / "drive", (3, 40), 1000),
)


def build(name: str, target: int = 128) -> BuildRequest:
    return BuildRequest(name, target, HOME)


class Line:
    """A line of builds whose children do what `behave` says, kept in a file."""

    def __init__(self, qtbot, path: Path) -> None:
        self.qtbot, self.path, self.behave = qtbot, path, "hang"
        self.all: list[Builds] = []

    def open(self) -> Builds:
        self.close()
        builds = Builds(lambda _: child(self.behave), file=QueueFile(self.path))
        self.all.append(builds)
        return builds

    def close(self) -> None:
        for builds in self.all:
            builds.close()

    def wait_until_idle(self, builds: Builds) -> None:
        self.qtbot.waitUntil(lambda: builds.current is None)


@pytest.fixture
def line(qtbot, tmp_path):
    line = Line(qtbot, tmp_path / "queue.json")
    yield line
    line.close()


@pytest.mark.parametrize("request_of_a_kind", ALL_KINDS)
def test_a_request_is_the_same_after_a_file(request_of_a_kind):
    told = json.loads(json.dumps(request_to_json(request_of_a_kind)))
    assert request_from_json(told) == request_of_a_kind


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (0, {"pattern": "--out"}),
        (0, {"pattern": "../442"}),
        (0, {"target": 100}),
        (0, {"target": True}),
        (0, {"folder": "tables"}),
        (0, {"folder": "/a\0b"}),
        (0, {"spawn4": float("nan")}),
        (0, {"threads": "2"}),
        (0, {"more": 1}),
        (0, {"kind": "delete"}),
        (1, {"source": None}),
        (2, {"rate": ["uint32"]}),
        (4, {"layers": [5, 2]}),
        (4, {"layers": [0, 1 << 70]}),
    ],
)
def test_what_is_no_request_is_refused(kind, changes):
    with pytest.raises(ValueError, match=r"kinds|field|expected"):
        request_from_json({**request_to_json(ALL_KINDS[kind]), **changes})


def test_a_restart_finds_the_line_and_waits(line):
    first = line.open()
    for name in ("442", "L3", "t"):
        first.add(build(name))
    assert first.current == build("442")
    second = line.open()
    assert (second.current, second.waiting) == (None, [build("442"), build("L3"), build("t")])
    assert second.is_paused
    second.resume()
    assert second.current == build("442")


def test_a_line_is_in_its_file_even_if_the_program_dies(line):
    dying = line.open()
    dying.add(build("442"))
    dying.add(build("L3"))
    line.qtbot.waitUntil(
        lambda: line.path.exists() and len(json.loads(line.path.read_text())["waiting"]) == 2
    )
    found = QueueFile(line.path).load()
    assert found.waiting == (build("442"), build("L3"))


@pytest.mark.thorough
def test_a_pause_stops_the_build_and_keeps_its_place(line):
    builds = line.open()
    ended, halted = [], []
    builds.ended.connect(lambda *told: ended.append(told))
    builds.halted.connect(halted.append)
    builds.add(build("442"))
    builds.add(build("L3"))
    builds.pause()
    line.wait_until_idle(builds)
    assert (builds.waiting, ended, halted) == ([build("442"), build("L3")], [], [build("442")])
    builds.add(build("t"))
    assert builds.current is None, "a paused line begins nothing"
    line.behave = "build"
    with line.qtbot.waitSignals([builds.ended] * 3):
        builds.resume()
    assert [(told[0], told[1]) for told in ended] == [
        (build("442"), 0),
        (build("L3"), 0),
        (build("t"), 0),
    ]


def test_resume_before_the_build_has_stopped_begins_it_again(line):
    builds = line.open()
    builds.add(build("442"))
    builds.pause()
    builds.resume()
    with line.qtbot.waitSignal(builds.halted):
        pass
    assert builds.current == build("442")


def test_an_emptied_line_is_paused_no_more(line):
    builds = line.open()
    builds.add(build("442"))
    builds.pause()
    line.wait_until_idle(builds)
    builds.remove(build("442"))
    builds.add(build("L3"))
    assert builds.current == build("L3")


def test_what_failed_stays_and_the_others_go_on(line):
    builds = line.open()
    line.behave = "refuse"
    with line.qtbot.waitSignals([builds.ended] * 2):
        builds.add(build("442"))
        builds.add(build("L3"))
    assert [failure.message for failure in builds.failed] == ["the disk is full"] * 2
    again = line.open()
    assert [failure.request for failure in again.failed] == [build("442"), build("L3")]
    line.behave = "hang"
    again.retry(again.failed[0])
    assert again.current == build("442")
    again.dismiss(again.failed[0])
    assert again.failed == []


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"version": 7}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_is_set_aside_and_told(line, content):
    line.path.write_bytes(content)
    builds = line.open()
    assert "was damaged" in builds.problem
    (kept,) = line.path.parent.glob("queue.damaged-*.json")
    assert kept.read_bytes() == content
    assert builds.requests == []


def test_what_could_not_be_written_is_written_at_the_end(line, qtbot, monkeypatch):
    builds = line.open()
    builds.add(build("442"))
    builds.pause()
    line.wait_until_idle(builds)
    full_disk = Mock(side_effect=OSError(errno.ENOSPC, "no space left on device"))
    with monkeypatch.context() as patch:
        patch.setattr(json_file, "write_text", full_disk)
        with qtbot.waitSignal(builds.save_failed):
            builds.add(build("L3"))
    again = line.open()
    assert again.waiting == [build("442"), build("L3")]


def test_what_cannot_be_read_for_a_moment_is_not_overwritten(line, monkeypatch):
    builds = line.open()
    builds.add(build("442"))
    line.close()
    before = line.path.read_bytes()
    fail = Mock(side_effect=OSError(errno.EIO, "Input/output error"))
    with monkeypatch.context() as patch:
        patch.setattr(json_file, "read_limited", fail)
        builds = line.open()
    assert "cannot be read (Input/output error)" in builds.problem
    builds.add(build("L3"))
    line.close()
    assert line.path.read_bytes() == before
    assert line.open().waiting == [build("442")]


def test_a_damaged_file_that_cannot_be_set_aside_is_not_overwritten(line, monkeypatch):
    line.path.write_bytes(b"{")
    fail = Mock(side_effect=OSError(errno.EIO, "Input/output error"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        patch.setattr(os, "rename", fail)
        builds = line.open()
    assert "cannot be renamed" in builds.problem
    builds.add(build("L3"))
    line.close()
    assert line.path.read_bytes() == b"{"


def test_one_bad_entry_does_not_take_the_others_along(line):
    good, bad = request_to_json(build("442")), {**request_to_json(build("L3")), "target": 3}
    failed = [{"request": bad}, {"request": good, "message": "no space"}]
    data = {"version": 1, "paused": False, "waiting": [good, bad, good, 5], "failed": failed}
    line.path.write_text(json.dumps(data))
    builds = line.open()
    assert builds.waiting == [build("442")]
    assert [failure.message for failure in builds.failed] == ["no space"]
    assert "3 entries" in builds.problem


def test_odd_values_in_the_file_do_not_keep_the_window_from_starting(line):
    good = request_to_json(build("442"))
    waiting = [{"kind": []}, {**good, "spent": 10**400}, {**good, "spawn4": 10**400}]
    line.path.write_text(json.dumps({"version": 1, "waiting": waiting, "failed": []}))
    builds = line.open()
    assert builds.waiting == [build("442")]
    assert "2 entries" in builds.problem


def test_time_spent_before_a_pause_counts(line):
    builds = line.open()
    builds.add(build("442"))
    line.qtbot.waitUntil(lambda: builds.progress.elapsed_s == 1.0)
    line.behave = "build"
    again = line.open()
    with line.qtbot.waitSignal(again.ended):
        again.resume()
    assert again.last_seconds == 1.0 + 3.0


@pytest.fixture
def card(line, qtbot):
    builds = line.open()
    for name in ("442", "L3", "t", "44"):
        builds.add(build(name))
    card = BuildCard(builds, shows_failed=True)
    card.builds = builds
    qtbot.addWidget(card)
    card.show()
    return card


def rows_of(card: BuildCard, kind: type) -> list:
    return [row for row in card.rows.rows if isinstance(row, kind)]


def test_the_order_changes_by_buttons_and_keys_and_the_keyboard_stays(card, qtbot):
    names = lambda: [request.pattern for request in card.builds.waiting]  # noqa: E731
    card.activateWindow()
    last = rows_of(card, WaitingRow)[2]
    assert last.content == build("44")
    last.up_button.setFocus()
    qtbot.keyClick(last.up_button, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names() == ["L3", "44", "t"]
    assert last.up_button.hasFocus()
    qtbot.keyClick(last.up_button, Qt.Key.Key_Space)
    assert names() == ["44", "L3", "t"]
    assert last.down_button.hasFocus(), "there is no further up"
    assert not last.up_button.isEnabled()
    qtbot.mouseClick(last.down_button, Qt.MouseButton.LeftButton)
    assert names() == ["L3", "44", "t"]
    qtbot.mouseClick(last.remove_button, Qt.MouseButton.LeftButton)
    assert names() == ["L3", "t"]


def test_the_card_of_a_paused_line_has_one_sentence_and_a_way_on(card, line, qtbot):
    qtbot.mouseClick(card.pause_button, Qt.MouseButton.LeftButton)
    line.wait_until_idle(card.builds)
    assert card.title_label.text() == "The queue is paused"
    assert card.phase_label.text().startswith("4 tables wait for you to resume, building 442")
    assert not card.bar.isVisible()
    qtbot.mouseClick(card.pause_button, Qt.MouseButton.LeftButton)
    assert card.builds.current == build("442")


def test_a_failure_is_in_the_card_until_it_is_removed(line, qtbot):
    builds = line.open()
    line.behave = "refuse"
    with qtbot.waitSignal(builds.ended):
        builds.add(build("442"))
    card = BuildCard(builds, shows_failed=True)
    qtbot.addWidget(card)
    card.show()
    (row,) = rows_of(card, FailedRow)
    assert row.text_label.text() == "Building 442 \u2192 128 stopped: the disk is full."
    qtbot.mouseClick(row.remove_button, Qt.MouseButton.LeftButton)
    assert builds.failed == []
    assert not card.isVisible()


class Window(QWidget):
    """A window that is in front, or not."""

    is_front = False

    def isActiveWindow(self) -> bool:  # noqa: N802
        return self.is_front


@pytest.mark.parametrize(
    ("is_front", "is_wanted", "behave", "told"),
    [
        (False, True, "build", [("442 \u2192 128 is built.", "Nothing else is in the queue.")]),
        (False, True, "refuse", [("Building 442 \u2192 128 stopped: the disk is full.",
                                  "Nothing else is in the queue. 1 table is not done.")]),
        (True, True, "build", []),
        (False, False, "build", []),
    ],
)  # fmt: skip
def test_the_end_of_a_build_is_told_to_who_is_elsewhere(
    line, qtbot, settings, is_front, is_wanted, behave, told
):
    window, heard = Window(), []
    window.is_front = is_front
    qtbot.addWidget(window)
    settings.set("build.notify", is_wanted)
    builds = line.open()
    BuildNotices(builds, settings, window, lambda *words: heard.append(words))
    line.behave = behave
    with qtbot.waitSignal(builds.changed):
        builds.add(build("442"))
    line.wait_until_idle(builds)
    assert heard == told


def test_a_history_takes_layers_in_their_order_only():
    history = BuildHistory()
    for told in ([0, 5, 6], [3, 9], [2, 7], [0, 1], [3]):
        history.add_layers(told)
    assert history.boards_by_layer == [5, 6, 7]


def test_a_history_of_weeks_stays_small_and_keeps_its_peak():
    history = BuildHistory()
    for second in range(100_000):
        history.add_sample(float(second), 1000.0, 5e9 if second == 777 else 1e9)
    assert len(history.speeds) == len(history.memory_bytes) <= 360
    assert max(history.memory_bytes) == 5e9
    assert {*history.speeds} == {1000.0}
    assert len(history.speeds) == int(99_999 / history.interval_s) + 1


class Grown(Builds):
    """Is at the end of a build of very many layers."""

    def __init__(self) -> None:
        super().__init__()
        self.told = BuildHistory()
        self.told.add_layers([0, *(1000 + 37 * (i % 500) for i in range(2000))])
        for i in range(5000):
            self.told.add_sample(i * 0.5, 1e6 + 1000 * (i % 9), 2e9)

    @property
    def history(self) -> BuildHistory:
        return self.told

    @property
    def progress(self) -> BuildProgress:
        return BuildProgress("solve", 10, 2000)


def test_hidden_charts_cost_nothing(qtbot):
    builds = Grown()
    charts = BuildCharts(builds)
    qtbot.addWidget(charts)
    told = calls_of(lambda: builds.progressed.emit(builds.progress))
    assert sum(told.values()) - told["emit"] <= 3, told
    assert "Boards" not in charts.layers.read_out(0)
    charts.resize(900, 200)
    charts.show()
    qtbot.waitUntil(lambda: "Boards 1.00" in charts.layers.read_out(0))


def test_charts_tell_every_layer_and_the_time(qtbot):
    builds = Grown()
    charts = BuildCharts(builds)
    qtbot.addWidget(charts)
    charts.resize(900, 200)
    charts.show()
    qtbot.waitUntil(lambda: "lowest" in charts.memory.accessibleDescription())
    assert charts.layers.read_out(1999) == "Layer 2,000: Boards 19.5\u00a0K"
    assert charts.speed.read_out(4).startswith("After ")
    assert "lowest" in charts.layers.accessibleDescription()
    assert charts.layers.accessibleName() == "Boards in each layer"
    low = charts.layers.accessibleDescription()
    charts.log_box.click()
    assert charts.layers.accessibleDescription() == low
