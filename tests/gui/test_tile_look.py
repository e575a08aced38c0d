"""How tiles look apart from their colors: corners, figures, glow, stillness; on all boards."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.trace import slide_cells
from gui.board.animated_board import AnimatedBoard
from gui.board.board_paint import Grid, figure_font
from gui.board.board_view import GROW_MS, POP_MS, BoardView
from gui.minigames.board import MinigameBoard
from gui.minigames.session import MinigameStep
from gui.settings_model.settings_of_looks import BOARD
from gui.style.color_schemes import load_color_schemes
from gui.style.current_theme import CurrentTheme, tile_look
from gui.style.theme import Theme, TileLook, body_font, theme_source
from gui.widgets.application import ui_scale
from minigames.registry import rules_of
from minigames.state import Event
from minigames.view import CellView, View
from tests.gui.practice_theme import plain_theme
from tests.gui.waiting import rest

SCALE = "QT_SCALE_FACTOR"


class Clock:
    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def themed(look: TileLook) -> Theme:
    return replace(plain_theme(), look=look)


def view_of(exponents: list[int]) -> View:
    cells = (
        CellView("number", exponent) if exponent else CellView("empty") for exponent in exponents
    )
    return replace(
        rules_of("ice_age", hard=False).view(rules_of("ice_age", hard=False).start(1)),
        cells=tuple(cells),
    )


class Desk:
    """A board of the pages with tables."""

    def __init__(self, clock: Clock) -> None:
        self.board: AnimatedBoard = BoardView(clock=clock)

    def slide_left(self, exponents: list[int]) -> None:
        assert isinstance(self.board, BoardView)
        motion = slide_cells(exponents, 0)
        self.board.show_board(exponents)
        self.board.animate(motion.slides, None, motion.cells)


class Minigame:
    """A board of the minigames."""

    def __init__(self, clock: Clock) -> None:
        self.board: AnimatedBoard = MinigameBoard(clock=clock)

    def slide_left(self, exponents: list[int]) -> None:
        assert isinstance(self.board, MinigameBoard)
        motion = slide_cells(exponents, 0)
        pairs = tuple((s.from_cell, s.to_cell) for s in motion.slides)
        merged = tuple({s.to_cell for s in motion.slides if s.merged})
        event = Event("slide", cells=merged, pairs=pairs)
        after = view_of(list(motion.cells))
        self.board.show_view(view_of(exponents))
        self.board.animate(MinigameStep(view_of(exponents), after, (event,)))


class Stage:
    """Boards of both kinds, one at a time, and their clock."""

    def __init__(self, kind: type[Desk] | type[Minigame], qtbot: QtBot) -> None:
        self._kind, self._qtbot, self.clock = kind, qtbot, Clock()

    def slide_left(self, look: TileLook, exponents: list[int], ms: float = 0) -> AnimatedBoard:
        """Return a board that moved left `ms` ago."""
        theme_source().use(themed(look))
        shown = self._kind(self.clock)
        board = shown.board
        self._qtbot.addWidget(board)
        board.resize(400, 400)
        board.show()
        self.clock.seconds += 10
        shown.slide_left(exponents)
        self.clock.seconds += ms / 1000
        return board


@pytest.fixture(params=[Desk, Minigame])
def stage(request: pytest.FixtureRequest, qtbot: QtBot) -> Stage:
    return Stage(request.param, qtbot)


def row(*exponents: int) -> list[int]:
    return [*exponents, *[0] * (16 - len(exponents))]


def color_at(board: AnimatedBoard, x: float, y: float) -> QColor:
    """Return the color at a place, in cells from the corner of the first one."""
    image: QImage = board.grab().toImage()
    grid, ratio = Grid.fit(400, 400, board.devicePixelRatioF()), image.devicePixelRatio()
    corner = grid.corner(0)
    point = QPoint(
        int((corner.x() + x * grid.cell) * ratio), int((corner.y() + y * grid.cell) * ratio)
    )
    return image.pixelColor(point)


def test_corners_are_round_or_square(stage):
    fill = plain_theme().tile_colors(5)[0]
    for look, is_filled in ((TileLook(), False), (TileLook(is_square=True), True)):
        board = stage.slide_left(look, row(5), ms=1000)
        assert (color_at(board, 0.005, 0.005) == fill) is is_filled
        assert color_at(board, 0.5, 0.06) == fill


def test_large_merges_glow_in_the_gaps(stage):
    def gap(look: TileLook, exponent: int) -> QColor:
        board = stage.slide_left(look, row(exponent, exponent), ms=POP_MS + 10)
        return color_at(board, 0.5, -0.03)

    ground, glowing, dull = plain_theme().board, TileLook(), TileLook(glows=False)
    assert gap(glowing, 9) != ground
    assert gap(dull, 9) == ground
    assert gap(glowing, 3) == ground, "small ones merge all the time"


def test_a_glow_ends(stage):
    board = stage.slide_left(TileLook(), row(9, 9), ms=POP_MS + GROW_MS + 50)
    assert color_at(board, 0.5, -0.03) == plain_theme().board


def test_nothing_moves_where_no_motion_is_wanted(stage):
    assert stage.slide_left(TileLook(), row(1, 1)).is_moving
    board = stage.slide_left(TileLook(is_still=True), row(1, 1))
    assert not board.is_moving
    assert color_at(board, 0.1, 0.9) == plain_theme().tile_colors(2)[0]


def test_a_move_ends_at_once_when_no_motion_is_wanted_any_more(stage):
    for stop in (
        lambda _: theme_source().use(themed(TileLook(is_still=True))),
        lambda board: board.set_slide_ms(0),
    ):
        board = stage.slide_left(TileLook(), row(1, 1), ms=20)
        assert board.is_moving
        stop(board)
        assert not board.is_moving
        assert color_at(board, 0.1, 0.9) == plain_theme().tile_colors(2)[0]


def inked(board: AnimatedBoard) -> int:
    """Return the number of the first tile's pixels that don't have its fill color."""
    image, fill = board.grab().toImage(), plain_theme().tile_colors(1)[0]
    side = int(Grid.fit(400, 400, 1).cell * image.devicePixelRatio())
    start = int(side * 0.3)
    return sum(
        image.pixelColor(x, y) != fill for x in range(start, side) for y in range(start, side)
    )


def test_figures_are_as_large_as_wanted(stage):
    small, usual, large = (
        inked(stage.slide_left(TileLook(scale=scale), row(1), ms=1000)) for scale in (0.7, 1.0, 1.3)
    )
    assert small < 0.8 * usual
    assert large > 1.2 * usual


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("scale", [0.7, 1.0, 1.3])
def test_no_figure_is_wider_than_its_tile(scale):
    for family in ("", *QFontDatabase.families()[:20]):
        look = TileLook(family=family, scale=scale)
        for exponent in range(1, 18):
            label = str(1 << exponent)
            font = figure_font(body_font(), 100.0, label, look)
            assert QFontMetricsF(font).horizontalAdvance(label) <= 97, (family, label)


@pytest.mark.usefixtures("qapp")
def test_the_usual_figures_are_what_they_were():
    font = figure_font(body_font(), 100.0, "16", TileLook())
    assert (font.pixelSize(), font.weight()) == (43, QFont.Weight.Bold)
    assert font.families() == body_font().families()


def test_the_look_follows_the_settings(qtbot, settings):
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    manager = CurrentTheme(app, load_color_schemes(), settings)
    for name, value, look in (
        ("tile_corners", "square", TileLook(is_square=True)),
        ("tile_font", "DejaVu Serif", TileLook(family="DejaVu Serif")),
        ("tile_font_scale", 120, TileLook(scale=1.2)),
        ("merge_glow", False, TileLook(glows=False)),
        ("motion", "reduced", TileLook(is_still=True)),
    ):
        with qtbot.waitSignal(theme_source().changed):
            settings.set(name, value)
        assert manager.theme.look == look
        settings.reset(name)
    assert manager.theme.look == TileLook()


def test_less_motion_follows_a_system_that_tells(settings, monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")
    for has_effects in (True, False):
        monkeypatch.setattr(QApplication, "isEffectEnabled", lambda _, on=has_effects: on)
        assert tile_look(settings).is_still is not has_effects
    settings.set("motion", "full")
    assert not tile_look(settings).is_still


class TestScale:
    @pytest.fixture(autouse=True)
    def _no_scale(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(SCALE, "")  # so that it is put back whatever is set
        monkeypatch.delenv(SCALE)

    def write(self, folder: Path, text: str) -> Path:
        path = folder / "settings.json"
        path.write_text(text)
        return path

    def test_the_size_of_everything_is_set_before_the_start(self, tmp_path):
        text = json.dumps({"version": 1, "values": {"ui_scale": 150}})
        with ui_scale(self.write(tmp_path, text)):
            assert os.environ[SCALE] == "1.5"
        assert SCALE not in os.environ, "a restart would take it for the user's own"

    def test_the_environment_has_priority(self, tmp_path, monkeypatch):
        monkeypatch.setenv(SCALE, "2")
        with ui_scale(self.write(tmp_path, '{"version": 1, "values": {"ui_scale": 150}}')):
            assert os.environ[SCALE] == "2"
        assert os.environ[SCALE] == "2"

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", '{"values": {"ui_scale": 1000}}', '{"values": 3}', "[" * 9999]
    )
    def test_damaged_settings_change_nothing(self, tmp_path, text):
        for path in (self.write(tmp_path, text), tmp_path / "none.json"):
            with ui_scale(path):
                assert SCALE not in os.environ


@pytest.mark.thorough
def test_settings_show_what_a_choice_does(program, qtbot):
    running = program()
    page, settings = running.pages["Settings"], running.services.settings
    section = page.part(BOARD.group)
    running.window.show_page(page)
    before = section.sample.grab().toImage()
    page.row("tile_corners").control.chips.buttons["square"].click()
    page.row("tile_font_scale").control.chips.buttons[120].click()
    assert (settings.get("tile_corners"), settings.get("tile_font_scale")) == ("square", 120)
    qtbot.waitUntil(lambda: section.sample.grab().toImage() != before)
    page.reset_action.trigger()
    qtbot.waitUntil(lambda: section.sample.grab().toImage() == before)
    assert page.row("tile_corners").control.chips.value == "rounded"


@pytest.mark.thorough
def test_the_sample_shows_a_move_when_asked(program, qtbot):
    running = program()
    section = running.pages["Settings"].part(BOARD.group)
    running.window.show_page(running.pages["Settings"])
    running.pages["Settings"].show_section("appearance")
    qtbot.mouseClick(section.sample, Qt.MouseButton.LeftButton)
    assert section.sample.is_moving
    running.pages["Settings"].row("motion").control.chips.buttons["reduced"].click()
    assert not section.sample.is_moving, "though the window takes its new look step by step"
    rest(250)  # of moves that follow faster none is shown either
    qtbot.keyClick(section.sample, Qt.Key.Key_Space)
    assert not section.sample.is_moving
    rest(250)
    running.pages["Settings"].row("motion").control.chips.buttons["full"].click()
    assert section.sample.is_moving, "as soon as it is wanted"


def test_the_size_of_everything_says_when_it_takes_effect(program):
    row = program().pages["Settings"].row("ui_scale")
    assert "next time" not in row.note
    row.control.chips.buttons[150].click()
    assert "next time" in row.note
    row.control.chips.buttons[100].click()
    assert "next time" not in row.note


@pytest.mark.thorough
def test_a_font_of_another_computer_stays_chosen(program, qtbot):
    running = program()
    running.services.settings.set("tile_font", "Of Another Computer")
    page = running.pages["Settings"]
    running.window.show_page(page)
    page.show_setting("tile_font")
    combo = page.row("tile_font").control.combo
    qtbot.waitUntil(lambda: combo.currentText() == "Of Another Computer")
