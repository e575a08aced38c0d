"""Review as a person uses it: walking through a game, its marks, its figures."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QScrollArea, QWidget

from coach.grading.grade import Score
from coach.recordings.recording import open_recording
from gui.review.charts import LUCK, MATCH
from gui.text.numbers import NBSP
from gui.text.reviews import describe_tile

KEYS = Qt.Key


def test_an_empty_page_invites_to_open_a_game(desk):
    page = desk.page
    assert page.invitation.isVisible()
    assert [button.text() for button in page.invitation.buttons] == [
        "Open a recording",
        "Open the latest test",
    ]
    enabled = {action.objectName() for action in desk.page.actions() if action.isEnabled()}
    assert enabled == {"open", "latest", "paste"}


def test_a_game_is_shown_from_its_start(game):
    page, recording = game.page, game.page.game.recording
    assert recording
    assert not page.invitation.isVisible()
    assert tuple(page.board_view.cells) == recording.positions[0]
    assert page.panel.move_figure.value_label.text() == "1"
    assert page.panel.move_figure.note_label.text() == "of 120"
    assert page.panel.match_figure.value_label.text() == "\N{EN DASH}", "no move was made yet"
    assert page.panel.cross.rates == recording.rates[0]
    played_cells = [cell.is_played for cell in page.panel.cross.cells]
    assert played_cells.index(True) == recording.replay.moves[0].direction
    assert played_cells.count(True) == 1
    assert page.frame.file_combo.currentText().startswith("L3 \N{RIGHTWARDS ARROW} 512, today ")
    assert page.panel.controls.table_combo.currentText() == "L3 \N{RIGHTWARDS ARROW} 512"


def test_figures_of_a_long_game_are_written_like_all_others(game):
    score, panel = Score(1e-40, 1234, 12_345, counts=(11_110,)), game.page.panel
    panel.show_so_far(11_110, 26_045, score)
    figures = (panel.move_figure, panel.match_figure, panel.combo_figure)
    said = [one.value_label.text().replace(NBSP, " ") for one in figures]
    assert said == ["11,111", "< 0.0001 %", "1,234"]
    assert figures[0].note_label.text() == "of 26,045"
    assert figures[2].note_label.text() == "best 12,345"


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


def test_every_position_is_the_one_of_the_record(game):
    recording = game.page.game.recording
    assert recording
    game.page.panel.charts.show_chart(MATCH)
    for i in range(1, recording.n_moves + 1):
        game.press(KEYS.Key_Right)
        assert tuple(game.page.board_view.cells) == recording.positions[i]
        assert game.page.slider.value() == i
        assert game.page.panel.charts.charts[MATCH].cursor_index == i


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


def test_the_threshold_decides_what_is_marked(game):
    page = game.page
    before = list(page.game.marks)
    page.panel.controls.threshold_chips.buttons[0.1].click()
    assert set(page.game.marks) < set(before)
    assert sum(one.n_more + 1 for one in page.slider.drawn) == len(page.game.marks)
    worst = page.game.recording.judgements
    assert all(worst[i].loss >= 0.1 for i in page.game.marks)


def test_a_mark_says_and_shows_its_grade(game):
    recording = game.page.game.recording
    slider = game.page.slider
    for x, mark in ((one.x, one.mark) for one in slider.drawn):
        judgement = recording.judgements[mark.index]
        assert mark.grade is judgement.grade
        tip = slider.tip_at(QPointF(x, 29))
        assert tip.startswith(f"Move {mark.index + 1}: {judgement.grade.value}, ")


def test_slider_chart_and_worst_moves_lead_to_their_positions(game, qtbot):
    page = game.page
    x = round(page.slider.x_of(77))
    qtbot.mouseClick(page.slider, Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
    assert game.position == page.slider.position_at(x)
    page.panel.charts.show_chart(LUCK)
    qtbot.keyClick(page.panel.charts.charts[LUCK], KEYS.Key_End)
    assert game.position == 120
    page.panel.summary.worst_buttons[0].click()
    assert game.position == page.game.recording.worst(1)[0]


def test_space_plays_to_the_end_and_stops(game, qtbot):
    game.page.panel.controls.speed_slider.setValue(30)
    game.page.go_to(116)
    game.press(KEYS.Key_Space)
    qtbot.waitUntil(lambda: game.position == 120)
    assert game.action("auto").text() == "Auto-play"
    game.press(KEYS.Key_Space)  # from the start again
    assert game.position == 0
    assert game.is_playing
    game.press(KEYS.Key_Space)
    assert not game.is_playing
    assert game.position < 120


def test_walking_by_hand_stops_the_player(game):
    game.page.panel.controls.speed_slider.setValue(30)
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
    game.page.go_to(60)
    score = game.page.game.recording.scores[60]
    figure = game.page.panel.combo_figure
    assert figure.value_label.text() == str(score.combo)
    assert figure.note_label.text() == f"best {score.longest_combo}"


def test_the_summary_has_the_whole_game(game):
    recording, figures = game.page.game.recording, game.page.panel.summary.figures
    assert figures["Longest streak"] == str(recording.score.longest_combo)
    assert set(figures) >= {"Moves", "Match rate", "Largest loss", "Luck"}
    assert game.page.panel.summary.bar.counts == recording.score.counts


def test_the_end_is_told(game):
    game.press(KEYS.Key_End)
    panel = game.page.panel
    assert panel.move_figure.value_label.text() == "End"
    assert panel.notice.title_label.text() == "The game ends here"
    game.press(KEYS.Key_Left)
    assert panel.stack.currentWidget() is panel.cross


def test_the_position_can_be_copied(game):
    game.page.go_to(5)
    game.page.panel.controls.copy_button.click()
    board = f"{game.page.game.recording.boards[5]:016x}"
    assert QGuiApplication.clipboard().text() == board
    assert game.page.panel.controls.hex_edit.text() == board


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
    for position in range(page.game.n_moves + 1):
        page.go_to(position)
        QGuiApplication.processEvents()
        places.add((page.panel.move_figure.y(), page.panel.summary.y()))
    said = {bool(describe_tile(page.game.recording, i)) for i in range(page.game.n_moves + 1)}
    assert said == {True, False}
    assert len(places) == 1


def test_the_course_of_the_game_is_in_sight_under_the_board(game):
    page = game.page
    page.resize(1700, 1000)
    QGuiApplication.processEvents()
    charts, board = page.panel.charts, page.board_view
    corners = [charts.mapTo(page, point) for point in (QPoint(0, 0), charts.rect().bottomRight())]
    board_top = board.mapTo(page, QPoint(0, 0))
    assert page.rect().contains(corners[0])
    assert page.rect().contains(corners[1])
    assert corners[0].y() >= board_top.y() + board.height()
    assert charts.width() >= board.height()  # as wide as the board, which is square, at least
    assert charts.charts["loss"].visibleRegion().boundingRect() == charts.charts["loss"].rect()


@pytest.mark.parametrize("size", [(1280, 800), (800, 600), (1440, 900), (1024, 768), (1024, 700)])
def test_the_board_keeps_45_percent_of_the_width_of_a_window(game, size):
    window, page = QMainWindow(), game.page
    rail = QWidget()
    rail.setFixedWidth(168 if size[0] >= 1100 else 70)
    body = QWidget()
    row = QHBoxLayout(body)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addWidget(rail)
    row.addWidget(page)
    window.setCentralWidget(body)
    window.menuBar().addMenu("File")
    window.statusBar().setFixedHeight(30)
    window.resize(*size)
    window.show()
    QGuiApplication.processEvents()
    try:
        board = page.board_view
        assert min(board.width(), board.height()) >= 0.45 * size[0]
        charts = page.panel.charts
        assert charts.chips.geometry().bottom() <= charts.stack.y(), "nothing is covered"
        assert charts.visibleRegion().boundingRect() == charts.rect(), "however low the window"
        cells = page.panel.cross.cells
        assert all(one.visibleRegion().boundingRect() == one.rect() for one in cells)
    finally:
        page.setParent(None)
        window.close()


def test_charts_are_under_the_board_below_the_panel_or_in_a_panel_that_is_below(game):
    page = game.page
    charts = page.panel.charts

    def place(width: int, height: int) -> str:
        page.resize(width, height)
        QGuiApplication.processEvents()
        if page.panel.isAncestorOf(charts):
            return "in panel"
        is_beside = charts.mapTo(page, QPoint(0, 0)).x() > page.board_view.geometry().right()
        return "below panel" if is_beside else "under board"

    assert place(744, 538) == "below panel"
    assert place(1700, 1000) == "under board"
    assert place(500, 480) == "in panel"
    assert place(744, 538) == "below panel"


def test_a_game_that_is_opened_is_shown_from_the_top_of_its_panel(desk, qtbot):
    page = desk.page
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
