import oracle
import pytest
from boards import random_boards, to_number

from engine.bitboard import DOWN, LEFT, RIGHT, UP, cells
from engine.moves import move, move_score
from engine.trace import Slide, slide_cells

RULES = pytest.mark.parametrize("walls", [False, True], ids=["standard", "walls"])


def replay(board, slides, walls):
    """Return the board that results when every tile goes where its slide says."""
    after = [tile if walls and tile == 15 else 0 for tile in board]
    for slide in slides:
        assert board[slide.from_cell] == slide.exponent
        if slide.merged:
            assert after[slide.to_cell] in (0, slide.exponent)
            after[slide.to_cell] += slide.exponent if after[slide.to_cell] == 0 else 1
        else:
            assert after[slide.to_cell] == 0
            after[slide.to_cell] = slide.exponent
    return after


@RULES
@pytest.mark.parametrize("direction", [LEFT, RIGHT, UP, DOWN])
def test_the_slides_add_up_to_the_move(direction, walls):
    for board in random_boards(direction):
        slides = slide_cells(board, direction, walls).slides
        assert replay(board, slides, walls) == cells(move(to_number(board), direction, walls))
        moving = [cell for cell, tile in enumerate(board) if tile and not (walls and tile == 15)]
        assert sorted(slide.from_cell for slide in slides) == moving


@RULES
@pytest.mark.parametrize("direction", [LEFT, RIGHT, UP, DOWN])
def test_every_tile_slides_along_its_line_towards_its_side(direction, walls):
    step = {LEFT: -1, RIGHT: 1, UP: -4, DOWN: 4}[direction]
    for board in random_boards(direction + 10, 300):
        for slide in slide_cells(board, direction, walls).slides:
            way = range(slide.from_cell, slide.to_cell + step, step)
            assert len(way) <= 4
            assert way[-1] == slide.to_cell
            if walls:
                assert all(board[cell] != 15 for cell in way)


@RULES
def test_merges_come_in_pairs_and_earn_the_points_of_the_move(walls):
    for board in random_boards(20):
        for direction in range(4):
            motion = slide_cells(board, direction, walls)
            places = [slide.to_cell for slide in motion.slides if slide.merged]
            assert all(places.count(place) == 2 for place in places)
            assert motion.gained == move_score(to_number(board), direction, walls)
            assert motion.gained == sum(2 ** motion.cells[place] for place in set(places))


@pytest.mark.parametrize("direction", [LEFT, RIGHT, UP, DOWN])
def test_in_play_tiles_of_any_size_merge(direction):
    for board in random_boards(30):
        large = [tile + 3 if tile >= 13 else tile for tile in board]
        want, points = oracle.move(large, direction, merge_32768=True)
        motion = slide_cells(large, direction, merge_32768=True)
        assert (list(motion.cells), motion.gained) == (want, points)


def test_a_pair_merges_at_the_far_side():
    board = [0, 1, 0, 1] + 12 * [0]
    assert slide_cells(board, RIGHT).slides == (
        Slide(3, 3, 1, merged=True),
        Slide(1, 3, 1, merged=True),
    )
