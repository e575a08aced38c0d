"""Shape Shifter: boards of odd shapes."""

import pytest

from minigames.board import FLOOR, HOLE
from minigames.registry import rules_of
from tests.minigames import slow_rules

MODES = pytest.mark.parametrize("hard", [False, True])


@MODES
def test_shapes(hard):
    seen, sizes = set(), set()
    for seed in range(80):
        state = rules_of("shape_shifter", hard=hard).start(seed)
        is_open, n = [kind == FLOOR for kind in state.terrain], state.n_columns
        assert set(state.terrain) == {FLOOR, HOLE}
        assert sum(is_open) == 18
        assert slow_rules.is_connected(is_open, n)
        assert state.n_rows <= n <= 12
        rows = [is_open[r : r + n] for r in range(0, len(is_open), n)]
        for side in (rows[0], rows[-1], [r[0] for r in rows], [r[-1] for r in rows]):
            assert any(side), "the box is as small as it can be"
        size = slow_rules.largest_rectangle(is_open, n)
        assert size in (range(6, 12) if hard else range(8, 14))
        sizes.add(size)
        seen.add(state.terrain)
    assert len(seen) > 75
    assert min(sizes) == (6 if hard else 8)
    assert max(sizes) >= 10
