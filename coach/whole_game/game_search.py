"""Searching the positions of a game: all of them roughly, then each in full, doubtful ones first.

The rough pass costs a sixteenth and shows within seconds where the game was decided. Then come the
positions where the move played seems to lose most, and last those without doubt. The result for a
position depends only on the position and the budget, so the order doesn't matter, and neither does
stopping and resuming.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coach.whole_game.stored_chances import stored
from engine.formats.replay import Cells, Rates, ReplayMove

if TYPE_CHECKING:
    from ai.chances.chance_search import ChanceEstimate

ROUGHLY = 16
"""The rough pass uses one node in this many."""

KEEP_EVERY = 128
"""Positions between two writes to the database: half a second at 3 ms."""

Look = Callable[[Cells, int], "ChanceEstimate"]
"""Searches a position with a number of nodes."""


@dataclass(frozen=True)
class Stage:
    """The progress of searching a game."""

    is_rough: bool  # whether the rough pass is running
    # Positions of this stage.
    done: int
    total: int

    @property
    def share(self) -> float:
        share = self.done / self.total if self.total else 1.0
        return share / (ROUGHLY + 1) if self.is_rough else (1 + share * ROUGHLY) / (ROUGHLY + 1)


class GameSearch:
    """The chances of a game's positions, more and more of them in full.

    `known` are results of earlier full searches, by position; positions `left_out` are not
    searched.
    """

    def __init__(
        self,
        positions: Sequence[Cells],
        moves: Sequence[ReplayMove],
        look: Look,
        nodes: int,
        known: Mapping[int, Rates],
        left_out: Collection[int] = (),
    ) -> None:
        self._positions, self._moves, self._look, self._nodes = positions, moves, look, nodes
        self._searched = [i for i in range(len(positions)) if i not in left_out]
        self._rough: dict[int, Rates] = {}
        self.full = {i: chances for i, chances in known.items() if i < len(positions)}

    @property
    def chances(self) -> dict[int, Rates]:
        return {**self._rough, **self.full}

    @property
    def is_done(self) -> bool:
        return all(i in self.full for i in self._searched)

    def run(
        self,
        keep: Callable[[dict[int, Rates]], None],
        on_progress: Callable[[Stage], None] = lambda _: None,
        is_cancelled: Callable[[], bool] = lambda: False,
        roughly_done: Callable[[], None] = lambda: None,
    ) -> None:
        """Search until everything is known or it is canceled.

        `keep` is called now and then, and at the end, with the full results since the last call,
        `roughly_done` once every position is known roughly.
        """
        missing = [i for i in self._searched if i not in self.full]
        nodes = max(1, self._nodes // ROUGHLY)
        for done, i in enumerate(missing):
            if is_cancelled():
                return
            on_progress(Stage(True, done, len(missing)))
            self._rough[i] = self._chances_of(i, nodes)
        if missing:
            roughly_done()
        new: dict[int, Rates] = {}
        for done, i in enumerate(sorted(missing, key=self._doubt)):
            if is_cancelled():
                break
            on_progress(Stage(False, done, len(missing)))
            new[i] = self.full[i] = self._chances_of(i, self._nodes)
            if len(new) == KEEP_EVERY:
                keep(new)
                new = {}
        if new:
            keep(new)

    def _chances_of(self, i: int, nodes: int) -> Rates:
        return stored(self._look(self._positions[i], nodes).chances)

    def _doubt(self, i: int) -> tuple[float, float, int]:
        chances = self._rough[i]
        known = sorted((chance for chance in chances if chance is not None), reverse=True)
        if len(known) < 2 or i >= len(self._moves):
            return 1.0, 1.0, i
        played = chances[self._moves[i].direction]
        loss = known[0] - (known[0] if played is None else played)
        return -loss, known[0] - known[1], i
