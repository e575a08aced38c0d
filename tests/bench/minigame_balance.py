"""How long minigames last: ``python -m tests.bench.minigame_balance [--runs 200]``.

A random player and a greedy one (most points, then most empty cells, then left, down, right, up)
play each variant in both modes to the end. A row tells the quartiles of moves and scores, the share
of runs that reached bronze, and how many moves a run took at least and at most. The clock of
Blitzkrieg runs 300 ms for a move.
"""

import argparse
from collections.abc import Callable
from statistics import quantiles

from ai.choice import make_adversary
from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.spawn import Rng
from minigames.registry import GAMES, rules_of
from minigames.rules import MinigameRules
from minigames.state import Action, State, move
from minigames.trophies import trophy
from minigames.turn import Adversary

MAX_MOVES = 20_000
MOVE_MS = 300
_PREFERENCE = (LEFT, DOWN, RIGHT, UP)
Player = Callable[[MinigameRules, State, Rng], int]


def random_player(rules: MinigameRules, state: State, rng: Rng) -> int:
    """Any legal move."""
    legal = rules.legal(state)
    return legal[rng.below(len(legal))]


def greedy_player(rules: MinigameRules, state: State, _rng: Rng) -> int:
    """The move with the most points, of those the one that leaves the most room."""

    def worth(direction: int) -> tuple[int, int, int]:
        after, _ = rules.play(state, move(direction))
        return (
            after.score - state.score,
            after.tiles.count(0),
            -_PREFERENCE.index(direction),
        )

    return max(rules.legal(state), key=worth)


PLAYERS: dict[str, Player] = {"random": random_player, "greedy": greedy_player}


def finish(rules: MinigameRules, player: Player, seed: int, adversary: Adversary | None) -> State:
    """Play a run to its end."""
    state, rng = rules.start(seed), Rng(~seed)
    while not state.over and state.n_moves < MAX_MOVES:
        state, _ = rules.play(state, move(player(rules, state, rng)), adversary)
        state, _ = rules.play(state, Action("tick", (MOVE_MS,)))
    return state


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    args = parser.parse_args()
    adversary = make_adversary() if "tricky_tiles" in args.games else None
    head = "game mode player | moves min 25 % 50 % 75 % max | score 25 % 50 % 75 % | bronze"
    print(head)
    for name in args.games:
        for hard in (False, True):
            rules = rules_of(name, hard=hard)
            for who, player in PLAYERS.items():
                ends = [finish(rules, player, seed, adversary) for seed in range(args.runs)]
                moves = [state.n_moves for state in ends]
                middle = [round(x) for x in quantiles(moves, n=4)]
                scores = [round(x) for x in quantiles([state.score for state in ends], n=4)]
                bronze = sum(trophy(rules.spec, state) > 0 for state in ends) / len(ends)
                print(
                    f"{name} {'hard' if hard else 'normal'} {who} | {min(moves)} "
                    f"{' '.join(map(str, middle))} {max(moves)} | {' '.join(map(str, scores))} | "
                    f"{bronze:.0%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
