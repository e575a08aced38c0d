"""Column Chaos and Ferris Wheel: cells that change places from time to time."""

from dataclasses import replace
from itertools import combinations

import pytest

from minigames.families.permutations import ring
from minigames.registry import rules_of
from minigames.run import MinigameRun
from minigames.state import Action
from tests.minigames import slow_rules
from tests.minigames.made_states import do, state_of

MODES = pytest.mark.parametrize("hard", [False, True])


@MODES
@pytest.mark.parametrize("game", ["column_chaos", "ferris_wheel"])
def test_the_board_changes_at_the_period_and_not_before(game, hard):
    run = MinigameRun(game, hard, 5)
    period, at = (30 if hard else 40), []
    while len(at) < 2:
        if run.state.over:
            run.do(Action("bomb", (0,)))  # makes room
        events = ()
        for name in ("left", "down", "right", "up"):
            events = events or run.do(Action(name))
        if any(event.kind == "permute" for event in events):
            at.append(run.state.n_moves)
        run.state = replace(run.state, tiles=(1, *[0] * 14, 1), over="")  # never stuck
    assert at == [period, 2 * period]


def test_columns_keep_their_order_and_the_others_stay():
    state, seen = state_of("column_chaos", "_ 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 32 64 128"), set()
    for seed in range(40):
        after, events = do(replace(state, own={"moves_left": 1}, rng=(0, seed, 0)), "up")
        (swap,) = [event for event in events if event.kind == "permute"]
        a, b = sorted({source % 4 for source, _ in swap.pairs})
        seen.add((a, b))
        plain, _ = do(replace(state, own={"moves_left": 2}, rng=(0, seed, 0)), "up")
        order = [0, 1, 2, 3]
        order[a], order[b] = b, a
        assert list(after.tiles) == [plain.tiles[c - c % 4 + order[c % 4]] for c in range(16)]
    assert len(seen) == 6


def test_the_run_is_judged_after_the_swap():
    # The 128s stand side by side; after two of the six swaps they do not, and nothing is left.
    text = "8 128 128 512 / _ 1024 2048 16 / 32 4096 256 64 / 64 8 16 32"
    ends = {}
    for seed in range(100):
        after, events = do(state_of("column_chaos", text, moves_left=1, rng=(0, seed, 0)), "down")
        (swap,) = [event for event in events if event.kind == "permute"]
        ends.setdefault(tuple(sorted({source % 4 for source, _ in swap.pairs})), set()).add(
            after.over
        )
    stuck = {(0, 1), (2, 3)}
    assert ends == {pair: {"stuck" if pair in stuck else ""} for pair in combinations(range(4), 2)}


def test_the_ring_turns_clockwise():
    assert ring(4, 4) == slow_rules.RING
    state = state_of(
        "ferris_wheel", "_ 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 32 64 128", moves_left=1
    )
    plain, _ = do(replace(state, own={"moves_left": 2}), "up")
    after, events = do(state, "up")
    for here, onward in zip(
        slow_rules.RING, slow_rules.RING[1:] + slow_rules.RING[:1], strict=True
    ):
        assert after.tiles[onward] == plain.tiles[here]
    assert [after.tiles[c] for c in (5, 6, 9, 10)] == [plain.tiles[c] for c in (5, 6, 9, 10)]
    (turn,) = [event for event in events if event.kind == "permute"]
    labels = list(range(16))
    for _ in range(12):
        old = list(labels)
        for source, stop in turn.pairs:
            labels[stop] = old[source]
    assert labels == list(range(16))


def test_moves_left_are_shown():
    for game in ("column_chaos", "ferris_wheel"):
        view = rules_of(game, hard=True).view(state_of(game, "2 _ _ _", hard=True, moves_left=7))
        assert (view.moves_left, view.period) == (7, 30)
