"""Excerpts of tables: what they hold is what the table says; what is no excerpt is refused."""

import json
import math
from collections import Counter

import numpy as np
import pytest
import zstandard

from engine.bitboard import cells, from_cells
from engine.geometry import destinations, permute
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.errors import TableFormatError
from tablebase.formation.patterns_file import load_formations
from tablebase.maintain.make_excerpt import (
    MOST_FILLED,
    Play,
    choose,
    fill,
    make_excerpt,
    play_games,
    spawn_many,
)
from tablebase.probe.excerpt import Excerpt, codes_of, read_excerpt, write_excerpt
from tablebase.probe.reader import Tablebase

ALL = 1 << 40


@pytest.fixture(scope="module")
def source(table):
    with Tablebase.open(table("44", 128)) as opened:
        yield opened


@pytest.fixture(scope="module")
def excerpt(source):
    return make_excerpt(source, Play(1000, slip=0.2, most_lost=1.0), ALL)


def odds(rates):
    return np.log(rates / (1 - rates))


def test_it_says_what_the_table_says(source, excerpt) -> None:
    assert len(excerpt) > 1000
    assert (excerpt.boards[1:] > excerpt.boards[:-1]).all()
    exact = source.many_rates(excerpt.boards)
    assert np.allclose(odds(excerpt.rates), odds(exact), rtol=0, atol=1 / 4000)
    everything = excerpt.many_rates(excerpt.boards)
    assert np.array_equal(everything, excerpt.rates)


@pytest.mark.parametrize("orientation", range(8))
def test_positions_of_a_game_are_answered_as_by_the_table(source, excerpt, orientation) -> None:
    rng, n_answered, n_unknown = Rng(orientation), 0, 0
    destination = destinations("full")[orientation]
    for _ in range(3):
        board = source.start_board(rng)
        while True:
            seen = permute(board, destination)
            want, got = source.probe(seen, comes_up=True), excerpt.held_rates(seen)
            if want.best is None or want.best_rate in (0.0, 1.0):
                break
            for exact, rate in zip(want.rates, got or (None,) * 4, strict=True):
                if rate is None:
                    n_unknown += exact is not None and exact > 0
                else:
                    n_answered += 1
                    assert rate == pytest.approx(exact, abs=1e-4)
            after = move(seen, want.best)
            board = spawn(permute(after, invert(destination)), rng)[0]
    assert n_answered > 3 * n_unknown


def invert(destination):
    return [list(destination).index(cell) for cell in range(16)]


def test_what_has_the_target_is_won_and_what_is_unknown_is_not_lost(source, excerpt) -> None:
    one = Excerpt(source.formation, 128, 0.1, excerpt.boards[:1], excerpt.codes[:1])
    board = from_cells([0, 0, 0, 0, 6, 6, 0, 0] + [15] * 8)
    answer = one.held_rates(board)
    assert answer
    assert answer[:2] == (1.0, 1.0)
    assert one.held_rates(from_cells([2, 3, 0, 0, 1, 0, 0, 0] + [15] * 8)) is None
    assert np.isnan(one.many_rates(np.array([excerpt.boards[5]], np.uint64))).all()


def test_perfect_games_are_won_as_often_as_the_table_says(source) -> None:
    n = 2000
    seeds = source.formation.seeds
    rate = sum(source.rate_of(seed, comes_up=True) for seed in seeds) / len(seeds)
    won = play_games(source, Play(n, slip=0.0, filled=0.0)).n_won / n
    assert abs(won - rate) < 4 * math.sqrt(rate * (1 - rate) / n)


def test_the_same_games_give_the_same_file(source, excerpt, tmp_path) -> None:
    again = make_excerpt(source, Play(1000, slip=0.2, most_lost=1.0), ALL)
    for name, one in (("a", excerpt), ("b", again)):
        write_excerpt(tmp_path / name, one)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    back = read_excerpt(tmp_path / "a")
    assert np.array_equal(back.boards, excerpt.boards)
    assert np.array_equal(back.codes, excerpt.codes)
    assert (back.name, back.target, back.spawn4) == (source.name, 128, 0.1)
    assert back.formation == source.formation


def test_the_boards_met_most_often_are_kept(source) -> None:
    games = play_games(source, Play(1000, slip=0.2, most_lost=1.0))
    counts = Counter(games.boards.tolist())
    few = make_excerpt(source, Play(1000, slip=0.2, most_lost=1.0), 200)
    kept = set(few.boards.tolist())
    least = min(counts[board] for board in kept)
    assert len(kept) == 200
    assert max(n for board, n in counts.items() if board not in kept) <= least


def test_new_tiles_come_in_every_empty_cell_alike() -> None:
    board = from_cells([0, 3, 0, 15, 0, 1, 2, 0, 4, 4, 4, 4, 5, 5, 5, 5])
    n = 40_000
    found = spawn_many(np.full(n, board, np.uint64), np.random.default_rng(1), 0.1)
    counts = Counter((found ^ np.uint64(board)).tolist())
    empty = [cell for cell, tile in enumerate(cells(board)) if tile == 0]
    assert set(counts) == {tile << 60 - 4 * cell for cell in empty for tile in (1, 2)}
    for spawned, n_found in counts.items():
        chance = (0.9 if spawned.bit_length() % 4 == 1 else 0.1) / len(empty)
        assert abs(n_found - n * chance) < 5 * math.sqrt(n * chance)


def test_boards_are_filled_with_tiles_below_the_target() -> None:
    empty = from_cells([0] * 10 + [15] * 6)
    filled = fill(np.full(2000, empty, np.uint64), np.random.default_rng(1), 7)
    tiles = np.array([cells(int(board)) for board in filled])
    assert (tiles[:, 10:] == 15).all()
    free = tiles[:, :10]
    assert set(np.unique(free)) == set(range(7))
    assert set((free > 0).sum(axis=1).tolist()) == set(range(1, MOST_FILLED + 1))
    crowded = fill(
        np.full(50, from_cells([0] * 4 + [15] * 12), np.uint64), np.random.default_rng(2), 7
    )
    assert min(cells(int(board)).count(0) for board in crowded) == 2


def test_a_slip_is_the_second_best_move_if_it_is_near() -> None:
    rates = np.array(
        [[0.5, 0.5, 0.5, 0.3], [0.6, 0.6, 0.6, 0.0], [0.59, 0.2, 0.59, 0.0], [0, 0, 0, 0]]
    )
    slips = np.array([True, True, False, True])
    assert choose(rates, slips, 0.05).tolist() == [2, 1, 1, 0]


@pytest.mark.parametrize("what", ["cut", "bit", "longer", "bomb", "order", "other", "symmetry"])
def test_what_is_no_excerpt_is_refused(excerpt, tmp_path, what) -> None:
    path = tmp_path / "one"
    write_excerpt(path, excerpt)
    raw = path.read_bytes()
    line, _, packed = raw.partition(b"\n")
    head = json.loads(line)
    if what == "cut":
        raw = raw[:-20]
    elif what == "bit":
        raw = raw[:-300] + bytes([raw[-300] ^ 4]) + raw[-299:]
    elif what == "longer":
        raw = json.dumps(head | {"boards": head["boards"] - 1}).encode() + b"\n" + packed
    elif what == "bomb":
        raw = (
            json.dumps(head | {"boards": 100}).encode() + b"\n" + zstandard.compress(bytes(1 << 28))
        )
    elif what == "order":
        raw = line + b"\n" + zstandard.compress(bytes(10 * head["boards"]))
    elif what == "other":
        raw = b"{}\n" + packed
    else:
        formation = load_formations()["LL"].to_dict()
        raw = json.dumps(head | {"formation": formation}).encode() + b"\n" + packed
    path.write_bytes(raw)
    with pytest.raises(TableFormatError):
        read_excerpt(path)


def test_rates_of_all_sizes_are_kept_to_a_4000th_of_their_odds(source) -> None:
    rates = np.concatenate([np.geomspace(1e-5, 0.5, 50), 1 - np.geomspace(1e-6, 0.5, 50)])
    boards = np.arange(100, dtype=np.uint64)
    kept = Excerpt(source.formation, 128, 0.1, boards, codes_of(rates)).rates
    assert np.allclose(odds(kept), odds(rates), rtol=0, atol=1 / 4000)
