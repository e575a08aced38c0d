"""The Profile page: what it shows of facts, what it asks for, what it says without any."""

from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from coach.exam.history import History
from coach.profile import ai_answers
from coach.profile.profile import Cut
from coach.record.user_database import UserDatabase
from gui.progress.page import ProfilePage
from gui.work.profile_service import ProfileService
from tests.coach.made_sessions import played
from tests.gui.practice_fakes import FakeTasks

NOW = datetime(2026, 5, 6, 12, tzinfo=timezone.utc)


class Stage:
    """A page on a folder with tests; work is done when it is asked for."""

    def __init__(self, qtbot, folder: Path) -> None:
        self.folder, self.tasks = folder, FakeTasks()
        self.facts = ProfileService(UserDatabase(folder), dict, self.tasks, lambda: NOW, lambda: 0)
        self.page = ProfilePage(self.facts, lambda: NOW)
        self.trained: list[object] = []
        self.page.training_requested.connect(self.trained.append)
        qtbot.addWidget(self.page)
        self.page.resize(1000, 800)
        with qtbot.waitExposed(self.page):
            self.page.show()

    def play(self, n: int, *tables: str) -> None:
        for i in range(n):
            table = tables[i % len(tables)] if tables else "L3_256"
            session = played(60, by=i, table=table)
            with closing(History(self.facts.database)) as history:
                if not history.has(f"{i}.json"):
                    history.add_file(f"{i}.json", session, session.started)


@pytest.fixture
def stage(qtbot, tmp_path):
    stage = Stage(qtbot, tmp_path)
    yield stage
    stage.page.hide()
    stage.facts.close()


def test_without_a_game_it_says_what_to_do_and_makes_no_file(stage, qtbot):
    stage.page.page_shown()
    assert stage.page.next_title.text() == "Play your first 100 moves"
    assert stage.page.coming.isVisible()
    assert not stage.page.details.isVisible()
    assert not stage.page.bar.isVisible()
    assert not (stage.folder / "user.db").exists()
    with qtbot.waitSignal(stage.page.first_test_requested):
        stage.page.button.click()


def test_few_moves_make_one_card_that_says_how_many_are_missing(stage, qtbot):
    stage.play(1)
    stage.page.page_shown()
    page, facts = stage.page, []
    stage.facts.ask(lambda store: store.all(), facts.extend)
    assert page.next_title.text().startswith("Play up to ")
    assert page.bar.isVisible()
    assert page.bar.value() == len(facts) < page.bar.maximum()
    assert page.bar_label.text() == f"{len(facts)} of 300 moves with a choice"
    assert page.rate_figure.isVisible(), "what is known so far"
    assert "still a rough figure" in page.rate_figure.note_label.text()
    for part in (page.chart, page.lower_label, page.details):
        assert not part.isVisible()
    with qtbot.waitSignal(page.first_test_requested):
        page.button.click()
    page.train_action.trigger()
    assert stage.trained == [None], "what is due can be trained"


def test_a_first_curve_is_shown_early_and_said_to_be_rough(stage):
    """The page was empty until 100 moves."""
    stage.play(2)
    stage.page.page_shown()
    page = stage.page
    assert page.chart.isVisible()
    assert "still a rough figure" in page.rate_figure.note_label.text()
    assert not page.coming.isVisible()
    assert not page.details.isVisible(), "no parts of so few moves"


def test_games_that_are_read_for_the_first_time_are_counted_in_a_bar(stage):
    stage.play(2)
    page, shown = stage.page, []
    stage.facts.progressed.connect(
        lambda *_: shown.append((page.next_title.text(), page.bar_label.text()))
    )
    page.page_shown()
    assert shown == [("Reading your games", "0 of 2"), ("Reading your games", "1 of 2")]
    assert page.next_title.text().startswith("Play up to ")
    assert not page.banners.banners


def test_figures_are_those_of_the_facts(stage):
    stage.play(8)
    stage.page.page_shown()
    page, facts = stage.page, []
    stage.facts.ask(lambda store: store.all(), facts.extend)
    assert page.rate_figure.note_label.text() == f"{len(facts):,} moves in 8 games"
    rate = 100 * sum(one.lost for one in facts) / len(facts)
    assert page.rate_figure.value_label.text() == f"{rate:.0f}"
    page.details.button.click()
    for chart in page.cuts.values():
        assert all(one.has_enough for one in chart.shares), "nothing is said of too few moves"
        assert all(chart.row_text(one) in chart.toolTip() for one in chart.shares)
    assert [one.key for one in page.cuts[Cut.FORMATION].shares] == ["L3"]
    assert page.next_title.text().startswith("Play up to "), "no share of the moves is enough"
    assert page.chart.read_out(3).startswith("Moves "), "the curve has at least four points"
    assert not page.cuts[Cut.FORMATION].isVisible(), "there is nothing to compare with"


@pytest.mark.thorough
def test_the_keyboard_stays_on_the_page_when_the_facts_are_there(stage, qtbot):
    page = stage.page
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.setFocus()
    assert page.button.hasFocus()
    stage.play(8)
    page.page_shown()
    assert page.button.hasFocus()


def test_what_stands_out_is_trained_at_a_click_or_by_key(stage):
    stage.play(20, "L3_256", "442_256")
    stage.page.page_shown()
    page = stage.page
    assert page.next_label.text() == "What costs you most"
    assert page.next_title.text()
    page.button.click()
    keys = page.train_action.shortcut().toString()
    assert keys == "Ctrl+Shift+T"
    page.train_action.trigger()
    (chosen, again) = stage.trained
    assert again is chosen
    assert page.chart.read_out(1).startswith("Moves 32\N{EN DASH}131"), "25 moves later"


def test_a_new_test_is_seen_when_the_page_is_shown_again(stage):
    stage.play(2)
    stage.page.page_shown()
    before = stage.page.bar.value()
    stage.play(3)
    stage.page.page_shown()
    assert stage.page.bar.value() > before > 0


def test_a_damaged_database_can_be_set_aside(stage):
    stage.play(2)
    (stage.folder / "user.db").write_bytes(b"nothing that SQLite knows" * 400)
    stage.page.page_shown()
    (banner,) = stage.page.banners.banners
    assert "user.db" in banner.text_label.text()
    buttons = banner.findChildren(QPushButton)
    next(one for one in buttons if one.text() == "Set aside and start over").click()
    assert stage.page.next_title.text() == "Play your first 100 moves"
    stage.play(2)
    stage.page.page_shown()
    assert stage.page.bar.value() > 0
    assert len(list(stage.folder.glob("user.damaged-*.db"))) == 1


def test_the_ai_stands_beside_on_the_same_moves(stage, monkeypatch):
    stage.play(8)
    stage.page.page_shown()
    assert stage.page.ai_label.text() == ""
    monkeypatch.setattr(ai_answers, "search_look", lambda: lambda _: (0.4, 0.3, 0.2, 0.1))
    stage.page.ai_button.click()
    assert stage.page.ai_button.isEnabled()
    facts: list = []
    stage.facts.ask(lambda store: store.all(), facts.extend)
    rate = 100 * sum(one.ai_lost for one in facts) / len(facts)
    assert f"the AI loses {rate:.0f} " in stage.page.ai_label.text()
    (banner,) = stage.page.banners.banners
    assert banner.text_label.text() == f"The AI was asked about {len(facts)} moves."


def test_a_kind_of_moves_is_shown_beside_another_or_not_at_all(stage):
    stage.play(20, "L3_256", "442_256")
    stage.page.page_shown()
    page = stage.page
    page.details.button.click()
    for cut, chart in page.cuts.items():
        assert page.cut_cards[cut].isVisible() == (len(chart.shares) > 1), cut
    assert page.cut_cards[Cut.FORMATION].isVisible()
    assert not page.cut_cards[Cut.LUCK].isVisible(), "one of its two sides has too few moves"
    assert len(page.cuts[Cut.LUCK].shares) == 1
