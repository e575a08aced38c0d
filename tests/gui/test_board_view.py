from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from engine.bitboard import cells
from engine.trace import slide_cells
from gui.board.board_paint import Grid
from gui.board.board_view import GROW_MS, POP_MS, BoardView, moving_region
from tests.gui.counting import calls_of
from tests.gui.practice_fakes import board_of
from tests.gui.practice_theme import plain_theme

BEFORE = cells(board_of("2 2 . .", ". . . .", ". . . .", ". . . 4"))


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds

    def pass_ms(self, milliseconds: float) -> None:
        self.seconds += milliseconds / 1000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def view(qtbot: QtBot, clock: Clock) -> Iterator[BoardView]:
    view = BoardView(clock=clock)
    qtbot.addWidget(view)
    view.resize(400, 400)
    view.show()
    view.show_board(BEFORE)
    yield view
    view.show_board(BEFORE)  # no timer outlives the test


def slide_left(view: BoardView) -> list[int]:
    motion = slide_cells(view.cells, 0)
    after = list(motion.cells)
    after[3] = 1
    view.animate(motion.slides, (3, 1), after)
    return after


def color_at(view: BoardView, cell: int, x: float = 0.12, y: float = 0.88) -> QColor:
    image: QImage = view.grab().toImage()
    grid = Grid.fit(view.width(), view.height(), view.devicePixelRatioF())
    rect = grid.rect(cell)
    ratio = view.devicePixelRatioF()
    point = QPoint(
        int((rect.left() + rect.width() * x) * ratio), int((rect.top() + rect.height() * y) * ratio)
    )
    return image.pixelColor(point)


def fill_of(exponent: int) -> QColor:
    return plain_theme().tile_colors(exponent)[0]


def test_a_position_is_drawn_cell_by_cell(view):
    assert color_at(view, 0) == fill_of(1)
    assert color_at(view, 15) == fill_of(2)
    assert color_at(view, 7) == plain_theme().empty_cell


def test_a_move_slides_first_and_shows_the_result_in_the_end(view, clock, qtbot):
    slide_left(view)
    assert view.is_moving
    clock.pass_ms(10)
    assert color_at(view, 3) == plain_theme().empty_cell  # the new tile comes last
    clock.pass_ms(POP_MS + GROW_MS)
    qtbot.waitUntil(lambda: not view.is_moving)  # the clock stands still: only this much passed
    assert color_at(view, 0) == fill_of(2)
    assert color_at(view, 3) == fill_of(1)


def test_the_next_move_ends_the_animation_at_once(view, clock):
    slide_left(view)
    clock.pass_ms(40)
    after = slide_left(view)
    assert view.cells == after
    clock.pass_ms(40)
    assert view.cells == after  # nothing is queued


def test_quick_moves_shorten_the_animation(view, clock, qtbot):
    slide_left(view)
    clock.pass_ms(110)
    slide_left(view)
    clock.pass_ms(105)  # half the usual 200 ms
    qtbot.waitUntil(lambda: not view.is_moving)  # the clock stands still: only this much passed


def test_at_thirty_moves_a_second_nothing_moves(view, clock):
    slide_left(view)
    clock.pass_ms(25)
    after = slide_left(view)
    assert not view.is_moving
    assert view.cells == after


def test_animation_can_be_switched_off(view):
    view.set_slide_ms(0)
    slide_left(view)
    assert not view.is_moving


def test_a_late_tile_joins_the_slide(view, clock, qtbot):
    motion = slide_cells(view.cells, 0)
    view.animate(motion.slides, None, motion.cells)
    clock.pass_ms(150)
    after = list(motion.cells)
    after[6] = 2
    view.add_tile(6, after)
    assert view.is_moving
    assert color_at(view, 6) == plain_theme().empty_cell
    clock.pass_ms(GROW_MS + 1)
    qtbot.waitUntil(lambda: not view.is_moving)  # the clock stands still: only this much passed
    assert color_at(view, 6) == fill_of(2)


def test_locked_tiles_are_dimmed_and_walls_are_no_tiles(view):
    shown = list(BEFORE)
    shown[5] = shown[10] = 15
    view.show_board(shown, locked={5}, walls={10})
    theme, dimmed = plain_theme(), color_at(view, 5)
    assert dimmed not in (fill_of(15), theme.empty_cell)
    tint = abs(dimmed.lightnessF() - theme.empty_cell.lightnessF())
    assert tint < abs(fill_of(15).lightnessF() - theme.empty_cell.lightnessF()) / 3
    assert color_at(view, 10) not in (fill_of(15), theme.empty_cell)


def test_tiles_beyond_32768_are_drawn(view):
    view.show_board([16, 17] + [0] * 14)
    assert color_at(view, 1) == fill_of(17)


def test_the_hint_is_drawn_until_taken_away(view):
    before = view.grab().toImage()
    view.show_hint(2, 1.0)
    assert view.hint == 2
    assert view.grab().toImage() != before
    view.show_hint(None)
    assert view.grab().toImage() == before


def test_every_direction_has_its_own_arrow(view):
    images = []
    for direction in range(4):
        view.show_hint(direction)
        images.append(view.grab().toImage())
    assert all(images[0] != image for image in images[1:])


@pytest.mark.parametrize("direction", range(4))
def test_an_arrow_leaves_the_figures_of_tiles_alone(view, direction):
    view.show_board([6, 7, 8, 9] * 4)
    before, grid = view.grab().toImage(), Grid.fit(400, 400, 1.0)
    view.show_hint(direction, 1.0)
    after = view.grab().toImage()
    for cell in range(16):
        rect = grid.rect(cell)
        across, down = rect.width() * 0.12, rect.height() * 0.28
        figure = rect.adjusted(across, down, -across, -down).toRect()
        assert after.copy(figure) == before.copy(figure), cell


def test_a_click_names_cell_and_button(view, qtbot):
    grid = Grid.fit(400, 400, 1.0)
    with qtbot.waitSignal(view.cell_clicked) as clicked:
        qtbot.mouseClick(view, Qt.MouseButton.RightButton, pos=grid.rect(6).center().toPoint())
    assert clicked.args == [6, Qt.MouseButton.RightButton]


@pytest.mark.parametrize(
    ("end", "direction"), [((140, 205), 0), ((260, 195), 1), ((205, 140), 2), ((195, 260), 3)]
)
def test_a_drag_is_a_swipe(view, qtbot, end, direction):
    with qtbot.waitSignal(view.swiped) as swiped:
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(*end))
    assert swiped.args == [direction]


def test_a_short_drag_is_a_click(view, qtbot):
    with qtbot.assertNotEmitted(view.swiped), qtbot.waitSignal(view.cell_clicked):
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(150, 150))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(170, 160))


def test_cells_lie_on_whole_pixels_at_every_scale():
    for ratio in (1.0, 1.25, 1.5, 2.0):
        for side in range(200, 900, 37):
            grid = Grid.fit(side, side + 50, ratio)
            assert grid.side <= side + 1e-6
            for value in (grid.left, grid.top, grid.gap, grid.cell):
                assert value * ratio == pytest.approx(round(value * ratio))


def test_in_a_frame_tiles_are_copied_not_drawn(view, clock):
    view.resize(720, 720)
    view.show_board([exponent % 16 for exponent in range(16)], locked={13, 14, 15})
    slide_left(view)
    clock.pass_ms(20)
    first = calls_of(view.grab)
    assert first["drawText"] >= 3, "the first time each tile is drawn"
    clock.pass_ms(20)
    second = calls_of(view.grab)
    assert second["drawText"] == 0
    assert second["drawPixmap"] >= 3
    assert sum(second.values()) < 1000


@pytest.mark.thorough
@pytest.mark.sample(1)
@pytest.mark.parametrize("direction", range(4))
def test_nothing_changes_outside_of_what_is_drawn_anew(view, clock, direction):
    view.resize(240, 240)
    view.show_board(cells(board_of("2 2 . 4", ". 8 . .", "16 . . 2", "2 4 4 4")))
    motion = slide_cells(view.cells, direction)
    after = list(motion.cells)
    spawned = after.index(0)
    after[spawned] = 2
    clock.pass_ms(1000)
    view.animate(motion.slides, (spawned, 2), after)
    grid = Grid.fit(view.width(), view.height(), view.devicePixelRatioF())
    region = moving_region(grid, motion.slides, spawned)
    pictures = []
    for _ in range(10):
        pictures.append(view.grab().toImage())
        clock.pass_ms(20)
    n_changed = 0
    for first, second in pairwise(pictures):
        for y in range(first.height()):
            for x in range(first.width()):
                if first.pixel(x, y) != second.pixel(x, y):
                    n_changed += 1
                    assert region.contains(QPoint(x, y)), (x, y)
    assert n_changed > 1000
