"""Estimates against what tables turned out to be: built here, or recorded by another program."""

import pytest

import tablebase.estimate as estimates
from tablebase.errors import BuildRefusedError, FormationError
from tablebase.estimate import estimate
from tablebase.formation import load_formations

FORMATIONS = load_formations()
# Boards stored by the reference program (tests/golden), reached targets included.
STORED = {("2x4", 256): 770_435, ("3x3", 128): 1_241_913, ("44", 256): 636_126}


@pytest.mark.parametrize(("name", "target"), STORED)
def test_a_table_that_can_be_tried_is_estimated_within_a_third(name: str, target: int) -> None:
    found = estimate(FORMATIONS[name], target).stored
    assert STORED[name, target] / 1.33 < found < STORED[name, target] * 1.33


@pytest.mark.parametrize("budget", [9_000_000, 3_000_000, 1])
def test_smaller_tables_tell_of_larger_ones(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "_PILOT_SLOTS", budget)
    found = estimate(FORMATIONS["44"], 256).stored
    assert STORED["44", 256] / 3 < found < STORED["44", 256] * 3


def test_wider_rates_take_more_room() -> None:
    formation = FORMATIONS["2x4"]
    narrow, wide = estimate(formation, 64, "uint32"), estimate(formation, 64, "float64")
    assert narrow.boards == wide.boards
    assert narrow.bytes < wide.bytes


def test_what_cannot_be_built_has_no_estimate() -> None:
    with pytest.raises(BuildRefusedError, match="L3t"):
        estimate(FORMATIONS["L3t"], 128)
    with pytest.raises(FormationError, match="100"):
        estimate(FORMATIONS["L3"], 100)
