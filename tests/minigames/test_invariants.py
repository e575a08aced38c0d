"""The fifteen invariants in random games of every variant, from the start and from the middle.

MINIGAME_RUNS=5000 plays more of them; ``python -m tests.bench.minigame_invariants`` longer ones.
"""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minigames.registry import GAMES as REGISTERED
from minigames.registry import rules_of
from tests.minigames.random_runs import play_random
from tests.minigames.specified import GAMES

RUNS = int(os.environ.get("MINIGAME_RUNS", "120"))

# Prints the beginning of every variant in a process that knows nothing else.
BEGINNINGS = """
import json
from dataclasses import asdict
from minigames.registry import GAMES, rules_of
modes = [rules_of(name, hard=hard) for name in GAMES for hard in (False, True)]
print(json.dumps([asdict(rules.start(77)) for rules in modes]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("minigames")


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", GAMES)
def test_every_invariant_holds_in_random_games(game, folder):
    @settings(max_examples=RUNS)
    @given(st.integers(0, 2**32), st.booleans(), st.booleans(), st.integers(1, 12))
    def check(seed: int, hard: bool, is_prepared: bool, n_actions: int) -> None:
        play_random(game, hard, seed, n_actions, is_prepared, folder)

    check()


@pytest.mark.parametrize("game", GAMES)
def test_they_hold_to_the_end(game, folder):
    for hard in (False, True):
        play_random(game, hard, 7 + hard, 120, False, folder)


def test_all_variants_are_tried():
    assert set(GAMES) == set(REGISTERED)
    assert len(GAMES) == 20


def test_a_run_begins_as_in_a_process_of_its_own(project_root):
    # After all that the tests above have played here.
    done = subprocess.run(
        [sys.executable, "-c", BEGINNINGS],
        cwd=project_root,
        capture_output=True,
        text=True,
        check=True,
    )
    ours = [
        asdict(rules_of(name, hard=hard).start(77)) for name in REGISTERED for hard in (False, True)
    ]
    assert json.loads(done.stdout) == json.loads(json.dumps(ours))
