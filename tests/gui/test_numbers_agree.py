"""One position, many places that speak of it: on equal moves and on losses all say the same."""

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest
from pytestqt.qtbot import QtBot

from coach.grading.grade import Tolerance, judge
from engine.moves import move
from engine.spawn import Rng, spawn
from gui.text.rates import (
    DIRECTION_NAMES,
    RATE_SCALE,
    Rates,
    describe_judged,
    describe_rates,
    format_lost,
    format_rates,
)
from gui.widgets.rate_cross import RateCross
from tablebase.errors import ProbeError
from tablebase.probe.reader import Tablebase
from tests.gui.practice_theme import plain_theme
from tests.makers import TableMaker

LOSES = re.compile(r"\b(loses?|lost)\b")
WITH_POWER = re.compile(r"\de-?\d")
N_BOARDS = 10_000
TABLES = (("44", 64, "uint32"), ("tinycorner", 64, "float32"), ("tinyangle", 64, "float64"))
_TYPES = ("uint32", "float32", "float64")


def made_up(rng: random.Random, tolerance: Tolerance) -> Rates:
    """Return rates as close to each other as tables have them, and as far apart."""
    best = rng.choice((1.0, 1 - 10 ** -rng.uniform(1, 10), 10 ** -rng.uniform(0, 10), rng.random()))
    steps = (0.0, 0.5, 0.99, 1.5, 3.0, 20.0, 1e3, 1e6)
    rates: list[float | None] = [
        max(0.0, best - rng.choice(steps) * tolerance.slack(best)),
        max(0.0, best * (1 - 10 ** -rng.uniform(0, 12))),
        rng.choice((None, 0.0, best / 2)),
        best,
    ]
    rng.shuffle(rates)
    return tuple(rates)


def check(rates: Rates, tolerance: Tolerance) -> None:
    """Compare what is said of a position with how its moves are graded."""
    legal = [d for d, rate in enumerate(rates) if rate is not None]
    figures, sentence = format_rates(rates, tolerance), describe_rates(rates, tolerance=tolerance)
    starred = RATE_SCALE.winners(rates, tolerance)
    assert not WITH_POWER.search(sentence), sentence
    for d in legal:
        judgement = judge(rates, d, tolerance)
        if judgement is None:
            assert not starred
            continue
        verdict, name = describe_judged(d, rates, judgement), DIRECTION_NAMES[d].capitalize()
        assert not WITH_POWER.search(verdict), verdict
        assert (d in starred) == judgement.is_perfect == (d in judgement.best)
        if judgement.is_perfect:
            assert not LOSES.search(verdict), verdict
            assert f"{name} loses" not in sentence, sentence
            assert f"{name} is about equal" not in sentence, sentence
        else:
            assert LOSES.search(verdict) or "about equal" in verdict, verdict
            assert not WITH_POWER.search(format_lost(judgement))
            assert format_lost(judgement) not in ("", "nothing", "0 points")
    for one in legal:
        for other in legal:
            if figures[one] == figures[other]:
                assert (one in starred) == (other in starred), (rates, figures)


@pytest.mark.parametrize("kind", _TYPES)
def test_made_up_rates_are_told_apart_as_they_are_graded(kind: str) -> None:
    rng, tolerance = random.Random(17), Tolerance.of_type(kind)
    for _ in range(2000):
        check(made_up(rng, tolerance), tolerance)


def test_the_cross_marks_what_grading_takes_for_best(qtbot: QtBot) -> None:
    """The case of a real table: one rounding step apart, and only one of them starred."""
    cross, tolerance = RateCross(plain_theme()), Tolerance.of_type("uint32")
    qtbot.addWidget(cross)
    rates = (0.9997, 0.9997 - 1 / 4e9, 0.5, None)
    cross.show_rates(rates, tolerance=tolerance)
    assert [cell.is_best for cell in cross.cells] == [True, True, False, False]
    assert cross.cells[0].text() == cross.cells[1].text() == "99.97 %"
    assert [cell.loss for cell in cross.cells[:2]] == ["best", "best"]
    assert cross.sentence.text() == "Left and right keep 99.97 %. Up loses 50 points."
    cross.show_rates((0.9997, 0.9997 - 3 / 4e9, 0.5, None), tolerance=tolerance)
    assert [cell.is_best for cell in cross.cells] == [True, False, False, False]
    assert cross.cells[0].text() != cross.cells[1].text()
    assert cross.cells[1].loss == "about equal"
    assert cross.sentence.text() == "Left keeps 99.97 %. Right is about equal."


def boards_of(found: Tablebase, seed: int) -> Iterator[int]:
    """Yield the positions of games in which any move may be played, from start to end."""
    rng, walls = Rng(seed), found.formation.walls
    while True:
        board = found.start_board(rng)
        while True:
            try:
                rates = found.probe(board, comes_up=True).rates
            except ProbeError:
                break
            yield board
            kept = [d for d, rate in enumerate(rates) if rate is not None]
            if not kept:
                break
            board = spawn(move(board, kept[rng.below(len(kept))], walls), rng, found.spawn4)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "target", "rate"), TABLES)
def test_real_positions_are_told_apart_as_they_are_graded(
    table: TableMaker, name: str, target: int, rate: str
) -> None:
    found = Tablebase.open(table(name, target, rate))
    tolerance, seen, with_choice = Tolerance.of_type(rate), set(), 0
    try:
        for board in islice(boards_of(found, 5), N_BOARDS // len(TABLES)):
            answer = found.probe(board, comes_up=True)
            check(answer.rates, tolerance)
            if answer.best is not None and RATE_SCALE.winners(answer.rates, tolerance):
                assert answer.best in RATE_SCALE.winners(answer.rates, tolerance), "as `probe` says"
            with_choice += sum(rate is not None for rate in answer.rates) > 1
            seen.add(board)
    finally:
        found.close()
    assert with_choice > len(seen) / 4, "positions with something to choose"
