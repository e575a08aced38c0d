"""The summary of many games, as text."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ai.match.results_file import sources_of
from ai.match.statistics import SCORE_LADDER, bootstrap_mean, wilson

_TILES = (2048, 4096, 8192, 16384, 32768, 65536)


def report(rows: Sequence[dict[str, str]], title: str) -> str:
    """Return what the lines of a results file say together, with 95 % intervals."""
    scores = np.array([int(row["score"]) for row in rows], np.float64)
    tiles = np.array([int(row["max_tile"]) for row in rows])
    moves = sum(int(row["moves"]) for row in rows)
    cpu_s = sum(float(row["cpu_s"]) for row in rows)
    low, high = bootstrap_mean(scores.tolist())
    lines = [
        f"{title}: {len(rows)} games, 95 % intervals",
        f"  mean score    {scores.mean():>11,.0f}   {low:,.0f} to {high:,.0f}",
        f"  median        {np.median(scores):>11,.0f}",
        f"  best, worst   {scores.max():>11,.0f}   {scores.min():,.0f}",
        f"  moves         {moves:>11,}   {1000 * cpu_s / max(1, moves):.3f} ms of CPU each, "
        f"{moves / max(cpu_s, 1e-9):,.0f} a second of CPU",
        *_sources(rows, moves),
        "  reached       share    interval",
    ]
    reached = [(f"{tile:>9}", tiles >= tile) for tile in _TILES]
    reached += [(f"{points:>9,}", scores >= points) for points in SCORE_LADDER]
    for name, hits in reached:
        lines.append(f"  {name}   {_share(int(hits.sum()), len(rows))}")
    return "\n".join(lines)


def _sources(rows: Sequence[dict[str, str]], moves: int) -> list[str]:
    """Return a line for each source of moves, unless all come from search."""
    total: Counter[str] = Counter()
    for row in rows:
        total.update(sources_of(row))
    if set(total) <= {"search"}:
        return []
    return ["  moves by"] + [
        f"    {name:<20} {100 * n / moves:5.1f} %" for name, n in total.most_common()
    ]


def _share(n_hits: int, n: int) -> str:
    low, high = wilson(n_hits, n)
    return f"{100 * n_hits / n:6.1f} %   {100 * low:.1f} to {100 * high:.1f} %"
