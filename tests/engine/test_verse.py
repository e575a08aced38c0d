"""Replays for 2048verse: the worked example of the format's notes, and games read back."""

import random

import pytest

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.game import Game
from engine.verse import VerseError, new_verse, old_verse

START = 0x1100_0000_0000_0000
NEW_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def example() -> Game:
    game = Game(START)
    assert game.move(LEFT, (11, 1))
    assert game.move(UP, (13, 2))
    assert game.move(RIGHT, (4, 1))
    return game


def read_old(text: str) -> list[tuple[int, int, int]]:
    """Return (direction as written, cell, exponent) of each tile, from bytes of code page 850."""
    found = []
    for byte in text.removeprefix("replay_").encode("cp850"):
        value = byte - 0x20 if byte < 0x7F else byte - 0x80 + 95
        found.append((value // 32, value % 4 * 4 + value // 4 % 4, 1 + value // 16 % 2))
    return found


def read_new(text: str) -> list[tuple[int, int, int, int]]:
    """Return (direction as written, cell, exponent, time) of each tile."""
    alphabet = NEW_DIGITS + "".join(chr(c) for c in range(0xC0, 0x100)) + "¤¾"
    digits = [alphabet.index(c) for c in text.removeprefix("4x4-1_")]
    found = []
    for i in range(0, len(digits), 3):
        value = (digits[i] * 128 + digits[i + 1]) * 128 + digits[i + 2]
        cell = value // 128 % 8 * 4 + value // 16 % 8
        found.append((value % 4, cell, 1 + value // 4 % 2, value // 1024))
    return found


def long_game(n: int = 600) -> tuple[Game, list[tuple[int, int, int]]]:
    """Return a game played at random, and its (direction, cell, exponent)."""
    game, rng, played = Game.new(seed=5), random.Random(3), []
    while len(played) < n and (legal := game.legal_moves()):
        result = game.move(rng.choice(legal))
        played.append((result.direction, *result.spawned))
    return game, played


def test_the_older_format_writes_the_example_of_the_notes():
    assert old_verse(example()) == "replay_ $Å7A"


def test_the_present_format_writes_the_start_tiles_of_the_notes():
    assert new_verse(example()).startswith("4x4-1_¾ú0¾úg")


def test_a_whole_game_comes_back_from_both_formats():
    game, played = long_game()
    tiles = [(c, e) for c, e in enumerate(Game.new(seed=5).cells) if e]
    old = {UP: 0, RIGHT: 1, DOWN: 2, LEFT: 3}
    new = {UP: 0, DOWN: 1, LEFT: 2, RIGHT: 3}
    starts = [(0, c, e) for c, e in tiles]
    assert read_old(old_verse(game)) == starts + [(old[d], c, e) for d, c, e in played]
    assert [t[:3] for t in read_new(new_verse(game))] == starts + [
        (new[d], c, e) for d, c, e in played
    ]
    assert {t[3] for t in read_new(new_verse(game))} == {0x7FF}  # scale 7, count 255: no time


def test_what_was_undone_is_left_out():
    game = example()
    game.undo()
    assert old_verse(game) == "replay_ $Å7"


def test_a_position_that_was_set_cannot_be_written():
    game = example()
    game.set_board(0x1234_0000_0000_0000)
    with pytest.raises(VerseError, match="two tiles"):
        old_verse(game)
    with pytest.raises(VerseError, match="two tiles"):
        new_verse(game)
