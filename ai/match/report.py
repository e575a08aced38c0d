"""The summary of many games, as text, and statistics of where long ones end.

From 16384 on a game is the same task again and again: make the next 2048 beside k large tiles that
are all different. A game that made n tiles of 2048 so far has as many large tiles as n has binary
ones, since equal ones merge, so a player is characterized by the chance p(k) of that task for each
k.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ai.match.results_file import final_of, source_ms_of, sources_of
from engine.platform.language import mark, tr, trn

BLOCK = 2048
FIRST = 8
"""So many blocks make the 16384 from which the chain is counted."""

Z_95 = 1.959963984540054
_SAMPLES = 4000
_DRAWS_AT_ONCE = 1 << 20  # 16 MB, however many games

SCORE_LADDER = (97_000, 210_000, 453_000, 663_000, 760_000, 804_000, 824_000, 971_000)
"""Scores of a game that has 8192; 16384; 32768; then 16384, 8192, 4096 and the last 2048 beside it;
65536: where published players are compared."""


def wilson(n_hits: int, n: int) -> tuple[float, float]:
    """Return the Wilson interval of a share.

    Wilson: Probable inference, the law of succession, and statistical inference, JASA 22, 1927.

    >>> tuple(round(bound, 4) for bound in wilson(83, 100))
    (0.7445, 0.8911)
    """
    if n == 0:
        return 0.0, 1.0
    share, z2 = n_hits / n, Z_95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    low = middle - half if n_hits else 0.0  # exactly, despite rounding
    return low, middle + half if n_hits < n else 1.0


def bootstrap_mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the percentile bootstrap interval of the mean; the same for the same values."""
    data = np.sort(np.asarray(values, np.float64))  # games end in any order
    if data.size == 0:
        raise ValueError("no values: expected at least one")  # no text
    rng, means = np.random.default_rng(2048), np.empty(_SAMPLES)
    n_rows = max(1, _DRAWS_AT_ONCE // data.size)
    for begin in range(0, _SAMPLES, n_rows):
        block = means[begin : begin + n_rows]
        block[:] = data[rng.integers(0, data.size, (block.size, data.size))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


_TILES = (2048, 4096, 8192, 16384, 32768, 65536)


def report(rows: Sequence[dict[str, str]], title: str) -> str:
    scores = np.array([int(row["score"]) for row in rows], np.float64)
    tiles = np.array([int(row["max_tile"]) for row in rows])
    moves = sum(int(row["moves"]) for row in rows)
    cpu_s = sum(float(row["cpu_s"]) for row in rows)
    low, high = bootstrap_mean(scores.tolist())
    text = mark("  mean score    {mean:>11,.0f}   {low:,.0f} to {high:,.0f}")
    message = mark(
        "  moves         {moves:>11,}   {ms:.3f} ms of CPU each, {speed:,.0f} a second of CPU"
    )
    lines = [
        tr("{title}: {n} games, 95 % intervals", title=title, n=len(rows)),
        tr(text, mean=scores.mean(), low=low, high=high),
        tr("  median        {median:>11,.0f}", median=np.median(scores)),
        tr("  best, worst   {best:>11,.0f}   {worst:,.0f}", best=scores.max(), worst=scores.min()),
        tr(message, moves=moves, ms=1000 * cpu_s / max(1, moves), speed=moves / max(cpu_s, 1e-9)),
        *_sources(rows, moves),
        tr("  reached       share    interval"),
    ]
    reached = [(f"{tile:>9}", tiles >= tile) for tile in _TILES]
    reached += [(f"{points:>9,}", scores >= points) for points in SCORE_LADDER]
    for name, hits in reached:
        lines.append(f"  {name}   {_share(int(hits.sum()), len(rows))}")
    return "\n".join([*lines, *_blocks(rows)])


def _blocks(rows: Sequence[dict[str, str]]) -> list[str]:
    """Return lines on where games end from 16384 on, if they began there and got that far."""
    tries = tries_by_large_tiles(final_of(row) for row in rows if not row["start"])
    if not tries:
        return []
    lines = [tr("  from 16384 on: another 2048 was made")]
    for k, (won, tried) in sorted(tries.items()):
        beside = trn("beside {n} large tile", "beside {n} large tiles", k)
        lines.append(f"    {beside:<22} {_share(won, tried)}   {won:,} / {tried:,}")
    return lines


def _sources(rows: Sequence[dict[str, str]], moves: int) -> list[str]:
    total: Counter[str] = Counter()
    timed: Counter[str] = Counter()
    spent_ms: dict[str, float] = {}
    for row in rows:
        sources = sources_of(row)
        total.update({name: n for name, n in sources.items() if n})
        for name, ms in source_ms_of(row).items():
            timed[name] += sources[name]
            spent_ms[name] = spent_ms.get(name, 0.0) + ms * sources[name]
    if set(total) <= {"search"}:
        return []
    lines = [tr("  moves by             share   ms of CPU each")]
    for name, n in total.most_common():
        ms_each = f"   {spent_ms[name] / timed[name]:8.3f}" if timed[name] else ""
        lines.append(f"    {name:<20} {100 * n / moves:5.1f} %{ms_each}")
    return lines


def _share(n_hits: int, n: int) -> str:
    low, high = wilson(n_hits, n)
    text = mark("{share:6.1f} %   {low:.1f} to {high:.1f} %")
    return tr(text, share=100 * n_hits / n, low=100 * low, high=100 * high)


class Tries(NamedTuple):
    """Numbers of tries and of successes at a task."""

    won: int
    tried: int


def n_blocks(final: Sequence[int]) -> int:
    return sum(1 << exponent for exponent in final if 1 << exponent >= BLOCK) // BLOCK


def large_tiles(block: int) -> int:
    return block.bit_count()


def tries_by_large_tiles(finals: Iterable[Sequence[int]]) -> dict[int, Tries]:
    """Return the tries and successes at another 2048 beside k large tiles, from 16384 on, by k.

    `finals` are the 16 exponents on the board as each game ended.
    """
    won, tried = dict.fromkeys(range(1, 17), 0), dict.fromkeys(range(1, 17), 0)
    for final in finals:
        made = n_blocks(final)
        for block in range(FIRST, made + 1):
            tried[large_tiles(block)] += 1
            won[large_tiles(block)] += block < made
    return {k: Tries(won[k], tried[k]) for k in tried if tried[k]}
