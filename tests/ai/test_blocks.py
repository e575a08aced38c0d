"""Games as chains of blocks: counted from last boards, and put together to the chance of a tile."""

import random

import pytest

from ai.match.report import large_tiles, n_blocks, report, tries_by_large_tiles
from tests.bench.bench_blocks import chance_of_tile


def play_chain(rng, chance_of_first, chances):
    """Return the exponents of the large tiles a game ends with, merged one by one as in a game."""
    tiles = [14] if rng.random() < chance_of_first else [13, 12]
    while tiles[0] >= 14 and rng.random() < chances[len(tiles)]:
        tiles.append(11)
        while len(tiles) > 1 and tiles[-1] == tiles[-2]:
            tiles[-2:] = [tiles[-1] + 1]
    return tiles


def board_of(tiles, rest=(10, 9, 3, 1)):
    return tuple([*tiles, *rest, *[0] * 16][:16])


CHANCES = {1: 0.99, 2: 0.97, 3: 0.93, 4: 0.8, 5: 0.5, 6: 0.3, 7: 0.0}


@pytest.fixture(scope="module")
def finals():
    rng = random.Random(1)
    return [play_chain(rng, 0.9, CHANCES) for _ in range(20_000)]


def test_tries_are_those_of_the_games(finals):
    tries = tries_by_large_tiles(board_of(tiles) for tiles in finals)
    for k in range(1, 6):
        (won, tried), chance = tries[k], CHANCES[k]
        assert tried > 300
        assert won / tried == pytest.approx(chance, abs=4 * (chance * (1 - chance) / tried) ** 0.5)


@pytest.mark.parametrize("tile", [16384, 32768, 65536])
def test_the_chance_of_a_tile_is_how_often_games_make_it(finals, tile):
    share = sum(1 << tiles[0] >= tile for tiles in finals) / len(finals)
    chance = chance_of_tile(tile, 0.9, CHANCES)
    assert share == pytest.approx(chance, abs=4 * (chance * (1 - chance) / len(finals)) ** 0.5)
    assert 0.01 < chance < 1


def test_published_games_are_such_a_chain():
    """The reference's manual: 86.1 % made 32768 and 8.4 % 65536; p(4) and p(5) as fitted to it."""
    chances = {1: 1.0, 2: 1.0, 3: 0.998, 4: 0.868, 5: 0.181}
    assert chance_of_tile(32768, 0.999, chances) == pytest.approx(0.861, abs=0.005)
    assert chance_of_tile(65536, 0.999, chances) == pytest.approx(0.084, abs=0.006)


@pytest.mark.parametrize(
    ("block", "k"), [(8, 1), (9, 2), (10, 2), (11, 3), (12, 2), (13, 3), (15, 4), (16, 1), (31, 5)]
)
def test_large_tiles_beside_a_block(block, k):
    assert large_tiles(block) == k


def test_small_tiles_make_no_block():
    assert n_blocks(board_of([14], [10, 10, 10])) == 8
    assert n_blocks(board_of([14, 11, 11], [10, 9])) == 10


def row(final, start=""):
    return {
        "score": "1", "max_tile": "2", "moves": "1", "cpu_s": "1", "sources": "search=1",
        "final": "".join("0123456789abcdefghij"[tile] for tile in final), "start": start,
    }  # fmt: skip


def test_the_report_tells_where_games_end():
    text = report([row(board_of([14, 13])), row(board_of([14, 11])), row(board_of([13]))], "title")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    at = lines.index("from 16384 on: another 2048 was made")
    assert lines[at + 1].startswith("beside 1 large tile 100.0 %")
    assert lines[at + 1].endswith("2 / 2")
    assert lines[at + 2].startswith("beside 2 large tiles 50.0 %")  # 9 twice, 10 and 12 once
    assert lines[at + 2].endswith("2 / 4")
    assert "from 16384 on" not in report([row(board_of([13]))], "title")
    assert "from 16384 on" not in report([row(board_of([14]), start="d")], "title")
