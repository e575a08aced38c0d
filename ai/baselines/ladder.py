"""The ladder: players described in the literature of this project, weakest first, by name.

Each has a name for `play --player`, the result its source reports, and the result of ours. Nothing
here needs a compiler; `make_player` loads the player.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ai.standings import OURS
from engine.platform.language import mark, tr, trn

if TYPE_CHECKING:
    from ai.baselines.ladder_players import LadderPlayer


@dataclass(frozen=True)
class Rung:
    """One player of the ladder."""

    about: str  # description; this and the next two are marked for translation, not translated
    # The result its source reports; the sources are the numbered texts the project began with.
    reported: str
    # Our result if there were too few games for a mean; "" if `ai.standings.OURS` has one.
    few_games: str = ""


LADDER: dict[str, Rung] = {
    "random": Rung(mark("any legal move"), mark("004: mean 1,113.6 (10 games)")),
    "hand": Rung(
        mark("the best hand-made score, without look-ahead"), mark("004: mean 4,058.8 (10 games)")
    ),
    "monte-carlo": Rung(
        mark("100 random games after each move"), mark("004: none, too slow there")
    ),
    "hand-monte-carlo": Rung(
        mark("100 games by the hand-made score after each move"),
        mark("004: mean 38,133.6 (10 games)"),
    ),
    "matrix": Rung(
        mark("looks three moves ahead, tiles times a matrix of weights"), mark("001: mean 15,326")
    ),
    "linear": Rung(
        mark("expectimax over six weighted features, chance nodes sampled"), mark("003: none")
    ),
    "port": Rung(
        mark("expectimax to eight moves, lines below 1e-4 cut, positions remembered"),
        mark("002: none, a game was not finished"),
        mark("55,888, 177,240 and 173,348 (3 games, 55 ms a move)"),
    ),
    "network": Rung(
        mark("the best move by a network for whole games; --weights names one that you trained"),
        mark("published for such networks after a million games: mean 201,381 and 224,013"),
    ),
    "network-3": Rung(
        mark("looks three moves ahead with a network for whole games"),
        mark("published for such networks after a million games: mean 328,087 and 419,479"),
    ),
    "hand-search": Rung(
        mark("expectimax over the hand-made score, improbable lines cut"),
        mark("004: mean 452,486.4 (10 games)"),
    ),
}
"""The players, weakest first."""


def make_player(name: str, weights: Path | None = None, spawn4: float = 0.1) -> "LadderPlayer":
    """Return the player with a name; `weights` replaces the weights file of those that have one."""
    from ai.baselines.ladder_players import LADDER_PLAYERS

    return LADDER_PLAYERS[name](weights, spawn4)


def measured_text(name: str) -> str:
    if name not in OURS:
        return tr(LADDER[name].few_games)
    entry = OURS[name]
    if entry.interval is None:
        return trn(
            "mean {mean:,} ({n:,} game)",
            "mean {mean:,} ({n:,} games)",
            entry.games,
            mean=entry.mean_score,
        )
    return trn(
        "mean {mean:,} ({low:,} to {high:,}; {n:,} game)",
        "mean {mean:,} ({low:,} to {high:,}; {n:,} games)",
        entry.games,
        mean=entry.mean_score,
        low=entry.interval[0],
        high=entry.interval[1],
    )


def ladder_text() -> str:
    lines = []
    for name, rung in LADDER.items():
        lines += [
            f"{name}: {tr(rung.about)}",
            tr("  reported {figures}", figures=tr(rung.reported)),
            tr("  ours     {figures}", figures=measured_text(name)),
        ]
    return "\n".join(lines)
