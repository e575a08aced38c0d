"""Whole games by the real rules against L3 256 and 442 256: are the results right, and how fast?

    python -m tests.bench.bench_analyze [--tables DIR]

DIR holds the tables L3_256 and 442_256 (`main.py build L3 256 --out DIR`). Analyzed are

* a game of 20,493 moves, played by search alone, in both formats of 2048verse: its large tiles
  stand as in L3 for nine stretches of it;
* ten games that start inside 442 and continue to their end, as .rpl.

Segments, the reasons for their ends, all rates, grades and luck are compared with `slow_analysis`,
which has its own rules, masking, turns and thresholds. Games are kept in the temporary folder.
"""

import argparse
import math
import time
from pathlib import Path

from coach.analysis.analyze import GameReport, analyze
from engine.formats.reading import read_replay
from engine.formats.replay import Replay
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new, write_old
from tablebase.library.opening import open_table
from tablebase.probe.reader import Tablebase
from tablebase.store.block_cache import BlockCache
from tests.bench.recorded_games import Player, recorded_game
from tests.coach import slow_analysis

LONG_GAME = (10, Player(3000))  # the seed of a game that reaches 32768
INSIDE_442 = (1, 0, 0, 0, 0, 0, 0, 0, 2, 1, 8, 9, 13, 12, 11, 10)
N_STARTS = 10
NAMES = ("L3_256", "442_256")


def records(tables: Path) -> list[tuple[str, bytes]]:
    """Return the files to analyze, by name."""
    game = recorded_game(*LONG_GAME)
    found = [
        ("20,493 moves, older format", write_old(game)),
        ("20,493 moves, present format", write_new(game).encode()),
    ]
    player = Player(1000, (tables / "442_256",), slips=0.2)
    for seed in range(N_STARTS):
        game = recorded_game(seed, player, INSIDE_442)
        found.append((f"from 442, seed {seed}", write_rpl(game)))
    return found


def compare(replay: Replay, report: GameReport, table: Tablebase) -> int:
    """Compare the report for a table with the slow analysis; return the number of positions."""
    moves = [(move.direction, move.cell, move.exponent) for move in replay.moves]
    wanted = slow_analysis.analyze(replay.start, moves, table)
    found = [one for one in report.segments if one.segment.table == table.name]
    starts = [(one.segment.first, one.segment.end.name) for one in found]
    assert starts == [(one["first"], one["end"]) for one in wanted], starts
    n_positions = 0
    for ours, theirs in zip(found, wanted, strict=True):
        assert [list(one.rates) for one in ours.segment.positions] == theirs["rates"]
        grades = [
            move.judgement and (move.judgement.grade.value, move.judgement.ratio)
            for move in ours.moves
        ]
        assert grades == theirs["grades"]
        assert ours.fortune.end == theirs["last"]
        if theirs["last"] > 0:
            assert math.isclose(ours.fortune.luck, theirs["luck"], abs_tol=1e-9)
        n_positions += len(ours.segment.positions)
    return n_positions


def main() -> None:
    """Analyze and compare everything; print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, default=Path("tables"))
    folder = parser.parse_args().tables
    total_s, total = 0.0, 0
    for name, data in records(folder):
        tables = [open_table(folder / one) for one in NAMES]
        began, cache = time.process_time(), BlockCache(512 << 20)
        _, replay = read_replay(data)
        assert not replay.problem, replay.problem
        for table in tables:
            table.keep_layers(cache)
        report = analyze(replay, tables, least_moves=0)
        spent = time.process_time() - began
        counts = [compare(replay, report, table) for table in tables]
        assert sum(counts) == report.n_covered
        total_s, total = total_s + spent, total + report.n_covered
        covered = ", ".join(f"{n} {c}" for n, c in zip(NAMES, counts, strict=True))
        print(
            f"{name}: {len(replay.moves)} moves, covered {covered}, {len(report.segments)} "
            f"segments, {spent:.2f} s of CPU; as the slow script",
            flush=True,
        )
        for table in tables:
            table.close()
    print(f"{1000 * total_s / total:.2f} s of CPU for 1,000 covered positions, reading included")


if __name__ == "__main__":
    main()
