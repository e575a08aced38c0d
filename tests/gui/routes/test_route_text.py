"""How a run compares with the AI's and with earlier ones, in words."""

from dataclasses import replace

import pytest

from coach.routes.code import Route
from coach.routes.result import RECEIVED, RouteResult
from coach.routes.results import StoredRun
from gui.routes.text import standing_text
from tests.gui.practice_fakes import NOON

RESULT = RouteResult(Route("442", "512", 1, 100), "", 35, 3, 0.0, 0.5, 0, 1000, 7, "moves")
THIS = StoredRun(1, NOON, RESULT, has_moves=True)


def of(who: str, lost: float, outcome: str = "moves", n_mistakes: int = 3) -> StoredRun:
    result = replace(
        RESULT, who=who, n_moves=87, points_lost=lost, outcome=outcome, n_mistakes=n_mistakes
    )
    return StoredRun(2, NOON, result, has_moves=not who)


@pytest.mark.parametrize(
    ("others", "text"),
    [
        ([], ""),
        ([of("search", 2.16)], "You beat the AI (216 points lost in 87 moves)."),
        ([of("search", 0.5)], "As good as the AI."),
        ([of("search", 0.12, n_mistakes=21)], "The AI did better: 12 points lost in 87 moves."),
        ([of("", 0.6), of("", 0.9)], "Your best so far."),
        ([of("", 0.2)], "Your best: 20 points lost in 87 moves."),
        ([of("", 0.2, outcome="")], ""),
        ([of(RECEIVED, 0.2), of("table", 0)], ""),
    ],
)
def test_a_run_is_compared_with_the_ai_and_with_earlier_ones(others, text):
    assert standing_text([THIS, *others], 1) == text


def test_one_under_way_is_not_compared():
    assert standing_text([replace(THIS, result=replace(RESULT, outcome="")), of("", 2)], 1) == ""
