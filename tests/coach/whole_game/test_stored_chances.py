"""Chances kept in a database: there again, apart by game and budget, the oldest forgotten."""

import random
import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from coach.record.database import DamagedDatabaseError
from coach.whole_game.stored_chances import (
    CHANCES_NAME,
    MAX_GAMES,
    Key,
    StoredChances,
    digest_of,
    stored,
)
from tests.coach.games import random_game

NOW = datetime(2026, 5, 1, tzinfo=timezone.utc)
GAME = random_game(60, seed=3, with_rates=False)
KEY = Key(digest_of(GAME), 12_000)


def some_chances(n, seed=1):
    chance = random.Random(seed)
    return {
        i: stored([chance.random() if chance.random() < 0.8 else None for _ in range(4)])
        for i in range(n)
    }


@pytest.fixture
def kept(tmp_path):
    one = StoredChances(tmp_path / CHANCES_NAME)
    yield one
    one.close()


def test_what_is_kept_is_there_again(kept, tmp_path):
    found = some_chances(61)
    kept.keep(KEY, {i: found[i] for i in range(40)}, NOW)
    kept.keep(KEY, {i: found[i] for i in range(30, 61)}, NOW)
    assert kept.known(KEY) == found
    kept.close()
    again = StoredChances(tmp_path / CHANCES_NAME)
    assert again.known(KEY) == found
    again.close()


def test_chances_are_rounded_to_what_is_stored_and_no_further():
    assert stored((0.0, 1.0, None, 0.5)) == (0.0, 1.0, None, 0.5)
    (one, *_) = stored((1 / 3, None, None, None))
    assert one == pytest.approx(1 / 3, rel=1e-7)
    assert stored((one, None, None, None))[0] == one


def test_games_and_budgets_are_apart(kept):
    other = Key(digest_of(random_game(60, seed=4, with_rates=False)), KEY.nodes)
    deeper = replace(KEY, nodes=KEY.nodes * 2)
    for seed, key in enumerate((KEY, other, deeper)):
        kept.keep(key, some_chances(5, seed), NOW)
    for seed, key in enumerate((KEY, other, deeper)):
        assert kept.known(key) == some_chances(5, seed)


def test_a_digest_is_of_start_moves_and_tiles():
    moves = GAME.moves
    others = [
        replace(GAME, moves=moves[:-1]),
        replace(GAME, moves=(*moves[:-1], replace(moves[-1], exponent=3 - moves[-1].exponent))),
        replace(GAME, moves=(*moves[:-1], replace(moves[-1], cell=15 - moves[-1].cell))),
        replace(GAME, moves=(*moves[:-1], replace(moves[-1], direction=3 - moves[-1].direction))),
        replace(GAME, start=(2, *GAME.start[1:])),
        replace(GAME, merge_32768=not GAME.merge_32768),
    ]
    digests = {digest_of(one) for one in (GAME, *others)}
    assert len(digests) == 7
    told = replace(GAME, moves=tuple(replace(one, ms=5) for one in moves))
    assert digest_of(told) == digest_of(GAME), "times change nothing"


def test_the_oldest_games_are_forgotten(kept):
    for i in range(MAX_GAMES + 3):
        kept.keep(Key(f"{i}", 100), some_chances(2, i), NOW + timedelta(seconds=i))
    assert [bool(kept.known(Key(f"{i}", 100))) for i in range(5)] == [False] * 3 + [True] * 2
    kept.keep(Key("3", 100), {7: stored((0.5,) * 4)}, NOW + timedelta(days=1))
    kept.keep(Key("new", 100), some_chances(2), NOW + timedelta(days=2))
    assert len(kept.known(Key("3", 100))) == 3, "it was looked into since"
    assert not kept.known(Key("4", 100))


def test_a_damaged_file_is_told(tmp_path):
    path = tmp_path / CHANCES_NAME
    path.write_bytes(b"no database" * 100)
    with pytest.raises(DamagedDatabaseError):
        StoredChances(path)


@pytest.mark.parametrize("packed", [b"short", b"\xff" * 16])
def test_damaged_rows_are_told_or_no_chances(tmp_path, packed):
    path = tmp_path / CHANCES_NAME
    first = StoredChances(path)
    first.keep(KEY, some_chances(3), NOW)
    first.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE chances SET chances = ? WHERE position = 1", (packed,))
    connection.close()
    try:
        again = StoredChances(path)
    except DamagedDatabaseError:
        return
    assert again.known(KEY)[1] == (None,) * 4
    again.close()
