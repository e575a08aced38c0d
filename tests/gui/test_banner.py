"""Messages inside a page: which of them go by themselves."""

import pytest
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.banner import NEWS_MS, OFFER_MS, BannerStack


@pytest.fixture
def stack(qtbot: QtBot) -> BannerStack:
    stack = BannerStack()
    qtbot.addWidget(stack)
    return stack


def pass_time(stack: BannerStack) -> None:
    """Let all timers run out that are counting."""
    for timer in stack.findChildren(QTimer):
        assert timer.interval() == NEWS_MS
        timer.timeout.emit()


@pytest.mark.parametrize("kind", ["good", "info"])
def test_news_goes_by_itself(stack, kind):
    stack.show_message(kind, "game.vrs: 8 moves.")
    assert len(stack.banners) == 1
    pass_time(stack)
    assert stack.banners == []


def test_a_message_is_no_window_even_for_a_moment(stack, qapp):
    """That would take the keyboard from the board."""
    shown: list[QObject] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            is_window = isinstance(watched, QWidget) and watched.isWindow()
            if event.type() == QEvent.Type.Show and is_window and watched is not stack:
                shown.append(watched)
            return False

    watch = Watch()
    qapp.installEventFilter(watch)
    stack.show_message("warning", "Not saved.", [("Again", lambda: None)])
    qapp.removeEventFilter(watch)
    assert shown == []


def test_what_offers_something_or_tells_of_a_problem_stays(stack):
    stack.show_message("good", "Saved.", [("Show in folder", lambda: None)])
    stack.show_message("info", "Reading\u2026")
    for kind in ("warning", "bad"):
        stack.show_message(kind, f"A {kind} thing.")
    pass_time(stack)
    assert len(stack.banners) == 4


def test_an_offer_may_be_limited_in_time(stack):
    stack.show_message("info", "Reset.", [("Undo", lambda: None)], lasts_ms=OFFER_MS)
    (timer,) = stack.findChildren(QTimer)
    assert timer.interval() == OFFER_MS
    timer.timeout.emit()
    assert stack.banners == []


def test_what_a_remedy_says_in_place_of_its_message_stays(stack):
    def fail() -> None:
        stack.show_message("bad", "The drive is full.", key="file")

    banner = stack.show_message("info", "Deleted.", [("Undo", fail)], key="file")
    banner.buttons[0].click()
    assert [one.text_label.text() for one in stack.banners] == ["The drive is full."]


def test_news_that_was_replaced_takes_nothing_along(stack):
    stack.show_message("good", "Saved.", key="file")
    (old,) = stack.findChildren(QTimer)
    stack.show_message("bad", "Not saved.", key="file")
    old.timeout.emit()
    (shown,) = stack.banners
    assert shown.text_label.text() == "Not saved."
