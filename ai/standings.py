"""The strength of players and their requirements: one table for the window, commands and docs.

After a new measurement of a player, change its line here and nowhere else.
"""

from dataclasses import dataclass

from engine.platform.language import mark, tr, trn

_NOTHING = mark("no tables")


@dataclass(frozen=True)
class Standing:
    """One player and its results."""

    title: str  # marked for translation, or a name
    mean_score: int
    games: int  # number of games; 0 if the source doesn't say
    interval: tuple[int, int] | None = None  # (int, int) or None: the 95 % interval of the mean
    # Percentage of games that made the tile.
    share_32768: float | None = None
    share_65536: float | None = None
    # CPU milliseconds per move; for published players the reciprocal of their speed.
    ms: float | None = None
    needs: str = _NOTHING  # requirements besides the program; marked for translation
    source: str = ""  # the source; "" if measured with this program
    tables: tuple[str, ...] = ()  # the tables it was measured with, such as "L3_512"

    @property
    def is_ours(self) -> bool:
        return not self.source


OURS: dict[str, Standing] = {
    "tables": Standing(
        mark("Tables and search"),
        488_457,
        100,
        (448_503, 529_925),
        49.0,
        0.0,
        3.18,
        mark("3 tables, 1.8 GB"),
        tables=("L3_512", "442_512", "t_512"),
    ),
    "search": Standing(mark("Search"), 474_799, 100, (437_827, 511_219), 47.0, 0.0, 3.22),
    "network-search": Standing(
        mark("Search with a network"), 572_588, 200, (544_300, 600_900), 61.0, 0.0, 3.02
    ),
    "network-search-tables": Standing(
        mark("Tables and search with a network"),
        632_711,
        200,
        (600_954, 664_148),
        69.5,
        3.0,
        2.93,
        mark("2 tables, 8.9 GB"),
        tables=("4421_1024", "L3_1024"),
    ),
    "one-move": Standing(mark("One move ahead"), 4_453, 300),
    "hand-search": Standing(
        mark("Deep search, simple scores"), 489_915, 32, (436_719, 545_796), ms=6.1
    ),
    "network-3": Standing(
        mark("Network, three moves ahead"), 507_599, 100, (471_985, 543_213), 48.0, 0.0, 0.34
    ),
    "network": Standing(
        mark("Network, one move"), 279_701, 1000, (271_158, 288_090), 11.6, 0.0, 0.04
    ),
    "linear": Standing(mark("Search, six features"), 70_328, 100, (63_268, 77_632)),
    "matrix": Standing(mark("Search, weighted squares"), 54_657, 100, (50_152, 59_304)),
    "hand-monte-carlo": Standing(mark("Guided random games"), 42_452, 100, (37_785, 47_279)),
    "monte-carlo": Standing(mark("Random games"), 36_925, 100, (34_290, 39_809)),
    "hand": Standing(mark("Simple scores"), 4_433, 100, (4_067, 4_818)),
    "random": Standing(mark("Random moves"), 1_093, 10_000, (1_083, 1_104)),
}
"""Results measured with this program, by name: see docs/benchmarks.md."""

_TERABYTES = mark("tables of several TB")
_GIGABYTES = mark("18 GB of tables, 27 GB of memory")
_MANUAL, _README = mark("its manual, 2025"), mark("its README, 2022")
PUBLISHED = (
    Standing(
        title="2048EndgameTablebase 9.0",  # no text
        mean_score=772_353, games=1200, share_32768=86.1, share_65536=8.4, ms=1000 / 11,
        needs=_TERABYTES, source=_MANUAL,
    ),
    Standing(
        title="macroxue 2048b, depth 8",  # no text
        mean_score=711_769, games=1000, share_32768=80.5, share_65536=3.5, ms=1000 / 17,
        needs=_GIGABYTES, source=_README,
    ),
    Standing(
        title="macroxue 2048b, depth 5",  # no text
        mean_score=660_650, games=1000, share_32768=74.8, share_65536=2.7, ms=1000 / 594,
        needs=_GIGABYTES, source=_README,
    ),
    Standing(
        title="TDL2048+, 6-ply",  # no text
        mean_score=625_377, games=100, share_32768=72.0,
        needs=mark("a network, about 1 GB"), source="Guei et al., 2021",  # no text
    ),
    Standing(
        title="Ja\u015bkowski, 1 s",  # no text
        mean_score=609_104, games=100, share_32768=69.0, ms=1000.0,
        needs=mark("a network, 1.35 G weights"), source="Ja\u015bkowski, 2017",  # no text
    ),
    Standing(
        title="Yeh et al., 3-ply",  # no text
        mean_score=446_116, games=1000, share_32768=33.5, ms=1000 / 500,
        needs=mark("a network"), source="Yeh et al., 2016",  # no text
    ),
)  # fmt: skip
"""Results published by others; measured on other machines."""


def by_strength() -> list[Standing]:
    return sorted([*OURS.values(), *PUBLISHED], key=lambda standing: -standing.mean_score)


def heads() -> tuple[str, ...]:
    return (
        tr("AI"),
        tr("mean score"),
        "32768",
        "65536",
        tr("ms a move"),
        tr("needs"),
        tr("where from"),
    )


def cells_of(standing: Standing) -> tuple[str, ...]:
    mean, ms = f"{standing.mean_score:,}", ""
    if standing.interval:
        low, high = standing.interval
        mean = tr("{mean:,} ({low:,} to {high:,})", mean=standing.mean_score, low=low, high=high)
    if standing.ms is not None:
        ms = f"{standing.ms:,.0f}" if standing.ms >= 100 else f"{standing.ms:.1f}"
    return (
        tr(standing.title),
        mean,
        _share_text(standing.share_32768),
        _share_text(standing.share_65536),
        ms,
        tr(standing.needs),
        _source_text(standing),
    )


def _share_text(share: float | None) -> str:
    return "" if share is None else f"{share:g} %"


def _source_text(standing: Standing) -> str:
    if standing.is_ours:
        return trn("measured, {n:,} game", "measured, {n:,} games", standing.games)
    return trn(
        "published: {source}, {n:,} game",
        "published: {source}, {n:,} games",
        standing.games,
        source=tr(standing.source),
    )


def markdown() -> str:
    rows = [heads(), tuple("---" for _ in heads()), *map(cells_of, by_strength())]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"
