import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from coach.grading.grade import Grade
from gui.style.theme import theme_source
from gui.widgets.rate_cross import RateCross
from tests.gui.practice_theme import plain_theme


@pytest.fixture
def cross(qtbot: QtBot) -> RateCross:
    cross = RateCross()
    qtbot.addWidget(cross)
    cross.resize(360, 320)
    cross.show()
    return cross


def test_figures_stand_where_their_keys_are(cross):
    left, right, up, down = (cell.geometry().center() for cell in cross.cells)
    assert up.y() < left.y() == right.y() < down.y()
    assert left.x() < up.x() == down.x() < right.x()


def test_each_direction_has_its_figure(cross):
    cross.show_rates((0.99378, 1 - 3.2e-9, 0.0, None))
    texts = [cell.text() for cell in cross.cells]
    assert texts == ["99.38 %", "99.99999968 %", "0 %", ""]


def test_the_best_is_marked_and_ties_are_all_best(cross):
    cross.show_rates((0.5, 0.5, 0.4, None))
    assert [cell.is_best for cell in cross.cells] == [True, True, False, False]
    assert "best" in cross.cells[0].accessibleDescription()


def test_an_illegal_move_is_but_a_faint_name(cross):
    cross.show_rates((None, 0.5, None, 0.4))
    assert not cross.cells[0].is_legal
    assert not cross.cells[0].isEnabled()
    image = cross.cells[0].grab().toImage()
    name, rest = ({image.pixelColor(x, y).rgba() for x in range(14, 100) for y in rows}
                  for rows in (range(10, 24), range(30, 70)))  # fmt: skip
    assert len(name) > 1
    assert len(rest) == 1


def test_a_small_loss_is_not_a_green_bar(cross):
    cross.show_rates((0.5, 0.4999, None, None))
    cell = cross.cells[1]
    assert 0 < cell.bar < 0.5
    pixel = cell.grab().toImage().pixelColor(16, cell.height() - 13)
    assert pixel.red() > pixel.green()


def test_bars_show_the_loss_on_a_log_scale(cross):
    cross.show_rates((0.5, 0.49995, 0.45, None))
    bars = [cell.bar for cell in cross.cells[:3]]
    assert bars == pytest.approx([0.0, 0.25, 1.0], abs=1e-6)


def test_no_sentence_repeats_the_figures(cross):
    cross.show_rates((0.99378, None, 0.98178, None))
    assert cross.sentence.text() == ""


def test_hidden_figures_tell_nothing(cross):
    cross.show_rates((0.99378, None, 0.98178, None))
    cross.hide_figures(True)
    assert not any(cell.is_best for cell in cross.cells)
    assert all("9" not in cell.text() for cell in cross.cells)
    assert "hidden" in cross.cells[0].accessibleDescription()
    cross.hide_figures(False)
    assert cross.cells[0].text() == "99.38 %"


def test_a_click_on_a_figure_asks_for_the_move(cross, qtbot):
    cross.show_rates((0.9, None, 0.8, None))
    with qtbot.waitSignal(cross.move_clicked) as clicked:
        qtbot.mouseClick(cross.cells[2], Qt.MouseButton.LeftButton)
    assert clicked.args == [2]
    with qtbot.assertNotEmitted(cross.move_clicked):
        qtbot.mouseClick(cross.cells[1], Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("is_dark", [False, True])
def test_it_draws_in_every_state(cross, is_dark):
    theme_source().use(plain_theme(is_dark))
    cross.show_rates((0.9, 1e-7, 0.8, 1 - 1e-9))
    cross.show_stale()
    assert not cross.grab().isNull()
    cross.lay_flat(True)
    assert not cross.grab().isNull()


def test_a_name_stays_whole_where_the_star_says_what_is_best(cross):
    cross.show_rates((0.9, None, None, 0.99))
    left, down = cross.cells[0], cross.cells[3]
    metrics = QFontMetricsF(down.font())
    word = metrics.horizontalAdvance("Down")
    wide = 3 * word + metrics.horizontalAdvance("best") + 40
    assert down.captions(metrics, wide) == ("Down", "best")
    assert down.captions(metrics, word + 44) == ("Down", "")
    minus = "\N{MINUS SIGN}9.0"
    room = metrics.horizontalAdvance("Left") + metrics.horizontalAdvance(minus) + 26
    assert left.captions(metrics, room) == ("Left", minus), "a loss keeps its figure"
    assert left.captions(metrics, room - 2) == ("Left", ""), "but no name is cut for it"


def test_a_name_is_never_cut_for_words_on_the_loss(cross):
    cross.show_rates((4e-7, None, None, 0.0))
    down = cross.cells[3]
    metrics = QFontMetricsF(down.font())
    assert down.loss == "all lost"
    assert down.captions(metrics, 400.0) == ("Down", "all lost")
    assert down.captions(metrics, metrics.horizontalAdvance("Down") + 60) == ("Down", "")


def test_the_star_of_a_best_move_stays_where_it_is_and_a_word_says_that_it_was_played(cross):
    cross.show_rates((0.9, None, None, 0.99))
    left, down = cross.cells[0], cross.cells[3]
    cross.show_played(3, Grade.PERFECT)
    assert down.captions(QFontMetricsF(down.font()), 400.0) == ("Down, played", "best")
    assert not down.has_mark, "beside the name"
    cross.show_played(0, Grade.MISTAKE)
    assert left.has_mark
