"""Whole games by a table that leads to a sum: where it covers them, and how its segments end."""

from collections import Counter

import pytest

from coach.analysis.analyze import analyze
from coach.analysis.coverage import Coverage
from coach.recordings.recording import recording_of
from coach.whole_game.rating import rate_by_tables
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.goal import SumGoal
from tablebase.probe.reader import Tablebase
from tests.coach.played_games import played_game

TOTAL = 90
N_GAMES = 60


@pytest.fixture(scope="module")
def opened(formations, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sums") / f"44_sum{TOTAL}"
    build(BuildPlan(formations["44"], SumGoal(TOTAL), folder))
    with Tablebase.open(folder) as table:
        yield table


@pytest.fixture(scope="module")
def games(opened):
    return [played_game(opened, seed, n_moves=120, best_share=0.95) for seed in range(N_GAMES)]


def small_sum(cells, n_large):
    """What all tiles but the n largest add up to."""
    return sum(1 << one for one in sorted(cells, reverse=True)[n_large:] if one)


@pytest.mark.thorough
def test_segments_of_a_sum_end_where_it_is_reached(opened, games):
    ends = Counter()
    for replay in games:
        positions = list(replay.positions())
        for report in analyze(replay, [opened], least_moves=0).segments:
            segment = report.segment
            assert (segment.table, segment.target) == (f"44_sum{TOTAL}", f"sum{TOTAL}")
            for i, one in enumerate(segment.positions):
                assert one.cells == tuple(positions[segment.first + i])
                assert small_sum(one.cells, opened.n_large) < TOTAL
            after = segment.first + len(segment.positions)
            name = segment.end.name
            ends[name] += 1
            if name == "REACHED":
                assert small_sum(positions[after], opened.n_large) >= TOTAL
                assert segment.positions[-1].rate == 1.0
                assert report.fortune.end == 1.0
            elif name == "LOST":
                assert segment.positions[-1].best_rate == 0.0
            elif after < len(positions):
                assert small_sum(positions[after], opened.n_large) < TOTAL
    assert ends["REACHED"] > 5, ends
    assert ends["LOST"] + ends["LEFT"] > 5, ends


@pytest.mark.thorough
def test_moves_are_graded_by_it(opened, games):
    graded = [
        move.judgement
        for replay in games
        for report in analyze(replay, [opened]).segments
        for move in report.moves
        if move.judgement
    ]
    assert any(one.is_perfect for one in graded)
    assert any(one.loss > 0.05 for one in graded)


def test_the_usual_rule_of_large_tiles_leaves_sums_out(opened):
    assert Coverage(opened).is_possible
    assert not Coverage(opened, is_strict=True).is_possible
    assert not Coverage(opened, walls=True).is_possible


@pytest.mark.thorough
def test_a_sum_is_not_what_a_whole_game_is_about(opened, games):
    recording = recording_of(games[0])
    rated = rate_by_tables([opened], recording)
    assert set(rated.rates) == {None}
