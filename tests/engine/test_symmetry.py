import numpy as np
import oracle
import pytest
from boards import random_boards, to_array, to_number

from engine.bitboard import cells
from engine.geometry import destinations
from engine.kernels import symmetry as kernels
from engine.platform.errors import InvalidBoardError
from engine.symmetry import (
    INVERSES,
    MODES,
    SYMMETRIES,
    canonical,
    canonical_many,
    images,
    transform,
)

pytestmark = pytest.mark.sample(8)  # all: each mode has a kernel of its own, in milliseconds

ALL_MODES = pytest.mark.parametrize("mode", MODES)
VARIANT_WALLS = {"rect2x4": 0xFFFF00000000FFFF, "square3x3": 0xF000F000FFFFF, "rect3x4": 0xFFFF}


def test_the_names_are_those_of_the_design():
    assert set(SYMMETRIES) == set(oracle.SYMMETRIES)
    assert SYMMETRIES[0] == "identity"
    assert MODES == (
        "identity",
        "horizontal",
        "diagonal",
        "full",
        "rect2x4",
        "square3x3",
        "rect3x4",
    )


@pytest.mark.parametrize("name", SYMMETRIES)
def test_a_symmetry_agrees_with_the_oracle_and_is_undone_by_its_inverse(name):
    for board in random_boards(1, 200):
        turned = transform(to_number(board), name)
        assert cells(turned) == oracle.transform(board, name)
        assert transform(turned, INVERSES[name]) == to_number(board)


@pytest.mark.parametrize("name", ["transpose", "mirror", "flip"])
def test_a_machine_code_symmetry_agrees_with_the_plain_one(name):
    compiled = getattr(kernels, name)
    for board in to_array(random_boards(2, 300)):
        assert int(compiled(board)) == transform(int(board), name)


@ALL_MODES
def test_images_and_canonical_form_agree_with_the_oracle(mode):
    for board in random_boards(3, 200):
        number = to_number(board)
        want = oracle.images(board, mode)
        assert images(number, mode)[0] == number
        assert sorted(images(number, mode)) == sorted(map(to_number, want))
        assert canonical(number, mode) == to_number(oracle.canonical(board, mode))


@ALL_MODES
def test_canonical_forms_of_an_array_agree_with_single_ones(mode):
    boards = to_array(random_boards(4, 1003))
    got = canonical_many(boards, mode)
    assert got.dtype == np.uint64
    assert [int(board) for board in got] == [canonical(int(board), mode) for board in boards]


@ALL_MODES
def test_all_images_share_one_canonical_form(mode):
    boards = to_array(random_boards(5, 300))
    want = canonical_many(boards, mode)
    for i_image in range(len(destinations(mode))):
        image = np.array([images(int(board), mode)[i_image] for board in boards], np.uint64)
        assert np.array_equal(canonical_many(image, mode), want)


@ALL_MODES
def test_destinations_say_where_each_cell_goes(mode):
    board = list(range(16))
    for destination, image in zip(destinations(mode), images(to_number(board), mode), strict=True):
        assert all(cells(image)[goes_to] == board[cell] for cell, goes_to in enumerate(destination))


@pytest.mark.parametrize("mode", VARIANT_WALLS)
def test_the_symmetries_of_a_variant_keep_its_walls(mode):
    assert set(images(VARIANT_WALLS[mode], mode)) == {VARIANT_WALLS[mode]}


def test_unknown_modes_and_boards_are_refused():
    no_such_mode = pytest.raises(ValueError, match="no symmetry mode 'min24'; expected one of")
    with no_such_mode:
        canonical(0, "min24")
    with no_such_mode:
        canonical_many(np.zeros(1, np.uint64), "min24")
    with pytest.raises(InvalidBoardError):
        canonical(1 << 64, "full")


def test_canonical_forms_leave_their_input_alone():
    boards = to_array(random_boards(6, 10))
    kept = boards.copy()
    assert canonical_many(boards, "identity") is not boards
    canonical_many(boards, "full")
    assert np.array_equal(boards, kept)
