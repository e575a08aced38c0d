"""The comparison as a person uses it: read, step, play on either board, close; and its ways in."""

import re
from pathlib import Path

import oracle
import pytest
from brute_force import cells_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from coach.explanations.explanation import explain
from coach.explanations.source import TableSource
from coach.explanations.words import headline, refutation_text, sentences_of
from engine.bitboard import format_board, from_cells
from engine.platform import language
from engine.platform.quantities import short_rate_text
from engine.spawn import Rng
from gui.comparison.request import ComparisonRequest
from gui.comparison.window import BEST, PLAYED, ComparisonWindow
from gui.settings_model.settings import Settings
from gui.text.rates import format_rate
from tablebase.library.opening import open_table
from tests.coach.test_explanations import Found
from tests.gui.page_driver import ARROWS
from tests.gui.practice_fakes import FakeTasks

NEXT = (Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)


@pytest.fixture(scope="module")
def folder(table) -> Path:
    return table("2x4", 64)


@pytest.fixture(scope="module")
def request_(folder) -> ComparisonRequest:
    """A mistake of which there is much to say; one of about ten thousand boards is like that."""
    cells, worst = (*[15] * 4, 1, 1, 4, 5, 0, 5, 1, 4, *[15] * 4), 3
    with open_table(folder) as opened:
        found = explain(TableSource(opened), cells, worst, follows=True)
    assert len(found.facts) >= 4
    assert len(found.pair.best_line.steps) >= 4
    return ComparisonRequest(cells, worst, folder, follows=True)


class Estimates:
    """A search that prefers left and counts its requests."""

    def __init__(self):
        self.n_asked = 0

    def __call__(self, cells, _nodes, _goal):
        self.n_asked += 1
        legal = [oracle.move(list(cells), d, merge_32768=True)[0] != list(cells) for d in range(4)]
        kept = 0.9 if cells[0] == 11 else 0.4
        values = tuple(kept - 0.1 * d if can else None for d, can in enumerate(legal))
        return Found(values, next((d for d, can in enumerate(legal) if can), None))


class Stage:
    def __init__(self, qtbot):
        self.tasks, self.estimates, self.opened = FakeTasks(), Estimates(), []
        self.settings = Settings()
        self.window = ComparisonWindow(
            *(self.open_table, self.tasks, lambda: self.estimates), self.settings
        )
        qtbot.addWidget(self.window)
        self._qtbot = qtbot

    def compare(self, request):
        self.window.compare(request)
        self.window.activateWindow()
        self._qtbot.waitUntil(self.window.isActiveWindow)

    def open_table(self, path):
        self.opened.append(path)
        return open_table(path)

    def board(self, side):
        return self.window.sides[side].board_view

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier, side=BEST):
        self.board(side).setFocus()
        QTest.keyClick(self.board(side), key, modifier)

    @property
    def at(self):
        return self.window.session.at

    @property
    def courses(self):
        return self.window.session.courses

    def cells(self, side):
        return tuple(self.board(side).cells)


@pytest.fixture
def stage(qtbot):
    stage = Stage(qtbot)
    yield stage
    stage.window.close()


@pytest.fixture
def compared(stage, request_):
    stage.compare(request_)
    return stage


@pytest.mark.thorough
def test_it_says_what_was_measured_at_most_three_sentences_first(compared, request_, folder):
    with open_table(folder) as opened:
        found = explain(TableSource(opened), request_.cells, request_.played, follows=True)
    window, told = compared.window, sentences_of(found)
    assert len(told) > 3
    assert window.headline.text() == headline(found)
    shown, more = (one.text().splitlines() for one in (window.facts, window.more_label))
    assert [line.removeprefix("•  ") for line in shown] == told[:3]
    assert [line.removeprefix("•  ") for line in more] == [*told[3:], refutation_text(found)]
    assert not window.more_label.isVisible()
    window.more.button.click()
    assert window.more_label.isVisible()


@pytest.mark.thorough
def test_before_the_moves_it_says_how_each_chance_splits(compared, request_, folder):
    with open_table(folder) as opened:
        found = explain(TableSource(opened), request_.cells, request_.played, follows=True)
    for side, after in enumerate((found.pair.played, found.pair.best)):
        text = compared.window.sides[side].text_label.text()
        assert f"leaves {after.cells.count(0)} empty" in text
        worst = sorted((one.rate, -one.probability) for one in after.outcomes)[:2]
        worst = [one for one in worst if one[0] < after.rate]
        assert text.count(" in ") == len(worst)
        assert all(short_rate_text(rate) in text for rate, _ in worst)
    compared.press(*NEXT)
    assert "Worst tiles" not in compared.window.sides[BEST].text_label.text()


@pytest.mark.thorough
def test_both_boards_begin_alike_and_go_their_own_ways(compared, request_):
    assert compared.cells(PLAYED) == compared.cells(BEST) == request_.cells
    assert compared.board(PLAYED).hint == request_.played
    assert compared.board(BEST).hint != request_.played
    for _ in range(3):
        compared.press(*NEXT)
    assert compared.at == 3
    for side in (PLAYED, BEST):
        course = compared.courses[side]
        assert compared.cells(side) == course[min(3, len(course) - 1)].cells
    compared.press(Qt.Key.Key_Backspace)
    assert compared.at == 2
    compared.press(Qt.Key.Key_Home)
    assert (compared.at, compared.cells(PLAYED)) == (0, request_.cells)
    compared.press(Qt.Key.Key_End)
    assert compared.at == compared.window.session.n_moves


def test_new_tiles_are_the_same_where_both_boards_have_the_cell_free(compared):
    pairs = list(zip(*compared.courses, strict=False))[1:]
    assert pairs
    for one, other in pairs:
        if one.tile is None or other.tile is None:
            continue
        assert one.tile[1] == other.tile[1]
        if one.tile[0] != other.tile[0]:
            assert other.motion.cells[one.tile[0]] or one.motion.cells[other.tile[0]]


def test_enter_goes_on_with_best_moves_beyond_the_end(compared):
    compared.press(Qt.Key.Key_End)
    before = [len(course) for course in compared.courses]
    compared.press(Qt.Key.Key_Return)
    for side, n in enumerate(before):
        course = compared.courses[side]
        if course[n - 1].is_over:
            assert len(course) == n
        else:
            assert len(course) == n + 1
            assert course[n].direction == course[n - 1].look.certain_best


@pytest.mark.parametrize("side", [PLAYED, BEST])
def test_other_moves_can_be_made_on_either_board(compared, side):
    compared.press(*NEXT, side=side)
    place = compared.window.session.place(side)
    others = [d for d, rate in enumerate(place.look.rates) if rate is not None]
    move = others[-1]
    other_course = compared.courses[1 - side]
    compared.press(ARROWS[move], side=side)
    assert compared.at == 2
    assert len(compared.courses[side]) == 3
    assert compared.courses[side][2].direction == move
    assert compared.cells(side) == compared.courses[side][2].cells
    assert compared.courses[1 - side] == other_course, "the other board keeps its course"
    rates = compared.window.sides[side].cross.rates
    assert rates == compared.courses[side][2].look.rates


def test_a_click_on_a_chance_plays_that_move(compared):
    place = compared.window.session.place(BEST)
    move = next(d for d, rate in enumerate(place.look.rates) if rate is not None)
    QTest.mouseClick(compared.window.sides[BEST].cross.cells[move], Qt.MouseButton.LeftButton)
    assert compared.courses[BEST][1].direction == move
    assert len(compared.courses[BEST]) == 2


def test_a_move_that_is_none_is_not_made(compared):
    place = compared.window.session.place(BEST)
    forbidden = [d for d, rate in enumerate(place.look.rates) if rate is None]
    before = list(compared.courses)
    for move in forbidden:
        compared.press(ARROWS[move])
    assert compared.courses == before
    assert compared.at == 0


def test_other_tiles_begin_anew_with_the_same_two_moves(compared, request_):
    assert "draw 1, not the game's own" in compared.window.tiles_label.text()
    firsts = [course[1].direction for course in compared.courses]
    tiles = [place.tile for course in compared.courses for place in course[1:]]
    compared.press(*NEXT)
    compared.press(Qt.Key.Key_N)
    assert compared.at == 0
    assert [course[1].direction for course in compared.courses] == firsts
    assert [place.tile for course in compared.courses for place in course[1:]] != tiles
    assert compared.cells(BEST) == request_.cells
    assert "draw 2, not the game's own" in compared.window.tiles_label.text()


def test_space_plays_on_and_stops(compared, qtbot):
    compared.press(Qt.Key.Key_Space)
    assert compared.at == 1
    run = next(one for one in compared.window.actions() if one.objectName() == "run")
    assert run.text() == "Stop"
    qtbot.waitUntil(lambda: compared.at >= 2)
    compared.press(Qt.Key.Key_Space)
    assert run.text() == "Play on"


def test_the_axis_of_the_chart_has_no_digits_too_many(compared):
    texts = [
        text.replace("\N{NO-BREAK SPACE}", " ") for _, text in compared.window.chart.axis_ticks()
    ]
    assert len(texts) > 1
    assert not any("." in text and text.endswith("0 %") for text in texts)


def test_sentences_and_cards_have_the_same_figures(stage, folder):
    cells = (*[15] * 4, 3, 2, 2, 5, 1, 2, 1, 0, *[15] * 4)  # close to each other, and to 100 %
    stage.compare(ComparisonRequest(cells, 3, folder, follows=True))
    window, n_moves = stage.window, 0
    told = [window.headline, window.facts, window.more_label, *(s.text_label for s in window.sides)]
    cards = [cell.text() for side in window.sides for cell in side.cross.cells]
    for text in (*cards, *(one.text() for one in told)):
        decimals = {len(found) for found in re.findall(r"(?<=99\.)(?!999)\d+(?= %)", text)}
        assert decimals <= {3}, text
    while not window.session.is_at_end:
        stage.press(*NEXT)
        for number, side in enumerate(window.sides):
            place = window.session.place(number)
            best = place.look.certain_best
            if place.tile and best is not None and place.chance:
                assert side.text_label.text().endswith(f": {side.cross.cells[best].text()}.")
                n_moves += 1
    assert n_moves > 4


def test_the_chart_follows_and_leads(compared):
    chart = compared.window.chart
    crosses = [side.cross for side in compared.window.sides]
    assert [cross.isVisible() for cross in crosses] == [True, False], "once, while they are equal"
    compared.press(*NEXT)
    assert [cross.isVisible() for cross in crosses] == [True, True]
    assert chart.cursor_index == 1
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert compared.at == 2
    kept = [course[1].kept for course in compared.courses]
    played, best = (format_rate(rate) for rate in kept)
    text = f"New tiles 0: Played {played}, Best {best}"
    assert chart.read_out(0) == text


@pytest.mark.parametrize("slide_ms", [0, 100])
def test_boards_move_as_the_settings_say(compared, slide_ms):
    compared.settings.set("animation_ms", slide_ms)
    compared.press(*NEXT)
    are_moving = [side.board_view.is_moving for side in compared.window.sides]
    assert are_moving == [slide_ms > 0] * 2


def test_a_move_that_breaks_the_formation_is_told_from_one_that_is_none(stage, table):
    """One that moves a large tile away looked as if it could not be made."""
    opened = open_table(folder := table("44", 64))
    board = opened.start_board(Rng(5))
    cells, rates = tuple(cells_of(board)), opened.probe(board).rates
    breaking = [
        d
        for d, rate in enumerate(rates)
        if rate is None and oracle.move(list(cells), d)[0] != list(cells)
    ]
    played = next(d for d, rate in enumerate(rates) if rate is not None)
    opened.close()
    assert breaking
    stage.compare(ComparisonRequest(cells, played, folder, follows=True))
    for side in stage.window.sides:
        told = ["breaks the formation" in one.text() for one in side.cross.cells]
        assert told == [d in breaking for d in range(4)]


def test_escape_closes_and_lets_go_of_the_table(compared, request_):
    assert compared.opened == [request_.table]
    compared.press(Qt.Key.Key_Escape)
    assert not compared.window.isVisible()
    compared.window.compare(request_)
    assert compared.opened == [request_.table] * 2, "the first one was let go of"
    compared.window.close_table(Path("another"))
    assert compared.window.isVisible()
    compared.window.close_table(request_.table)
    assert not compared.window.isVisible(), "the table is about to go"


def test_search_answers_where_there_is_no_table(stage):
    cells = (11, 3, 1, 0, 2, 1, 1, 0) + (0,) * 8
    stage.compare(ComparisonRequest(cells, 1, None))
    assert stage.opened == []
    assert stage.estimates.n_asked > 10
    assert stage.window.headline.text().startswith("Left: about 90")
    assert stage.window.sides[BEST].title.text() == "Best: Left"
    stage.press(*NEXT)
    assert stage.at == 1


def test_it_says_what_was_said_where_one_comes_from(stage):
    cells = (11, 3, 1, 0, 2, 1, 1, 0) + (0,) * 8
    chances = (0.858, 0.835, 0.84, 0.8)
    stage.compare(ComparisonRequest(cells, 1, None, chances=chances))
    window = stage.window
    assert window.headline.text() == "Left: about 85.8 %; Right would lose 2.3 points."
    for side, kept in ((PLAYED, "Right keeps 83.5 %"), (BEST, "Left keeps 85.8 %")):
        assert window.sides[side].cross.rates == chances
        assert window.sides[side].text_label.text().startswith(kept)
    assert [course[1].kept for course in stage.courses] == [0.835, 0.858]


def test_with_nothing_to_compare_it_stays_closed_and_says_why(stage, tmp_path):
    """It opened two equal boards with "Nothing to show yet."."""
    said = []
    stage.window.refused.connect(said.append)
    stage.window.compare(ComparisonRequest((1, 2, 3, 4) + (0,) * 12, 0, None))
    assert "not possible" in said.pop()
    stage.window.compare(ComparisonRequest((1,) + (0,) * 15, 1, tmp_path / "gone"))
    assert str(tmp_path) in said.pop()
    assert not stage.window.isVisible()


def test_an_only_move_has_no_comparison(stage):
    said = []
    stage.window.refused.connect(said.append)
    cells = (1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0)
    stage.window.compare(ComparisonRequest(cells, 1, None))
    assert said == ["There is no other move to compare with."]
    assert not stage.window.isVisible()


def test_an_answer_that_takes_long_is_waited_for_in_the_window(stage, request_, qtbot):
    stage.tasks.at_once = False
    stage.window.compare(request_)
    assert not stage.window.isVisible(), "most answers come at once"
    qtbot.waitUntil(stage.window.isVisible)
    assert stage.window.headline.text() == "Looking…"
    large = {i for i, exponent in enumerate(request_.cells) if exponent == 15}
    assert all(side.board_view.locked == large for side in stage.window.sides)
    stage.tasks.at_once = True
    stage.tasks.work_off()
    assert stage.window.session is not None


def test_the_window_fits_the_screen_with_its_frame(compared):
    window = compared.window
    room = window.screen().availableGeometry()
    assert window.frameGeometry().height() > window.height(), "there is a frame"
    assert room.contains(window.frameGeometry())


def test_of_two_questions_the_later_one_wins(stage, request_):
    stage.tasks.at_once = False
    stage.window.compare(request_)
    cells = (11, 3, 1, 0, 2, 1, 1, 0) + (0,) * 8
    stage.window.compare(ComparisonRequest(cells, 1, None))
    stage.tasks.work_off()
    assert stage.cells(BEST) == cells
    assert stage.window.session is not None


def test_an_answer_after_it_was_closed_is_dropped(stage, request_):
    stage.tasks.at_once = False
    stage.window.compare(request_)
    stage.window.close()
    stage.tasks.work_off()
    assert stage.window.session is None


@pytest.fixture
def chinese():
    language.use("zh_CN")
    yield
    language.use("en")


def test_it_speaks_chinese(chinese, stage, request_):  # noqa: ARG001 - a fixture that is in force
    stage.window.compare(request_)
    texts = [stage.window.headline, stage.window.facts, stage.window.more_label]
    texts += [*(side.title for side in stage.window.sides)]
    for text in texts:
        assert any("\u4e00" <= letter <= "\u9fff" for letter in text.text()), text.text()
    assert stage.window.windowTitle() == "对比 – Endgame 2048"


@pytest.fixture
def furnished(program, table, data_dir, qtbot):
    from tests.gui.furnished_window import Furnished, add_table

    added = add_table(table("2x4", 64), data_dir)
    opened = program()
    opened.window.show()
    return Furnished(opened, qtbot, added)


def digits(request):
    return format_board(from_cells(request.cells))


def wait_for_position(practice, qtbot, request):
    def is_there():
        step = practice.game.step
        return step and step.board == from_cells(request.cells) and practice.game.answer

    qtbot.waitUntil(lambda: bool(is_there()))


def wait_for_session(program, qtbot):
    window = program.pages.comparison
    qtbot.waitUntil(lambda: window.session is not None)
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.mark.thorough
def test_practice_leads_there_and_back(furnished, request_, qtbot):
    program, window = furnished.program, furnished.program.pages.comparison
    program.request("practice_requested", program.services.library.tables[0].path)
    practice = program.pages["Practice"]
    qtbot.waitUntil(lambda: practice.game.answer is not None)
    board = practice.board_view
    board.setFocus()
    QTest.keyClick(board, Qt.Key.Key_O)
    assert not window.isVisible(), "no move was made yet"
    practice.show_position(program.services.library.tables[0].path, digits(request_))
    wait_for_position(practice, qtbot, request_)
    QTest.keyClick(board, ARROWS[request_.played])
    qtbot.waitUntil(lambda: practice.game.answer is not None)
    QTest.keyClick(board, Qt.Key.Key_O)
    wait_for_session(program, qtbot)
    assert window.session.courses[PLAYED][0].cells == request_.cells
    assert window.session.courses[PLAYED][1].direction == request_.played
    QTest.keyClick(window.sides[BEST].board_view, Qt.Key.Key_Escape)
    assert not window.isVisible()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is board)


@pytest.mark.thorough
def test_why_compares_the_move_that_it_explains(furnished, request_, qtbot):
    program, practice = furnished.program, furnished.program.pages["Practice"]
    path = program.services.library.tables[0].path
    program.request("practice_requested", path, digits(request_), asker="Mistakes")
    wait_for_position(practice, qtbot, request_)
    keys = dict(zip(range(4), ARROWS, strict=True))
    practice.board_view.setFocus()
    QTest.keyClick(practice.board_view, keys[request_.played], Qt.KeyboardModifier.AltModifier)
    button = practice.panel.why.compare_button
    qtbot.waitUntil(button.isVisible)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    window = wait_for_session(program, qtbot)
    assert window.session.courses[PLAYED][1].direction == request_.played


@pytest.mark.thorough
def test_another_language_closes_it_and_makes_another(furnished, qtbot, request_):
    program = furnished.program
    program.pages.comparison.compare(request_)
    before = program.pages.comparison
    program.services.settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: language.in_force() == "zh_CN")
    try:
        assert program.pages.comparison is not before
        assert not before.isVisible()
        program.pages.comparison.compare(request_)
        assert program.pages.comparison.windowTitle() == "对比 – Endgame 2048"
    finally:
        language.use("en")


@pytest.mark.parametrize("width", [400, 530, 620, 1120])
def test_nothing_is_cut_however_narrow_the_window_is(stage, request_, width):
    stage.compare(request_)
    stage.press(*NEXT)  # both rows of cards
    window = stage.window
    window.more.button.click()
    window.resize(width, 700)
    QApplication.processEvents()
    content = window.sides[BEST].parentWidget()
    room = content.parentWidget().width()
    for side in window.sides:
        right = side.mapTo(content, side.rect().bottomRight()).x()
        assert right < room
        assert all(cell.height() >= cell.minimumSizeHint().height() for cell in side.cross.cells)
        below = side.text_label.geometry().top() - side.board_view.geometry().bottom()
        assert below > 0
    texts = [window.headline, window.facts, *(side.text_label for side in window.sides)]
    for text in texts:
        assert text.height() >= text.heightForWidth(text.width())
