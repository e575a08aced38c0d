"""The slide against its slow twin, its trace, its symmetry."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minigames.board import CRATER, FLOOR, HOLE, ICE, INERT, PORTAL, block, can_slide, lines, slide
from tests.minigames import slow_rules
from tests.minigames.slow_rules import DOWN, LEFT, RIGHT, UP

# Where a direction points after a quarter turn clockwise, a mirror left-right, and a transposition.
TURNED = {LEFT: UP, UP: RIGHT, RIGHT: DOWN, DOWN: LEFT}
MIRRORED = {LEFT: RIGHT, RIGHT: LEFT, UP: UP, DOWN: DOWN}
TRANSPOSED = {LEFT: UP, UP: LEFT, RIGHT: DOWN, DOWN: RIGHT}

Board = tuple[list[int], list[int], int]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards of 1 x 1 to 6 x 6 with holes, portals and what is inert; few kinds, so much merges."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    n_rows, n_columns = rng.randint(1, 6), rng.randint(1, 6)
    kinds = rng.choice([[0, 0, 1, 1, 2, 3], [0, 1, PORTAL, PORTAL, 2], [0, 1, 1, INERT, PORTAL]])
    walls = rng.choice([0.0, 0.1, 0.3])
    terrain = [
        rng.choice([HOLE, ICE, CRATER]) if rng.random() < walls else FLOOR
        for _ in range(n_rows * n_columns)
    ]
    tiles = [rng.choice(kinds) if kind == FLOOR else 0 for kind in terrain]
    return tiles, terrain, n_columns


def moved(cells: list[int], n_columns: int, direction: int) -> list[int]:
    """Return the tiles after a slide on a board without walls."""
    return list(slide(cells, [FLOOR] * len(cells), n_columns, direction).tiles)


@pytest.mark.thorough
@settings(max_examples=800)
@given(boards(), st.integers(0, 3), st.booleans())
def test_it_is_what_the_slow_one_is(board, direction, merges):
    tiles, terrain, n_columns = board
    got = slide(tiles, terrain, n_columns, direction, merges=merges)
    want = slow_rules.slide(tiles, [bool(kind) for kind in terrain], n_columns, direction, merges)
    assert list(got.tiles) == want.tiles
    assert (set(got.trace), got.made, got.joined) == (want.pairs, want.made, want.joined)
    assert (got.gain, got.has_moved) == (want.gain, want.has_moved)
    assert got.has_moved == (list(got.tiles) != tiles)
    if merges:
        assert can_slide(tiles, terrain, n_columns, direction) == got.has_moved


@settings(max_examples=250)
@given(boards(), st.integers(0, 3))
def test_the_trace_is_complete_and_keeps_order(board, direction):
    tiles, terrain, n_columns = board
    slid = slide(tiles, terrain, n_columns, direction)
    assert sorted(source for source, _ in slid.trace) == [c for c, tile in enumerate(tiles) if tile]
    goes = dict(slid.trace)
    assert set(goes.values()) == {c for c, tile in enumerate(slid.tiles) if tile}
    for line in slow_rules.lines_of(len(tiles), n_columns, direction):
        stops = [line.index(goes[cell]) for cell in line if tiles[cell]]
        assert stops == sorted(stops)
        for source in (cell for cell in line if tiles[cell]):
            way = line[line.index(goes[source]) : line.index(source) + 1]
            assert all(terrain[cell] == FLOOR for cell in way)
    # What is carried along by the trace is the multiset of what merged, value by value.
    for stop, exponent in slid.made.items():
        assert [tiles[source] for source in goes if goes[source] == stop] == [exponent - 1] * 2


@settings(max_examples=250)
@given(boards(), st.integers(0, 3))
def test_straight_after_a_slide_only_a_merge_is_left(board, direction):
    tiles, terrain, n_columns = board
    once = slide(tiles, terrain, n_columns, direction).tiles
    twice = slide(once, terrain, n_columns, direction)
    assert twice.has_moved == bool(twice.joined)


def turned(cells: list[int], n_columns: int) -> list[int]:
    """Turn by a quarter, clockwise."""
    n_rows = len(cells) // n_columns
    return [
        cells[(n_rows - 1 - c) * n_columns + r] for r in range(n_columns) for c in range(n_rows)
    ]


def mirrored(cells: list[int], n_columns: int) -> list[int]:
    return [c for r in range(0, len(cells), n_columns) for c in cells[r : r + n_columns][::-1]]


def transposed(cells: list[int], n_columns: int) -> list[int]:
    n_rows = len(cells) // n_columns
    return [cells[r * n_columns + c] for c in range(n_columns) for r in range(n_rows)]


@pytest.mark.parametrize(
    ("image", "to", "turns_sides"),
    [(turned, TURNED, True), (mirrored, MIRRORED, False), (transposed, TRANSPOSED, True)],
)
def test_an_image_slides_as_the_board_does(image, to, turns_sides):
    @settings(max_examples=120)
    @given(boards(), st.integers(0, 3))
    def check(board: Board, direction: int) -> None:
        tiles, terrain, n_columns = board
        width = len(tiles) // n_columns if turns_sides else n_columns
        got = slide(image(tiles, n_columns), image(terrain, n_columns), width, to[direction])
        plain = slide(tiles, terrain, n_columns, direction)
        assert list(got.tiles) == image(list(plain.tiles), n_columns)
        assert got.gain == plain.gain

    check()


def test_pairs_nearest_the_edge_merge_first():
    assert moved([1, 1, 1, 0], 4, LEFT) == [2, 1, 0, 0]
    assert moved([1, 1, 1, 0], 4, RIGHT) == [0, 0, 1, 2]
    assert moved([1, 1, 2, 0], 4, LEFT) == [2, 2, 0, 0]  # once per move
    assert moved([1, 1, 1, 1], 1, UP) == [2, 2, 0, 0]


def test_portals_become_one_in_one_move_without_points():
    p = PORTAL
    slid = slide([p, p, p, 1], [FLOOR] * 4, 4, LEFT)
    assert (slid.tiles, slid.gain, slid.made) == ((p, 1, 0, 0), 0, {})
    assert not can_slide([1, p, 1, 0], [FLOOR] * 4, 4, LEFT)
    assert not slide([1, p, 1, 0], [FLOOR] * 4, 4, LEFT).has_moved


def test_a_wall_parts_portals():
    p = PORTAL
    for kind in (HOLE, ICE, CRATER):
        terrain = [FLOOR, FLOOR, kind, FLOOR]
        assert slide([p, p, 0, p], terrain, 4, LEFT).tiles == (p, 0, 0, p)
        assert slide([1, 1, 0, 1], terrain, 4, LEFT).tiles == (2, 0, 0, 1)


def test_exponents_have_no_upper_end():
    slid = slide([40, 40, 16, 16], [FLOOR] * 4, 4, LEFT)
    assert slid.tiles == (41, 17, 0, 0)
    assert slid.gain == 2**41 + 2**17


def test_lines_begin_at_the_edge():
    for n_rows in range(1, 7):
        for n_columns in range(1, 7):
            for direction in range(4):
                want = slow_rules.lines_of(n_rows * n_columns, n_columns, direction)
                assert [list(line) for line in lines(n_rows, n_columns, direction)] == want


def test_blocks_are_clockwise_and_inside():
    assert block(5, 4, 4) == (5, 6, 10, 9)
    inside = [cell for cell in range(-3, 20) if block(cell, 3, 5)]
    assert inside == [0, 1, 2, 3, 5, 6, 7, 8]
