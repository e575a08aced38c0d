"""Isolated Island: portals."""

from minigames.registry import rules_of
from tests.minigames.made_states import do, row_after, state_of


def test_portals_in_a_row():
    assert row_after("isolated_island", "P P P 2", "left")[:2] == ("P 2 _ _", 0)
    state = state_of("isolated_island", "2 P 2 _")
    assert do(state, "left")[0] is state
    row, gain, _ = row_after("isolated_island", "2 P 2 2", "left")
    assert (row, gain) == ("2 P 4 _", 4)
    assert rules_of("isolated_island", hard=False).view(state).cells[1].face == "portal"
