"""The rank space numbers perfectly: every board of a layer has one slot, every slot a board."""

import random
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from brute_force import cells_of, has_reached
from small_formations import rules_of

from engine.geometry import destinations, permute
from tablebase.errors import FormationError
from tablebase.formation.formation import Formation, half_sum
from tablebase.rank.space import AT_TARGET, Space

FIXED = ("44", "L1", "2x4", "3x3", "tinymirror", "tinyangle", "L3", "442", "444", "4432", "4442")
MOVABLE = ("t", "442t", "L3f", "4432f", "4442ff", "free8", "free12")
NAMES = FIXED + MOVABLE


@pytest.fixture(params=NAMES, scope="module")
def space(request: pytest.FixtureRequest, formations: dict[str, Formation]) -> Space:
    formation = formations[request.param]
    return Space(formation, 64, formation.n_layers(64))


def half_sums(space: Space) -> range:
    return range(space.formation.seed_half_sum, space.top + 1)


def n_fillings(space: Space, f_cells: int, half: int) -> int:
    """Count, cell by cell, the boards of one half-sum that have not reached the target."""
    counts = cells_of(space.formation.target_cells)
    free = [cell for cell in range(16) if not (f_cells >> (60 - 4 * cell)) & 15]

    @cache
    def count(i: int, rest: int) -> int:
        if i == len(free):
            return int(rest == 0)
        total = count(i + 1, rest)
        for exponent in range(1, 15):
            value = 1 << (exponent - 1)
            if value <= rest and not (counts[free[i]] and 2 * value == space.target):
                total += count(i + 1, rest - value)
        return total

    return count(0, half)


def test_there_are_as_many_slots_as_boards(space):
    for half in half_sums(space)[::7]:
        starts = space.starts(half)
        assert starts[0] == 0
        assert starts[-1] == space.n_slots(half)
        for i in range(0, len(space.arrangements), 1 + len(space.arrangements) // 5):
            found = n_fillings(space, space.arrangements[i].f_cells, half)
            assert starts[i + 1] - starts[i] == found, f"half-sum {half}, arrangement {i}"


def test_every_arrangement_inside_the_masks_belongs_to_one_orbit(space):
    """Each placement of the F tiles that contains a mask is an image of exactly one arrangement."""
    formation = space.formation
    n_f = formation.n_large
    images = [
        {permute(one.f_cells, goes_to) for goes_to in destinations(formation.symmetry)}
        for one in space.arrangements
    ]
    every = set().union(*images)
    assert len(every) == sum(map(len, images))
    if formation.walls:
        assert every == {
            sum(15 << 60 - 4 * i for i, v in enumerate(cells_of(formation.seeds[0])) if v == 15)
        }
        return
    cells = [15 << 4 * i for i in range(16)]
    inside = set()
    for mask in formation.masks or (0,):
        others = [cell for cell in cells if not cell & mask]
        inside |= {mask | sum(more) for more in combinations(others, n_f - (16 - len(others)))}
    assert every == inside


def test_a_slot_gives_its_board_and_back(space):
    rng = random.Random(space.formation.name)
    for half in half_sums(space)[::9]:
        n_slots = space.n_slots(half)
        slots = {0, n_slots - 1, *(rng.randrange(n_slots) for _ in range(40))} if n_slots else ()
        for slot in slots:
            board = space.board(slot, half)
            assert half_sum(board) == half
            assert board & space.formation.fixed_mask == space.formation.fixed_mask
            assert not space.reached(board)
            assert space.slot(board, half) == slot, f"{board:016x}"
            stored = space.stored_form(board)
            for goes_to in destinations(space.formation.symmetry):
                assert space.stored_form(permute(board, goes_to)) == stored
                assert space.find(permute(board, goes_to), half) == space.slot(stored, half)
            assert space.find(board, half + 1) is None


def test_the_blocks_tile_the_slots(space):
    for half in half_sums(space)[::9]:
        blocks = space.blocks(half)
        counts_23 = np.stack([shape.counts[1] for shape in space.shapes])
        lengths = counts_23[blocks.arrangement, blocks.rest]
        assert (lengths > 0).all(), "empty ones are left out"
        ends = np.cumsum(lengths)
        assert np.array_equal(blocks.start, ends - lengths)
        assert (ends[-1] if ends.size else 0) == space.n_slots(half)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["44", "L1", "tinymirror"])
def test_every_board_that_comes_up_has_a_slot_of_its_own(name, formations, solution):
    formation = formations[name]
    space = Space(formation, 64, formation.n_layers(64))
    rules, solved = rules_of(formation, 64), solution(name, 64)
    for layer in range(0, len(solved.rates), 6):
        half = formation.seed_half_sum + layer
        slots = set()
        for board in solved.rates[layer]:
            if has_reached(rules, board):
                assert space.reached(board), f"{board:016x}"
                assert space.slot(board, half) is None
                assert space.find(board, half) == AT_TARGET
            else:
                assert not space.reached(board), f"{board:016x}"
                slot = space.slot(board, half)
                assert slot is not None, f"{board:016x}"
                assert 0 <= slot < space.n_slots(half)
                slots.add(slot)
        assert len(slots) == len(solved.rates[layer]) - len(solved.reached[layer])


@pytest.mark.parametrize(
    "board",
    [
        0x0000_1000_FFFF_FFF0,  # a locked cell is empty
        0x0000_1000_FFFF_FFF1,  # or holds a small tile
        0x000F_1000_FFFF_FFFF,  # a large tile too many
        0x0000_6100_FFFF_FFFF,  # the target in a target cell
        0x0000_1100_FFFF_FFFF,  # another sum
    ],
)
def test_other_boards_have_none(formations, board):
    formation = formations["44"]
    space = Space(formation, 64, formation.n_layers(64))
    assert space.slot(board, 1) is None
    assert space.slot(0x0000_1000_FFFF_FFFF, 1) is not None


def test_a_target_tile_elsewhere_is_just_a_tile(formations):
    formation = formations["44"]
    space = Space(formation, 64, formation.n_layers(64))
    board = 0x6000_1000_FFFF_FFFF
    assert not space.reached(board)
    assert space.slot(board, 33) is not None


def test_sums_too_large_for_the_tables_are_refused(formations):
    with pytest.raises(FormationError, match="44"):
        Space(formations["44"], 16384, 20_000)
