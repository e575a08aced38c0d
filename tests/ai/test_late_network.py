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
from ai.evaluation.late_net import (
    FIFTH_STANDS,
    LATE_SUMS,
    N_LATE_STAGES,
    is_late_board,
    late_stage_of,
)
from ai.evaluation.staged_net import StagedNet, StageWeights
from ai.match.selfplay import MOVES, new_tally, play
from ai.search.search import Search, SearchSettings
from ai.train import late_training
from ai.train.fifth_tile import BEST, worth_of
from ai.train.game_training import note_places, value_at
from ai.train.late_training import (
    ANY_FOUR,
    BEGUN,
    FIFTH,
    FUTURE,
    LATE_COLUMNS,
    N_BEGINS,
    SECOND,
    SHOWN,
    WAYS,
    WON,
    begin_boards,
    has_goal,
    late_figures,
    new_late_training,
    train_late,
)
from ai.train.network_training import LATE_GAMES, NetworkTraining, read_state_to_export
from ai.train.shown_boards import show_exact_games, show_games_by_lines
from engine.bitboard import cells as cells_of
from engine.platform.jit import kernel
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildCancelledError, TableError
from tablebase.formation.patterns_file import load_formations
from tablebase.library.opening import open_table
from tablebase.store.options import TableOptions
from tests import oracle
from tests.ai.staged_weights import staged_net
from tests.engine.boards import to_number

pytestmark = pytest.mark.thorough

E = 0
UNIT = 4.0
STAGE_BEFORE, LAST = FIFTH_STANDS - 1, N_LATE_STAGES - 1


def is_late(tiles: list[int]) -> bool:
    return bool(is_late_board(np.uint64(search_board(np.array(tiles, np.uint8), 14))))


def test_it_is_asked_beside_16384_8192_and_4096_and_no_larger_tile():
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
def test_which_large_tiles_are_for_the_network(tiles, want):
    assert is_late([*tiles, *[0] * (16 - len(tiles))]) == want


@kernel
def stages_of(sums, out):
    for i in range(sums.size):
        out[i] = late_stage_of(sums[i])


def test_late_stages_begin_where_they_say():
    sums = np.array([28672, *(s + d for s in LATE_SUMS for d in (-2, 0))])
    out = np.zeros(sums.size, np.int64)
    stages_of(sums, out)
    assert out.tolist() == [0, *(n for stage in range(3) for n in (stage, stage + 1))]


@pytest.fixture(scope="module")
def nets() -> tuple:
    """Two networks that tell themselves apart: the values of one are all larger."""
    everywhere = np.arange(STAGE_SIZE, dtype=np.uint32)
    late = [StageWeights(everywhere, np.full(STAGE_SIZE, 100, np.int16))]
    for stage in range(1, N_LATE_STAGES):  # elsewhere the stage before counts
        some = everywhere[1::64]
        late.append(StageWeights(some, np.full(some.size, 100 + stage, np.int16)))
    whole = np.ones(STAGE_SIZE, np.int16)
    return staged_net(whole, UNIT), StagedNet(late, UNIT, FIFTH_STANDS)


@pytest.fixture(scope="module")
def evaluation(nets) -> Evaluation:
    """Lines evaluate what is strange to both networks."""
    shapes = FamiliarShapes([(1, 0), (1, 2, 0), (1, 2, 0, 3)])
    return Evaluation.of_network(nets[0], 0.1, (shapes, load_evaluation()), nets[1])


HOME = [12, 14, 13, 11, 1, 2, 3, E, E, E, E, E, E, E, E, E]
THREE = [12, 14, 13, E, 1, 2, 3, E, E, E, E, E, E, E, E, E]
GAP = [14, 12, E, 13, 1, 2, 3, E, E, E, E, E, E, E, E, E]
BELOW_32768 = [15, 14, E, E, E, 13, 1, 2, 3, E, E, E, E, E, E, E]
STRANGE = [E, E, E, E, E, 14, E, E, E, E, 13, E, 1, 2, 3, E]


def test_a_search_asks_the_network_that_is_for_the_position(evaluation):
    search = Search(evaluation, SearchSettings(max_depth=1))
    asked = ((HOME, 1), (GAP, 100), (BELOW_32768, 100), (HOME, 1), (THREE, 100))
    for tiles, weight in asked:
        answer = search.by_nodes(tiles, 10)
        assert answer.are_points
        values = [value for value in answer.values if value is not None]
        assert min(values) >= N_LOOKUPS * weight * UNIT
        assert max(values) < N_LOOKUPS * weight * UNIT + 100
    search.forget()
    assert not search.by_nodes(STRANGE, 10).are_points


def test_a_game_that_was_at_home_is_so_again_after_the_late_network(evaluation):
    search = Search(evaluation)
    lines = evaluation.elsewhere[1]
    merged = [14, 11, 11, 13, 1, 2, 3, E, E, E, E, E, E, E, E, E]  # as much as in `GAP`
    assert search.evaluation_of(GAP) is evaluation.late
    assert search.evaluation_of(merged) is lines
    search.forget()
    assert search.evaluation_of(THREE) is evaluation.late  # where the first network is at home
    assert search.sees_late_game(THREE)
    assert search.evaluation_of(GAP) is evaluation.late
    assert search.evaluation_of(merged) is evaluation
    assert search.sees_whole_game(merged)
    assert not search.sees_late_game(merged)


def test_each_late_stage_is_a_phase_with_its_own_weights(evaluation, nets):
    late, phases = evaluation.late, []
    for extra in ((), (11, 7), (11, 10, 7), (12,)):
        tiles = [14, 13, 12, *extra, *[0] * (13 - len(extra))]
        phase, board = late.look(np.array(tiles, np.uint8))
        assert cells_of(int(board)) == tiles
        assert phase.is_late
        phases.append(phase)
    sums = [(phase.from_sum, phase.until_sum) for phase in phases[:-1]]
    assert sums == [*pairwise((0, *LATE_SUMS))]
    assert all(a.tag != b.tag for a, b in pairwise(phases))
    for stage, phase in enumerate(phases):
        assert np.array_equal(phase.evaluator.weights, nets[1].at(stage).weights)
    assert not evaluation.look(np.array(HOME, np.uint8))[0].is_late
    assert Evaluation.of_network(nets[0]).late is None


def test_a_game_stops_where_the_late_network_is_not_to_be_asked(evaluation):
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


def test_a_network_for_late_games_is_read_from_beside_one_for_whole_games(tmp_path):
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
        places = np.flatnonzero(part != 0)
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


def test_games_begin_with_large_tiles_in_place():
    for board, way in zip(begin_boards(), WAYS, strict=True):
        tiles = cells_of(int(board))
        given = [0 if one == "." else int(one, 16) for one in way]
        assert tiles == given + [0] * (16 - len(given))
        assert {12, 13, 14} <= set(tiles)


@kernel
def goals_of(boards, out):
    for i in range(boards.size):
        out[i] = has_goal(boards[i])


def test_a_32768_is_seen_wherever_it_is():
    boards = [[14, 7, 11, 13, 3, 12, *[0] * 10]]
    boards += [[*boards[0][:cell], 15, *boards[0][cell + 1 :]] for cell in range(16)]
    out = np.zeros(17, np.bool_)
    goals_of(np.array([to_number(board) for board in boards], np.uint64), out)
    assert out.tolist() == [False] + [True] * 16


@kernel
def worths_of(boards, out):
    for i in range(boards.size):
        out[i] = worth_of(boards[i])


def test_a_fifth_tile_is_worth_what_its_place_is():
    """A drawing of each place; the same turned and mirrored; and with other tiles in between."""
    drawings = {
        (14, 13, 12, 0, 11, 10): 0.8,
        (12, 13, 10, 0, 11, 14): 0.8,
        (14, 13, 12, 0, 10, 11): 0.4,
        (10, 13, 12, 0, 14, 11): 0.3,
        (14, 10, 12, 0, 13, 11): 0.3,
        (14, 13, 12, 11, 10): 0.4,
        (14, 10, 12, 11, 13): 0.2,
        (14, 13, 12, 11, 0, 10): 0.1,
        (14, 13, 12, 0, 11, 0): 0.1,  # four
        (14, 13, 12, 11, 10, 10): 0.1,  # six
        (14, 13, 12, 0, 11, 11): 0.1,  # none of them a 1024
    }
    boards, want = [], []
    for tiles, worth in drawings.items():
        for fill in (0, 3):
            drawn = [tile or fill for tile in (*tiles, *[0] * (16 - len(tiles)))]
            for image in oracle.images(drawn, "full"):
                boards.append(to_number(image))
                want.append(worth)
    out = np.zeros(len(boards), np.float32)
    worths_of(np.array(boards, np.uint64), out)
    assert out == pytest.approx(want)
    assert max(want) == pytest.approx(BEST)


def test_boards_are_shown_of_games_by_lines_that_place_the_fifth_tile_well():
    begins = begin_boards()[[WAYS.index("ed..cb"), WAYS.index("ced.b98")]]
    found = [np.zeros(100, np.uint64) for _ in range(2)]
    fifths, again = (show_games_by_lines(begins, boards, 3) for boards in found)
    assert fifths == again
    assert found[0].tolist() == found[1].tolist()
    sums = [sum(1 << tile for tile in cells_of(int(board)) if tile) for board in found[0]]
    assert min(sums) >= 30720
    assert max(sums) < 31824 + 100
    assert any(after < before for before, after in pairwise(sums))  # several games
    out = np.zeros(len(fifths), np.float32)
    worths_of(np.array(fifths, np.uint64), out)
    assert out == pytest.approx(BEST)


@pytest.mark.slow
def test_exact_games_are_shown_that_make_another_1024(tmp_path):
    """With a table to 64 instead of 1024, for which tiles from 64 on are large."""
    formation = load_formations()["4421"]
    build(BuildPlan(formation, 64, tmp_path, TableOptions(), threads=2))
    start = to_number([14, 13, 12, E, 11, 6, 3, 2, 1, E, E, E, E, E, E, E])
    found = [np.zeros(1500, np.uint64) for _ in range(2)]
    for boards in found:
        with open_table(tmp_path) as table:
            show_exact_games(table, [start], boards, 4)
    assert found[0].tolist() == found[1].tolist()
    tiles = np.array([cells_of(int(board)) for board in found[0]])
    assert ((tiles >= 6).sum(axis=1) == 5).all()
    in_place = (tiles[:, [0, 1, 2, 4, 5]] >= 6).all(axis=1)  # now and then all are moved aside
    assert in_place.mean() > 0.8
    walled = [
        to_number([15 if tile >= 6 else tile for tile in board])
        for board in tiles[in_place].tolist()
    ]
    with open_table(tmp_path) as table:
        found_rates = [table.probe(board).rates for board in walled]
    known = [rates for rates in found_rates if any(rate is not None for rate in rates)]
    assert len(known) > 0.9 * len(walled)  # just after the start a table may not know some yet
    rates = [max(rate or 0.0 for rate in one) for one in known]
    assert min(rates) > 0.05  # boards of lost games would be among them


@pytest.fixture(scope="module")
def table_of_44(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "44_64"
    build(BuildPlan(load_formations()["44"], 64, folder, TableOptions(), threads=2))
    return folder


def test_a_wrong_table_is_refused_before_any_game(table_of_44, tmp_path, monkeypatch):
    monkeypatch.setattr(late_training, "show_games_by_lines", None)
    with pytest.raises(TableError, match="a table of 44 to 64; expected one of 4421 to 1024"):
        NetworkTraining(tmp_path / "late", start=table_of_44, task=LATE_GAMES)


def test_exact_games_that_a_table_never_wins_end_with_a_message(table_of_44):
    start = to_number([14, 13, 12, E, 11, 10, 3, 2, 1, E, E, E, E, E, E, E])
    shown = np.zeros(10, np.uint64)
    with open_table(table_of_44) as table, pytest.raises(TableError, match="made another 64"):
        show_exact_games(table, [start], shown, 4)


def test_a_training_can_be_canceled_while_it_is_prepared(tmp_path):
    asked = []

    def is_cancelled() -> bool:
        asked.append(1)
        return len(asked) > 2

    with pytest.raises(BuildCancelledError, match="before the first move"):
        NetworkTraining(tmp_path / "late", task=LATE_GAMES, is_cancelled=is_cancelled)
    assert len(asked) == 3
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def trained():
    training = new_late_training(7)
    train_late(training, 800_000)
    return training


@pytest.mark.slow
def test_each_way_to_begin_has_its_share_of_the_moves(trained):
    counts, spent = trained.play.counts, trained.spent
    known = [way for way in range(SHOWN) if way < SECOND or trained.play.n_first[way - SECOND + 1]]
    assert set(range(ANY_FOUR + 1)) <= set(known)
    assert (counts[BEGUN : BEGUN + N_BEGINS][known] > 0).all()
    last = spent[known].max()
    assert (spent[:SECOND] > 0.9 * last).all()


@pytest.mark.slow
def test_late_games_get_longer(trained):
    """At first they are lost at once."""

    def n_games() -> int:
        trained.play.counts[:] = 0
        train_late(trained, 400_000)
        return dict(zip(LATE_COLUMNS, late_figures(trained.play.counts), strict=True))["games"]

    early = n_games()
    train_late(trained, 2_000_000)
    assert n_games() < 0.9 * early


def test_a_fifth_tile_ends_a_game_that_began_before_it():
    """Games that begin a few moves before the fifth tile, with all large tiles in place."""
    training = new_late_training(3)
    board = [14, 13, 12, E, 11, 10, 5, E, 4, E, 4, 1, E, E, E, E]
    training.play.first[STAGE_BEFORE, 0] = to_number(board)
    training.play.n_first[STAGE_BEFORE] = 1
    training.spent[:] = 1 << 60
    training.spent[FIFTH - 1] = 0
    for _ in range(300):
        train_late(training, 1)
    begun, won = (training.play.counts[at + FIFTH - 1] for at in (BEGUN, WON))
    assert begun > 200
    assert won > 0.5 * begun
    assert training.play.n_first[FIFTH_STANDS] == won
    assert best_value(training, board, STAGE_BEFORE) == pytest.approx(315_000 * BEST, rel=0.2)


@kernel
def value_of(after, stage, places, weights):
    note_places(after, stage, places, weights)
    return value_at(places, weights)


def best_value(training, board, stage):
    places, weights = np.zeros(N_LOOKUPS, np.uint32), training.play.weights
    afters = [np.uint64(to_number(oracle.move(board, d)[0])) for d in range(4)]
    return max(value_of(after, stage, places, weights) for after in afters)


def test_a_32768_ends_a_game_and_is_worth_what_is_to_come():
    """Games that begin at the last stage with two 16384 side by side: any first move wins."""
    training = new_late_training(3)
    board = [14, 14, 9, 3, 2, *[0] * 11]
    training.play.first[LAST, 0], training.play.n_first[LAST] = to_number(board), 1
    training.spent[:] = 1 << 60
    training.spent[SHOWN - 1] = 0
    for _ in range(400):
        train_late(training, 1)
    won, begun = (training.play.counts[at + SHOWN - 1] for at in (WON, BEGUN))
    assert won > 0.9 * begun > 300
    assert best_value(training, board, LAST) == pytest.approx(FUTURE, rel=0.02)


def test_the_same_seed_learns_the_same_late():
    found = []
    for _ in range(2):
        training = new_late_training(5)
        train_late(training, 20_000)
        train_late(training, 20_000)
        found.append((training.play.spawns.tolist(), training.spent.tolist()))
        del training  # gigabytes
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_late_training_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path):
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
