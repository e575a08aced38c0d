"""Review as a person uses it: walking through a game, its marks, its figures."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QScrollArea, QWidget

from coach.grading.grade import Grade
from coach.recordings.recording import open_recording, recording_of
from gui.charts.line_chart import MARK_PX
from gui.review.charts import LUCK, MATCH
from gui.style.layout import laid_out, row
from gui.text.reviews import describe_tile
from tests.coach.test_recording import three_moves
from tests.gui.review.conftest import choose_least_loss

KEYS = Qt.Key


def test_an_empty_page_invites_to_open_a_game(desk):
    page = desk.page
    assert page.invitation.isVisible()
    assert page.invitation.button.text() == "Open a recording"
    assert page.invitation.other_button.text() == "Review your game"
    assert not page.frame.open_button.isVisible(), "one button is enough"
    assert not page.sharing.button.isVisible()
    enabled = {action.objectName() for action in desk.page.actions() if action.isEnabled()}
    assert enabled == {"open", "latest", "paste"}


def test_a_game_is_shown_from_its_start(game):
    page, recording = game.page, game.page.game.recording
    assert recording
    assert not page.invitation.isVisible()
    assert tuple(page.board_view.cells) == recording.positions[0]
    assert page.panel.so_far_label.text() == "Move 1 of 120", "no move was made yet"
    assert page.panel.cross.rates == recording.rates[0]
    played_cells = [cell.is_played for cell in page.panel.cross.cells]
    assert played_cells.index(True) == recording.replay.moves[0].direction
    assert played_cells.count(True) == 1
    assert page.frame.file_combo.currentText().startswith("L3 \N{RIGHTWARDS ARROW} 512, today ")


def test_keys_walk_through_the_game(game):
    game.press(KEYS.Key_Right, KEYS.Key_L, KEYS.Key_D)
    assert game.position == 3
    game.press(KEYS.Key_Left, KEYS.Key_A)
    assert game.position == 1
    game.press(KEYS.Key_PageDown, KEYS.Key_PageDown)
    assert game.position == 21
    game.press(KEYS.Key_PageUp)
    assert game.position == 11
    game.press(KEYS.Key_End)
    assert game.position == 120
    game.press(KEYS.Key_Home)
    assert game.position == 0


@pytest.mark.thorough
def test_every_position_is_the_one_of_the_record(game):
    recording = game.page.game.recording
    assert recording
    game.page.charts.show_chart(MATCH)
    for i in range(1, recording.n_moves + 1):
        game.press(KEYS.Key_Right)
        assert tuple(game.page.board_view.cells) == recording.positions[i]
        assert game.page.charts.charts[MATCH].cursor_index == i


def test_n_goes_from_mark_to_mark_and_shift_n_back(game):
    recording, marks = game.page.game.recording, game.page.game.marks
    assert recording
    slow = [
        i
        for i, move in enumerate(recording.replay.moves)
        if move.rates
        and max(r or 0 for r in move.rates) > 0
        and (move.rates[move.direction] or 0) <= 0.99 * max(r or 0 for r in move.rates)
    ]
    assert marks == slow
    assert len(marks) > 10
    seen = []
    for _ in marks:
        game.press(KEYS.Key_Period)
        seen.append(game.position)
    assert seen == [mark for mark in marks if mark > 0] + ([seen[-1]] if marks[0] == 0 else [])
    game.press(KEYS.Key_Comma)
    assert game.position == marks[-2]


def test_the_threshold_decides_what_is_marked_and_listed(game):
    page = game.page
    before = list(page.game.marks)
    choose_least_loss(page, 0.1)
    assert set(page.game.marks) < set(before)
    worst = page.game.recording.judgements
    assert all(worst[i].loss >= 0.1 for i in page.game.marks)
    assert page.panel.marked.indices == page.game.marks


def test_the_list_has_no_excellent_or_good_moves_unless_they_are_wanted(desk):
    sure = (0.5, 0.4, None, None)
    page, marked = desk.page, desk.page.panel.marked
    page.review(recording_of(three_moves(sure, (0.1, 0.4, 0.3997, None), None)))
    assert page.game.recording.judgements[1].grade is Grade.EXCELLENT
    assert marked.indices == []
    assert marked.none_label.isVisible()
    choose_least_loss(page, 0.0)
    assert marked.indices == [1]
    assert not marked.none_label.isVisible()
    page.files.open(desk.folder / "verse.txt")
    assert not marked.isVisible(), "nothing is rated"


def test_the_list_says_what_each_move_lost_and_follows_the_position(game):
    page, marked = game.page, game.page.panel.marked
    texts = [marked.list.item(i).text() for i in range(marked.list.count())]
    assert len(texts) == len(page.game.marks)
    assert re.fullmatch(r"Move \d+: (left|right|up|down), (\u2212[\d.]+.pts|all lost)", texts[2])
    page.go_to(page.game.marks[2])
    assert marked.list.currentRow() == 2
    page.go_to(page.game.marks[2] + 1)
    assert marked.list.currentRow() in (-1, 3)


def test_of_very_many_marked_moves_the_worst_are_listed_in_their_order(game, monkeypatch):
    monkeypatch.setattr("gui.review.panel._MAX_ROWS", 5)
    page, recording = game.page, game.page.game.recording
    page.panel.marked.show_marks(recording, page.game.marks)
    assert page.panel.marked.indices == sorted(recording.worst(5))


def test_chart_and_list_lead_to_their_positions(game, qtbot):
    page = game.page
    page.charts.show_chart(LUCK)
    qtbot.keyClick(page.charts.charts[LUCK], KEYS.Key_End)
    assert game.position == 120
    rows = page.panel.marked.list
    rows.itemActivated.emit(rows.item(0))
    assert game.position == page.game.marks[0]


def test_a_game_without_rates_is_walked_through_in_its_chart_too(desk, qtbot):
    page = desk.page
    page.charts.show_chart(LUCK)
    page.files.open(desk.folder / "verse.txt")
    assert not page.charts.chips.isVisible()
    assert page.charts.chart == "loss"
    chart = page.charts.charts["loss"]
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.rect().center())
    assert 20 < desk.position < 30
    page.files.open(desk.folder / "L3_512_a.rpl")
    assert page.charts.chips.isVisible()
    assert page.charts.chart == LUCK


def test_space_plays_to_the_end_and_stops(game, qtbot):
    game.page.remembered.speed = 30
    game.page.go_to(116)
    game.press(KEYS.Key_Space)
    qtbot.waitUntil(lambda: game.position == 120)
    assert game.action("auto").text() == "Play the game"
    game.press(KEYS.Key_Space)  # from the start again
    assert game.position == 0
    assert game.is_playing
    game.press(KEYS.Key_Space)
    assert not game.is_playing
    assert game.position < 120


def test_walking_by_hand_stops_the_player(game):
    game.page.remembered.speed = 30
    game.press(KEYS.Key_Space, KEYS.Key_PageDown)
    assert not game.is_playing
    assert game.position == 10


def test_the_verdict_names_what_was_given_away(game):
    page, recording = game.page, game.page.game.recording
    worst = recording.worst(1)[0]
    page.go_to(worst)
    assert " was best." in page.panel.verdict.text() or " were best." in page.panel.verdict.text()
    assert page.panel.mark.grade is recording.judgements[worst].grade
    perfect = next(i for i, one in enumerate(recording.judgements) if one and one.is_perfect)
    page.go_to(perfect)
    assert "lost" not in page.panel.verdict.text()


def test_the_figures_are_those_of_the_position(game):
    recording, said = game.page.game.recording, []
    for position in (60, recording.judgements.index(None) if None in recording.judgements else 61):
        game.page.go_to(position)
        said.append(game.page.panel.so_far_label.text())
        score = recording.scores[position]
        assert said[-1].startswith(f"Move {position + 1} of 120, ")
        perfect = f"{score.count(Grade.PERFECT)} of {score.n_moves} perfect"
        assert perfect in said[-1]
        assert said[-1].endswith(f", streak {score.combo}") == (score.combo > 0)


def test_the_summary_has_the_whole_game(game):
    recording, figures = game.page.game.recording, game.page.panel.summary.figures
    assert figures["Longest streak"] == str(recording.score.longest_combo)
    assert set(figures) >= {"Perfect moves", "Points lost", "Chance kept", "Largest loss", "Luck"}
    assert game.page.panel.summary.bar.counts == recording.score.counts


def test_the_end_shows_the_whole_game(game):
    panel = game.page.panel
    assert panel.front.currentWidget() is panel.answers
    game.press(KEYS.Key_End)
    assert panel.front.currentWidget() is panel.summary
    assert panel.summary.train_button.isVisible()
    assert panel.so_far_label.text() == ""
    game.press(KEYS.Key_Left)
    assert panel.front.currentWidget() is panel.answers
    assert panel.stack.currentWidget() is panel.cross


def test_the_position_can_be_copied(game):
    game.page.go_to(5)
    game.action("copy").trigger()
    board = f"{game.page.game.recording.boards[5]:016x}"
    assert QGuiApplication.clipboard().text() == board


def test_the_best_move_is_drawn_when_asked_for(game):
    game.press(KEYS.Key_B)
    game.page.go_to(3)
    rates = game.page.game.recording.rates[3]
    best = max(rate for rate in rates if rate is not None)
    assert game.page.board_view.hint == rates.index(best)
    game.press(KEYS.Key_B)
    assert game.page.board_view.hint is None


@pytest.mark.parametrize("size", [(740, 520), (1200, 760), (400, 300)])
def test_it_can_be_drawn_at_any_size(game, size):
    game.page.resize(*size)
    assert not game.page.grab().isNull()


def test_a_recording_of_a_walled_board_shows_its_walls(desk):
    path = desk.folder / "w.txt"
    path.write_text(
        "3x3-1_\N{VULGAR FRACTION THREE QUARTERS}\xfa0\N{VULGAR FRACTION THREE QUARTERS}\xfag"
    )
    recording = open_recording(path)
    assert recording.replay.walls
    desk.page.review(replace(recording, name="walled"))
    assert desk.page.board_view.cells[15] == 15


@pytest.mark.thorough
def test_nothing_below_jumps_while_one_walks_through_a_game(game):
    page = game.page
    page.panel.tile_label.setText("")
    places = set()
    for position in range(page.game.n_moves):
        page.go_to(position)
        QGuiApplication.processEvents()
        places.add((page.panel.marked.y(), page.panel.so_far_label.y()))
    said = {bool(describe_tile(page.game.recording, i)) for i in range(page.game.n_moves + 1)}
    assert said == {True, False}
    assert len(places) == 1


def in_window(page: QWidget, size: tuple[int, int]) -> QMainWindow:
    """Return the page in a window with rail, menu bar and status bar."""
    window, rail = QMainWindow(), QWidget()
    rail.setFixedWidth(168 if size[0] >= 1100 else 70)
    window.setCentralWidget(laid_out(row(rail, page, space=0)))
    window.menuBar().addMenu("File")
    window.statusBar().setFixedHeight(30)
    window.resize(*size)
    window.show()
    for _ in range(3):
        QGuiApplication.processEvents()
    return window


@pytest.mark.parametrize(
    ("size", "share"),
    [
        ((1280, 800), 0.36),
        ((1440, 900), 0.36),
        ((1024, 768), 0.38),
        ((800, 600), 0.4),
        ((853, 533), 0.33),
    ],
)
def test_board_tools_chart_and_mistakes_are_in_sight_in_a_window_of_any_size(game, size, share):
    window, page = in_window(game.page, size), game.page
    try:
        board, charts, marked = page.board_view, page.charts, page.panel.marked
        assert min(board.width(), board.height()) >= share * size[0]
        assert charts.visibleRegion().boundingRect() == charts.rect(), "however low the window"
        assert charts.width() >= page.width() - 2 * 24, "across the page"
        bottom = board.mapTo(page, QPoint(0, board.height())).y()
        assert charts.mapTo(page, QPoint()).y() > bottom
        assert {"back", "forward", "previous_mark", "next_mark"} <= set(page.action_bar.shown)
        cells = page.panel.cross.cells
        assert all(one.visibleRegion().boundingRect() == one.rect() for one in cells)
        if size[1] >= 768:
            assert marked.visibleRegion().boundingRect() == marked.rect()
        assert charts.height() >= 84, "with its figures"
        assert charts.chips.isVisible()
    finally:
        page.setParent(None)
        window.close()


def test_the_list_of_marked_moves_shows_whole_rows_and_the_lines_under_it(game):
    window, panel = in_window(game.page, (1280, 800)), game.page.panel
    try:
        rows = panel.marked.list
        n_px, row_px = rows.viewport().height(), rows.sizeHintForRow(0)
        assert n_px % row_px == 0
        assert n_px >= 3 * row_px
        panel.source_label.setVisible(True)
        QGuiApplication.processEvents()
        for label in (panel.so_far_label, panel.source_label):
            assert label.visibleRegion().boundingRect() == label.rect()
    finally:
        game.page.setParent(None)
        window.close()


def test_a_game_that_is_opened_is_shown_from_the_top_of_its_panel(desk, qtbot):
    page = desk.page
    page.resize(730, 480)
    page.files.open(desk.folder / "L3_512_a.rpl")
    (area,) = [one for one in page.findChildren(QScrollArea) if one.widget() is page.panel]
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    page.go_to(5)
    assert bar.value() == bar.maximum(), "walking does not scroll"
    page.files.open(desk.folder / "442_128_b.rpl")
    assert bar.value() == 0


def test_words_without_a_grade_begin_at_the_edge(desk, qtbot):
    page, panel = desk.page, desk.page.panel
    page.files.open(desk.folder / "verse.txt")
    qtbot.waitUntil(lambda: panel.verdict.text().endswith("was played."))

    def left() -> int:
        return panel.verdict.mapTo(panel, QPoint(0, 0)).x()

    qtbot.waitUntil(lambda: left() == 0)
    page.files.open(desk.folder / "L3_512_a.rpl")
    qtbot.waitUntil(lambda: panel.mark.isVisible() and left() > 0)


@pytest.mark.thorough
def test_a_message_does_not_touch_the_board(game, qtbot):
    frame = game.page.frame
    board = game.page.board_view
    place = lambda: QRect(board.mapTo(frame, QPoint()), board.size())  # noqa: E731
    without = place()
    game.page.banners.show_message("info", "News.")
    (banner,) = game.page.banners.banners
    qtbot.waitUntil(lambda: banner.height() > 20 and banner.mapTo(frame, QPoint()).y() > 100)
    seen = QRect(banner.mapTo(frame, QPoint()), banner.size())
    assert not seen.adjusted(-8, -8, 8, 8).intersects(place())
    assert place() == without


def test_the_choice_of_a_chart_covers_no_mark(game):
    charts = game.page.charts
    for name in ("chance", MATCH, "loss"):
        charts.show_chart(name)
        chart = charts.charts[name]
        assert charts.chips.isVisible()
        bottom = charts.chips.geometry().bottom()
        tops = [chart.mapTo(charts, point.toPoint()).y() for point, _ in chart.drawn_marks]
        assert tops
        assert min(tops) - MARK_PX / 2 >= bottom
