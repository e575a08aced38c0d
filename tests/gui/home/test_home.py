"""Home: the first table, resuming a build, what stands below, all tables."""

import pytest
from PySide6.QtCore import Qt

from gui.home.page import FIRST_TABLE, HomePage
from gui.table_work.builds import Builds
from gui.table_work.requests import BuildRequest
from gui.table_work.table_library import Library
from tests.gui.window_fakes import FakeService, child, table_info


class Stage:
    """A Home page and everything behind it."""

    def __init__(self, qtbot, settings, tasks, home) -> None:
        self.qtbot, self.home, self.settings, self.behave = qtbot, home, settings, "build"
        self.requests: list[BuildRequest] = []
        self.service = FakeService(home)
        self.library = Library(self.service, tasks)
        self.builds = Builds(self._command_of)
        self.page = HomePage(self.service, tasks, settings, self.library, self.builds)
        qtbot.addWidget(self.page)
        self.page.show()

    def _command_of(self, request: BuildRequest) -> list[str]:
        self.requests.append(request)
        return child(self.behave)

    def put(self, *tables) -> None:
        self.service.tables = list(tables)
        with self.qtbot.waitSignal(self.library.changed):
            self.page.page_shown()

    def click_hero(self) -> None:
        self.qtbot.waitUntil(lambda: self.page.hero.button.height() > 20)  # laid out
        self.qtbot.mouseClick(self.page.hero.button, Qt.MouseButton.LeftButton)


@pytest.fixture
def stage(qtbot, settings, tasks, data_dir):
    stage = Stage(qtbot, settings, tasks, data_dir / "tables")
    yield stage
    stage.builds.close()


def test_nothing_is_claimed_before_the_folders_were_read(stage):
    assert not stage.page.hero.isVisible()


def test_without_tables_one_button_builds_the_first(stage):
    stage.put()
    assert stage.page.hero.isVisible()
    assert "442" in stage.page.hero.button.text()
    stage.behave = "hang"
    stage.click_hero()
    assert stage.requests == [BuildRequest(*FIRST_TABLE, stage.home)]
    assert stage.page.build_card.isVisible()
    assert not stage.page.hero.isVisible(), "one thing at a time"


def test_when_the_first_table_is_done_it_can_be_practiced(stage, qtbot):
    stage.put()
    stage.click_hero()
    stage.service.tables = [table_info(stage.home / "442_128")]
    qtbot.waitUntil(lambda: bool(stage.page.tiles))
    with qtbot.waitSignal(stage.page.practice_requested) as signal:
        stage.click_hero()
    assert signal.args == [stage.home / "442_128"]


def test_practice_goes_on_with_the_last_table(stage, qtbot):
    last = stage.home / "L3_256"
    stage.settings.state.set("practice.last_table", str(last))
    assert not stage.page.practice_action.isEnabled()
    stage.put(table_info(stage.home / "442_128"), table_info(last))
    assert stage.page.hero.practice_button.text() == "Practice L3 \u2192 256"
    for go_on in (stage.page.hero.practice_button.click, stage.page.practice_action.trigger):
        with qtbot.waitSignal(stage.page.practice_requested) as signal:
            go_on()
        assert signal.args == [last]


def test_each_table_has_a_tile(stage, qtbot):
    paths = [stage.home / "442_128", stage.home / "L3_256"]
    stage.put(*map(table_info, paths), table_info(stage.home / "44_64", "partial"))
    assert list(stage.page.tiles) == paths
    with qtbot.waitSignal(stage.page.practice_requested) as signal:
        qtbot.mouseClick(stage.page.tiles[paths[1]].button, Qt.MouseButton.LeftButton)
    assert signal.args == [paths[1]]


def test_a_line_that_waits_is_resumed_by_one_button(stage):
    stage.put(table_info(stage.home / "442_128"))
    first, second = (BuildRequest(name, 256, stage.home) for name in ("L3", "442"))
    stage.behave = "hang"
    stage.builds.add(first)
    stage.builds.add(second)
    stage.builds.pause()
    stage.qtbot.waitUntil(lambda: stage.builds.current is None)
    card = stage.page.build_card
    assert card.isVisible()
    assert "2 tables wait for you to resume" in card.phase_label.text()
    assert card.pause_button.text() == "Resume"
    stage.qtbot.mouseClick(card.pause_button, Qt.MouseButton.LeftButton)
    assert stage.builds.current == first
    assert stage.requests == [first, first]


def test_without_a_table_the_one_thing_to_do_is_to_resume(stage):
    stage.put(table_info(stage.home / "L3_256", "partial"))
    stage.behave = "hang"
    stage.builds.add(BuildRequest("L3", 256, stage.home))
    stage.builds.pause()
    stage.qtbot.waitUntil(lambda: stage.builds.current is None)
    assert not stage.page.hero.isVisible()
    assert stage.page.continue_action.text() == "Resume the queue"
    stage.page.continue_action.trigger()
    assert stage.builds.current


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"layers_done": 0, "layers_expanded": 31}, "Building stopped at layer 31 of 112."),
        ({"layers_done": 12, "layers_expanded": 112}, "Building stopped at layer 12 of 112."),
        ({"layers_done": 0}, "Building stopped. It resumes from there"),
    ],
)
def test_an_unfinished_table_tells_the_layer_it_has_come_to(stage, fields, part):
    stage.put(table_info(stage.home / "L3_256", "partial", **fields))
    assert part in stage.page.hero.text_label.text()


def test_a_failed_build_becomes_a_banner_with_a_remedy(stage, qtbot):
    stage.put()
    stage.behave = "refuse"
    stage.click_hero()
    qtbot.waitUntil(lambda: bool(stage.page.banners.banners))
    (banner,) = stage.page.banners.banners
    assert "the disk is full" in banner.text_label.text()
    assert [button.text() for button in banner.buttons] == ["Try again"]


def test_more_tables_are_one_click_away(stage, qtbot):
    stage.put(table_info(stage.home / "442_128"))
    button = stage.page.more_button
    qtbot.waitUntil(lambda: button.height() > 20 and button.y() > 100)  # laid out
    with qtbot.waitSignal(stage.page.tables_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("width", [340, 700, 1200])
def test_nothing_is_cut_off(stage, qtbot, width):
    stage.put(table_info(stage.home / "442_128"), table_info(stage.home / "L3_256"))
    stage.page.resize(width, 500)
    content, view = stage.page.scroller.widget(), stage.page.scroller.viewport()
    qtbot.waitUntil(lambda: stage.page.width() == width and content.width() <= view.width())


def test_a_build_leads_to_practice_without_a_message(stage, qtbot):
    stage.put()
    stage.page.activateWindow()
    stage.click_hero()
    assert stage.page.focusWidget() is stage.page.build_card
    stage.service.tables = [table_info(stage.home / "442_128")]
    qtbot.waitUntil(lambda: "Practice" in stage.page.hero.button.text())
    assert stage.page.banners.banners == []
    assert stage.page.focusWidget() is stage.page.hero.button


def test_what_another_page_had_built_is_not_told_here(stage, qtbot):
    stage.behave = "refuse"
    with qtbot.waitSignal(stage.builds.ended):
        stage.builds.add(BuildRequest("L3", 128, stage.home))
    assert stage.page.banners.banners == []
