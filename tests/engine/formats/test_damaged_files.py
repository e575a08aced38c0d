"""Some of the damaged files of tests/bench/bench_formats.py, and whether that sees wrong reads."""

import random
from dataclasses import replace

import pytest

from engine.formats.reading import read_replay
from tests.bench.bench_formats import READERS, Campaign, damage, originals

FILES = originals(random.Random(11))


@pytest.mark.thorough
def test_damaged_files_are_refused_or_read_up_to_their_damage() -> None:
    rng, campaign = random.Random(12), Campaign(limit_ms=10_000)
    for _ in range(400):
        original = rng.choice(FILES)
        campaign.try_file(original, *damage(rng, original, FILES))
    assert campaign.failures == []
    assert campaign.n_moves > 1000


@pytest.mark.parametrize("name", sorted(READERS))
def test_a_codec_that_misreads_is_caught(name: str) -> None:
    for original in (file for file in FILES if file.name == name):
        _, game = read_replay(original.data)
        campaign = Campaign(limit_ms=10_000)
        assert campaign.judge(name, original.data, game) == original.positions
        last = game.moves[-1]
        wrong = [
            replace(game, moves=(*game.moves[:-1], replace(last, exponent=3 - last.exponent))),
            replace(game, moves=game.moves[:-1]),
        ]
        for one in wrong:
            assert campaign.judge(name, original.data, one) is None
        assert len(campaign.failures) == 2
