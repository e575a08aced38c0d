"""Whole games by the real rules, every move kept: input for the benches of the coach.

    python -m tests.bench.recorded_games [--seeds 1-20] [--nodes 3000] [--tables DIR] [--slips 0.2]

prints the lengths of the games of some seeds. The player searches; where tables answer, it plays
their best move, except for the share of `slips`, where it plays the search's best move: so there
are mistakes to find. A game depends only on its seed, nodes, slips and tables.
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ai.dispatch.dispatcher import Dispatcher
from ai.dispatch.open_tables import OpenTables
from ai.evaluation.evaluation import load_evaluation
from ai.search.search import Search
from engine.formats.replay import Replay, ReplayMove
from engine.kernels.cells import slide_cells, spawn_in_cells
from engine.saved_game import cells_to_text

SPAWN4 = 0.1
CACHE = Path(tempfile.gettempdir()) / "endgame2048-recorded-games"


@dataclass(frozen=True)
class Player:
    """How a game is played.

    Attributes
    ----------
    nodes : int
        Positions searched a move.
    tables : tuple of Path
        Folders of tables.
    slips : float
        How often search decides although a table knows.
    """

    nodes: int
    tables: tuple[Path, ...] = ()
    slips: float = 0.0

    @property
    def name(self) -> str:
        """Return the name that this player's games are filed under."""
        return "-".join([str(self.nodes), str(self.slips), *(path.name for path in self.tables)])


class Recorder:
    """Plays games and keeps them."""

    def __init__(self, player: Player) -> None:
        self._search = Search(load_evaluation(spawn4=SPAWN4))
        self._dispatcher = Dispatcher(OpenTables(player.tables, SPAWN4))
        self._player = player

    def play(self, seed: int, start: Sequence[int] = ()) -> Replay:
        """Return the game of a seed, from two random tiles on or from another position."""
        self._search.forget()
        slips = random.Random(seed)
        cells, state = np.array(start or [0] * 16, np.uint8), np.array([seed], np.uint64)
        for _ in range(0 if start else 2):
            spawn_in_cells(cells, state, SPAWN4)
        first, moves = tuple(cells.tolist()), []
        while (direction := self._choose(cells.tolist(), slips)) is not None:
            slide_cells(cells, direction)
            before = cells.copy()
            spawn_in_cells(cells, state, SPAWN4)
            cell = int(np.flatnonzero(cells != before)[0])
            moves.append(ReplayMove(direction, cell, int(cells[cell])))
        return Replay(first, tuple(moves))

    def _choose(self, cells: list[int], slips: random.Random) -> int | None:
        verdict = self._dispatcher.ask(cells)
        if verdict and verdict.best_rate > 0 and slips.random() >= self._player.slips:
            return verdict.best
        return self._search.by_nodes(cells, self._player.nodes).direction


def recorded_game(
    seed: int, player: Player, start: Sequence[int] = (), cache: Path = CACHE
) -> Replay:
    """Return a game, played now or at an earlier time; see `Recorder.play`."""
    begin = cells_to_text(start) if start else "new"
    path = cache / f"{seed}-{begin}-{player.name}.json"
    if not path.exists():
        game = Recorder(player).play(seed, start)
        cache.mkdir(parents=True, exist_ok=True)
        moves = [(move.direction, move.cell, move.exponent) for move in game.moves]
        part = path.with_suffix(".part")
        part.write_text(json.dumps({"start": game.start, "moves": moves}), encoding="ascii")
        part.replace(path)
    saved = json.loads(path.read_text(encoding="ascii"))
    return Replay(tuple(saved["start"]), tuple(ReplayMove(*move) for move in saved["moves"]))


def main() -> None:
    """Print what some seeds come to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--tables", type=Path, nargs="*", default=[])
    parser.add_argument("--slips", type=float, default=0.2)
    args = parser.parse_args()
    first, last = map(int, args.seeds.split("-"))
    recorder = Recorder(Player(args.nodes, tuple(args.tables), args.slips))
    for seed in range(first, last + 1):
        began = time.process_time()
        game = recorder.play(seed)
        *_, final = game.positions()
        spent = time.process_time() - began
        print(f"seed {seed}: {len(game.moves)} moves, {1 << max(final)}, {spent:.1f} s", flush=True)


if __name__ == "__main__":
    main()
