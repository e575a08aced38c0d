"""Tables with limits know lower bounds: those are marked, and nobody is graded by two of them."""

import json
import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from brute_force import cells_of
from small_formations import rules_of

from ai.choice import ValueKind, choice_of
from ai.dispatch.cached_table import CachedTable
from ai.dispatch.dispatcher import Dispatcher
from coach.analysis.analyze import Analysis
from coach.explanations.explanation import explain
from coach.explanations.source import TableSource
from coach.explanations.words import headline, refutation_text, sentences_of, split_text
from coach.grading.grade import UINT32, judge
from coach.grading.rated import LowerBoundsError, UnknownRates, check_exact, read
from coach.reasons.reason import AtLeast, find_reason
from coach.reasons.words import reason_text
from coach.recordings.many_tables import rate_by
from coach.recordings.recording import recording_of
from coach.routes.code import code_of
from coach.routes.setup import route_on
from engine.bitboard import LEFT, UP
from tablebase.build.builder import BuildPlan, build
from tablebase.probe.reader import Tablebase
from tablebase.store.options import TableOptions
from tests.child import run
from tests.coach.played_games import played_game
from tests.tablebase.exact_rates import Exact
from tests.test_main import assert_told

BOUNDS = UnknownRates(frozenset(), is_thinned=True, is_limited=True)


@pytest.fixture(scope="module")
def build_limited(formations, tmp_path_factory):
    """Return ``build_limited(name) -> Path``: a table to 64 that leaves out a part."""

    def make(name: str) -> Path:
        folder = tmp_path_factory.mktemp("limited") / f"{name}_64"
        options = TableOptions(most_equal=2, small_sum=12, large_from=8)
        build(BuildPlan(formations[name], 64, folder, options))
        return folder

    return make


@pytest.fixture(scope="module")
def folder(build_limited) -> Path:
    return build_limited("3x3")


@pytest.fixture(scope="module")
def limited(folder):
    with Tablebase.open(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def exact(solution, formations) -> Exact:
    return Exact(solution("3x3", 64), rules_of(formations["3x3"], 64))


@pytest.fixture(scope="module")
def bounded(limited, exact):
    """Positions of which every move has a bound: (board, layer, reading), some too low."""
    found = []
    for board, layer in exact.positions(random.Random(5), 3000):
        reading = read(limited, board, True)
        if reading.unknown_rates.moves or reading.best is None or not reading.rates[reading.best]:
            continue
        found.append((board, layer, reading))
    assert len(found) > 300
    return found


@pytest.mark.thorough
def test_grades_by_two_bounds_would_be_wrong(bounded, exact):
    """Which is why there are none: here some perfect move has a lower bound than another one."""
    wrong = 0
    for board, layer, reading in bounded:
        true = exact.rates(board, layer)
        best = max(rate for rate in true if rate is not None)
        wrong += (true[reading.best] or 0.0) < best - 1e-6
    assert wrong > 5


@pytest.mark.thorough
def test_what_is_judged_nevertheless_is_right(bounded, exact):
    n_judged = n_open = 0
    for board, layer, reading in bounded:
        true = exact.rates(board, layer)
        best = max(rate for rate in true if rate is not None)
        for direction in range(4):
            judged = judge(reading.rates, direction, UINT32, reading.unknown_rates)
            if judged is None:
                n_open += reading.rates[direction] is not None
                continue
            assert judged.is_perfect
            assert true[direction] == pytest.approx(best, abs=1e-6)
            n_judged += 1
    assert n_judged > 20
    assert n_open > 500


def test_only_what_is_certain_is_judged():
    rates = (1.0, 0.9, None, None)
    assert judge(rates, 0, UINT32, BOUNDS).is_perfect
    assert judge(rates, 1, UINT32, BOUNDS) is None
    only = (0.5, None, None, None)
    assert judge(only, 0, UINT32, BOUNDS).is_forced
    unsure = UnknownRates(frozenset({2}), is_thinned=True, is_limited=True)
    assert judge(only, 0, UINT32, unsure) is None, "the other one may be better"


@pytest.mark.parametrize("unknown", [(), (1, 3)])
def test_all_rates_of_a_limited_table_are_in_doubt(unknown):
    said = SimpleNamespace(rates=(0.5, None, None, None), best=0, unknown=unknown)
    table = SimpleNamespace(probe=lambda *_: said, is_thinned=True, is_limited=True)
    found = read(table, 0).unknown_rates
    assert found == UnknownRates(frozenset(unknown), is_thinned=True, is_limited=True)
    assert found.leaves_best_open is bool(unknown)


@pytest.mark.thorough
def test_an_explanation_says_at_least_and_names_no_loss(bounded, limited):
    source, n_told = TableSource(limited), 0
    assert source.is_bound
    for board, _, reading in bounded[:120]:
        known = [one for one, rate in enumerate(reading.rates) if rate is not None]
        worse = [one for one in known if one != reading.best and reading.rates[one] < 1.0]
        if not worse or reading.rates[reading.best] == 1.0:
            continue
        found = explain(source, cells_of(board), worse[0], follows=True)
        assert not found.is_mistake
        assert not found.is_better
        text = headline(found)
        assert text.count("at least") == 2
        assert "points" not in text
        assert sentences_of(found) == []
        assert refutation_text(found) == ""
        assert "keeps at least" in split_text(found.pair.played, is_bound=True)
        n_told += 1
    assert n_told > 20


@pytest.mark.thorough
def test_the_command_marks_them(folder, bounded):
    board, move = next(
        (board, ("left", "right", "up", "down")[one])
        for board, _, reading in bounded
        for one, rate in enumerate(reading.rates)
        if rate is not None and one != reading.best and reading.rates[reading.best] < 1.0
    )
    asked = ("explain", f"{board:016x}", move, "--table", folder)
    told = json.loads(run(*asked, "--json").stdout)
    assert told["at_least"] is True
    assert told["mistake"] is False
    out = run(*asked).stdout
    assert "at least" in out
    assert ">= " in out


def test_games_are_not_graded_by_bounds(build_limited):
    with Tablebase.open(build_limited("44")) as table:
        replay = played_game(table, 3)
        analysis = Analysis(replay, [table])
        list(analysis.run())
        assert analysis.report.segments == ()
        (problem,) = analysis.report.problems
        assert "44_64" in problem
        assert "lower bounds" in problem
        rated = rate_by(table, recording_of(replay))
    assert any(rates and any(rates) for rates in rated.rates)
    assert all(one.is_perfect for one in rated.judgements if one)
    assert set(rated.luck) == {None}
    bounds = [i for i, doubt in rated.doubts.items() if doubt.is_limited]
    assert len(bounds) > 5
    assert np.isnan(rated.chances[bounds]).all(), "no curve is drawn of them"


def test_what_grades_refuses_the_table(limited, folder):
    with pytest.raises(LowerBoundsError, match="without limits"):
        check_exact(limited)
    code = code_of(route_on(limited, 7, 5, is_corrected=False))
    assert_told(run("route", "play", code, "--table", folder), "without limits")


class Shelf:
    def __init__(self, table):
        self.table = table

    def tables(self):
        return [self.table]

    def drop(self, _table, error):
        raise error


def test_the_ai_follows_them_and_says_what_they_are():
    table = SimpleNamespace(
        name="44_64", pattern="44", target=64, n_large=2, is_quick=True, is_limited=True
    )
    table.turns = lambda _masked: [tuple(range(16))]
    table.held_rates = lambda _board: (0.6, None, 0.853, None)
    cells = [8, 7, 0, 1, 0, 1, 2, 0, *[0] * 8]
    decision = Dispatcher(Shelf(CachedTable(table))).choose(cells, None)
    assert (decision.direction, decision.are_bounds) == (UP, True)
    choice = choice_of(decision)
    assert choice.kind is ValueKind.BOUNDS
    reason = find_reason(tuple(cells), choice)
    assert reason == AtLeast(UP, 0.853)
    assert reason_text(reason) == (
        "Up: at least 85.30 %. The table has limits, so another move may be better."
    )
    assert reason_text(AtLeast(LEFT, 1.0)) == "Left is sure to succeed."
