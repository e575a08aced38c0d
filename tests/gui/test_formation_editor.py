"""The editor of formations: draw, see what follows, save, change, delete and undo."""

import json
import threading
from types import SimpleNamespace
from unittest.mock import Mock

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QSpinBox

from engine.platform.errors import AppError
from gui.table_work.requests import BuildRequest
from gui.table_work.table_service import Cost, TablesService
from gui.widgets.reading_order import tab_stops
from tablebase.formation.drawing import Drawing
from tablebase.formation.goal import SumGoal
from tablebase.formation.own_file import OwnFile, formation_text
from tablebase.formation.patterns_file import load_formations
from tests.gui.window_fakes import table_info

SQUARE = (10, 11, 14, 15)
SQUARE_MASK = "0x0000000000ff00ff"


class Desk:
    """A Tables page with the editor open, and hands to draw with."""

    def __init__(self, stage, qtbot) -> None:
        self.stage, self.qtbot = stage, qtbot
        self.editor = stage.page.formation_actions.editor
        self.board = self.editor.board

    def click(self, cell: int, button=Qt.MouseButton.LeftButton) -> None:
        self.qtbot.mouseClick(self.board, button, pos=self.board.center_of(cell).toPoint())

    def draw(self, cells=SQUARE) -> None:
        for cell in cells:
            self.click(cell)

    def press(self, *keys) -> None:
        for key in keys:
            self.qtbot.keyClick(self.board, key)

    def remarks(self) -> str:
        QApplication.processEvents()  # what is new is shown by then
        labels = self.editor.remarks_widget.findChildren(type(self.editor.note_label))
        return " ".join(label.text() for label in labels if label.isVisible())

    def save(self) -> None:
        self.stage.click(self.editor.save_button)
        self.qtbot.waitUntil(lambda: not self.editor.isVisible())

    def entries(self) -> list[dict]:
        return json.loads(self.stage.own.read_text())["formations"]


@pytest.fixture
def desk(stage, qtbot) -> Desk:
    stage.click(stage.panel.new_button)
    return Desk(stage, qtbot)


def drawn(name: str):
    return Drawing((0x00FF_00FF,)).formation(name)


@pytest.fixture
def edited(stage, qtbot) -> Desk:
    """The editor on a formation of one's own, the second of three."""
    own = OwnFile(stage.own)
    for name in ("One", "Two", "Three"):
        own.put(drawn(name), load_formations())
    stage.page.page_shown()
    qtbot.waitUntil(lambda: stage.panel.category_combo.findText("Your own") >= 0)
    stage.panel.choose("Two", 256)
    assert stage.panel.edit_button.text() == "Edit"
    stage.click(stage.panel.edit_button)
    return Desk(stage, qtbot)


def test_what_is_drawn_is_saved_chosen_and_built(desk):
    stage = desk.stage
    assert desk.editor.isVisible()
    assert not stage.page.panel.isVisible()
    assert not desk.editor.save_button.isEnabled()
    desk.draw()
    desk.click(0, Qt.MouseButton.RightButton)
    desk.editor.name_edit.setText("Square")
    assert "12 free cells" in desk.editor.summary_label.text().replace("\N{NO-BREAK SPACE}", " ")
    assert desk.editor.edit.drawing.symmetry == "diagonal"
    desk.editor.cost_view.target_field.tile_chips.buttons[64].click()
    desk.save()
    (entry,) = desk.entries()
    assert entry["name"] == "Square"
    assert entry["masks"] == [SQUARE_MASK]
    assert entry["target_cells"] == "0xf000000000000000"
    desk.qtbot.waitUntil(lambda: stage.panel.pattern_chips.value == "Square")
    assert stage.page.panel.isVisible()
    assert stage.panel.target_field.tile_chips.value == 64
    assert stage.panel.category_combo.currentText() == "Your own"
    stage.click(stage.panel.build_button)
    assert [(r.pattern, r.target) for r in stage.requests] == [("Square", 64)]


def test_a_click_goes_through_large_tile_target_free(desk):
    seen = []
    for _ in range(3):
        desk.click(5)
        seen.append(desk.editor.edit.state_of(5))
    assert seen == ["large", "target", "free"]


def test_the_keyboard_draws_too(desk):
    assert desk.board.hasFocus()
    desk.press(Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Space)
    assert desk.editor.edit.state_of(5) == "large"
    assert desk.board.accessibleDescription() == "Row 2, column 2: large tile"
    desk.press(Qt.Key.Key_T)
    assert desk.board.accessibleDescription() == "Row 2, column 2: large tile, target"
    desk.press(Qt.Key.Key_Delete)
    assert desk.board.accessibleDescription() == "Row 2, column 2: free"
    desk.press(Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert desk.board.cursor_cell == 0


def test_every_control_has_a_name(desk):
    parts = [
        part
        for kind in (QAbstractButton, QLineEdit, QSpinBox)
        for part in desk.editor.findChildren(kind)
        if not part.objectName().startswith("qt_")
    ]
    assert len(parts) > 20
    nameless = [part for part in parts if not part.accessibleName() and not hasattr(part, "text")]
    assert not nameless
    assert not [p for p in parts if hasattr(p, "text") and not (p.text() or p.accessibleName())]


def test_tab_goes_through_the_controls_as_they_stand(desk):
    desk.draw()
    editor = desk.editor
    editor.details.disclosure.button.click()
    wanted = [
        *(editor.tools["undo"], editor.tools["clear"], editor.name_edit),
        *(editor.kind_chips.buttons[False], editor.cost_view.target_field.tile_chips.buttons[128]),
        *(editor.details.disclosure.button, editor.loose_spin, editor.add_way_button),
        *(editor.paste_button, editor.cancel_button, editor.save_button),
    ]
    assert [stop for stop in tab_stops(desk.stage.page) if stop in wanted] == wanted


def test_what_is_wrong_is_said_at_once(desk):
    assert "Click a cell" in desk.remarks()
    desk.draw(range(12))
    assert "doesn't fit on 4 free cells" in desk.remarks()
    assert "doesn't fit" in desk.editor.note_label.text()
    assert not desk.editor.save_button.isEnabled()
    for cell in range(8):
        desk.press(*[Qt.Key.Key_Up] * 3, *[Qt.Key.Key_Left] * 3)
        desk.press(*[Qt.Key.Key_Down] * (cell // 4), *[Qt.Key.Key_Right] * (cell % 4))
        desk.press(Qt.Key.Key_Delete)
    assert not desk.remarks()
    for name, told in (("l3", "called L3 already"), ("a b", "letters and digits"), ("", "a name")):
        desk.editor.name_edit.setText(name)
        assert told in desk.remarks()
        assert not desk.editor.save_button.isEnabled()
    desk.editor.name_edit.setText("Rows")
    assert desk.editor.save_button.isEnabled()


def test_walls_are_drawn_as_well(desk):
    desk.editor.kind_chips.buttons[True].click()
    desk.draw((3, 7, 11, 12, 13, 14, 15))
    assert desk.editor.edit.drawing.symmetry == "square3x3"
    desk.editor.name_edit.setText("Small")
    desk.save()
    (entry,) = desk.entries()
    shipped = load_formations()["3x3"].to_dict()
    same = ("walls", "masks", "seeds", "symmetry", "target_cells")
    assert {key: entry[key] for key in same} == {key: shipped[key] for key in same}


def test_large_tiles_may_be_loose_and_stand_in_several_ways(desk):
    desk.draw((14, 15))
    desk.editor.details.disclosure.button.click()
    desk.stage.click(desk.editor.add_way_button)
    desk.click(14)  # the target marks it now
    desk.click(14)
    desk.click(11)
    desk.editor.loose_spin.setValue(1)
    assert desk.editor.way_chips.value == 1
    desk.editor.name_edit.setText("Ways")
    desk.save()
    (entry,) = desk.entries()
    assert entry["masks"] == ["0x00000000000000ff", "0x00000000000f000f"]
    assert all(seed.removeprefix("0x").count("f") == 3 for seed in entry["seeds"])


def test_a_drawing_that_is_better_turned_offers_it(desk):
    desk.draw((0, 1, 4, 8, 12, 13))
    assert desk.editor.edit.drawing.symmetry == "identity"
    QApplication.processEvents()
    (button,) = [
        b
        for b in desk.editor.remarks_widget.findChildren(type(desk.editor.save_button))
        if b.isVisible()
    ]
    desk.stage.click(button)
    assert desk.editor.edit.drawing.symmetry == "horizontal"


def test_every_step_can_be_undone(desk):
    actions = {action.objectName(): action for action in desk.stage.page.actions()}
    assert not desk.editor.tools["undo"].isEnabled()
    desk.draw((1, 2))
    desk.stage.click(desk.editor.tools["clear"])
    assert [desk.editor.edit.state_of(cell) for cell in (1, 2)] == ["free", "free"]
    actions["undo_drawing"].trigger()
    assert [desk.editor.edit.state_of(cell) for cell in (1, 2)] == ["large", "large"]
    actions["undo_drawing"].trigger()
    assert desk.editor.edit.state_of(2) == "free"
    actions["redo_drawing"].trigger()
    assert desk.editor.edit.state_of(2) == "large"


def test_the_caption_of_targets_comes_with_them(desk):
    view = desk.editor.cost_view
    assert not view.caption_label.isVisible()
    desk.draw()
    assert view.target_field.isVisible()
    assert view.caption_label.isVisible()
    assert view.caption_label.text() == "Estimate for target"


@pytest.mark.thorough
def test_an_estimate_comes_by_itself_for_what_is_drawn(desk):
    view = desk.editor.cost_view
    desk.draw()
    desk.qtbot.waitUntil(lambda: view.cost is not None)
    ((formation, target),) = desk.stage.service.drawn
    assert [f"{mask:#018x}" for mask in formation.masks] == [SQUARE_MASK]
    assert target == 128
    assert view.figures["boards"].value_label.text() == "98.5\xa0M"
    desk.editor.name_edit.setText("Square")  # costs the same under every name
    view.target_field.tile_chips.buttons[256].click()
    desk.qtbot.waitUntil(lambda: len(desk.stage.service.drawn) == 2)
    assert desk.stage.service.drawn[1][1] == 256
    view.target_field.kind_chips.buttons["sum"].click()
    view.target_field.sum_spin.setValue(300)
    desk.qtbot.waitUntil(lambda: desk.stage.service.drawn[-1][1] == SumGoal(300))


def test_a_sum_that_was_estimated_is_chosen_to_build(desk):
    field = desk.editor.cost_view.target_field
    desk.draw()
    desk.editor.name_edit.setText("Square")
    field.kind_chips.buttons["sum"].click()
    field.sum_spin.setValue(250)
    desk.save()
    panel = desk.stage.panel
    desk.qtbot.waitUntil(lambda: panel.pattern_chips.value == "Square")
    assert panel.target_field.target == SumGoal(250)


def test_too_much_for_this_machine_is_said(desk):
    desk.stage.service.cost_of = Cost(10**12, 10**13, 10**12, 1e6, 10**11, 10**10)
    desk.draw()
    desk.qtbot.waitUntil(lambda: "The rest goes to disk" in desk.remarks())
    remarks = desk.remarks().replace("\N{NO-BREAK SPACE}", " ")
    assert "take 1.00 TB of memory, 10.0 GB free" in remarks
    assert "on disk" in desk.remarks()
    desk.stage.service.cost_of = Cost(0, 0, 10**12, 0.0, 10**11, 10**10)  # not even looked at
    desk.editor.cost_view.target_field.tile_chips.buttons[64].click()
    desk.qtbot.waitUntil(lambda: "too many for this machine" in desk.remarks())
    assert desk.editor.save_button.isEnabled()  # another machine may build it


def test_what_no_memory_here_can_hold_is_not_sampled(tmp_path):
    """That would take half a minute, and help nobody."""
    drawing = Drawing((0xF,)).formation("huge")
    request, told = BuildRequest("huge", 2048, tmp_path), []
    cost = TablesService(tmp_path).cost_to_build(drawing, request, 1, told.append)
    assert cost.boards == 0
    assert not cost.fits_memory
    assert not cost.is_hopeless
    assert told == []


def test_working_files_hold_what_has_no_room_in_memory(tmp_path, monkeypatch):
    service = TablesService(tmp_path)
    formation = service.formations()["4431"]
    machine = SimpleNamespace(total=64 << 30, available=60 << 30)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: machine)

    def scratch(**limit):
        request = BuildRequest("4431", 1024, tmp_path, **limit)
        return service.cost_to_build(formation, request, 1).scratch_bytes

    usual = scratch()
    named = scratch(memory_bytes=3 << 30)
    machine.available = 10 << 30
    within = scratch()
    assert usual < within < named


def test_an_estimate_is_kept_for_the_next_time(tmp_path):
    drawing = Drawing((0xFF00FFFF,)).formation("mine")
    request, folder = BuildRequest("mine", 64, tmp_path), tmp_path / "estimates"
    costs = []
    for _ in range(2):
        service = TablesService(tmp_path, estimates=folder)
        costs.append(service.cost_to_build(drawing, request, 1))
        assert len(list(folder.iterdir())) == 1
    assert costs[0].boards == costs[1].boards > 0


def test_a_formation_without_a_chance_is_told(desk):
    desk.stage.service.cost_of = Cost(9, 0, 9, 1.0, 10**9, 10**9, is_hopeless=True)
    desk.draw()
    desk.qtbot.waitUntil(lambda: "can reach 128" in desk.remarks())


def test_an_estimate_can_be_stopped(desk, monkeypatch):
    """It is in the middle of it when the person has had enough."""
    go_on, seen = threading.Event(), []

    def slow(formation, request, threads, watch):  # noqa: ARG001
        watch(0.5)
        go_on.wait(60)
        try:
            watch(0.9)
        except Exception as error:
            seen.append(error)
            raise
        return desk.stage.service.cost_of

    monkeypatch.setattr(desk.stage.service, "cost_to_build", slow)
    view = desk.editor.cost_view
    desk.draw()
    desk.qtbot.waitUntil(lambda: view.bar.isVisible() and view.bar.value() == 500)
    desk.stage.click(view.stop_button)
    assert not view.bar.isVisible()
    assert view.stop_button.text() == "Estimate"
    go_on.set()
    desk.qtbot.waitUntil(lambda: bool(seen))
    desk.stage.click(view.stop_button)
    desk.qtbot.waitUntil(lambda: view.cost is not None)


def test_nobody_estimates_what_nobody_sees(desk):
    view = desk.editor.cost_view
    desk.draw()
    desk.stage.page.hide()
    assert view.costs.fraction is None
    desk.stage.page.show()
    desk.qtbot.waitUntil(lambda: view.cost is not None)


def test_start_boards_can_be_chosen_and_given_back(desk):
    details = desk.editor.details
    details.disclosure.set_open(True)
    desk.draw()
    usual = details.seeds_edit.text()
    details.seeds_edit.setText("nonsense")
    details.seeds_edit.editingFinished.emit()
    assert "16 hex digits" in details.seeds_note.text()
    details.seeds_edit.setText("1000000000ff00ff")
    details.seeds_edit.editingFinished.emit()
    assert desk.editor.formation.seeds == (0x1000_0000_00FF_00FF,)
    desk.click(0, Qt.MouseButton.RightButton)
    assert details.seeds_edit.text() == "1000000000ff00ff"
    desk.stage.click(details.reset_button)
    assert details.seeds_edit.text() == usual


@pytest.mark.thorough
def test_an_own_formation_is_changed_in_its_place(edited):
    assert edited.editor.title_label.text() == "Edit Two"
    edited.click(7)
    edited.editor.name_edit.setText("Deux")
    edited.save()
    assert [entry["name"] for entry in edited.entries()] == ["One", "Deux", "Three"]
    assert edited.entries()[1]["masks"] == ["0x0000000f00ff00ff"]


def test_deleting_can_be_undone_and_tells_of_tables(edited):
    stage = edited.stage
    stage.put(table_info(stage.home / "Two_128"), table_info(stage.home / "Two_256"))
    assert "2 tables (128, 256)" in edited.editor.tables_label.text()
    stage.click(edited.editor.delete_button)
    banner = stage.wait_for_banner("Two was deleted")
    assert "Its 2 tables (128, 256) stay" in banner.text_label.text()
    assert [entry["name"] for entry in edited.entries()] == ["One", "Three"]
    stage.click(banner.buttons[0])
    edited.qtbot.waitUntil(lambda: len(edited.entries()) == 3)
    assert [entry["name"] for entry in edited.entries()] == ["One", "Two", "Three"]
    edited.qtbot.waitUntil(lambda: stage.panel.pattern_chips.value == "Two")


def test_one_of_the_program_is_edited_as_a_copy(stage, qtbot):
    stage.panel.choose("L3t", 128)
    assert stage.panel.edit_button.text() == "Edit a copy"
    stage.click(stage.panel.edit_button)
    desk = Desk(stage, qtbot)
    assert desk.editor.name_edit.text() == "L3t2"
    assert not desk.editor.delete_button.isVisible()
    desk.save()
    (entry,) = desk.entries()
    assert entry["masks"] == load_formations()["L3t"].to_dict()["masks"]


def test_a_formation_goes_out_and_comes_in_as_text(desk):
    desk.draw()
    desk.stage.click(desk.editor.copy_button)
    text = QGuiApplication.clipboard().text()
    assert json.loads(text)["masks"] == [SQUARE_MASK]
    QGuiApplication.clipboard().setText(formation_text(load_formations()["444"]))
    desk.stage.click(desk.editor.paste_button)
    assert desk.editor.edit.drawing.symmetry == "horizontal"
    assert "called 444 already" in desk.remarks()
    QGuiApplication.clipboard().setText("hello")
    desk.stage.click(desk.editor.paste_button)
    assert desk.stage.wait_for_banner("no formation on the clipboard")


@pytest.mark.thorough
def test_a_drawing_that_was_not_saved_can_be_gone_on_with(desk):
    desk.draw()
    desk.editor.name_edit.setText("Later")
    desk.stage.click(desk.editor.cancel_button)
    assert desk.stage.page.list.isVisible()
    banner = desk.stage.wait_for_banner("wasn't saved")
    desk.stage.click(banner.buttons[0])
    assert desk.editor.isVisible()
    assert desk.editor.name_edit.text() == "Later"
    assert desk.editor.edit.drawing.n_free == 12
    desk.save()
    assert [entry["name"] for entry in desk.entries()] == ["Later"]


@pytest.mark.thorough
def test_the_category_of_an_unsaved_drawing_is_kept_as_well(desk):
    desk.draw()
    desk.editor.details.category_edit.setText("Later")
    desk.stage.click(desk.editor.cancel_button)
    desk.stage.click(desk.stage.wait_for_banner("wasn't saved").buttons[0])
    desk.save()
    assert [entry["category"] for entry in desk.entries()] == ["Later"]


def test_another_category_alone_is_a_change(edited):
    assert not edited.editor.is_changed
    edited.editor.details.category_edit.setText("Later")
    edited.stage.click(edited.editor.cancel_button)
    edited.stage.click(edited.stage.wait_for_banner("wasn't saved").buttons[0])
    assert edited.editor.details.category == "Later"
    edited.editor.details.category_edit.setText("Your own")
    edited.stage.click(edited.editor.cancel_button)
    assert not edited.stage.banner_texts(), "it is as it was saved"


def test_a_damaged_file_is_set_aside_and_that_is_told(desk):
    desk.stage.own.write_text("{oops")
    desk.draw()
    desk.save()
    desk.stage.wait_for_banner("Your file of formations had to be rewritten")
    assert [entry["name"] for entry in desk.entries()] == ["Mine"]
    (kept,) = desk.stage.own.parent.glob("patterns_config.damaged-*.json")
    assert kept.read_text() == "{oops"


def test_what_cannot_be_saved_stays_open(desk):
    desk.stage.own.mkdir()
    desk.draw()
    desk.stage.click(desk.editor.save_button)
    desk.stage.wait_for_banner("patterns_config.json")
    assert desk.editor.isVisible()


def test_nothing_of_the_form_works_while_one_draws(desk):
    actions = {action.objectName(): action for action in desk.stage.page.actions()}
    assert not actions["build"].isEnabled()
    actions["close_drawing"].trigger()
    assert actions["build"].isEnabled()
    assert not actions["save_formation"].isEnabled()
    actions["new_formation"].trigger()
    assert desk.editor.isVisible()


def test_what_another_page_wants_built_comes_before_the_drawing(desk):
    desk.draw()
    desk.stage.page.offer_build("442", 256)
    assert desk.stage.page.panel.isVisible()
    assert not desk.editor.isVisible()
    assert desk.stage.wait_for_banner("wasn't saved")


class Held:
    """The background work of the page, busy until told to go on."""

    def __init__(self, tasks) -> None:
        self._go_on, self._tasks = threading.Event(), tasks
        tasks.run(lambda: self._go_on.wait(60), lambda _: None)

    def go_on(self, qtbot) -> None:
        done = []
        self._tasks.run(lambda: None, lambda _: done.append(True))
        self._go_on.set()
        qtbot.waitUntil(lambda: bool(done))


def test_what_is_drawn_while_it_is_being_saved_stays(desk, qtbot, tasks):
    desk.draw()
    desk.editor.name_edit.setText("Square")
    held = Held(tasks)
    desk.stage.click(desk.editor.save_button)
    desk.click(0)
    held.go_on(qtbot)
    qtbot.waitUntil(desk.stage.own.exists)
    (entry,) = desk.entries()
    assert entry["masks"] == [SQUARE_MASK], "as it was then"
    assert desk.editor.isVisible()
    assert desk.editor.edit.state_of(0) == "large"
    desk.save()
    (entry,) = desk.entries()
    assert entry["masks"] != [SQUARE_MASK], "replaced"


def assert_another_stays(desk, held: Held, qtbot) -> None:
    """Begin another drawing before the work goes on, and assert that it stays open."""
    desk.stage.page.formation_actions.close()
    desk.stage.page.formation_actions.draw_new()
    desk.click(0)
    held.go_on(qtbot)
    assert desk.editor.isVisible()
    assert desk.editor.edit.state_of(0) == "large"


@pytest.mark.thorough
def test_another_drawing_that_was_begun_meanwhile_stays(desk, qtbot, tasks):
    desk.draw()
    desk.editor.name_edit.setText("Square")
    held = Held(tasks)
    desk.stage.click(desk.editor.save_button)
    assert_another_stays(desk, held, qtbot)
    assert [entry["name"] for entry in desk.entries()] == ["Square"]


def test_a_drawing_that_was_begun_while_another_was_deleted_stays(edited, qtbot, tasks):
    held = Held(tasks)
    edited.stage.click(edited.editor.delete_button)
    assert_another_stays(edited, held, qtbot)
    assert [entry["name"] for entry in edited.entries()] == ["One", "Three"]


def test_a_formation_that_cannot_be_restored_can_be_later(edited, monkeypatch):
    stage = edited.stage
    before = edited.entries()
    stage.click(edited.editor.delete_button)
    fail = Mock(side_effect=AppError("the drive is full"))
    with monkeypatch.context() as patch:
        patch.setattr(stage.service, "save_formation", fail)
        stage.click(stage.wait_for_banner("Two was deleted").buttons[0])
        banner = stage.wait_for_banner("The drive is full")
    stage.click(banner.buttons[0])
    edited.qtbot.waitUntil(lambda: edited.entries() == before)
