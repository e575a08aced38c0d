"""Boards in pictures, painted with strokes, compared with strokes of other widths."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from painted_boards import CLASSIC_TILES, cover_of, painted_board

from engine.pictures.figures import LABELS, NO_TILE, Figures, resize
from engine.pictures.grid import find_grids
from engine.pictures.reading import read_picture
from engine.platform.errors import InvalidBoardError

SIZE = 40  # of the figures to compare with
BOARD = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 1)


@cache
def figures():
    return Figures(
        (exponent, cover_of(label, 60, 300, SIZE, weight))
        for weight in (0.6, 1.3)
        for label, exponent in LABELS.items()
        if label.isdigit()
    )


def random_board(rng):
    largest = rng.randint(2, 17)
    return tuple(0 if rng.random() < 0.3 else rng.randint(1, largest) for _ in range(16))


def test_all_tiles_are_read():
    found = read_picture(painted_board(BOARD), figures())
    assert (found.cells, found.doubtful) == (BOARD, frozenset())
    largest = (15, 16, 17, *[0] * 12, 1)
    assert read_picture(painted_board(largest), figures()).cells == largest


@pytest.mark.thorough
def test_no_fault_goes_unmarked_whatever_size_and_stroke():
    """A fault may be, but its square is marked; nearly all boards are read without one."""
    rng, n_certain = random.Random(3), 0
    for _ in range(20):
        board = random_board(rng)
        cell = rng.choice((34, 50, 80, 120))
        picture = painted_board(
            board,
            cell,
            max(3, round(cell * rng.uniform(0.06, 0.16))),
            (rng.randint(0, 50), rng.randint(0, 50)),
            rng.uniform(0.65, 1.25),
        )
        noise = np.random.default_rng(rng.randint(0, 99)).integers(-3, 4, picture.shape)
        found = read_picture(np.clip(picture + noise, 0, 255).astype(np.uint8), figures())
        faults = {at for at in range(16) if found.cells[at] != board[at]}
        assert faults <= found.doubtful
        n_certain += not found.doubtful
    assert n_certain >= 15


def test_a_smudged_figure_is_marked():
    picture = painted_board(BOARD, cell=80, gap=12, margin=(0, 0))
    picture[12 + 26 : 12 + 54, 12 + 30 : 12 + 50] = (119, 110, 101)
    assert 0 in read_picture(picture, figures()).doubtful


def test_a_tile_without_a_figure_is_not_taken_for_an_empty_square():
    picture = painted_board((0, 0, 0, 0, *BOARD[:12]), cell=80, gap=12, margin=(0, 0))
    picture[12:92, 12:92] = (237, 194, 46)
    assert 0 in read_picture(picture, figures()).doubtful


def test_a_figure_that_was_wiped_off_a_full_board_is_missed():
    """There is no empty square to compare with, but other tiles of its color have figures."""
    full = (1, 2, 3, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 2)
    picture = painted_board(full, margin=(0, 0))
    picture[12:92, 12:92] = picture[14, 14]
    assert 0 in read_picture(picture, figures()).doubtful


@pytest.mark.thorough
def test_what_is_no_figure_is_marked():
    """Blots of all kinds, as large as figures are and in the middle, as those are."""
    rng = np.random.default_rng(8)
    for _ in range(60):
        picture = painted_board((1, 2, 3, *[0] * 13), margin=(0, 0))
        height, width = rng.integers(2, 6, 2)
        blot = np.kron(rng.random((height, width)) < 0.6, np.ones((6, 6), bool))
        blot[0, :], blot[-1, :] = True, True
        top, left = 52 - blot.shape[0] // 2, 52 - blot.shape[1] // 2
        picture[top - 12 : top + 36, 12:92] = (246, 94, 59)
        picture[12:92, 12:92] = (246, 94, 59)
        part = picture[top : top + blot.shape[0], left : left + blot.shape[1]]
        part[blot] = (249, 246, 242)
        assert 0 in read_picture(picture, figures()).doubtful


@pytest.mark.parametrize(
    ("one", "other"), [("2", "8"), ("16", "64"), ("128", "512"), ("4096", "2048")]
)
def test_a_figure_between_two_is_marked(one, other):
    picture = painted_board((1, 2, 3, *[0] * 13), margin=(0, 0))
    size = 80 * min(0.36, 0.86 / (0.82 * len(one)))
    covers = [cover_of(label, 80, 80, size, 1.0)[..., None] for label in (one, other)]
    cover = sum(covers) / 2
    picture[12:92, 12:92] = (1 - cover) * (246, 94, 59) + cover * (249, 246, 242)
    assert 0 in read_picture(picture, figures()).doubtful


def test_squares_of_several_sizes_are_no_board():
    picture = np.full((400, 400, 3), 160, dtype=np.uint8)
    for top, height in ((10, 60), (80, 60), (150, 60), (220, 170)):
        for left, width in ((10, 60), (80, 60), (150, 60), (220, 170)):
            picture[top : top + height, left : left + width] = (200, 100, 50)
    assert find_grids(picture) == []


def test_one_value_in_two_colors_is_marked():
    tiles = painted_board((1, 1, 2, 3, *[0] * 12), margin=(0, 0))
    other = painted_board(
        (1, 1, 2, 3, *[0] * 12), margin=(0, 0), tiles=("3c9a62", *CLASSIC_TILES[1:])
    )
    tiles[:, :100] = other[:, :100]
    assert read_picture(tiles, figures()).doubtful == {0, 1}


@pytest.mark.parametrize("label", [label for label, e in LABELS.items() if e == NO_TILE])
def test_figures_of_other_games_are_no_tiles(label):
    picture = painted_board((1, 2, 3, *[0] * 13), margin=(0, 0))
    size = 80 * min(0.36, 0.86 / (0.82 * len(label)))
    cover = cover_of(label, 80, 80, size, 0.9)[..., None]
    picture[12:92, 12:92] = (1 - cover) * (246, 94, 59) + cover * (249, 246, 242)
    assert 0 in read_picture(picture, figures()).doubtful


@pytest.mark.thorough
def test_the_page_around_may_have_squares_of_its_own():
    page = np.full((700, 900, 3), 250, dtype=np.uint8)
    board = painted_board(BOARD, 60, 8, (0, 0))
    page[200 : 200 + len(board), 300 : 300 + len(board)] = board
    page[20:80, 20:300] = (187, 173, 160)  # of the color of the ground
    page[100:160, 20:80] = (237, 194, 46)
    assert read_picture(page, figures()).cells == BOARD
    (grid,) = find_grids(page)
    assert grid.rows[0] == (208, 268)
    assert grid.columns[3] == (512, 572)


@pytest.mark.thorough
def test_of_several_boards_the_largest_is_read_and_the_others_are_counted():
    page = np.full((700, 900, 3), 250, dtype=np.uint8)
    other = tuple(reversed(BOARD))
    for cells, size, top, left in ((other, 40, 20, 20), (BOARD, 60, 20, 400), (other, 40, 400, 20)):
        board = painted_board(cells, size, 8, (0, 0))
        page[top : top + len(board), left : left + len(board)] = board
    found = read_picture(page, figures())
    assert (found.cells, found.n_boards) == (BOARD, 3)
    assert found.note == "The picture has 3 boards, and this is the largest."
    assert read_picture(painted_board(BOARD), figures()).n_boards == 1


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((300, 300, 3), np.uint8),
        np.zeros((1, 1, 3), np.uint8),
        np.random.default_rng(1).integers(0, 256, (200, 200, 3)).astype(np.uint8),
        painted_board(BOARD)[:250],  # cut off
        painted_board(BOARD, cell=14, gap=3),
    ],
    ids=["black", "a pixel", "noise", "cut off", "tiny"],
)
def test_pictures_without_a_board_are_refused(picture):
    with pytest.raises(InvalidBoardError, match=r"no board is found .* 4 x 4 squares"):
        read_picture(picture, figures())


def test_a_board_without_figures_is_refused():
    picture = painted_board([0] * 16)
    with pytest.raises(InvalidBoardError, match="16 of its 16 squares cannot be read"):
        read_picture(picture, figures())


@settings(max_examples=25, deadline=None)
@given(arrays.arrays(np.uint8, st.tuples(st.integers(1, 90), st.integers(1, 90), st.just(3))))
def test_no_picture_does_harm(picture):
    with pytest.raises(InvalidBoardError):
        read_picture(picture, figures())


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(1, 40))
def test_a_figure_in_another_size_covers_as_much(height, width, to_height, to_width):
    rng = np.random.default_rng(height * 41 + width)
    cover = rng.random((height, width))
    small = resize(cover, to_height, to_width)
    assert small.shape == (to_height, to_width)
    assert small.mean() == pytest.approx(cover.mean())
    if to_height == height and to_width == width:
        assert small == pytest.approx(cover)
