"""Boards of any size, one undo, scripts."""

import random

import pytest

from engine.course_script import CourseGame, ScriptError, play_script, read_script, slide_rows
from tests import oracle

LEFT, RIGHT, UP, DOWN = range(4)


def faces(exponents):
    return tuple(tuple(2**e if e else 0 for e in row) for row in oracle.rows(exponents))


def slow_slide(rows, direction):
    """The oracle's row rule on lines of any length."""
    if direction in (UP, DOWN):
        turned = [list(column) for column in zip(*rows, strict=True)]
        out, points = slow_slide(turned, LEFT if direction == UP else RIGHT)
        return [list(row) for row in zip(*out, strict=True)], points
    slide = oracle.slide_row_left if direction == LEFT else oracle.slide_row_right
    slid = [slide([tile.bit_length() - 1 if tile else 0 for tile in row]) for row in rows]
    return [[2**e if e else 0 for e in row] for row, _ in slid], sum(p for _, p in slid)


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (6, 1), (2, 4), (4, 4), (3, 5), (9, 8)])
def test_every_slide_is_that_of_the_rules(size):
    rng = random.Random(str(size))
    for _ in range(60):
        rows = tuple(
            tuple(rng.choice([0, 0, 2, 2, 4, 8, 1024]) for _ in range(size[1]))
            for _ in range(size[0])
        )
        for direction in range(4):
            after, points = slide_rows(rows, direction)
            want, want_points = slow_slide(rows, direction)
            assert ([list(row) for row in after], points) == (want, want_points)


def test_the_example_of_the_rules():
    after, points = slide_rows(((2, 2, 2, 2), (2, 2, 0, 2)), LEFT)
    assert (after, points) == (((4, 4, 0, 0), (4, 2, 0, 0)), 12)


def test_a_game_starts_with_one_tile_and_each_move_adds_one():
    for seed in range(40):
        game = CourseGame(3, 5, seed)
        tiles = [tile for row in game.rows for tile in row if tile]
        assert len(tiles) == 1
        assert tiles[0] in (2, 4)
        assert (game.score, game.n_steps, game.can_undo) == (0, 0, False)
        before = game.rows
        moved = next(way for way in range(4) if slide_rows(before, way)[0] != before)
        assert game.move(moved)
        assert sum(tile > 0 for row in game.rows for tile in row) == 2
        assert game.n_steps == 1


def test_new_tiles_are_fours_one_time_in_ten_and_anywhere():
    starts = [CourseGame(2, 3, seed).rows for seed in range(6000)]
    tiles = [(cell, tile) for rows in starts for cell, tile in enumerate(sum(rows, ())) if tile]
    assert 0.08 < sum(tile == 4 for _, tile in tiles) / 6000 < 0.12
    for cell in range(6):
        assert 850 < sum(at == cell for at, _ in tiles) < 1150


def test_undo_takes_one_move_back_and_not_two():
    game = CourseGame(4, 4, 11)
    assert not game.undo()
    play_some(game, 12)
    before = (game.rows, game.score, game.n_steps)
    play_some(game, 1)
    after = (game.rows, game.score, game.n_steps)
    assert game.undo()
    assert (game.rows, game.score, game.n_steps) == before
    assert not game.undo()
    assert (game.rows, game.score, game.n_steps) == before
    play_some(game, 1)
    assert (game.rows, game.score, game.n_steps) == after  # the same tile comes again
    assert game.undo()


def test_an_illegal_move_changes_nothing_and_leaves_undo_alone():
    game = CourseGame(1, 3, 0, [[2, 4, 0]])
    assert not game.move(LEFT)
    assert not game.move(UP)
    assert (game.n_steps, game.can_undo) == (0, False)
    assert game.move(RIGHT)
    assert not game.move(UP)
    assert game.undo()
    assert game.rows == ((2, 4, 0),)


def play_some(game, n_moves) -> None:
    for _ in range(n_moves):
        assert any(game.move(way) for way in (DOWN, LEFT, RIGHT, UP))


def test_2048_wins_and_undo_takes_it_back():
    game = CourseGame(2, 2, 0, [[1024, 1024], [8, 16]])
    assert not game.has_won
    assert game.move(LEFT)
    assert (game.has_won, game.score) == (True, 2048)
    assert game.undo()
    assert not game.has_won


def test_a_game_ends_without_moves():
    assert CourseGame(1, 1, 5).is_over
    assert CourseGame(2, 2, 0, [[2, 4], [4, 2]]).is_over
    assert not CourseGame(2, 2, 0, [[2, 4], [4, 4]]).is_over


@pytest.mark.parametrize("rows", [[[2, 4]], [[2, 4], [3, 0]], [[2, 4], [1, 0]], [[2], [4]]])
def test_rows_that_are_no_board_are_refused(rows):
    with pytest.raises(ValueError, match=r"rows|tile"):
        CourseGame(2, 2, 0, rows)


@pytest.mark.parametrize("size", [(0, 4), (4, 65), (-1, 2)])
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(ValueError, match="1 to 64"):
        CourseGame(*size, 0)


def test_a_script_plays_the_game():
    lines = ["# a game", "", "NEW 2 3 7", "l", "r  # right", "undo", "undo", "Show"]
    answers = list(play_script(read_script(lines)))
    assert [answer.command.line for answer in answers] == [3, 4, 5, 6, 7, 8]
    game = CourseGame(2, 3, 7)
    assert answers[0].rows == game.rows
    for answer, direction in zip(answers[1:3], (LEFT, RIGHT), strict=True):
        assert answer.is_changed == game.move(direction)
        assert (answer.rows, answer.score, answer.n_steps) == (game.rows, game.score, game.n_steps)
    assert [answer.is_changed for answer in answers[3:]] == [True, False, True]
    assert answers[4].rows == answers[5].rows == answers[1].rows
    head, *rows = answers[4].text.splitlines()
    assert head == f"step {answers[1].n_steps} score 0 playing unchanged"
    assert [tuple(map(int, row.split())) for row in rows] == list(answers[4].rows)


def test_the_state_tells_a_lost_game():
    (answer,) = play_script(read_script(["new 1 1 0"]))
    assert answer.text.splitlines()[0] == "step 0 score 0 over"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["left"], ("line 1", "new ROWS COLUMNS SEED")),
        (["new 4 4 1", "", "jump"], ("line 3", "'jump'", "expected new, left")),
        (["new 4 4"], ("line 1", "found 2")),
        (["new 4 0 1"], ("line 1", "'0' is not the columns", "1 to 64")),
        (["new 4 4 -1"], ("line 1", "'-1' is not the seed")),
        (["new 4 4 1", "left 3"], ("line 2", "nothing may follow")),
        (["# nothing"], ("no command",)),
    ],
)
def test_bad_scripts_are_refused_with_the_line(lines, words):
    with pytest.raises(ScriptError) as caught:
        read_script(lines)
    assert all(word in str(caught.value) for word in words)
