"""A network for whole games as the evaluation of a search: its stages, and no tile is locked."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ai.baselines.ladder_players import NetworkPlayer
from ai.evaluation.evaluation import Evaluation, load_evaluation
from ai.evaluation.game_net import N_STAGES, STAGE_SIZE, STAGE_SUMS
from ai.evaluation.game_net_file import write_game_net
from ai.evaluation.staged_net import StagedNet
from ai.match.selfplay import MOVES, new_tally, play
from ai.search.parallel_search import ParallelSearch
from ai.search.search import Search, SearchSettings
from tests import oracle
from tests.ai.staged_weights import places, staged_net
from tests.engine.boards import to_number

UNIT = 4.0
# Large tiles that stand alone, away from the corner: a search by lines would leave them there.
BOARDS = [
    [2, 11, 12, 3, 4, 10, 13, 1, 5, 6, 2, 4, 3, 5, 1, 0],
    [1, 10, 2, 1, 2, 3, 11, 2, 3, 5, 12, 4, 6, 2, 6, 0],
    [1, 2, 3, 1, 12, 11, 10, 2, 2, 2, 4, 3, 5, 1, 3, 4],
]
WIDE = [3, 11, 2, 0, 0, 10, 0, 1, 0, 6, 0, 0, 3, 0, 1, 0]  # a 4 in a given cell is improbable


def afters(board):
    """Return the after-states of the legal moves with their points, by direction."""
    moves = [oracle.move(board, direction) for direction in range(4)]
    return [(after, points) if after != board else None for after, points in moves]


def spawned(after):
    """Return the boards after a new tile, each with its chance."""
    empty = [i for i in range(16) if not after[i]]
    for cell in empty:
        for exponent, chance in ((1, 0.9), (2, 0.1)):
            yield [*after[:cell], exponent, *after[cell + 1 :]], chance / len(empty)


@pytest.fixture(scope="module")
def weights():
    """Random weights in all stages for all boards within two moves of the test boards."""
    weights, rng = np.zeros(N_STAGES * STAGE_SIZE, np.int16), np.random.default_rng(8)
    ahead = [after for board in [*BOARDS, WIDE] for after, _ in filter(None, afters(board))]
    ahead += [
        after
        for first in list(ahead)
        for board, _ in spawned(first)
        for after, _ in filter(None, afters(board))
    ]
    found = np.array(sorted({place for board in ahead for place in places(board)}))
    for stage in range(N_STAGES):
        weights[stage * STAGE_SIZE + found] = rng.integers(1, 3000, found.size)
    return weights


@pytest.fixture(scope="module")
def net(weights) -> StagedNet:
    return staged_net(weights, UNIT)


def value_of(after, stage, weights):
    return UNIT * sum(int(weights[stage * STAGE_SIZE + place]) for place in places(after))


def best_after(board, stage, weights):
    values = [
        points + value_of(after, stage, weights) for after, points in filter(None, afters(board))
    ]
    return max(values, default=0.0)  # a lost game is worth nothing


def two_moves_ahead(board, stage, weights):
    """Return the values of the four moves by expectimax, in plain loops; None where illegal."""
    return [
        move
        and move[1]
        + sum(p * best_after(next_board, stage, weights) for next_board, p in spawned(move[0]))
        for move in afters(board)
    ]


def two_threads(evaluation, settings):
    return ParallelSearch(evaluation, 2, settings, least_nodes=1)


@pytest.mark.thorough
@pytest.mark.parametrize("board", BOARDS)
def test_a_search_by_a_network_leaves_no_move_out(weights, net, board):
    tile_sum = sum(1 << tile for tile in board if tile)
    stage = sum(tile_sum >= first for first in STAGE_SUMS)
    want = two_moves_ahead(board, stage, weights)
    for make in (Search, two_threads):
        search = make(Evaluation.of_network(net), SearchSettings(max_depth=2, slack=200))
        answer = search.by_nodes(board, 1_000_000)
        assert answer.depth == 2
        for got, expected in zip(answer.values, want, strict=True):
            assert got == (None if expected is None else pytest.approx(expected, rel=1e-5))


@pytest.mark.thorough
def test_a_search_by_a_network_looks_at_improbable_lines_as_far_as_at_others(weights, net):
    evaluation = Evaluation.of_network(net)
    want = two_moves_ahead(WIDE, 0, weights)
    for make in (Search, two_threads):
        settings = SearchSettings.of(evaluation.phase_of(0))
        search = make(evaluation, replace(settings, max_depth=2))
        got = search.by_nodes(WIDE, 1_000_000).values
        assert got == pytest.approx(want, rel=1e-5)
    cut = Search(evaluation, SearchSettings(max_depth=2)).by_nodes(WIDE, 1_000_000).values
    assert cut != pytest.approx(want, rel=1e-5)
    own = Search(evaluation)
    own.by_nodes(WIDE, 10)
    assert own.settings == settings


@pytest.mark.thorough
def test_each_stage_is_a_phase_with_its_own_weights(net):
    evaluation = Evaluation.of_network(net)
    phases = [evaluation.phase_of(tile_sum) for tile_sum in (4, *STAGE_SUMS)]
    assert [phase.until_sum for phase in phases[:-1]] == list(STAGE_SUMS)
    assert all(a.tag != b.tag for a, b in pairwise(phases))
    for stage in (0, 4, len(phases) - 1):
        assert np.array_equal(phases[stage].evaluator.weights, net.at(stage).weights)
    for before, first in zip(phases, STAGE_SUMS, strict=False):
        assert evaluation.phase_of(first - 2).tag == before.tag


@pytest.mark.thorough
def test_a_file_of_a_network_is_an_evaluation(weights, net, tmp_path):
    path, learned = tmp_path / "a.net", np.zeros(weights.size, np.float32)
    at = np.flatnonzero(weights)  # the others take no memory
    learned[at] = weights[at] * UNIT
    write_game_net(path, learned, learned, UNIT, weights.size)
    loaded = load_evaluation(path, 0.2)
    assert loaded.spawn4 == 0.2
    assert loaded.elsewhere is None  # no file beside it tells where it is at home
    one = Search(loaded, SearchSettings(max_depth=1)).by_nodes(BOARDS[0], 1)
    other = Search(Evaluation.of_network(net, 0.2), SearchSettings(max_depth=1)).by_nodes(
        BOARDS[0], 1
    )
    assert one.values == other.values


BESIDE_32768 = [12, 15, 13, 1, 2, 3, 1, 0, 1, 0, 2, 0, 0, 0, 0, 0]
BESIDE_16384 = [14 if tile == 15 else tile for tile in BESIDE_32768]


@pytest.mark.thorough
def test_a_position_with_a_tile_that_is_not_known_is_played_as_one_that_is(weights, net):
    evaluation = Evaluation.of_network(net)
    found = [
        Search(evaluation, SearchSettings(max_depth=2)).by_nodes(board, 10_000)
        for board in (BESIDE_32768, BESIDE_16384)
    ]
    assert found[0].values == found[1].values
    assert found[0].values != Search(evaluation).by_nodes(BOARDS[0], 10_000).values
    stage, want = STAGE_SUMS.index(28672) + 1, []
    for direction in range(4):
        after, points = oracle.move(BESIDE_16384, direction)
        is_legal = after != BESIDE_16384
        want.append(value_of(after, stage, weights) + points if is_legal else -np.inf)
    for board in (BESIDE_32768, BESIDE_16384):
        player = NetworkPlayer(net, 1, 0.1)
        player.choose(np.uint64(to_number(board)))
        assert list(player.values) == pytest.approx(want)


@pytest.mark.thorough
def test_a_game_stops_where_another_stage_begins_as_the_search_sees_it(net):
    """Of 32768 that counts half: 16384 + 8192 + 4096 and some more, not twice as much."""
    evaluation = Evaluation.of_network(net)
    search, cells = Search(evaluation), np.array(BESIDE_32768, np.uint8)
    phase, _ = evaluation.look(cells)
    assert (phase.from_sum, phase.until_sum) == (28672, 30720)
    search.enter(phase)

    def moves(first: int, last: int) -> int:
        tally, own = new_tally(), cells.copy()
        play(
            own, np.array([1], np.uint64), tally, 3, (first, last), -1, False, phase.largest, 0.1,
            search.settings.plan(20), phase.rules, phase.evaluator, search.table, search.control,
            search.values,
        )  # fmt: skip
        return int(tally[MOVES])

    rest = sum(1 << tile for tile in BESIDE_32768 if 0 < tile < 12)
    assert moves(phase.from_sum, phase.until_sum) == 3
    assert moves(28672 + rest, 28672 + rest + 1) == 1
    assert moves(28672 + rest + 1, 30720) == 0
    assert moves(0, 28672 + rest) == 0
