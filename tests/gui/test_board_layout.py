"""How board and panel share a page's room."""

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QVBoxLayout, QWidget

from coach.grading.grade import UINT32, judge
from gui.exam.panel import RateRows
from gui.pages.page import ScrolledPage
from gui.style.theme import BODY, CAPTION
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerStack
from gui.widgets.board_layout import BoardLayout


class Panel(QWidget):
    """Has one label, which can ask for room."""

    def __init__(self) -> None:
        super().__init__()
        self.label = QLabel("narrow")
        QVBoxLayout(self).addWidget(self.label)

    def lay_flat(self, flat: bool) -> None:
        """Look the same under the board."""


def settled(*widgets: QWidget) -> None:
    for _ in range(5):  # layouts that follow from others
        QApplication.processEvents()
    assert all(one.isVisible() for one in widgets)


def test_a_panel_gets_wider_with_what_it_shows(qtbot):
    """The result of a test was cut at the right: its width was not taken into account."""
    panel = Panel()
    page = BoardLayout("Page", QWidget(), panel, ActionBar([]))
    qtbot.addWidget(page)
    page.resize(1100, 700)
    page.show()
    settled(page, panel)
    usual = panel.width()
    panel.label.setMinimumWidth(460)
    settled(panel.label)
    right = panel.label.mapTo(page, QPoint(panel.label.width(), 0)).x()
    assert panel.label.width() >= 460
    assert right <= page.width()
    panel.label.setMinimumWidth(0)
    settled(panel.label)
    assert panel.width() == usual, "and not for good"


def test_a_line_parts_a_panel_that_is_cut_from_what_stands_below(qtbot):
    """The words about an AI ran into those about its move."""
    panel, foot = Panel(), QLabel("left is best, then right")
    page = BoardLayout("Page", QWidget(), panel, ActionBar([]), foot=foot)
    qtbot.addWidget(page)
    panel.label.setMinimumHeight(600)
    page.show()
    for size, is_cut in (((1100, 500), True), ((1100, 900), False), ((600, 900), False)):
        page.resize(*size)
        settled(foot)
        lines = [one for one in page.findChildren(QFrame, "line") if one.isVisible()]
        assert len(lines) == is_cut
    page.resize(1100, 500)
    settled(foot)
    (line,) = page.findChildren(QFrame, "line")
    assert line.mapTo(page, QPoint()).y() < foot.mapTo(page, QPoint()).y()


LONG = "No table covers this position. Search can analyze your moves instead, move by move."


def place(widget, page):
    return QRect(widget.mapTo(page, QPoint()), widget.size())


@pytest.mark.parametrize("size", [(1100, 700), (797, 533), (744, 400), (600, 900), (344, 300)])
def test_no_message_moves_the_board_or_what_is_beside_it(qtbot, size):
    """It jumped each time one came or went; a page at 150 % has 797 x 533 of 1280 x 800."""
    board, panel, bar, foot = QWidget(), Panel(), ActionBar([]), QLabel("left is best")
    page, banners = BoardLayout("Page", board, panel, bar, foot=foot), BannerStack()
    page.take_banners(banners)
    qtbot.addWidget(page)
    page.resize(*size)
    page.show()
    settled(board, panel)
    parts = (board, bar, page.title)
    before = [place(part, page) for part in parts]
    panel_at = place(panel, page).topLeft()
    for n, remedies in enumerate(([], ["Show tables", "Analyze with all tables"], ["Undo"])):
        key, work = str(n), [(title, lambda: None) for title in remedies]
        banner = banners.show_message("warning", LONG, work, key=key)
        settled(board, banner)
        assert [place(part, page) for part in parts] == before
        assert place(panel, page).topLeft() == panel_at or size[0] < 640, "below the board"
        for part in (banner.text_label, banner.close_button, *banner.buttons):
            assert banner.rect().contains(place(part, banner))
            assert part.width() >= part.minimumSizeHint().width()
            assert part.height() >= part.heightForWidth(part.width())
        if n == 0:
            seen = QRect(banner.mapTo(page, QPoint()), banner.visibleRegion().boundingRect().size())
            assert seen.height() == banner.height() or size[1] == 300, "there one scrolls"
            assert page.rect().contains(seen)
            assert not seen.intersects(place(board, page)) or size[0] < 640, "it scrolls below"
    for banner in banners.banners:
        banner.close_button.click()
    settled(board)
    assert [place(part, page) for part in parts] == before


def test_messages_stay_in_sight_where_there_is_no_board(qtbot):
    page, banners, other = (
        BoardLayout("Page", QWidget(), Panel(), ActionBar([])),
        BannerStack(),
        QLabel(),
    )
    page.take_banners(banners)
    page.stack.addWidget(other)
    qtbot.addWidget(page)
    page.resize(1100, 700)
    page.show()
    banner = banners.show_message("info", LONG)
    settled(banner)
    beside = place(banner, page)
    page.stack.setCurrentIndex(1)
    settled(banner, other)
    assert place(other, page).bottom() < place(banner, page).top()
    page.stack.setCurrentIndex(0)
    settled(banner)
    assert place(banner, page) == beside


def test_messages_from_a_list_do_not_narrow_the_board(qtbot):
    """Puzzles were shown at half width as long as "Found 50 new puzzles" stayed."""
    board, other, banners = QWidget(), QLabel(), BannerStack()
    page = BoardLayout("Page", board, Panel(), ActionBar([]))
    page.take_banners(banners)
    page.stack.addWidget(other)
    qtbot.addWidget(page)
    page.resize(1280, 700)
    page.show()
    settled(board)
    usual = place(board, page)
    page.stack.setCurrentIndex(1)
    settled(other)
    alone = place(other, page)
    banner = banners.show_message("good", "Found 50 new puzzles.")
    settled(banner)
    assert place(other, page).topLeft() == alone.topLeft()
    page.stack.setCurrentIndex(0)
    settled(banner)
    assert place(board, page) == usual


@pytest.mark.parametrize("size", [(1100, 700), (560, 500)])
def test_messages_of_a_page_that_scrolls_push_nothing_away(qtbot, size):
    page = ScrolledPage()
    parts = [QLabel(f"Line {i}") for i in range(40)]
    for part in parts:
        page.body.addWidget(part)
    qtbot.addWidget(page)
    page.resize(*size)
    page.show()
    settled(parts[0])
    before = [place(part, page) for part in parts]
    for kind in ("info", "bad"):
        banner = page.banners.show_message(kind, f"{kind}: {LONG}", [("Undo", lambda: None)])
        settled(banner)
    assert [place(part, page) for part in parts] == before


def test_without_a_foot_there_is_no_line(qtbot):
    panel = Panel()
    page = BoardLayout("Page", QWidget(), panel, ActionBar([]))
    qtbot.addWidget(page)
    panel.label.setMinimumHeight(600)
    page.resize(1100, 500)
    page.show()
    settled(panel)
    assert not any(one.isVisible() for one in page.findChildren(QFrame, "line"))


def test_rates_and_losses_do_not_touch(qtbot):
    rows = RateRows()
    qtbot.addWidget(rows)
    needed = {}
    for text, px in (("99.9685 %", BODY), ("\N{MINUS SIGN}0.00015", CAPTION)):
        label = QLabel(text)
        font = label.font()
        font.setPixelSize(px)
        label.setFont(font)
        needed[text] = label.fontMetrics().horizontalAdvance(text)
    arrow, star, apart = 25, 24, 6
    assert rows.minimumSizeHint().width() >= sum(needed.values()) + arrow + star + apart


def test_a_loss_has_its_unit_wherever_there_is_room(qtbot):
    rows = RateRows()
    qtbot.addWidget(rows)
    rates = (0.99, 0.978, None, None)
    rows.show_move(rates, judge(rates, 1, UINT32))
    metrics = rows.fontMetrics()
    whole = "\N{MINUS SIGN}1.2 pts"
    width = metrics.horizontalAdvance(whole)
    assert rows.caption(1, metrics, width) == whole
    assert rows.caption(1, metrics, width - 1) == "\N{MINUS SIGN}1.2"
