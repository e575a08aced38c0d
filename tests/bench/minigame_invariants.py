"""Random games of every minigame, long ones too, with everything checked after each action.

    python -m tests.bench.minigame_invariants [--runs 5000] [--seed 1] [--game ice_age]

Half of the games start in the middle of one. A failure is printed with all that is needed to
repeat it; the exit status is 1 then.
"""

import argparse
import random
import sys
import tempfile
import traceback
from pathlib import Path

from tests.minigames.random_runs import play_random
from tests.minigames.specified import GAMES


def main() -> int:
    """Play; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5000, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=GAMES, action="append", help="these only")
    args = parser.parse_args()
    n_wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for game in args.game or GAMES:
            rng, n_actions = random.Random(f"{args.seed} {game}"), 0
            for _ in range(args.runs):
                n = rng.choice([5, 15, 40]) if rng.random() < 0.97 else 400
                case = rng.random() < 0.5, rng.randrange(2**32), n, rng.random() < 0.5
                n_actions += n
                try:
                    play_random(game, *case, Path(folder))
                except Exception:  # noqa: BLE001 - the campaign goes on
                    n_wrong += 1
                    print(f"play_random({game!r}, {', '.join(map(repr, case))}, folder)")
                    traceback.print_exc(limit=-3)
            print(f"{game:22}{args.runs:7} games {n_actions:9} actions", flush=True)
    print(f"{n_wrong} wrong")
    return int(n_wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
