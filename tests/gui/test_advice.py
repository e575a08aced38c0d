"""The advice on what to build: asking, waiting, rows, nothing, failing, stopping."""

import pytest

from gui.table_work.question import Room
from gui.table_work.requests import BuildRequest
from gui.work.chunked_work import ChunkedWork
from gui.work.tasks import CommandProcess
from tests.gui.window_fakes import table_info


def rows(stage):
    return stage.page.advice.rows


def ask(stage, qtbot, behave):
    stage.behave = behave
    stage.click(stage.page.advice.ask_button)
    qtbot.waitUntil(lambda: not stage.adviser.is_thinking)
    steps = stage.page.advice.findChild(ChunkedWork)
    qtbot.waitUntil(lambda: steps.is_done)


def test_nothing_is_worked_out_until_asked(stage):
    assert stage.rooms == []
    assert not stage.page.advice.bar.isVisible()
    assert "next larger table" in stage.page.advice.note_label.text()


def test_the_best_are_shown_and_all_when_asked(stage, qtbot):
    ask(stage, qtbot, "advise")
    shown = [row.title_label.text() for row in rows(stage)]
    assert shown == [f"L3 \u2192 {target}" for target in (64, 128, 256, 512, 1024)]
    first = rows(stage)[0]
    needs = first.needs_label.text().replace("\u00a0", " ")
    assert ("1.00 GB" in needs, "1 min" in needs) == (True, True)
    said = first.purpose_label.text()
    assert said.startswith("Practice making a 64"), "in the window's language, not the answer's"
    assert "7.00" in stage.page.advice.total_label.text()
    stage.click(stage.page.advice.all_button)
    qtbot.waitUntil(lambda: len(rows(stage)) == 7)
    assert rows(stage)[0] is first, "what was there stays"
    assert not stage.page.advice.all_button.isVisible()


def test_the_answer_is_scrolled_to_however_many_tables_there_are(stage, qtbot):
    stage.put(*[table_info(stage.home / f"L3_{2**n}") for n in range(5, 20)])
    bar = stage.page.scroller.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert bar.value() == 0
    ask(stage, qtbot, "advise")
    first = rows(stage)[0]
    qtbot.waitUntil(lambda: first.visibleRegion().boundingRect() == first.rect())
    assert not stage.page.advice.disclosure.button.visibleRegion().isEmpty()


@pytest.mark.thorough
def test_build_builds_with_the_options_of_the_form(stage, qtbot):
    ask(stage, qtbot, "advise")
    stage.panel.options.fields["spawn4"].editor.setValue(25)
    stage.click(rows(stage)[3].build_button)
    assert stage.requests == [BuildRequest("L3", 512, stage.home, 0.25)]


def test_what_is_here_is_not_offered_again(stage, qtbot):
    ask(stage, qtbot, "advise")
    stage.put(table_info(stage.home / "L3_128"), table_info(stage.home / "L3_64", "partial"))
    buttons = [row.build_button for row in rows(stage)]
    assert [button.isEnabled() for button in buttons] == [True, False, True, True, True]
    assert buttons[1].text() == "Already built"


def test_the_limits_reach_the_command_and_are_remembered(stage, qtbot, settings):
    panel = stage.page.advice
    panel.spins["advice.disk_gb"].setValue(50)
    panel.spins["advice.hours"].setValue(2.5)
    ask(stage, qtbot, "advise")
    assert stage.rooms == [Room(disk_gb=50, memory_gb=0, hours=2.5)]
    words = " ".join(stage.rooms[0].command())
    assert "--disk 50000000000" in words
    assert "--hours 2.5" in words
    assert "--memory" not in words, "what is free"
    assert settings.get("advice.disk_gb") == 50


def test_the_command_is_understood():
    import main

    args = main.build_parser().parse_args(Room(1.5, 2, 3).command()[2:])
    assert (args.disk, args.memory, args.hours) == (1_500_000_000, 2_000_000_000, 3.0)


def test_when_nothing_fits_it_says_what_would_help(stage, qtbot):
    ask(stage, qtbot, "nothing")
    assert "more disk space, memory or time" in stage.page.advice.note_label.text()
    assert rows(stage) == []


def test_a_failure_is_told_where_it_happened(stage, qtbot):
    ask(stage, qtbot, "refuse")
    note = stage.page.advice.note_label
    assert "the disk is full" in note.text()
    assert note.property("tone") == "bad"
    ask(stage, qtbot, "advise")
    assert note.property("tone") == ""


def test_it_can_be_stopped(stage):
    stage.behave = "deaf"
    panel = stage.page.advice
    stage.click(panel.ask_button)
    assert stage.adviser.is_thinking
    assert panel.bar.isVisible()
    assert panel.ask_button.text() == "Stop"
    stage.click(panel.ask_button)
    assert not stage.adviser.is_thinking
    assert panel.ask_button.text() == "Suggest"
    assert not panel.bar.isVisible()


def test_nobody_waits_for_the_end_of_what_is_stopped(stage, qtbot, monkeypatch):
    waited, wait = [], CommandProcess.wait

    def note(process, timeout_ms):
        waited.append(process)
        return wait(process, timeout_ms)

    monkeypatch.setattr(CommandProcess, "wait", note)
    stage.behave = "deaf"
    for _ in range(2):
        stage.click(stage.page.advice.ask_button)  # ask, and then stop
    stage.click(stage.page.advice.ask_button)
    assert stage.adviser.is_thinking
    assert waited == []
    stage.adviser.close()
    assert waited, "but the end of the program does"
    qtbot.waitUntil(lambda: not stage.adviser.findChildren(CommandProcess))


@pytest.mark.thorough
def test_the_advice_of_before_stays_when_a_new_question_is_stopped(stage, qtbot):
    ask(stage, qtbot, "advise")
    known = stage.adviser.tables
    stage.behave = "deaf"
    stage.click(stage.page.advice.ask_button)
    stage.click(stage.page.advice.ask_button)
    assert stage.adviser.tables == known
    qtbot.waitUntil(lambda: len(rows(stage)) == 5)
