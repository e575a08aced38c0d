"""Where large tiles stand in a network's games: ``python -m tests.bench.bench_shapes``.

    python -m tests.bench.bench_shapes --games 60 --out shapes.json

plays games three moves ahead and lists the shapes (`ai.evaluation.familiar_shapes`) that at least
so many of all positions with as many large tiles have (``--least``). That a network comes through a
shape doesn't mean that it can begin there: block tests (``bench_blocks --shapes rows``) tell which
of these to keep.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ai.baselines.ladder import make_player
from ai.evaluation.familiar_shapes import VERSION, Shape, shapes_of
from ai.evaluation.large_tiles import LARGEST, search_board
from engine.game import Game
from engine.geometry import destinations


def count_shapes(seeds: Sequence[int], weights: Path | None = None) -> Counter[Shape]:
    """Return in how many positions of games each shape stood, by its first image."""
    player, found = make_player("network-3", weights), Counter[Shape]()
    for seed in seeds:
        game = Game.new(seed=seed)
        player.begin(seed)
        while True:
            direction = player.choose(
                np.uint64(search_board(np.array(game.cells, np.uint8), LARGEST))
            )
            if direction < 0:
                break
            shapes = shapes_of(game.cells) or []
            if len(shapes) == 1:
                images = destinations("full")
                found[min(tuple(image[cell] for cell in shapes[0]) for image in images)] += 1
            game.move(direction)
    return found


def listed(found: Counter[Shape], least: float) -> list[str]:
    """Return the shapes of at least that share of the positions with as many large tiles."""
    n_all = Counter[int]()
    for shape, n in found.items():
        n_all[len(shape)] += n
    kept = (shape for shape, n in found.items() if n >= least * n_all[len(shape)])
    return [
        "".join(f"{cell:x}" for cell in shape) for shape in sorted(kept, key=lambda s: (len(s), s))
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Play, and write or print the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--least", type=float, default=0.005)
    parser.add_argument("--weights", type=Path, help="another network")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args(argv)
    found = count_shapes(range(args.seed, args.seed + args.games), args.weights)
    text = json.dumps({"version": VERSION, "shapes": listed(found, args.least)}) + "\n"
    if args.out:
        args.out.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
