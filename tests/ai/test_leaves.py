"""Known positions ahead: which are looked up, and that a search uses their rates unchanged."""

import random
from collections import Counter

import numpy as np
import pytest

from ai.evaluation.evaluation import Evaluation, read_weights
from ai.evaluation.rules import game_rules
from ai.evaluation.tuple_net import N_WEIGHTS, tuple_net
from ai.evaluation.walls import GOALS
from ai.search.known_positions import MOVES_AHEAD, first_afters, next_afters, write_known
from ai.search.search import Search, SearchSettings
from ai.search.transposition import find, new_table, value_of
from engine.bitboard import cells, from_cells
from tests import oracle
from tests.ai.slow_search import keeps, locked_cells
from tests.ai.walled_boards import walled_boards

RULES = game_rules(0.0)


@pytest.fixture(scope="module")
def nets():
    """Networks to which all is worth 0.32."""
    weights = np.full(N_WEIGHTS, 1000, np.int16)
    return [tuple_net(weights, 1e-5, goal) for goal in GOALS]


@pytest.fixture(scope="module")
def evaluation(nets):
    return Evaluation(read_weights(), nets=nets)


def slow_moves(board, locked):
    """The after-states that keep the locked cells; all, if none does."""
    moved = [oracle.move(board, direction, walls=False)[0] for direction in range(4)]
    legal = [after for after in moved if after != board]
    return [after for after in legal if keeps(board, after, locked)] or legal


def slow_ahead(board):
    """After-states of the moves after the first one, each with the locked cells."""
    found = []
    walls = [cell for cell in range(16) if board[cell] == 15]
    for after in slow_moves(board, walls):
        locked = tuple(locked_cells(after))
        for spawned, _ in oracle.spawns(after):
            found += [(from_cells(end), locked) for end in slow_moves(spawned, locked)]
    return Counter(found)


def lock_cells(lock):
    return tuple(cell for cell, nibble in enumerate(cells(int(lock))) if nibble)


@pytest.mark.thorough
def test_all_after_states_of_the_next_move_are_looked_at(nets):
    n_broken = 0
    for walled in walled_boards(1, 150, 11):
        board = from_cells(walled)
        afters, locks = np.empty(4, np.uint64), np.empty(4, np.uint64)
        n = first_afters(np.uint64(board), RULES, nets[1], afters, locks)
        found, found_locks = np.empty(1 << 12, np.uint64), np.empty(1 << 12, np.uint64)
        n = next_afters(afters[:n], locks[:n], RULES, found, found_locks)
        pairs = zip(found[:n].tolist(), found_locks[:n].tolist(), strict=True)
        got = Counter((after, lock_cells(lock)) for after, lock in pairs)
        assert got == slow_ahead(walled)
        n_broken += any(
            cells(after)[cell] != 15 for after, _ in got for cell in range(16) if walled[cell] == 15
        )
    assert n_broken > 3


@pytest.mark.thorough
def test_there_may_be_more_than_there_is_room_for(nets):
    afters, locks = np.empty(4, np.uint64), np.empty(4, np.uint64)
    n = first_afters(np.uint64(0xFF10_FF00_0200_0000), RULES, nets[1], afters, locks)
    found, found_locks = np.zeros(12, np.uint64), np.zeros(12, np.uint64)
    assert next_afters(afters[:n], locks[:n], RULES, found[:10], found_locks[:10]) == 10
    assert not found[10:].any()


def test_what_is_known_is_found_by_the_search_for_good(nets):
    """Known after-states answer any search; beyond them nothing is asked."""
    board = 0xFF21_FF32_4300_1000
    asked = []

    def every_third(afters):
        asked.append(afters)
        values = np.full(afters.size, np.nan, np.float32)
        values[afters % 3 == 0] = (afters[afters % 3 == 0] % 97) / 97
        return values

    table = new_table(16)
    n_known = write_known(np.uint64(board), RULES, nets[1], every_third, 3, 5, [table])
    assert len(asked) == MOVES_AHEAD
    one_move = slow_ahead(cells(board))
    assert Counter(asked[0].tolist()) == Counter(after for after, _ in one_move.elements())
    assert n_known == sum((afters % 3 == 0).sum() for afters in asked)
    for after, locked in one_move:
        lock = sum(15 << 60 - 4 * cell for cell in locked)
        key = np.uint64((after ^ lock * 0x9E37_79B9_7F4A_7C15) & (1 << 64) - 1)
        at = find(key, 60, 4000, 3, 3, table)
        assert bool(at) == (after % 3 == 0)
        assert not at or value_of(table[at]) == np.float32(after % 97 / 97)
    beyond = slow_beyond(after for after in one_move if after[0] % 3)
    assert set(asked[1].tolist()) == beyond


def slow_beyond(afters):
    """After-states one more move on."""
    found = set()
    for after, locked in afters:
        for spawned, _ in oracle.spawns(list(cells(after))):
            found |= {from_cells(end) for end in slow_moves(spawned, locked)}
    return found


def slow_value(after, depth, known, locked):
    """Expectimax in full width, but where something is known; the networks see 0.32 everywhere."""
    if depth == 0:
        return 0.32
    if after in known:
        return known[after]
    total = 0.0
    for spawned, chance in oracle.spawns(list(cells(after))):
        moves = [from_cells(end) for end in slow_moves(spawned, locked)]
        total += chance * max(
            (slow_value(end, depth - 1, known, locked) for end in moves), default=0.0
        )
    return total


def known_value(after):
    return float(np.float32(after % 89 / 89))


@pytest.mark.thorough
@pytest.mark.parametrize(("depth", "seed"), [(3, 0), (3, 1), (3, 2), (4, 3)])
def test_a_search_counts_with_what_is_known(evaluation, depth, seed):
    a, b, c, d = random.Random(seed).sample((0, 1, 2, 3), 4)
    board = [14, 13, a, b, 12, 11, c, d, 9, 8, 0, 4, 7, 6, 5, 1]
    walled = [15 if tile > 10 else tile for tile in board]
    walls = [cell for cell in range(16) if walled[cell] == 15]

    def known(afters):
        values = (afters % 89 / 89).astype(np.float32)
        return np.where(afters % 5 == seed, values, np.float32("nan"))

    settings = SearchSettings(max_depth=depth, slack=4000, n_rare=3, overrun=1e6)
    answer = Search(evaluation, settings).by_nodes(board, 10**9, known)
    assert (answer.depth, answer.is_chance) == (depth, True)
    one_move, n_kept = slow_ahead(walled), 0
    for direction in range(4):
        after = oracle.move(walled, direction)[0]
        if after == walled or not keeps(walled, after, walls):
            continue
        locked = tuple(locked_cells(after))
        ahead = {one for one, _ in one_move} | slow_beyond((one, locked) for one, _ in one_move)
        values = {one: known_value(one) for one in ahead if one % 5 == seed}
        want = slow_value(from_cells(after), depth - 1, values, locked)
        assert answer.values[direction] == pytest.approx(want, abs=1e-5)
        n_kept += 1
    assert n_kept > 1


@pytest.mark.thorough
def test_without_walls_nobody_is_asked(evaluation):
    def known(_afters):
        raise AssertionError("asked")

    board = [9, 8, 7, 6, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert Search(evaluation).by_nodes(board, 300, known).direction is not None
