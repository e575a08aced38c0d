"""The players of the ladder against their slow twins, and whole games of each."""

import json
import random

import numpy as np
import pytest

from ai.baselines import linear_search
from ai.baselines import probability_cutoff as chance_search
from ai.baselines.ladder import LADDER, make_player
from ai.baselines.ladder_game import play_game
from ai.baselines.ladder_players import LADDER_PLAYERS, ChancePlayer, LinearPlayer, MonteCarloPlayer
from ai.baselines.linear_value import (
    DEFAULT_LINEAR_WEIGHTS,
    FEATURES,
    linear_value,
    make_value,
    read_linear_weights,
    write_linear_weights,
)
from ai.baselines.monte_carlo import play_out, random_move, score_move
from ai.errors import PlayError, WeightsError
from ai.evaluation.line_scores import board_score, hand_scores, matrix_scores, port_scores
from engine.moves import row_tables
from engine.platform.jit import kernel
from engine.spawn import Rng
from tests import oracle
from tests.ai import slow_ladder
from tests.child import run, run_apart
from tests.engine.boards import random_boards, to_number
from tests.test_main import assert_told

BOARDS = random_boards(31, 150)
CROWDED = [
    [1, 2, 3, 4, 2, 3, 1, 5, 1, 1, 2, 6, 0, 2, 0, 7],
    [5, 4, 3, 2, 1, 3, 4, 1, 2, 2, 5, 3, 0, 4, 6, 7],
    [1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 0],
]
PARAMS = {"empty": 31.0, "max": 7.0, "smooth": 3.5, "mono": 2.25, "merge_potential": 11.0}
PARAMS["corner_max"] = 101.0


@kernel
def score_of(board, scores):
    return board_score(board, scores)


@kernel
def value_of(board, value):
    return linear_value(board, value)


@kernel
def cells_of(after, rules):
    return linear_search.sampled_cells(after, rules)


def number(board):
    return np.uint64(to_number(board))


@pytest.mark.parametrize(
    ("scores", "twin"),
    [(port_scores, slow_ladder.port_score), (matrix_scores, slow_ladder.matrix_score)],
)
@pytest.mark.thorough
def test_scores_are_those_of_their_sources(scores, twin):
    for board in BOARDS:
        assert score_of(number(board), scores()) == pytest.approx(twin(board), rel=1e-6)


def test_the_hand_made_score_obeys_its_four_rules():
    def score(rows):
        return score_of(number([e for row in rows for e in row]), hand_scores())

    rest = [[2, 1, 0, 0], [0] * 4, [0] * 4]
    tidy = score([[6, 5, 4, 3], *rest])
    assert tidy > score([[6, 5, 4, 3], [2, 1, 2, 0], [0] * 4, [0] * 4])  # more empty cells
    assert tidy > score([[6, 3, 5, 4], *rest])  # monotone
    assert tidy > score([rest[0], [6, 5, 4, 3], [0] * 4, [0] * 4])  # large tiles at the edge
    under, beside = ([[6, 5, 4, 1], row, [0] * 4, [0] * 4] for row in ([0, 0, 0, 1], [0, 0, 1, 0]))
    assert score(under) > score(beside)  # merges


def test_a_random_move_is_legal_and_any_of_them():
    state = np.array([9], np.uint64)
    for board in random_boards(32, 40):
        legal = {way for way, *_ in slow_ladder.legal_moves(board)}
        found = {int(random_move(number(board), row_tables(), state)) for _ in range(80)}
        assert found == (legal or {-1})


def test_the_best_score_is_chosen():
    for board in BOARDS:
        moves = slow_ladder.legal_moves(board)
        found = score_move(number(board), row_tables(), matrix_scores())
        want = max(moves, key=lambda m: slow_ladder.matrix_score(m[1]), default=(-1,))
        assert found == want[0]


@pytest.mark.parametrize("by_score", [False, True])
def test_play_outs_are_games_by_the_rules(by_score):
    """The same draws in the same order as on lists."""
    for seed in range(6):
        board = [0] * 14 + [1, 2]
        state = np.array([seed], np.uint64)
        found = play_out(number(board), by_score, row_tables(), matrix_scores(), state, 0.1)
        assert found == slow_play_out(board, by_score, Rng(seed))


def slow_play_out(board, by_score, rng):
    points = n_moves = 0
    while moves := slow_ladder.legal_moves(board):
        if by_score:
            _, after, gained = max(moves, key=lambda move: slow_ladder.matrix_score(move[1]))
        else:
            _, after, gained = moves[rng.below(len(moves))]
        empty = [cell for cell in range(16) if after[cell] == 0]
        cell = empty[rng.below(len(empty))]
        board = list(after)
        board[cell] = 2 if rng.random() < 0.1 else 1
        points, n_moves = points + gained, n_moves + 1
    return points, n_moves


def test_monte_carlo_avoids_the_move_that_loses():
    """Only LEFT and RIGHT merge, UP and DOWN are illegal; values are means of whole games."""
    player = MonteCarloPlayer(200, by_score=False, spawn4=0.1)
    player.begin(1)
    board = [3, 3, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1]
    assert player.choose(number(board)) in (0, 1)
    assert player.values[2:].tolist() == [-np.inf, -np.inf]
    assert (player.values[:2] >= 16).all()
    over = [1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1]
    assert player.choose(number(over)) == -1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("least_chance", "max_depth", "cache_depth"), [(0.0, 1, 0), (0.002, 3, 2), (0.0, 3, 3)]
)
def test_the_search_is_that_of_seed_002(least_chance, max_depth, cache_depth):
    for board in CROWDED:
        twin = slow_ladder.ChanceSearch(
            slow_ladder.port_score, least_chance, max_depth, cache_depth
        )
        want = twin.root(board)
        player = ChancePlayer(port_scores(), least_chance, max_depth, cache_depth, 0.1)
        player.choose(number(board))
        assert player.values.tolist() == pytest.approx(want)
        assert (player.moves_evaluated, player.cache_hits) == (twin.slides, twin.hits)
    assert cache_depth < 3 or twin.hits > 0


def test_what_was_searched_before_does_not_matter():
    fresh = ChancePlayer(port_scores(), 0.001, 4, 3, 0.1)
    used = ChancePlayer(port_scores(), 0.001, 4, 3, 0.1)
    for board in CROWDED:
        used.choose(number(board))
    fresh.choose(number(CROWDED[0]))
    used.choose(number(CROWDED[0]))
    assert fresh.values.tolist() == used.values.tolist()


def test_a_full_memory_forgets_and_does_not_break():
    """Without remembering anything the value of a search by depth alone is the same."""
    rules = chance_search.ChanceRules(
        row_tables(), np.float64(0), np.int64(2), np.int64(2), np.float64(0.1)
    )
    values = []
    for size_log2 in (1, 16):
        counts, found = np.zeros(chance_search.N_COUNTS, np.int64), np.zeros(4)
        memory = chance_search.new_memory(size_log2)
        chance_search.root_values(number(CROWDED[2]), rules, port_scores(), memory, counts, found)
        values.append(found.tolist())
    assert values[0] == pytest.approx(values[1])


def test_features_and_weights_make_the_value():
    assert set(slow_ladder.features(BOARDS[0])) == set(FEATURES)
    for name in FEATURES:
        value = make_value(dict.fromkeys(FEATURES, 0.0) | {name: 1.0})
        for board in BOARDS:
            assert value_of(number(board), value) == slow_ladder.features(board)[name], name


def test_sampled_cells_are_k_of_the_empty_ones():
    rules = linear_search.SampleRules(row_tables(), np.int64(4), np.uint64(77), np.float64(0.1))
    seen = [0] * 16
    for board in random_boards(33, 600):
        want = sum(1 << (60 - 4 * cell) for cell in slow_ladder.sampled_cells(board, 4, 77))
        assert int(cells_of(number(board), rules)) == want
    rng = random.Random(5)
    for _ in range(4000):  # boards with eight empty cells: each cell half of the times
        board = [rng.randint(1, 15) for _ in range(8)] + [0] * 8
        for cell in slow_ladder.sampled_cells(board, 4, 77):
            seen[cell] += 1
    assert all(1850 < count < 2150 for count in seen[8:])


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_search_is_that_of_seed_003(depth):
    value = make_value(PARAMS)
    player = LinearPlayer(value, depth, few=0, sample=2)
    player.begin(12)
    seed = int(player._rules.seed)  # noqa: SLF001, cannot be seen from outside
    for board in CROWDED:
        want = slow_ladder.LinearSearch(PARAMS, 2, seed).root(board, depth)
        player.choose(number(board))
        assert player.values.tolist() == pytest.approx(want)


def test_it_looks_further_with_few_empty_cells():
    board = number(CROWDED[0])  # two are empty
    assert linear_search.plies(board, 3, 2) == 5
    assert linear_search.plies(board, 3, 1) == 3


@pytest.mark.parametrize("name", [name for name in LADDER if "network" not in name])
def test_every_player_makes_legal_moves(name):
    player = make_player(name)
    player.begin(4)
    for board in CROWDED:
        legal = {way for way, *_ in slow_ladder.legal_moves(board)}
        assert player.choose(number(board)) in legal
    assert player.choose(number([1, 2, 1, 2, 2, 1, 2, 1] * 2)) == -1


QUICK = {
    "random": LADDER_PLAYERS["random"](None, 0.1),
    "hand": LADDER_PLAYERS["hand"](None, 0.1),
    "monte-carlo": MonteCarloPlayer(2, False, 0.1),
    "hand-monte-carlo": MonteCarloPlayer(2, True, 0.1),
    "port": ChancePlayer(port_scores(), 0.002, 2, 2, 0.1),
    "linear": LinearPlayer(make_value(PARAMS), depth=3, few=2, sample=1),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", list(QUICK))
def test_the_same_seed_gives_the_same_game(name):
    games = [play_game(QUICK[name], seed) for seed in (3, 8, 3)]
    assert games[0].final == games[2].final != games[1].final
    assert (games[0].score, games[0].moves) == (games[2].score, games[2].moves)
    final = [int(digit, 18) for digit in games[0].final]
    assert oracle.is_over(final)
    most = sum((e - 1) << e for e in final)  # a four that appears gives 4 points too few
    assert 0 <= (most - games[0].score) // 4 < 0.2 * games[0].moves + 4


def test_every_move_is_told_with_its_cost():
    told = []
    game = play_game(QUICK["port"], 5, on_move=told.append)
    assert [move.number for move in told] == list(range(1, game.moves + 1))
    assert all(move.seed == 5 and move.moves_evaluated > 0 for move in told)
    assert sum(move.moves_evaluated for move in told) == game.nodes
    assert sum(move.cache_hits for move in told) > 0


def test_weights_are_written_and_read_again(tmp_path):
    path = tmp_path / "weights.json"
    write_linear_weights(path, PARAMS, "2026-01-01T00:00:00+00:00", {"seed": 1})
    assert read_linear_weights(path) == PARAMS
    data = json.loads(path.read_text())
    assert (data["version"], data["created_at"]) == (1, "2026-01-01T00:00:00+00:00")
    assert list(read_linear_weights(DEFAULT_LINEAR_WEIGHTS)) == list(FEATURES)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "lines"}, "linear"),
        ({"version": 2}, "version is 2"),
        ({"params": {"empty": 1.0}}, "missing or unknown: corner_max"),
        ({"params": PARAMS | {"max": "1"}}, "max is '1'"),
    ],
)
def test_weights_that_will_not_do_are_refused(tmp_path, change, words):
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"version": 1, "kind": "linear", "params": PARAMS} | change))
    with pytest.raises(WeightsError, match=words):
        read_linear_weights(path)


def test_players_without_weights_refuse_them(tmp_path):
    with pytest.raises(PlayError, match="no weights"):
        make_player("hand", tmp_path / "weights.json")


def test_a_board_without_a_move_ends_the_game_at_once():
    stuck = [1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1]
    found = play_game(make_player("random", None), 1, start=stuck, source="random")
    assert (found.moves, found.score, found.sources) == (0, 0, {})


def test_a_game_goes_on_while_two_65536_can_merge():
    start = [16, 16, 3, 4, 1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2]
    found = play_game(make_player("hand", None), 1, start=start, max_moves=1)
    assert (found.moves, found.score) == (1, 1 << 17)


@pytest.mark.thorough
def test_the_command_lists_and_plays_them(tmp_path):
    listed = run("play", "--list-players", "--json")
    lines = [*map(json.loads, listed.stdout.splitlines())]
    found = {line["player"]: line for line in lines if "player" in line}
    assert list(found) == ["main", "network-search", *LADDER]
    assert found["hand"]["reported"] == LADDER["hand"].reported
    means = [line["mean_score"] for line in lines if "standing" in line]
    assert means == sorted(means, reverse=True)
    text = run("play", "--list-players").stdout
    assert "4,058.8" in text
    assert "772,353" in text
    games, moves = tmp_path / "games.csv", tmp_path / "moves.csv"
    result = run("play", "--player", "hand", "--csv", games, "--moves-csv", moves, "--json")
    assert result.returncode == 0, result.stderr
    game = json.loads(result.stdout)
    assert len(moves.read_text().splitlines()) == 1 + game["moves"]
    assert game["sources"] == {"hand": game["moves"]}
    first = moves.read_text()
    for n_games in (1, 2):  # the moves of games that are finished stay
        run("play", "--player", "hand", "--games", n_games, "--csv", games, "--moves-csv", moves)
        assert moves.read_text().startswith(first)
    assert {line.partition(",")[0] for line in moves.read_text().splitlines()} == {"seed", "1", "2"}
    told = run("play", "--player", "hand", "--csv", games, "--moves-csv", games)
    assert_told(told, "the same file")
    before = moves.read_bytes()
    words = ("play", "--player", "hand", "--games", 3, "--csv", games, "--moves-csv", moves)
    full = run_apart(*words, file_limit=1000)
    assert full.returncode == 2
    assert "error: the drive is full" in full.stderr
    assert moves.read_bytes() == before
    assert_told(run("play", "--player", "hand", "--ms", 1), "no --ms")
    assert_told(run("play", "--player", "main", "--moves-csv", moves), "--moves-csv")
