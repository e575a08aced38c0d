"""The network for late games: what it sees, where it is asked, and a training that learns."""

import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from ai.errors import WeightsError
from ai.evaluation.evaluation import Evaluation, load_evaluation
from ai.evaluation.familiar_shapes import FamiliarShapes
from ai.evaluation.game_net import N_LOOKUPS, STAGE_SIZE
from ai.evaluation.game_net_file import (
    DEFAULT_NETWORK,
    LATE_GAME,
    read_game_net,
    read_late_net,
    write_game_net,
)
from ai.evaluation.large_tiles import search_board
from ai.evaluation.late_net import LATE_SUMS, N_LATE_STAGES, is_late_board, late_stage_of
from ai.match.selfplay import MOVES, new_tally, play
from ai.search.search import Search, Settings
from ai.train.game_training import note_places, value_at
from ai.train.late_training import (
    ANY_FOUR,
    BEGUN,
    FUTURE,
    LATE_COLUMNS,
    N_BEGINS,
    SECOND,
    SHOWN,
    THIRD,
    WAYS,
    WON_ALL,
    WON_NEXT,
    begin_boards,
    has_goal,
    late_figures,
    new_late_training,
    train_late,
)
from ai.train.network_training import LATE_GAMES, NetworkTraining, read_state_to_export
from ai.train.shown_boards import fill_shown, has_four_in_a_row
from engine.bitboard import cells as cells_of
from engine.jit import kernel
from tests import oracle
from tests.ai.staged_weights import staged_net
from tests.engine.boards import to_number

E = 0
UNIT = 4.0


def is_late(tiles: list[int]) -> bool:
    return bool(is_late_board(np.uint64(search_board(np.array(tiles, np.uint8), 14))))


def test_it_is_asked_beside_16384_8192_and_4096_and_no_larger_tile() -> None:
    rng, n_late = np.random.default_rng(4), 0
    for _ in range(3000):
        tiles = rng.choice([0, *range(9, 18)], 16, p=[0.6, *[0.4 / 9] * 9]).tolist()
        seen = set(cells_of(int(search_board(np.array(tiles, np.uint8), 14))))
        want = {12, 13, 14} <= seen and 15 not in seen
        assert is_late(tiles) == want
        n_late += want
    assert 200 < n_late < 2800


@pytest.mark.parametrize(
    ("tiles", "want"),
    [
        ((14, 13, 12), True),
        ((14, 13, 12, 11), True),
        ((14, 13, 12, 12), True),
        ((14, 13, 11, 11), False),  # these merge first
        ((14, 13, 11), False),
        ((14, 12, 11), False),
        ((13, 12, 11), False),
        ((15, 14, 13), True),  # below a 32768 gaps close
        ((15, 14, 12), True),
        ((15, 13, 12, 11), True),
        ((15, 14, 11), False),
        ((16, 14, 13), True),
        ((15, 14, 13, 12, 11), True),
        ((15, 14, 13, 12, 11, 10, 9, 8, 7, 6), False),  # there is no gap
    ],
)
def test_which_large_tiles_are_for_the_network(tiles, want) -> None:
    assert is_late([*tiles, *[0] * (16 - len(tiles))]) == want


@kernel
def stages_of(sums, out):
    for i in range(sums.size):
        out[i] = late_stage_of(sums[i])


def test_late_stages_begin_where_they_say() -> None:
    sums = np.array([28672, *(s + d for s in LATE_SUMS for d in (-2, 0))])
    out = np.zeros(sums.size, np.int64)
    stages_of(sums, out)
    assert out.tolist() == [0, 0, 1, 1, 2]


@pytest.fixture(scope="module")
def nets() -> tuple:
    """Two networks that tell themselves apart: the values of one are all larger."""
    late, whole = np.zeros(N_LATE_STAGES * STAGE_SIZE, np.int16), np.zeros(STAGE_SIZE, np.int16)
    late[:STAGE_SIZE], whole[:] = 100, 1
    for stage in range(1, N_LATE_STAGES):
        late[stage * STAGE_SIZE + 1 :: 64] = 100 + stage  # elsewhere the stage before counts
    return staged_net(whole, UNIT), staged_net(late, UNIT)


@pytest.fixture(scope="module")
def evaluation(nets) -> Evaluation:
    """Lines evaluate what is strange to both networks."""
    shapes = FamiliarShapes([(1, 0), (1, 2, 0)])
    return Evaluation.of_network(nets[0], 0.1, (shapes, load_evaluation()), nets[1])


HOME = [12, 14, 13, E, 1, 2, 3, E, E, E, E, E, E, E, E, E]
GAP = [14, 12, E, 13, 1, 2, 3, E, E, E, E, E, E, E, E, E]
BELOW_32768 = [15, 14, E, E, E, 13, 1, 2, 3, E, E, E, E, E, E, E]
STRANGE = [E, E, E, E, E, 14, E, E, E, E, 13, E, 1, 2, 3, E]


def test_a_search_asks_the_network_that_is_for_the_position(evaluation) -> None:
    search = Search(evaluation, Settings(max_depth=1))
    for tiles, weight in ((HOME, 1), (GAP, 100), (BELOW_32768, 100), (HOME, 1), (GAP, 100)):
        answer = search.by_nodes(tiles, 10)
        assert answer.are_points
        values = [value for value in answer.values if value is not None]
        assert min(values) >= N_LOOKUPS * weight * UNIT
        assert max(values) < N_LOOKUPS * weight * UNIT + 100
    search.forget()
    assert not search.by_nodes(STRANGE, 10).are_points


def test_a_game_that_was_at_home_is_so_again_after_the_late_network(evaluation) -> None:
    search = Search(evaluation)
    lines = evaluation.elsewhere[1]
    merged = [14, 11, 11, 13, 1, 2, 3, E, E, E, E, E, E, E, E, E]  # as much as in `GAP`
    assert search.evaluation_of(GAP) is evaluation.late
    assert search.evaluation_of(merged) is lines
    search.forget()
    assert search.evaluation_of(HOME) is evaluation
    assert search.evaluation_of(GAP) is evaluation.late
    assert search.evaluation_of(merged) is evaluation


def test_each_late_stage_is_a_phase_with_its_own_weights(evaluation, nets) -> None:
    late, phases = evaluation.late, []
    for extra in ((), (11,), (12,)):
        tiles = [14, 13, 12, *extra, *[0] * (13 - len(extra))]
        phase, board = late.look(np.array(tiles, np.uint8))
        assert cells_of(int(board)) == tiles
        assert phase.is_late
        phases.append(phase)
    assert [(phase.from_sum, phase.until_sum) for phase in phases[:2]] == [
        (0, 30720),
        (30720, 32768),
    ]
    assert all(a.tag != b.tag for a, b in pairwise(phases))
    for stage, phase in enumerate(phases):
        assert np.array_equal(phase.evaluator.weights, nets[1].at(stage).weights)
    assert not evaluation.look(np.array(HOME, np.uint8))[0].is_late
    assert Evaluation.of_network(nets[0]).late is None


def test_a_game_stops_where_the_late_network_is_not_to_be_asked(evaluation) -> None:
    search = Search(evaluation)
    early = [15, 13, 10, E, 1, 2, 3, E, E, E, E, E, E, E, E, E]

    def moves(start: list[int], is_late: bool) -> int:
        phase, _ = evaluation.late.look(np.array(GAP, np.uint8))
        search.enter(phase)
        tally = new_tally()
        play(
            np.array(start, np.uint8), np.array([1], np.uint64), tally, 3, (0, 1 << 40), -1,
            is_late, phase.largest, 0.1, search.settings.plan(20), phase.rules, phase.evaluator,
            search.table, search.control, search.values,
        )  # fmt: skip
        return int(tally[MOVES])

    assert [moves(GAP, True), moves(early, True), moves(early, False)] == [3, 0, 3]


def test_a_network_for_late_games_is_read_from_beside_one_for_whole_games(tmp_path: Path) -> None:
    weights = np.zeros(N_LATE_STAGES * STAGE_SIZE, np.float32)
    rng = np.random.default_rng(3)
    at = rng.choice(weights.size, 5000, replace=False)
    weights[at] = rng.integers(1, 400, at.size) * UNIT
    path, beside = tmp_path / "a.net", tmp_path / "a.late.net"
    shutil.copy(DEFAULT_NETWORK, path)
    assert load_evaluation(path).late is None
    write_game_net(beside, weights, weights, UNIT, at.size, LATE_GAME)
    net = read_late_net(beside)
    for stage, own in enumerate(net.stages):
        part = weights[stage * STAGE_SIZE :][:STAGE_SIZE]
        places = np.flatnonzero(part)
        assert np.array_equal(own.places, places)
        assert np.array_equal(own.steps * np.float32(UNIT), part[places])
    assert load_evaluation(path).late is not None
    with pytest.raises(WeightsError, match="not a network for whole games"):
        read_game_net(beside)
    with pytest.raises(WeightsError, match="not a network for late games"):
        read_late_net(path)
    beside.write_bytes(b"nothing")
    with pytest.raises(WeightsError, match="not a network for late games"):
        load_evaluation(path)


def test_games_begin_with_large_tiles_in_place() -> None:
    for board, way in zip(begin_boards(), WAYS, strict=True):
        tiles = cells_of(int(board))
        given = [0 if one == "." else int(one, 16) for one in way]
        assert tiles == given + [0] * (16 - len(given))
        assert {12, 13, 14} <= set(tiles)


@kernel
def goals_of(boards, out):
    for i in range(boards.size):
        out[i] = has_goal(boards[i])


def test_a_32768_is_seen_wherever_it_is() -> None:
    boards = [[14, 7, 11, 13, 3, 12, *[0] * 10]]
    boards += [[*boards[0][:cell], 15, *boards[0][cell + 1 :]] for cell in range(16)]
    out = np.zeros(17, np.bool_)
    goals_of(np.array([to_number(board) for board in boards], np.uint64), out)
    assert out.tolist() == [False] + [True] * 16


@kernel
def rows_in(boards, out):
    for i in range(boards.size):
        out[i] = has_four_in_a_row(boards[i])


def test_four_in_a_row_are_seen_at_every_edge() -> None:
    rng, boards, want = np.random.default_rng(6), [], []
    edges = [(0, 1, 2, 3), (12, 13, 14, 15), (0, 4, 8, 12), (3, 7, 11, 15)]
    for n in range(400):
        tiles = rng.integers(0, 16, 16).tolist()
        if n % 2:
            for cell in edges[n // 2 % 4]:
                tiles[cell] = 11 + n % 4
        boards.append(to_number(tiles))
        want.append(any(all(tiles[cell] >= 11 for cell in edge) for edge in edges))
    out = np.zeros(len(boards), np.bool_)
    rows_in(np.array(boards, np.uint64), out)
    assert out.tolist() == want
    assert 200 <= sum(want) < 300


@pytest.mark.slow
def test_boards_are_shown_of_games_that_put_four_in_a_row() -> None:
    shown = np.zeros(300, np.uint64)
    rows = begin_boards()[:2]
    fill_shown(read_game_net(DEFAULT_NETWORK), rows, shown, 3)
    again = np.zeros(300, np.uint64)
    fill_shown(read_game_net(DEFAULT_NETWORK), rows, again, 3)
    assert shown.tolist() == again.tolist()
    sums = [sum(1 << tile for tile in cells_of(int(board)) if tile) for board in shown]
    assert all({12, 13, 14} <= set(cells_of(int(board))) for board in shown)
    assert min(sums) > 28672
    starts = [n for n in range(300) if n == 0 or sums[n] < sums[n - 1]]
    assert len(starts) > 1  # several games, from the first moves to the last
    assert all(sums[n] < 28672 + 100 for n in starts)
    assert all(sums[n - 1] > 30720 for n in starts[1:])


@pytest.fixture(scope="module")
def trained():
    training = new_late_training(7)
    train_late(training, 800_000)
    return training


@pytest.mark.slow
def test_each_way_to_begin_has_its_share_of_the_moves(trained) -> None:
    counts, spent = trained.play.counts, trained.spent
    known = [way for way in range(SHOWN) if way < SECOND or trained.play.n_first[way - SECOND + 1]]
    assert set(range(ANY_FOUR + 1)) <= set(known)
    assert len(known) > SECOND
    assert (counts[BEGUN : BEGUN + N_BEGINS][known] > 0).all()
    last = spent[known].max()
    assert (spent[:SECOND] > 0.9 * last).all()


@pytest.mark.slow
def test_late_games_get_better(trained) -> None:
    """Of games from three large tiles, hardly one makes the next 2048 at first."""

    def share_won():
        return dict(zip(LATE_COLUMNS, late_figures(trained.play.counts), strict=True))[
            "next_of_three"
        ]

    first = share_won()
    trained.play.counts[:] = 0
    train_late(trained, 1_600_000)
    assert share_won() > max(0.02, 3 * first)


@kernel
def value_of(after, stage, places, weights):
    note_places(after, stage, places, weights)
    return value_at(places, weights)


def test_a_32768_ends_a_game_and_is_worth_what_is_to_come() -> None:
    """Games that begin at the third stage with two 16384 side by side: any first move wins."""
    training = new_late_training(3)
    board = [14, 14, 9, 3, 2, *[0] * 11]
    training.play.first[2, 0], training.play.n_first[2] = to_number(board), 1
    training.spent[:] = 1 << 60
    training.spent[THIRD] = 0
    for _ in range(400):
        train_late(training, 1)
    won, begun = (training.play.counts[at + THIRD] for at in (WON_ALL, BEGUN))
    assert training.play.counts[WON_NEXT + THIRD] >= won > 0.9 * begun > 300
    places = np.zeros(N_LOOKUPS, np.uint32)
    found = [
        value_of(np.uint64(to_number(oracle.move(board, d)[0])), 2, places, training.play.weights)
        for d in range(4)
    ]
    assert max(found) == pytest.approx(FUTURE, rel=0.02)


def test_the_same_seed_learns_the_same_late() -> None:
    found = []
    for _ in range(2):
        training = new_late_training(5)
        train_late(training, 20_000)
        train_late(training, 20_000)
        found.append((training.play.spawns.tolist(), training.spent.tolist()))
        del training  # gigabytes
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_late_training_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path) -> None:
    whole = NetworkTraining(tmp_path / "whole", task=LATE_GAMES)
    whole.run(60_000, lambda _: None, chunk=20_000)
    for until in (20_000, 60_000):
        parts = NetworkTraining(tmp_path / "parts", task=LATE_GAMES)
        parts.run(until, lambda _: None, chunk=20_000)
    states = [(tmp_path / f"{name}.state").read_bytes() for name in ("whole", "parts")]
    assert states[0] == states[1]
    curve = (tmp_path / "parts.csv").read_text().splitlines()
    assert curve[0].split(",") == ["moves", "seconds", *LATE_COLUMNS]
    assert len(curve) == 4
    play_, task, moves = read_state_to_export(tmp_path / "parts.state")
    assert task is LATE_GAMES
    assert moves >= 60_000
    assert np.array_equal(play_.weights, whole.training.play.weights)
    with pytest.raises(WeightsError, match="another configuration"):
        NetworkTraining(tmp_path / "parts")
