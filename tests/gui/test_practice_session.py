import pytest

from coach.grading.formation_cells import has_reached, locked_cells
from coach.play.board_edits import check_playable, put, turned
from coach.play.judge import adversary_spawn
from engine.bitboard import cells, from_cells
from engine.platform.errors import InvalidBoardError
from engine.spawn import Rng
from gui.practice.board_editor import BoardEdit
from gui.practice.session import PracticeSession, SpawnMode
from tests.gui.practice_fakes import L3_START, WALLED, WALLED_START, FakeFormation, board_of

LEFT, RIGHT, UP, DOWN = range(4)


@pytest.fixture
def session() -> PracticeSession:
    return PracticeSession(board_of("2 2 . .", ". . . .", ". . . .", ". . . 4"), False, Rng(7))


def test_a_move_slides_merges_and_spawns(session):
    step = session.move(LEFT)
    assert step is not None
    assert step.spawned is not None
    without_spawn = put(step.board, step.spawned[0], 0)
    assert without_spawn == board_of("4 . . .", ". . . .", ". . . .", "4 . . .")
    assert any(slide.merged for slide in step.slides)


def test_an_illegal_move_changes_nothing(session):
    session.edit(board_of("2 . . .", ". . . .", ". . . .", ". . . ."))
    at = session.place
    assert session.move(LEFT) is None
    assert session.place == at


def test_undo_and_redo_go_both_ways(session):
    boards = [session.board]
    for direction in (LEFT, DOWN, RIGHT):
        session.move(direction)
        boards.append(session.board)
    while session.undo():
        pass
    assert session.board == boards[0]
    for board in boards[1:]:
        session.redo()
        assert session.board == board
    assert not session.can_redo


def test_a_new_move_after_undo_keeps_the_old_one_as_a_variation(session):
    session.move(LEFT)
    old = session.tree.here
    session.undo()
    session.move(RIGHT)
    new = session.tree.here
    assert not session.can_redo
    assert session.tree.here.siblings == [old, new]
    session.go(old)
    session.undo()
    assert not session.can_undo
    session.redo()  # goes on along the line shown last
    assert session.tree.here is old


def test_the_same_seed_plays_the_same_game():
    games = [PracticeSession(L3_START, False, Rng(3)) for _ in range(2)]
    for direction in (UP, RIGHT, LEFT, DOWN) * 5:
        assert [game.move(direction) for game in games].count(None) in (0, 2)
    assert games[0].board == games[1].board


def test_a_tile_placed_by_hand_is_a_step_of_its_own(session):
    session.spawn_mode = SpawnMode.MANUAL
    session.move(LEFT)
    assert session.step.needs_spawn
    assert session.move(RIGHT) is None
    assert session.spawn(0, 1) is None  # taken
    assert session.spawn(5, 2) is not None
    assert cells(session.board)[5] == 2
    session.undo()
    assert session.step.needs_spawn  # and so the tile may be placed elsewhere
    assert session.spawn(6, 1) is not None
    session.undo()
    session.undo()
    assert not session.can_undo


def test_a_tile_of_the_adversary_belongs_to_the_move(session):
    session.spawn_mode = SpawnMode.WORST
    session.move(LEFT)
    session.spawn(5, 2)
    assert not session.step.needs_spawn
    session.undo()
    assert not session.can_undo


def test_the_adversary_finds_the_tile_that_hurts_most():
    after = board_of("2 4 8 16", "2 4 8 16", "2 4 8 16", "2 4 8 .")
    rates = {put(after, 15, 1): 0.5, put(after, 15, 2): 0.25}
    assert adversary_spawn(after, False, rates.__getitem__) == (15, 2)
    assert adversary_spawn(after, True, rates.__getitem__) == (15, 1)
    assert adversary_spawn(after, True, lambda _: 0.0) is None


@pytest.mark.parametrize("symmetry", ["mirror", "flip"])
def test_a_flip_twice_is_where_it_began(symmetry, session):
    start = session.board
    session.turn(symmetry)
    assert session.board != start
    session.turn(symmetry)
    assert session.board == start
    session.undo()
    session.undo()
    assert not session.can_undo


def test_a_rotation_goes_round():
    board = board_of("2 4 . .", ". . . .", ". . . .", ". . . .")
    right = turned(board, "rotate_right", walls=False)
    assert right == board_of(". . . 2", ". . . 4", ". . . .", ". . . .")
    assert turned(right, "rotate_left", walls=False) == board


def test_turning_a_walled_board_keeps_its_walls():
    board = from_cells([1, 2, 0, 15, 0, 0, 0, 15, 0, 0, 3, 15, 15, 15, 15, 15])
    flipped = turned(board, "mirror", walls=True)
    assert flipped == from_cells([0, 2, 1, 15, 0, 0, 0, 15, 3, 0, 0, 15, 15, 15, 15, 15])
    right = turned(board, "rotate_right", walls=True)
    assert right is not None
    assert turned(right, "rotate_left", walls=True) == board
    two_rows = from_cells([1, 2, 0, 0, 0, 0, 0, 0, *[15] * 8])
    assert turned(two_rows, "rotate_right", walls=True) is None


def test_large_tiles_are_locked_only_when_all_reach_the_target():
    board = board_of("2 . . .", ". . . .", "4 1024 512 256", "8 4096 2048 8192")
    assert locked_cells(board, 256, FakeFormation()) == {9, 10, 11, 13, 14, 15}
    assert locked_cells(board, 512, FakeFormation()) == set()
    assert locked_cells(L3_START, 256, FakeFormation()) == {9, 10, 11, 13, 14, 15}
    assert locked_cells(WALLED_START, 256, WALLED) == set()


def test_of_two_equal_tiles_the_one_in_the_formation_is_locked():
    board = board_of("256 . . .", ". . . .", "4 1024 512 256", "8 4096 2048 8192")
    for symmetry in ("identity", "flip", "rotate_left"):
        image = turned(board, symmetry, walls=False)
        assert image is not None
        locked = locked_cells(image, 256, FakeFormation())
        alone = next(c for c in (0, 12) if cells(image)[c] == 8)
        assert len(locked) == 6
        assert alone not in locked


def test_the_target_counts_on_its_cells_only():
    corner = FakeFormation(target_cells=0x000F_0000_0000_0000)
    start = "4 32768 32768 32768"
    reached = board_of(". . . 256", ". . . .", start, "8 32768 32768 32768")
    elsewhere = board_of("256 . . .", ". . . .", start, "8 32768 32768 32768")
    assert has_reached(reached, 256, corner)
    assert not has_reached(elsewhere, 256, corner)
    image = turned(reached, "rotate_left", walls=False)
    assert image is not None
    assert has_reached(image, 256, corner)


def test_a_large_tile_that_equals_the_target_does_not_count():
    formation = FakeFormation()
    locked = board_of("2 . . .", ". . . .", "4 1024 512 256", "8 4096 2048 8192")
    assert not has_reached(locked, 256, formation)
    assert has_reached(put(locked, 0, 8), 256, formation)


def test_a_board_without_tiles_or_with_other_walls_is_refused():
    with pytest.raises(InvalidBoardError, match="at least one tile"):
        check_playable(0, L3_START, walls=False)
    with pytest.raises(InvalidBoardError, match="at least one tile below 32768"):
        check_playable(0xF000_0000_0000_000F, L3_START, walls=False)
    with pytest.raises(InvalidBoardError, match="at least one tile below 32768"):
        check_playable(0x000F_000F_000F_FFFF, WALLED_START, walls=True)
    with pytest.raises(InvalidBoardError, match="walls"):
        check_playable(L3_START, WALLED_START, walls=True)
    check_playable(WALLED_START, WALLED_START, walls=True)


def test_an_edit_places_doubles_and_halves():
    edit = BoardEdit(L3_START, walls=False)
    edit.chosen = 3
    edit.place(1)
    assert cells(edit.board)[1] == 3
    edit.place(1)
    assert cells(edit.board)[1] == 0
    edit.double(1)
    edit.double(1)
    edit.halve(1)
    assert cells(edit.board)[1] == 1
    edit.halve(1)
    edit.halve(1)
    assert cells(edit.board)[1] == 15


def test_an_edit_leaves_walls_alone():
    edit = BoardEdit(WALLED_START, walls=True)
    wall = next(cell for cell, exponent in enumerate(cells(WALLED_START)) if exponent == 15)
    edit.place(wall)
    edit.double(wall)
    assert edit.board == WALLED_START
    assert 15 not in edit.choices
    assert WALLED.walls
