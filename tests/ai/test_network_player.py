"""A trained network as a player: values against lists, its file, and never below a lost game."""

import json
from types import MappingProxyType

import numpy as np
import pytest
import zstandard

from ai.baselines.ladder import make_player
from ai.baselines.ladder_game import play_game
from ai.baselines.ladder_players import NetworkPlayer
from ai.errors import WeightsError
from ai.evaluation.game_net import (
    N_STAGES,
    STAGE_SIZE,
    STAGE_SUMS,
    TUPLES,
    GameNet,
    game_net_spawns_value,
    game_net_value,
)
from ai.evaluation.game_net_file import DEFAULT_NETWORK, read_game_net, write_game_net
from ai.evaluation.rules import game_rules
from ai.evaluation.staged_net import StagedNet
from engine.platform.jit import kernel
from tests import oracle
from tests.ai.staged_weights import all_weights, places, staged_net
from tests.engine.boards import random_boards, to_number

UNIT, STAGE = 0.5, 2
BOARDS = random_boards(5, 60)


@kernel
def value_of(after, net):
    return game_net_value(after, net)


@kernel
def spawns_value_of(after, tiles, net, rules):
    return game_net_spawns_value(after, tiles, net, rules)


@pytest.fixture(scope="module")
def weights():
    """Weights for every board of `BOARDS` and its successors; each third is of stage 0 alone."""
    weights = np.zeros(N_STAGES * STAGE_SIZE, np.int16)
    rng = np.random.default_rng(4)
    for board in BOARDS:
        for direction in range(4):
            for place in places(oracle.move(board, direction)[0]):
                stage = STAGE if place % 3 else 0
                weights[stage * STAGE_SIZE + place] = rng.integers(-3000, 3000)
    return weights


@pytest.fixture(scope="module")
def net(weights) -> StagedNet:
    return staged_net(weights, UNIT)


def slow_value(board, weights, stage=STAGE):
    total = 0
    for place in places(board):
        found = [int(weights[s * STAGE_SIZE + place]) for s in range(stage, -1, -1)]
        total += next(filter(None, found), 0)
    value = total * UNIT
    return value if value >= 1 else 1 / (2 - value)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "stages", [(STAGE,), (0, STAGE, N_STAGES - 1), (N_STAGES - 1, 0, 1, STAGE)]
)
def test_values_are_those_of_lists(weights, stages):
    """Whatever was asked for before, a stage knows what it and those before it have learned."""
    net = staged_net(weights, UNIT)
    for stage in stages:
        at_stage = net.at(stage)
        values = [value_of(np.uint64(to_number(board)), at_stage) for board in BOARDS]
        want = [slow_value(board, weights, stage) for board in BOARDS]
        assert values == pytest.approx(want, rel=1e-6)
    assert min(values) < 1 < max(values)


@pytest.mark.thorough
def test_a_network_keeps_the_last_two_stages(net):
    first, second = net.at(0), net.at(1)
    assert net.at(0) is first
    third = net.at(2)  # the second was not asked for since
    assert [net.at(0), net.at(2)] == [first, third]
    assert net.at(1) is not second
    assert np.array_equal(net.at(1).weights, second.weights)


@pytest.mark.thorough
def test_a_spawn_is_answered_by_the_best_move_with_its_points(weights, net):
    rules, n_found, at_stage = game_rules(0.0, 1.0), 0, net.at(STAGE)
    for board in BOARDS:
        for cell in (cell for cell in range(16) if board[cell] in (1, 2)):  # as if it had just come
            tile = board[cell] << 4 * (15 - cell)
            after = np.uint64(to_number(board) ^ tile)
            moves = [oracle.move(board, direction) for direction in range(4)]
            found = [slow_value(a, weights) + points for a, points in moves if a != board]
            got = spawns_value_of(after, np.uint64(tile), at_stage, rules)
            assert got == pytest.approx(max(found, default=0.0), rel=1e-6)
            n_found += len(found) > 1
    assert n_found > 10


@pytest.mark.thorough
def test_a_board_that_can_move_is_worth_more_than_a_lost_one(net):
    """Boards without order, with up to six large tiles, and weights of any sign and size."""
    rng = np.random.default_rng(9)
    wild = GameNet(net.at(N_STAGES - 1).weights.copy(), np.float32(1e4))
    values = set()
    for _ in range(500):
        board = rng.integers(0, 8, 16) * (rng.random(16) < 0.8)
        large = rng.permutation(16)[: rng.integers(0, 7)]
        board[large] = rng.choice(np.arange(8, 16), large.size, replace=False)
        for place in places(board.tolist()):
            wild.weights[place] = rng.integers(-32767, 32767)
        value = value_of(np.uint64(to_number(board.tolist())), wild)
        assert 0 < value < np.inf
        values.add(float(value))
    assert len(values) > 450


@pytest.mark.slow
def test_a_network_comes_back_from_its_file(tmp_path):
    weights, errors = np.zeros((2, N_STAGES * STAGE_SIZE), np.float32)
    rng = np.random.default_rng(2)
    at = np.sort(rng.choice(3 * STAGE_SIZE, 3000, replace=False))
    weights[at], errors[at] = rng.normal(0, 900, 3000), rng.uniform(1, 2, 3000)
    weights[at[7:11]] = 1e-30, -1e-30, 5.0 * 128, -5.0 * 127  # worth nothing; just too wide; not
    path = tmp_path / "a.net"
    assert write_game_net(path, weights, errors, 5.0, 5000) == 3000
    net = read_game_net(path)
    back = all_weights(net)
    assert np.flatnonzero(back).tolist() == at.tolist()
    assert net.unit == 5.0
    assert np.abs(back[at] * 5.0 - weights[at]).max() <= 5.0
    assert np.median(np.abs(back[at] * 5.0 - weights[at])) < 1.5
    assert back[at[7:11]].tolist() == [1, -1, 128, -127]
    assert write_game_net(path, weights * 1000, errors, 5.0, 5000) == 3000
    net = read_game_net(path)
    coarse = all_weights(net)
    assert np.abs(coarse).max() == 32767  # the unit grew with the largest weight
    assert np.abs(coarse[at] * net.unit / 1000 - weights[at]).max() < 0.2
    assert write_game_net(path, weights, errors, 5.0, 2000) == 2000
    kept = np.flatnonzero(all_weights(read_game_net(path)))
    losses = errors[at] * np.maximum(np.abs(weights[at]), 1)
    assert kept.tolist() == np.sort(at[np.argsort(-losses)[:2000]]).tolist()
    raw = path.read_bytes()
    turned = bytearray(raw)
    turned[len(raw) // 2] ^= 1
    for wrong in (raw[:-5], raw[:60], b"", zstandard.compress(b"[]\n"), bytes(turned)):
        path.write_bytes(wrong)
        with pytest.raises(WeightsError, match="damaged"):
            read_game_net(path)
    for head in ({"version": 2, "unit": 1.0}, {"version": 5, "unit": 1.0}):
        path.write_bytes(zstandard.compress(json.dumps(head).encode() + b"\n"))
        with pytest.raises(WeightsError, match=f"version {head['version']}"):
            read_game_net(path)
    with pytest.raises(WeightsError, match="expected"):
        read_game_net(tmp_path / "none.net")


@pytest.mark.thorough
def test_no_more_weights_are_kept_than_asked_for(tmp_path):
    """A training that has just begun with a network counts the same errors for all weights."""
    weights, errors = np.full(3000, 5, np.float32), np.ones(3000, np.float32)
    weights[[7, 2999]] = 9
    assert write_game_net(tmp_path / "a.net", weights, errors, 1.0, 10, sums=(0,)) == 10
    kept = read_game_net(tmp_path / "a.net").stages[0]
    assert kept.places.tolist() == [*range(9), 2999]
    assert kept.steps[[7, 9]].tolist() == [9, 9]


@pytest.mark.slow
def test_weights_that_are_as_the_stage_before_are_left_out_first(tmp_path):
    weights, errors = np.zeros((2, N_STAGES * STAGE_SIZE), np.float32)
    one, other = STAGE_SIZE, 3 * STAGE_SIZE
    losses = {5: 1000, one + 9: 600, one + 5: 500, other + 5: 100}
    weights[[5, one + 9, one + 5, other + 5]] = 1000, 600, 1010, 1012
    errors[[5, one + 9, one + 5, other + 5]] = 1, 1, 50, 50
    path = tmp_path / "a.net"
    for keep in range(1, 5):
        assert write_game_net(path, weights, errors, 1.0, keep) == keep
        kept = np.flatnonzero(all_weights(read_game_net(path))).tolist()
        assert kept == sorted(sorted(losses, key=lambda at: -losses[at])[:keep])


@pytest.mark.slow
def test_a_network_of_fewer_stages_and_tuples_is_read_into_those_there_are(tmp_path):
    """A later stage takes what the one before knows, as in training; other tuples know nothing."""
    sums = [0, STAGE_SUMS[3]]
    one = np.zeros(4 * 16**6, np.int16)  # of four tuples, as all had that do not tell how many
    body = b""
    for at, step in ((5, 7), (9, -3)):
        one[:] = 0
        one[at] = 1
        body += np.packbits(one != 0).tobytes() + np.array([step], np.int8).tobytes()
    path = tmp_path / "few.net"

    def write(sums: list, tuples=MappingProxyType({"version": 3})) -> None:
        head = json.dumps({**tuples, "unit": 2.0, "sums": sums}).encode()
        path.write_bytes(zstandard.compress(head + b"\n" + body))

    for tuples in ({"version": 3}, {"version": 4, "tuples": 4}):
        write(sums, tuples)
        weights = all_weights(read_game_net(path))
        assert np.flatnonzero(weights).tolist() == [5, 4 * STAGE_SIZE + 9]
        assert weights[[5, 4 * STAGE_SIZE + 9]].tolist() == [7, -3]
    for n in (0, -1, 3, 5, len(TUPLES) + 1, 1 << 40, 1.5, "four", None):
        write(sums, {"version": 4, "tuples": n})
        with pytest.raises(WeightsError, match="damaged"):
            read_game_net(path)
    for wrong in ([0, 5], [STAGE_SUMS[3], 0], [0, 0], [STAGE_SUMS[0], STAGE_SUMS[3]], [], [0, {}]):
        write(wrong)
        with pytest.raises(WeightsError, match="damaged"):
            read_game_net(path)


@pytest.mark.thorough
def test_the_player_takes_the_most_points(weights, net):
    greedy = NetworkPlayer(net, 1, 0.1)
    for board in [board for board in BOARDS if max(board) < 15][:20]:
        tile_sum = sum(1 << tile for tile in board if tile)
        stage = sum(tile_sum >= first for first in STAGE_SUMS)
        chosen = greedy.choose(np.uint64(to_number(board)))
        moves = [oracle.move(board, direction) for direction in range(4)]
        want = [
            slow_value(a, weights, stage) + points if a != board else -np.inf for a, points in moves
        ]
        if max(want) == -np.inf:
            assert chosen == -1
        else:
            assert want[chosen] == pytest.approx(max(want), rel=1e-6)


@pytest.mark.thorough
def test_the_network_that_comes_with_the_program_is_small_and_plays_well():
    """Such a game comes to 2048 in 99 of 100; without the network, in hardly any."""
    assert sum(file.stat().st_size for file in DEFAULT_NETWORK.parent.iterdir()) <= 40e6
    player = make_player("network")
    games = [play_game(player, seed) for seed in (1, 2, 3)]
    assert min(game.max_exponent for game in games) >= 11
    assert max(game.score for game in games) > 50_000
