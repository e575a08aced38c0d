"""Tables where they speak of what the game is about, search elsewhere; phases, moments, sums."""

import math
import random
from dataclasses import replace
from itertools import pairwise

import pytest

from ai.chances.goal import goal_of
from coach.analysis.course import game_lines, moment_line, phase_line
from coach.grading.grade import judge
from coach.recordings.recording import SEARCH, WHOLE_GAME, recording_of
from coach.whole_game.analysis import NotWholeError, WholeGameAnalysis, check_fours
from coach.whole_game.rating import ALIKE, rate_by_tables, with_chances
from coach.whole_game.report import facts_of_game, to_json
from engine.formats.replay import Replay, ReplayMove, replay_of
from engine.game import Game
from engine.trace import slide_cells
from tests.coach.games import NamedTable


def game_beside(tiles, n_moves, seed):
    """Return the record of simple moves to the corner, beginning with some large tiles."""
    chance = random.Random(seed)
    game = Game([*tiles, *[0] * (14 - len(tiles)), 1, 1], seed=seed)
    while game.n_moves < n_moves and (legal := game.legal_moves()):
        game.move(legal[-1] if chance.random() < 0.1 else min(legal, key=(0, 2, 1, 3).index))
    return recording_of(replay_of(game), "game")


class Outside(NamedTable):
    """Answers for some boards, by their digits."""

    def probe(self, board, comes_up=False):
        if board % 3 == 0:
            self.outside.add(board)
        return super().probe(board, comes_up)


def chances_of(recording, seed=5):
    chance = random.Random(seed)
    return {
        i: tuple(
            chance.random() if slide_cells(cells, d, merge_32768=True).cells != cells else None
            for d in range(4)
        )
        for i, cells in enumerate(recording.positions)
    }


GAME = game_beside((14, 13, 12, 11, 10), 120, 3)
CHANCES = chances_of(GAME)


def rated_by(*tables):
    return with_chances(rate_by_tables(tables, GAME), CHANCES)


def test_without_tables_all_is_search():
    rated = rated_by()
    assert rated.source == WHOLE_GAME
    assert rated.has_raters
    for i in range(rated.n_moves):
        assert rated.rater_at(i) == SEARCH
        assert rated.rates[i] == CHANCES[i]
        assert rated.judgements[i] == judge(CHANCES[i], rated.replay.moves[i].direction, ALIKE)
        assert rated.table_at(i) is None
        assert rated.breaking_at(i) == ()
    assert set(rate_by_tables((), GAME).raters) == {None}


def test_a_table_of_what_the_game_is_about_goes_before_search():
    rated = rated_by(Outside("4421_1024", target=1024, n_large=5))
    table = [i for i in range(GAME.n_moves) if rated.rater_at(i) == "4421_1024"]
    assert 10 < len(table) < GAME.n_moves - 10
    for i in range(GAME.n_moves):
        wanted = NamedTable.rates_at(GAME.boards[i]) if i in table else CHANCES[i]
        assert rated.rates[i] == wanted


@pytest.mark.parametrize(("target", "counts"), [(256, False), (512, True), (1024, True)])
def test_a_table_of_less_than_half_of_it_does_not_count(target, counts):
    assert {goal_of(cells).exponent for cells in GAME.positions} == {10}
    rated = rated_by(NamedTable("table", target=target))
    assert (rated.rater_at(0) == "table") == counts


def test_no_luck_is_told_where_another_goal_or_source_goes_on():
    rated = rated_by(Outside("4421_1024", target=1024, n_large=5))
    n_known = 0
    for i in range(GAME.n_moves - 1):
        is_same = rated.rater_at(i) == rated.rater_at(i + 1)
        assert (rated.luck[i] is not None) <= is_same
        n_known += rated.luck[i] is not None
    assert n_known > 10
    early = game_beside((11, 10, 9), 3, 1)
    made = with_chances(rate_by_tables((), early), chances_of(early))
    for i in range(early.n_moves):
        same = goal_of(early.positions[i]) == goal_of(early.positions[i + 1])
        assert (made.luck[i] is not None) == same


def test_what_is_not_searched_yet_has_no_rates():
    rated = with_chances(rate_by_tables((), GAME), {3: CHANCES[3]})
    assert [i for i, rates in enumerate(rated.rates) if rates] == [3]
    assert rated.n_judged == 1


def test_phases_cover_the_game_and_add_up():
    game = game_beside((11, 10, 10, 9, 8, 8), 400, 2)
    rated = with_chances(rate_by_tables((), game), chances_of(game))
    phases = to_json(rated)["phases"]
    assert phases[0]["first_move"] == 1
    assert phases[-1]["last_move"] == game.n_moves
    for one, other in pairwise(phases):
        assert other["first_move"] == one["last_move"] + 1
        assert one["made"]
    assert not phases[-1]["made"]
    assert len(phases) > 1
    judged = [one for one in rated.judgements if one]
    total = math.fsum(one.points_lost for one in judged)
    assert math.fsum(phase["points_lost"] for phase in phases) == pytest.approx(total)
    assert sum(phase["judged"] for phase in phases) == len(judged)
    assert [phase["large_tiles"] for phase in phases][:2] == [[2048], [4096]]


def test_moments_are_what_changed_most():
    rated = rated_by()
    moments = to_json(rated)["moments"]
    changes = [one.points_lost for one in rated.judgements if one and one.points_lost >= 0.002]
    changes += [
        abs(points)
        for i in range(GAME.n_moves)
        if (points := rated.tile_points(i)) is not None and abs(points) >= 0.002
    ]
    told = [abs(one["after"] - one["before"]) for one in moments]
    assert sorted(told, reverse=True) == pytest.approx(sorted(changes, reverse=True)[:10])
    numbers = [one["move"] for one in moments]
    assert numbers == sorted(numbers)
    assert {one["what"] for one in moments} == {"move", "tile"}
    for one in moments:
        if one["what"] == "move":
            assert one["before"] == rated.best_rate(one["move"] - 1)
        else:
            assert one["after"] == rated.best_rate(one["move"])


def test_json_and_text_tell_the_same():
    data = to_json(rated_by())
    assert data["by_search"] == data["judged"] == GAME.n_moves
    assert sum(data["grades"].values()) == data["judged"]
    assert len(data["moments"]) == 10
    text = list(game_lines(data))
    assert len([line for line in text if line.startswith("  move ")]) == 10
    assert len(text) == 2 + 1 + len(data["phases"]) + 10
    for moment in data["moments"]:
        assert any(f"move {moment['move']:,}:" in line for line in text)


def test_the_course_is_told_of_whole_games_only():
    facts = facts_of_game(rated_by())
    found = list(game_lines(to_json(rated_by())))
    assert len(facts.moments) == 10
    assert facts.phases
    for line in (*map(phase_line, facts.phases), *map(moment_line, facts.moments)):
        assert f"  {line}" in found
    assert facts_of_game(GAME).phases == facts_of_game(GAME).moments == ()


@pytest.mark.parametrize(
    ("tiles", "makes"),
    [((14, 13, 12, 11), 32768), ((14, 13, 12, 11, 10, 9), 32768), ((14, 13, 12, 10), None),
     ((14, 13, 11), None), ((15, 14, 13, 12, 11), None), ((13, 12, 11), None)],
)  # fmt: skip
def test_the_chance_of_32768_is_told_where_the_next_large_tile_makes_it(tiles, makes):
    game = game_beside(tiles, 8, 4)
    data = to_json(with_chances(rate_by_tables((), game), chances_of(game)))
    assert {one["makes"] for one in data["phases"]} == {makes}
    assert {one["makes"] for one in data["moments"]} == {makes}
    lines = [*game_lines(data)]
    assert any("chance of 32768" in line for line in lines) == bool(makes)
    n_told = sum(line.endswith("(of 32768)") for line in lines)
    assert n_told == len(data["moments"]) * bool(makes)


def with_fours(n_moves, n_fours):
    """Return a game of so many moves, the first of which brought fours; only tiles matter."""
    moves = [ReplayMove(0, 5, 2 if i < n_fours else 1) for i in range(n_moves)]
    replay = Replay((1, 1, *[0] * 14), tuple(moves))
    return replace(GAME, replay=replay)


@pytest.mark.sample(1)
@pytest.mark.parametrize("n_moves", [30, 200, 1000, 20_000])
def test_a_game_with_another_share_of_fours_is_refused_when_that_is_sure(n_moves):
    """Against the exact tail of the binomial distribution: never refused where it may be chance."""
    refused = []
    for n_fours in sorted({*range(0, n_moves + 1, max(1, n_moves // 50)), n_moves // 10}):
        problem = refusal(with_fours(n_moves, n_fours))
        if problem:
            refused.append(n_fours)
            assert (
                f"{100 * n_fours / n_moves:.0f} % of the new tiles in this game are 4s" in problem
            )
            assert tail(n_moves, n_fours) <= 1e-9
        else:
            assert tail(n_moves, n_fours) > 1e-16, "sure, and not refused"
    assert n_moves // 10 not in refused
    assert n_moves in refused


def refusal(recording):
    """Return why a game is refused; "" where it is not."""
    try:
        check_fours(recording, 0.1)
    except NotWholeError as error:
        return str(error)
    return ""


def tail(n, k):
    """Return the chance of k fours or more (fewer, where k is below a tenth) among n tiles."""
    logs = [
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        + i * math.log(0.1) + (n - i) * math.log(0.9)
        for i in (range(k, n + 1) if k >= n / 10 else range(k + 1))
    ]  # fmt: skip
    return math.fsum(map(math.exp, logs))


def test_no_table_of_another_share_of_fours_is_mixed_with_search():
    analysis = WholeGameAnalysis(None, 100, None, None)
    table = NamedTable("4421_1024", spawn4=0.2)
    with pytest.raises(NotWholeError, match="4421_1024 is a table of games in which 20 %"):
        analysis.run(GAME, [table])
    assert table.asked == []
