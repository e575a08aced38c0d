"""Work off the GUI thread, and child processes that may do anything."""

import json
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QProcess, QTimer
from PySide6.QtWidgets import QApplication, QLabel
from shiboken6 import delete

from engine.platform.errors import AppError
from engine.platform.events import read_event, to_plain
from gui.table_work.builds import BuildProcess, BuildProgress, Builds, SpeedMeter, read_progress
from gui.table_work.checks import Checks
from gui.table_work.requests import BuildRequest
from gui.work.tasks import CommandProcess, TaskRunner
from tablebase.events import BuildEvent
from tests.gui.event_fakes import layer_progress
from tests.gui.window_fakes import child

REQUEST = BuildRequest("442", 128, Path("somewhere"))


def test_work_runs_elsewhere_and_answers_here(qtbot, tasks):
    seen = []
    tasks.run(threading.get_ident, lambda ident: seen.append((ident, threading.get_ident())))
    qtbot.waitUntil(lambda: bool(seen))
    elsewhere, here = seen[0]
    assert here == threading.get_ident() != elsewhere


def test_an_answer_never_comes_while_the_caller_still_asks(qtbot, tasks):
    """Work that is over before `run` returns is the rare case that once went wrong."""
    for i in range(300):
        seen = []
        tasks.run_latest("a", lambda i=i: i, seen.append)
        assert seen == []
    qtbot.waitUntil(lambda: seen == [299])


class Opened:
    """What a job opens."""

    def __init__(self) -> None:
        self.n_closed = 0

    def close(self) -> None:
        self.n_closed += 1


def test_what_was_opened_is_closed_even_if_the_program_ends_first(qapp):
    runner, began, may_end = TaskRunner(qapp), threading.Event(), threading.Event()
    kept, on_its_way, order = Opened(), Opened(), []

    def slow() -> Opened:
        began.set()
        may_end.wait(60)
        order.append("job")
        return on_its_way

    runner.run(slow, lambda _: pytest.fail("nobody listens any more"))
    assert began.wait(60)
    runner.release(lambda: 1 // 0)  # logged; the next one is released all the same
    runner.release(lambda: (order.append("release"), kept.close()))
    threading.Timer(0.05, may_end.set).start()
    runner.close()
    runner.close()  # nothing is closed twice
    assert order == ["job", "release"]
    assert (kept.n_closed, on_its_way.n_closed) == (1, 1)
    QApplication.processEvents()
    late = Opened()
    runner.release(late.close)
    assert late.n_closed == 1


def test_what_was_opened_for_a_widget_that_is_gone_is_closed(qtbot, tasks):
    opened, label, may_end = Opened(), QLabel(), threading.Event()
    tasks.run(lambda: (may_end.wait(60), opened)[1], label.setText)
    delete(label)
    may_end.set()
    qtbot.waitUntil(lambda: opened.n_closed == 1)


def test_a_failure_arrives_as_it_is(qtbot, tasks):
    errors = []
    tasks.run(lambda: int("x"), lambda _: None, errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], ValueError)


def test_a_failure_that_nobody_handles_is_announced(qtbot, tasks):
    with qtbot.waitSignal(tasks.bug_found) as signal:
        tasks.run(Mock(side_effect=AppError("no")), lambda _: None)
    assert str(signal.args[0]) == "no"


def test_jobs_run_one_after_the_other(qtbot, tasks):
    begun, done, gate = [], [], threading.Event()

    def work(number: int) -> int:
        begun.append((number, threading.get_ident()))
        assert gate.wait(60)
        return number

    for number in range(8):
        tasks.run(lambda number=number: work(number), done.append)
    qtbot.waitUntil(lambda: bool(begun))
    assert len(begun) == 1, "the others wait until it has ended"
    gate.set()
    qtbot.waitUntil(lambda: len(done) == 8)
    assert done == [number for number, _ in begun] == list(range(8))
    assert len({thread for _, thread in begun}) == 1


def test_only_the_latest_of_a_kind_is_answered(qtbot, tasks):
    answers, started = [], []
    gate = threading.Event()
    tasks.run(gate.wait, lambda _: None)

    def look_up(i: int) -> int:
        started.append(i)
        return i

    for i in range(20):
        tasks.run_latest("lookup", lambda i=i: look_up(i), answers.append)
    told = []
    tasks.run(lambda: None, told.append)
    gate.set()
    qtbot.waitUntil(lambda: bool(told))  # and all that was asked before
    assert answers == [19]
    assert started == [19], "those that nobody waits for are not even begun"


def test_an_answer_that_comes_too_late_is_dropped(qtbot, tasks):
    answers = []
    begun, gate = threading.Event(), threading.Event()

    def slow() -> str:
        begun.set()
        gate.wait()
        return "old"

    tasks.run_latest("a", slow, answers.append)
    assert begun.wait(5)
    tasks.run_latest("a", lambda: "new", answers.append)
    tasks.run_latest("b", lambda: "other", answers.append)
    gate.set()
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == ["new", "other"]


@pytest.mark.usefixtures("qapp")
def test_closing_drops_what_has_not_begun():
    runner, done = TaskRunner(), []
    gate = threading.Event()
    runner.run(gate.wait, done.append)
    runner.run(lambda: 1, done.append)
    threading.Timer(0.05, gate.set).start()
    runner.close()
    QApplication.processEvents()
    assert done == []
    assert runner.run(lambda: 1, done.append) is None


@pytest.mark.usefixtures("qapp")
def test_an_answer_on_its_way_does_not_arrive_after_the_end():
    runner, done = TaskRunner(), []
    answered = runner.run(lambda: 1, done.append)
    answered.result(timeout=600)
    runner.close()
    QApplication.processEvents()
    assert done == []


def test_the_end_waits_for_no_estimate(qtbot):
    """The window stood still for half a minute when it was closed while a giant was estimated."""
    runner, gate, ended, done = TaskRunner(waits=False), threading.Event(), threading.Event(), []

    def work() -> int:
        assert gate.wait(60)
        ended.set()
        return 1

    runner.run(work, done.append)
    runner.close()  # else it would wait for ever
    gate.set()
    qtbot.waitUntil(ended.is_set)
    QApplication.processEvents()
    assert done == []


class Told(QLabel):
    """A widget that shows its answer."""

    def take(self, told: object) -> None:
        self.setText(str(told))

    def taker(self, made: str) -> Callable[[object], None]:
        """Return a callback for an answer: a method, or a function made in one."""

        def taking(told: object) -> None:
            self.setText(str(told))

        def taking_more(_number: int, told: object) -> None:
            self.setText(str(told))

        return {"method": self.take, "function": taking, "partial": partial(taking_more, 1)}[made]


@pytest.mark.parametrize("made", ["method", "function", "partial"])
@pytest.mark.parametrize("asked", ["run", "run_latest"])
@pytest.mark.parametrize("is_error", [False, True])
def test_nobody_is_told_who_is_gone(qtbot, tasks, asked, is_error, made):
    gate, gone, there = threading.Event(), Told(), Told()

    def work() -> str:
        assert gate.wait(60)
        if is_error:
            raise AppError("told")
        return "told"

    for key, shown in (("gone", gone), ("there", there)):
        ask = tasks.run if asked == "run" else partial(tasks.run_latest, key)
        ask(work, shown.taker(made), shown.taker(made))
    delete(gone)
    gate.set()
    qtbot.waitUntil(lambda: there.text() == "told")  # and no slot has raised an exception


def finish(qtbot, process: CommandProcess) -> tuple[int, str]:
    with qtbot.waitSignal(process.finished) as signal:
        process.start()
    return tuple(signal.args)


def test_a_build_reports_and_ends(qtbot):
    process = BuildProcess(REQUEST, child("build"))
    seen: list[BuildProgress] = []
    process.progressed.connect(seen.append)
    assert finish(qtbot, process) == (0, "")
    assert [(p.phase, p.layer, p.layers) for p in seen] == [
        ("expand", 2, 4),
        ("expand", 4, 4),
        ("solve", 3, 4),
    ]
    assert [p.fraction for p in seen] == [0.25, 0.5, 0.75]
    assert process.result.stored == 2000


def test_rubbish_between_the_lines_does_no_harm(qtbot):
    process = BuildProcess(REQUEST, child("noise"))
    seen = []
    process.progressed.connect(seen.append)
    assert finish(qtbot, process) == (0, "")
    assert len(seen) == 4
    assert (seen[0].layer, seen[0].eta_s) == (1, None)


def test_a_refusal_brings_its_own_words(qtbot):
    assert finish(qtbot, CommandProcess(child("refuse"))) == (2, "the disk is full")


def test_a_crash_is_told_from_an_error(qtbot):
    status, message = finish(qtbot, CommandProcess(child("crash")))
    assert status != 0
    assert message


def test_a_program_that_is_not_there_is_reported(qtbot):
    status, message = finish(qtbot, CommandProcess(["/no/such/program"]))
    assert status == -1
    assert "/no/such/program" in message


class EagerProcess(QProcess):
    """Fails to start at once, as on Windows."""

    def start(self, *_: object) -> None:
        self.setErrorString("no such file")
        self.errorOccurred.emit(QProcess.ProcessError.FailedToStart)


def test_a_program_that_fails_during_start_is_reported_afterwards(qtbot, monkeypatch):
    monkeypatch.setattr("gui.work.tasks.QProcess", EagerProcess)
    process, heard = CommandProcess(["/no/such/program"]), []
    process.finished.connect(lambda *args: heard.append(args))
    process.start()
    assert heard == []
    qtbot.waitUntil(lambda: heard != [])
    assert heard == [(-1, "could not start /no/such/program: no such file")]


def test_builds_that_do_not_start_are_told_one_by_one(qtbot, monkeypatch):
    monkeypatch.setattr("gui.work.tasks.QProcess", EagerProcess)
    builds, ended = Builds(lambda _: ["/no/such/program"]), []
    builds.ended.connect(lambda request, status, _: ended.append((request.pattern, status)))
    for pattern in ("L3", "442"):
        builds.add(BuildRequest(pattern, 128, Path("x")))
    assert builds.current.pattern == "L3"
    qtbot.waitUntil(lambda: builds.current is None)
    assert ended == [("L3", -1), ("442", -1)]


def test_cancel_ends_a_child_cleanly(qtbot):
    process = BuildProcess(REQUEST, child("hang"))
    process.progressed.connect(lambda _: process.cancel())
    assert finish(qtbot, process) == (3, "")


def test_a_child_that_does_not_listen_is_killed_in_the_end(qtbot):
    process = BuildProcess(REQUEST, child("deaf"))
    process.findChild(QTimer).setInterval(50)  # what it is given to end by itself
    process.progressed.connect(lambda _: process.cancel())
    assert finish(qtbot, process) == (3, ""), "it was cancelled, so that is how it counts"


def test_builds_run_one_at_a_time_in_order(qtbot):
    builds, ended = Builds(lambda _: child("build")), []
    builds.ended.connect(lambda request, status, _: ended.append((request.pattern, status)))
    for pattern in ("L3", "442", "44", "442"):
        builds.add(BuildRequest(pattern, 128, Path("x")))
    assert builds.current.pattern == "L3"
    assert [r.pattern for r in builds.waiting] == ["442", "44"]
    builds.remove(builds.waiting[1])
    qtbot.waitUntil(lambda: builds.current is None)
    assert ended == [("L3", 0), ("442", 0)]


def test_an_end_without_a_result_is_not_taken_for_success(qtbot):
    builds = Builds(lambda _: child("silent"))
    with qtbot.waitSignal(builds.ended) as signal:
        builds.add(REQUEST)
    assert signal.args[1] == -1


def test_closing_stops_a_build(qtbot):
    builds = Builds(lambda _: child("hang"))
    builds.add(REQUEST)
    builds.add(BuildRequest("44", 64, Path("x")))
    with qtbot.waitSignal(builds.progressed):
        pass
    builds.close()
    qtbot.waitUntil(lambda: builds.current is None)
    assert builds.waiting == []


def test_the_command_is_what_a_person_would_type():
    command = BuildRequest("L3", 256, Path("/t"), 0.25, "float64").command()
    assert command[1].endswith("main.py")
    assert command[2:] == [
        *("build", "L3", "256", "--out", "/t", "--spawn4", "0.25", "--rate", "float64"),
        *("--json", "--stdin-control"),
    ]


def test_a_build_that_has_just_begun_is_not_at_its_end():
    event = layer_progress(layers=9, elapsed_s=0.2, eta_s=0.0)
    progress = read_progress(event, BuildProgress(), SpeedMeter())
    assert (progress.fraction, progress.eta_s) == (0.0, None)


@pytest.mark.parametrize("later", [0.1, 0.0], ids=["more to do than thought", "nothing known"])
def test_the_bar_of_a_build_never_goes_back(later):
    half = read_progress(layer_progress(fraction=0.5), BuildProgress(), SpeedMeter())
    assert half.fraction == 0.5
    assert read_progress(layer_progress(fraction=later), half, SpeedMeter()).fraction == 0.5
    assert read_progress(layer_progress(fraction=0.75), half, SpeedMeter()).fraction == 0.75


@pytest.mark.parametrize("value", [None, "x", -1, float("nan"), True, [], 1e999])
@pytest.mark.parametrize("name", ["layer", "layers", "boards", "bytes"])
def test_a_line_with_an_odd_number_is_no_progress(name, value):
    plain = to_plain(layer_progress())
    assert read_event(json.dumps(plain).encode(), BuildEvent) == layer_progress()
    assert read_event(json.dumps({**plain, name: value}).encode(), BuildEvent) is None


def test_speed_is_that_of_the_last_seconds():
    meter = SpeedMeter(window_s=4)
    assert meter.measure("expand", 0, 0) == 0
    for second in range(1, 10):
        meter.measure("expand", second, 100 * second)
    assert meter.measure("expand", 10, 1000) == pytest.approx(100)
    assert meter.measure("solve", 11, 50) == 0


def test_checks_report_a_verdict(qtbot):
    checks = Checks(lambda path: child("verify" if path.name == "good" else "bad"))
    ended = []
    checks.ended.connect(lambda *args: ended.append(args))
    checks.add(Path("good"))
    checks.add(Path("bad"))
    qtbot.waitUntil(lambda: len(ended) == 2)
    assert ended[0][:2] == (Path("good"), True)
    assert "1,000" in ended[0][2]
    assert ended[1] == (Path("bad"), False, "layer_0003 has another checksum")


def test_a_check_can_be_withdrawn(qtbot):
    checks = Checks(lambda _: child("hang"))
    ended = []
    checks.ended.connect(lambda *args: ended.append(args))
    with qtbot.waitSignal(checks.progressed):
        checks.add(Path("a"))
        checks.add(Path("b"))
        checks.cancel(Path("b"))
    checks.cancel()
    qtbot.waitUntil(lambda: checks.current is None)
    assert ended == [], "nobody needs a verdict on what was cancelled"
