"""The screen saver as somebody in front of it sees it."""

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.game import Game
from engine.platform.errors import AppError
from gui.screensaver.saver_game import Lease, SaverGame
from gui.screensaver.show import LEASE_NAME, ScreenSaver, run, saver_theme
from gui.screensaver.windows import BlankWindow, BoardWindow, InputWatch, drift


class LastMove:
    """Takes the last legal move at once."""

    def __init__(self) -> None:
        self.asked_ms: list[float] = []

    def choose(self, cells, ms, _is_cancelled):
        self.asked_ms.append(ms)
        legal = Game(list(cells)).legal_moves()
        return Choice(legal[-1] if legal else None, (None,) * 4, "Last move")

    def stop(self) -> None:
        pass

    def let_go(self) -> None:
        pass


@pytest.fixture
def chooser():
    return LastMove()


@pytest.fixture
def saver(settings, data_dir, chooser):
    kinds = dict.fromkeys(CHOOSERS, ChooserKind("Last", "", lambda *_: chooser))
    settings.set("screensaver.speed", 60)
    saver = ScreenSaver(data_dir, settings, kinds=kinds)
    left = []
    saver.left.connect(lambda: left.append(1))
    saver.has_left = lambda: bool(left)
    saver.show()
    yield saver
    saver.close()


def native(saver):
    return saver.windows[0].windowHandle()


def test_it_fills_the_screen_and_plays(saver, qtbot, qapp):
    window, screen = saver.windows[0], qapp.primaryScreen()
    assert len(saver.windows) == len(qapp.screens())
    assert window.geometry() == screen.geometry()
    assert window.cursor().shape() == Qt.CursorShape.BlankCursor
    qtbot.waitUntil(lambda: saver.play.game.n_moves >= 20)
    assert window.board.cells == list(saver.play.game.cells)
    assert window.score_label.text() == f"{saver.play.game.score:,}"
    corners = window.grab().toImage()
    assert corners.pixelColor(0, 0) == QColor(0, 0, 0)
    assert not saver.has_left()


def test_it_thinks_little(qtbot, saver, chooser):
    assert saver.play.is_playing
    qtbot.waitUntil(lambda: len(chooser.asked_ms) >= 5)
    assert max(chooser.asked_ms) <= 3  # of the 17 between two moves, and less at 5 a second


@pytest.mark.parametrize("speed", [1, 5])
def test_at_usual_speeds_it_thinks_two_hundredths_of_the_time(
    qtbot, tasks, data_dir, chooser, speed
):
    kinds = dict.fromkeys(CHOOSERS, ChooserKind("Last", "", lambda *_: chooser))
    play = SaverGame(tasks, Lease(data_dir / "l"), speed, new_seed=lambda: 1, kinds=kinds)
    play.start()
    qtbot.waitUntil(lambda: bool(chooser.asked_ms))
    play.close()
    assert chooser.asked_ms[0] == pytest.approx(0.02 * 1000 / speed)


@pytest.mark.parametrize(
    "act",
    [
        lambda w: QTest.keyClick(w, Qt.Key.Key_A),
        lambda w: QTest.keyClick(w, Qt.Key.Key_Shift),
        lambda w: QTest.mouseClick(w, Qt.MouseButton.RightButton),
    ],
    ids=["key", "shift", "button"],
)
def test_somebody_ends_it(saver, act):
    act(native(saver))
    assert saver.has_left()


def test_a_mouse_that_is_jogged_does_not_end_it_one_that_is_moved_does(saver, qapp):
    window = native(saver)
    for point in ((400, 300), (404, 303), (398, 299)):
        QTest.mouseMove(window, QPoint(*point))
        qapp.processEvents()
    assert not saver.has_left()
    QTest.mouseMove(window, QPoint(430, 300))
    qapp.processEvents()
    assert saver.has_left()


def timers(saver, is_single: bool) -> list[QTimer]:
    """Return the timers its game waits for: the end of its rest, or its next look at the lease."""
    found = saver.play.findChildren(QTimer)
    return [timer for timer in found if timer.isActive() and timer.isSingleShot() == is_single]


def test_it_stands_still_while_a_newer_one_computes_and_then_goes_on(saver, qtbot, data_dir):
    (look,) = timers(saver, is_single=False)
    looked = []
    look.timeout.connect(lambda: looked.append(1))
    look.start(20)
    qtbot.waitUntil(lambda: saver.play.game.n_moves >= 3)
    newer = Lease(data_dir / LEASE_NAME)
    assert newer.is_mine()
    qtbot.waitUntil(lambda: not saver.play.is_playing)
    shown, n_moves = saver.windows[0].board.cells, saver.play.game.n_moves
    looked.clear()
    qtbot.waitUntil(lambda: len(looked) >= 5)
    assert (saver.windows[0].board.cells, saver.play.game.n_moves) == (shown, n_moves)
    newer.release()
    qtbot.waitUntil(lambda: saver.play.game.n_moves > n_moves)


def test_after_the_end_of_a_game_it_rests_and_begins_another(saver, qtbot):
    qtbot.waitUntil(lambda: saver.play.game.is_over)
    over = saver.play.game
    assert not saver.play.is_playing
    (rest,) = timers(saver, is_single=True)
    assert rest.interval() >= 3000
    assert saver.windows[0].board.cells == list(over.cells)
    rest.start(0)
    qtbot.waitUntil(lambda: saver.play.game is not over)
    qtbot.waitUntil(lambda: saver.play.game.n_moves >= 2)
    assert saver.play.game.seed != over.seed


def test_when_it_ends_the_lease_is_free_and_the_windows_are_gone(saver, data_dir):
    assert (data_dir / LEASE_NAME).exists()
    saver.close()
    assert not (data_dir / LEASE_NAME).exists()
    assert saver.windows == []
    saver.close()


def test_the_board_wanders_and_stays_on_the_screen(saver, settings):
    now = [0.0]
    window = BoardWindow(saver.play, saver_theme(settings), lambda: now[0])
    window.resize(800, 600)
    window.show()
    places = set()
    for _ in range(400):
        now[0] += 1.0
        window.wander()
        assert window.rect().contains(window.board.geometry())
        assert window.rect().contains(window.score_label.geometry())
        places.add((window.board.x() // 20, window.board.y() // 20))
    assert len(places) > 30
    window.close()


def test_a_preview_is_small_and_shows_the_board_alone(saver, settings):
    window = BoardWindow(saver.play, saver_theme(settings))
    window.resize(152, 112)
    window.show()
    assert window.board.width() > 90
    assert not window.score_label.isVisible()
    window.grab()
    window.close()


def test_a_preview_where_no_window_can_be_lent_says_so(settings, tmp_path):
    saver = ScreenSaver(tmp_path, settings, preview=4711)
    with pytest.raises(AppError, match="leave --preview out"):
        saver.show()
    saver.close()


@given(
    st.floats(0, 1e6),
    st.tuples(st.integers(-50, 5000), st.integers(-50, 5000)),
    st.integers(100, 5000),
)
def test_the_way_is_slow_and_never_leaves_the_room(seconds, room, height):
    here, next_s = drift(seconds, room, height), drift(seconds + 1, room, height)
    for at, then, length in zip(here, next_s, room, strict=True):
        assert 0 <= at <= max(0, length)
        assert abs(then - at) <= 2.3 * height / 1080 + 1


def test_it_begins_in_the_middle():
    assert drift(0, (1000, 500), 1080) == (500, 250)


def test_who_closes_its_window_ends_it(saver):
    saver.windows[0].close()
    assert saver.has_left()


def test_screens_that_come_or_go_do_not_end_it(saver, qtbot, qapp):
    before = saver.windows[0]
    qapp.screenAdded.emit(qapp.primaryScreen())
    assert saver.windows[0] is not before
    n_moves = saver.play.game.n_moves
    qtbot.waitUntil(lambda: saver.play.game.n_moves > n_moves)
    assert not saver.has_left()
    assert saver.windows[0].board.cells == list(saver.play.game.cells)


@pytest.mark.parametrize("heeds_input", [False, True])
def test_a_preview_takes_no_notice_of_keys_and_mouse(qtbot, heeds_input):
    window, watch, noticed = BlankWindow(), InputWatch(heeds_input), []
    watch.noticed.connect(lambda: noticed.append(1))
    qtbot.addWidget(window)
    window.show()
    window.windowHandle().installEventFilter(watch)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_A)
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton)
    assert bool(noticed) == heeds_input
    noticed.clear()
    window.close()
    assert noticed


def test_a_run_collects_garbage_on_its_own_thread(qapp, tmp_path, monkeypatch):
    seen: list[bool] = []

    def show(saver):
        seen.append(gc.isenabled())
        QTimer.singleShot(0, saver.left.emit)

    monkeypatch.setattr(ScreenSaver, "show", show)
    font, was_enabled = qapp.font(), gc.isenabled()
    gc.enable()
    try:
        assert run(tmp_path) == 0
        assert seen == [False]
        assert gc.isenabled()
    finally:
        (gc.enable if was_enabled else gc.disable)()
        qapp.setFont(font)
