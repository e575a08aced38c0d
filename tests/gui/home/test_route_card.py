"""The card of the route of the day."""

from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from coach.routes.daily import DailyRecord, daily_route
from coach.routes.results import RouteResults, StoredRun
from gui.home.cards import RouteCard
from gui.home.records import RecordReader
from tests.coach.routes.test_route_results import GAME, RESULT
from tests.gui.home.made_tests import NOON

TODAY = replace(RESULT, route=replace(GAME, seed=daily_route(NOON.date()).seed), points=5210)


@pytest.fixture
def card(qtbot):
    card = RouteCard()
    qtbot.addWidget(card)
    return card


def test_before_the_first_move_it_says_what_it_is(card):
    assert card.result_label.isHidden()
    assert card.text_label.text().startswith("The same new tiles for everyone")
    assert card.button.text() == "Play"


def test_a_run_under_way_goes_on(card):
    card.show_record(DailyRecord(replace(RESULT, outcome="", n_moves=34), None, 2))
    assert card.text_label.text() == (
        "442 \N{RIGHTWARDS ARROW} 512: 34 of 100 moves made. 2 days in a row so far."
    )
    assert (card.result_label.isHidden(), card.button.text()) == (True, "Go on")
    card.show_record(DailyRecord(replace(TODAY, outcome="", n_moves=1)))
    assert card.text_label.text() == "Whole game: 1 move made."


def test_the_result_stands_beside_that_of_the_ai(card):
    card.show_record(DailyRecord(RESULT, replace(RESULT, who="search", match_rate=0.99), 3))
    assert card.result_label.text() == "You: 97.3128 %. The AI: 99.0000 %"
    assert card.text_label.text() == ("442 \N{RIGHTWARDS ARROW} 512, done today. 3 days in a row.")
    assert card.button.text() == "Show"
    card.show_record(DailyRecord(TODAY, None, 1))
    assert card.result_label.text() == "You: 5,210 points"
    assert card.text_label.text() == "Whole game, done today."


def test_it_is_read_from_the_database_of_routes(tmp_path):
    with closing(RouteResults(tmp_path / "routes.db")) as results:
        results.keep(StoredRun(1, NOON - timedelta(hours=2), TODAY, "[[0,1]]"))
    found = RecordReader(tmp_path).read(NOON, 0, hard=False, game=None).route
    assert found == DailyRecord(TODAY, None, 1)


@pytest.mark.parametrize("content", [None, b"no database" * 100])
def test_without_a_sound_database_there_is_nothing_to_tell(tmp_path, content):
    if content:
        (tmp_path / "routes.db").write_bytes(content)
    found = RecordReader(tmp_path).read(NOON, 0, hard=False, game=None).route
    assert found == DailyRecord()
    assert len(list(tmp_path.iterdir())) == (content is not None)
