"""The network for whole games: lookups against lists, learning that learns, and training on."""

import json
import signal
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import zstandard

from ai.errors import WeightsError
from ai.evaluation.game_net import N_LOOKUPS, N_STAGES, STAGE_SIZE, STAGE_SUMS, TUPLES, stage_of
from ai.evaluation.game_net_file import write_game_net
from ai.train.game_training import (
    GAMES,
    LARGE,
    MOVES,
    PLACES,
    SCORES,
    TURN,
    GameTraining,
    learn,
    new_training,
    note_places,
    rearranged,
    train,
    value_at,
)
from ai.train.network_training import WHOLE_GAMES, NetworkTraining, Task, read_state
from engine.platform.cli.console import CANCELLED, DONE
from engine.platform.errors import WriteError
from engine.platform.jit import kernel
from main import main
from tablebase.errors import BuildCancelledError
from tests import oracle
from tests.engine.boards import to_number

BOARDS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (1, 1, 0, 0, 2, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 6),
    (14, 13, 12, 11, 7, 8, 9, 10, 6, 5, 4, 3, 0, 1, 2, 1),
)


@kernel
def value_at_places(after, stage, places, weights):
    note_places(after, stage, places, weights)
    return value_at(places, weights)


def value_of(board, stage, training):
    after, found = np.uint64(to_number(board)), np.zeros(N_LOOKUPS, np.uint32)
    return value_at_places(after, stage, found, training.weights)


@kernel
def stages_of(sums, out):
    for i in range(sums.size):
        out[i] = stage_of(sums[i])


@pytest.fixture(scope="module")
def trained() -> GameTraining:
    training = new_training(7)
    train(training, 400_000)
    return training


def places(board, stage):
    """Yield the places of a board's weights, cell by cell."""
    for name in oracle.SYMMETRIES:
        image = oracle.transform(board, name)
        for i, cells in enumerate(TUPLES):
            index = 0
            for cell in cells:
                index = 16 * index + image[cell]
            yield stage * STAGE_SIZE + i * 16**6 + index


def slow_value(board, stage, weights):
    """Return the sum of the weights; an unused one is that of the stage before."""
    total = 0.0
    for place in places(board, stage):
        below = place
        while weights[below] == 0 and below >= STAGE_SIZE:
            below -= STAGE_SIZE
        total += float(weights[below])
    return total


@pytest.mark.thorough
@pytest.mark.parametrize("board", BOARDS)
def test_a_value_is_the_sum_of_the_weights_of_all_images(board):
    training, stage = new_training(1), 2
    for n, place in enumerate(sorted(set(places(board, stage)))):
        if n % 3:  # every third weight was never used: the stage before counts
            training.weights[place] = n
        else:
            training.weights[place - STAGE_SIZE] = 1000 + n
    expected = slow_value(board, stage, training.weights)
    assert expected > 1000
    assert value_of(board, stage, training) == pytest.approx(expected)


def test_stages_begin_where_they_say():
    sums = np.array([s + d for s in STAGE_SUMS for d in (-2, 0)])
    out = np.zeros(sums.size, np.int64)
    stages_of(sums, out)
    assert out.tolist() == [n for stage in range(N_STAGES - 1) for n in (stage, stage + 1)]


def cells_of(board):
    return [int(board) >> 60 - 4 * cell & 15 for cell in range(16)]


@pytest.mark.parametrize("n_large", range(12))
def test_rearranging_puts_large_tiles_in_places_and_others_only_make_room(n_large):
    rng, spawns = np.random.default_rng(n_large), np.array([5], np.uint64)
    for _ in range(300):
        before = rng.integers(0, LARGE, 16)
        before[rng.permutation(16)[:n_large]] = rng.integers(LARGE, 16, n_large)
        after = cells_of(rearranged(np.uint64(to_number(before.tolist())), spawns))
        assert sorted(after) == sorted(before.tolist())
        large = {cell for cell in range(16) if after[cell] >= LARGE}
        assert any(set(order[:n_large]) <= large for order in PLACES.tolist())
        moved = [cell for cell in range(16) if after[cell] != before[cell]]
        assert all(cell in large or before[cell] >= LARGE for cell in moved)


def test_rearranging_comes_to_every_way_and_order():
    board, spawns = np.uint64(to_number([11, 12, 13, 14] + [0] * 12)), np.array([5], np.uint64)
    found = {tuple(cells_of(rearranged(board, spawns))) for _ in range(2000)}
    row, square, three_and_one = (0, 1, 2, 3), (0, 1, 4, 5), (0, 1, 2, 4)
    expected = set()
    for cells in (row, square, three_and_one):
        for order in permutations((11, 12, 13, 14)):
            at = dict(zip(cells, order, strict=True))
            expected.add(tuple(at.get(cell, 0) for cell in range(16)))
    assert found == expected


@pytest.mark.thorough
def test_every_eighth_game_begins_with_a_rearranged_board():
    """Of this board no move is legal until its two 2048s are neighbors: then a game is played."""
    training, cells = new_training(2), [3, 2, 1, 2, 1, 11, 2, 1, 2, 1, 3, 11, 1, 2, 1, 2]
    assert all(oracle.move(cells, direction)[0] == cells for direction in range(4))
    training.first[:, 0], training.n_first[:] = to_number(cells), 1
    stages = set()
    for eighth in (8, 16, 24, 32, 40, 48, 56, 72):  # the 64th begins with an empty board
        begun = max(eighth - 7, (eighth - 1) // N_STAGES * N_STAGES + 1)
        training.game[TURN], training.board[0] = begun, 0
        train(training, 1)
        assert training.game[TURN] == eighth
        stages.add((eighth - 1) % N_STAGES)
    assert stages == set(range(1, N_STAGES))


@pytest.mark.thorough
def test_training_makes_the_player_better(trained):
    first = trained.counts.copy()
    trained.counts[:] = 0
    train(trained, 400_000)
    means = [counts[SCORES] / counts[GAMES] for counts in (first, trained.counts)]
    assert first[MOVES] >= 400_000
    assert means[1] > 1.3 * means[0]
    assert means[1] > 10_000  # who moves at random gets about a thousand


@pytest.mark.thorough
def test_the_same_seed_learns_the_same():
    values = []
    for _ in range(2):
        training = new_training(3)
        train(training, 20_000)
        train(training, 20_000)
        values.append((value_of(BOARDS[1], 0, training), int(training.spawns[0])))
    assert values[0] == values[1]
    assert values[0][0] != 0


@kernel
def learn_at(places, share, step_size, adds_weights, weights, errors):
    learn(places, share, step_size, adds_weights, weights, errors)


@pytest.mark.parametrize("adds_weights", [True, False])
@pytest.mark.parametrize("step_size", [1.0, 0.1])
def test_a_weight_goes_by_its_own_step(step_size, adds_weights):
    training, stage = new_training(1), 1
    place = np.array(sorted(set(places(BOARDS[1], stage)))[:N_LOOKUPS], np.uint32)
    _new, settled, torn, below = place[:4]
    training.weights[[settled, torn]] = 100
    training.weights[below - STAGE_SIZE] = 30  # of the stage before
    for at, errors in ((settled, (-50, 50)), (torn, (20, 80))):
        training.errors[2 * at : 2 * at + 2] = errors
    weights, errors = training.weights, training.errors
    learn_at(place, np.float32(8), np.float32(step_size), adds_weights, weights, errors)
    found = [weights[at] for at in place[:4]]
    own = [100 + 8 * step_size, 100 + 2 * step_size]
    expected = [8 * step_size, *own, 30 + 8 * step_size] if adds_weights else [0, *own, 0]
    assert found == pytest.approx(expected)
    sums = [errors[2 * at : 2 * at + 2].tolist() for at in place[:4]]
    new = [8, 8] if adds_weights else [0, 0]
    assert sums == [new, [-42, 58], [28, 88], new]  # whatever the size of steps


def tiny_task(also: Callable[[], object] = lambda: None) -> Task:
    """Return a task whose moves are counted, and nothing learned; its arrays are small."""

    def new(seed: int, trace: float) -> GameTraining:
        small = new_training(seed, trace, n_stages=1)
        return small._replace(weights=small.weights[:9], errors=small.errors[:18])

    def count(training: GameTraining, n_moves: int) -> None:
        training.counts[MOVES] += n_moves
        training.weights[0] += n_moves
        also()

    return WHOLE_GAMES._replace(new=new, train=count)


def tiny_training(out: Path) -> NetworkTraining:
    return NetworkTraining(out, task=tiny_task())


def moves_of(curve: Path) -> list[int]:
    return [int(line.split(",")[0]) for line in curve.read_text().splitlines()[1:]]


@pytest.mark.thorough
def test_a_training_that_is_canceled_keeps_what_it_learned(tmp_path):
    told: list[int] = []
    training = tiny_training(tmp_path / "net")
    with pytest.raises(BuildCancelledError, match="stopped after 30 moves"):
        training.run(
            100, lambda one: told.append(one.moves), chunk=10, is_cancelled=lambda: len(told) == 3
        )
    again = tiny_training(tmp_path / "net")
    assert again.moves == again.training.weights[0] == 30
    again.run(50, lambda _: None, chunk=10)
    assert moves_of(tmp_path / "net.csv") == [10, 20, 30, 40, 50]


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command_after_a_line_of_the_curve(tmp_path, monkeypatch, capsys, number):
    task = tiny_task(lambda: signal.raise_signal(number))
    monkeypatch.setattr("ai.train.network_training.WHOLE_GAMES", task)
    words = ["--data-dir", str(tmp_path), "train", "network", "--out", str(tmp_path / "net")]
    assert main([*words, "--millions", "100"]) == CANCELLED
    assert "canceled: stopped after 10,000,000 moves" in capsys.readouterr().err
    assert moves_of(tmp_path / "net.csv") == [10_000_000]
    assert main([*words, "--millions", "10"]) == DONE


@pytest.mark.thorough
@pytest.mark.parametrize("torn", ["", "40,0.1", "4"])
def test_moves_that_are_played_again_have_one_line_of_the_curve(tmp_path, torn):
    curve = tmp_path / "net.csv"
    tiny_training(tmp_path / "net").run(20, lambda _: None, chunk=10)
    kept = curve.read_text()
    more = kept.splitlines(keepends=True)[1].replace("10,", "30,", 1)
    curve.write_text(kept + more + torn)  # the state of these was not written any more
    tiny_training(tmp_path / "net").run(20, lambda _: None, chunk=10)
    assert curve.read_text() == kept
    tiny_training(tmp_path / "net").run(40, lambda _: None, chunk=10)
    assert moves_of(curve) == [10, 20, 30, 40]


@pytest.mark.thorough
def test_somebody_elses_file_is_not_taken_for_the_curve(tmp_path):
    notes = tmp_path / "games.csv"
    notes.write_bytes(b"score,moves\xff\n9999,2\n")
    with pytest.raises(WeightsError, match="not the curve of such a training"):
        tiny_training(tmp_path / "games").run(20, lambda _: None, chunk=10)
    assert notes.read_bytes() == b"score,moves\xff\n9999,2\n"
    for head in (b"", b"moves", b"\xef\xbb\xbfmoves,seconds,games\n"):  # cut short, or by an editor
        notes.write_bytes(head)
        tiny_training(tmp_path / "games")


@pytest.mark.thorough
@pytest.mark.parametrize("lost", ["_curve", "_state"])
def test_a_file_that_cannot_be_written_is_told(tmp_path, lost):
    training = tiny_training(tmp_path / "net")
    setattr(training, lost, tmp_path / "gone" / "net")
    with pytest.raises(WriteError, match="cannot write"):
        training.run(20, lambda _: None, chunk=10)


@pytest.mark.slow
def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path):
    whole = NetworkTraining(tmp_path / "whole")
    whole.run(60_000, lambda _: None, chunk=20_000)
    for until in (20_000, 60_000):
        parts = NetworkTraining(tmp_path / "parts")
        parts.run(until, lambda _: None, chunk=20_000)
    states = [(tmp_path / f"{name}.state").read_bytes() for name in ("whole", "parts")]
    assert states[0] == states[1]
    assert len((tmp_path / "parts.csv").read_text().splitlines()) == 4
    with pytest.raises(WeightsError, match="another configuration"):
        NetworkTraining(tmp_path / "parts", seed=2)
    other = tmp_path / "other.state"
    head = zstandard.ZstdDecompressor().stream_reader(states[0]).read(200).split(b"\n")[0]
    assert json.loads(head)["sums"] == list(STAGE_SUMS)
    other.write_bytes(zstandard.compress(head.replace(b"12288", b"12290") + b"\n"))
    with pytest.raises(WeightsError, match="another configuration"):  # of other stages
        read_state(other, new_training(1), 1)
    cut = tmp_path / "cut.state"
    cut.write_bytes(states[0][:-20])
    with pytest.raises(WeightsError, match="damaged"):
        read_state(cut, new_training(1), 1)


@pytest.mark.slow
def test_a_training_of_four_tuples_goes_on_with_all(tmp_path):
    """The state of one, as version 3 wrote it: each stage had the weights of four tuples."""
    trained, own, path = new_training(4), 4 * 16**6, tmp_path / "four.state"
    train(trained, 30_000)
    head = {"version": 3, "sums": list(STAGE_SUMS), "seed": 4, "trace": 0.5, "moves": 30_000}
    body = json.dumps(head).encode() + b"\n"
    for name in ("spawns", "board", "game", "first", "n_first"):
        body += getattr(trained, name).tobytes()
    weights, errors = trained.weights, trained.errors
    stages = [slice(n * STAGE_SIZE, n * STAGE_SIZE + own) for n in range(N_STAGES)]
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    with path.open("wb") as file, compressor.stream_writer(file) as stream:
        stream.write(body)
        for stage in stages:
            stream.write(weights[stage].tobytes())
        for stage in stages:
            stream.write(errors[2 * stage.start : 2 * stage.stop].tobytes())
    begun = NetworkTraining(tmp_path / "four", seed=4)
    assert begun.moves == 30_000
    weights[own:STAGE_SIZE] = errors[2 * own : 2 * STAGE_SIZE] = 0  # no other stage was reached
    assert np.array_equal(begun.training.weights[:STAGE_SIZE], weights[:STAGE_SIZE])
    assert np.array_equal(begun.training.errors[: 2 * STAGE_SIZE], errors[: 2 * STAGE_SIZE])
    assert begun.training.first.tolist() == trained.first.tolist()
    path.write_bytes(zstandard.compress(json.dumps({**head, "version": 4}).encode() + b"\n"))
    with pytest.raises(WeightsError, match="damaged"):  # it does not tell how many
        NetworkTraining(tmp_path / "four", seed=4)


def test_a_pruned_training_without_weights_is_refused(tmp_path):
    """It would play for hours and learn nothing."""
    with pytest.raises(WeightsError, match="--start"):
        NetworkTraining(tmp_path / "net", adds_weights=False)


@pytest.mark.slow
def test_a_training_begins_with_a_network(tmp_path, trained):
    path, empty = tmp_path / "a.net", np.zeros(1, np.float32)
    write_game_net(path, trained.weights, trained.errors[1::2], 0.5, trained.weights.size)
    begun = NetworkTraining(tmp_path / "next", seed=5, start=path)
    at = np.flatnonzero(trained.weights)
    assert np.array_equal(at, np.flatnonzero(begun.training.weights))
    first = begun.training.weights[at]
    assert np.abs(first - trained.weights[at]).max() <= 0.5
    means = []
    for training in (trained, begun.training, new_training(5)):
        training.counts[:] = 0
        train(training, 200_000)
        means.append(training.counts[SCORES] / training.counts[GAMES])
    assert means[1] > 0.8 * means[0]  # it continues as before and doesn't start over
    assert means[2] < 0.7 * means[0]
    pruned = NetworkTraining(tmp_path / "pruned", seed=5, start=path, adds_weights=False)
    train(pruned.training, 100_000)
    assert np.array_equal(np.flatnonzero(pruned.training.weights), at)
    assert np.array_equal(np.flatnonzero(pruned.training.errors[1::2]), at)
    assert np.count_nonzero(pruned.training.weights[at] != first) > 10_000
    begun.run(20_000, lambda _: None, chunk=20_000)
    path.write_bytes(empty.tobytes())  # a started run continues from its own state
    assert NetworkTraining(tmp_path / "next", seed=5, start=path).moves >= 20_000
