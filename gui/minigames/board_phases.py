"""The phases of a move's animation, from its first picture to its last.

Views give the state before and after; the events between them say where tiles moved. A move may
slide, then swap columns or fall: the intermediate boards are computed backward from the end, so
nothing is shown that the views do not show.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gui.board.animated_board import SLIDE_MS
from minigames.state import Event
from minigames.view import CellView

Cells = tuple[CellView, ...]

FALL_MS, PERMUTE_MS = 140, 320
SETTLE_SHARE = 0.8  # share of the motion at which merges begin to pop
GROW_MS = 120
EFFECT_MS = 360
_LENGTH_MS = {"slide": SLIDE_MS, "fall": FALL_MS, "permute": PERMUTE_MS, "still": 0}
_BURSTS = ("hit", "strike", "gift", "split", "freeze", "gone", "bonus", "tool")


@dataclass(frozen=True)
class AnimationPhase:
    """One phase of an animation."""

    kind: str  # slide, fall, permute, or still, if things only appear and disappear
    start_ms: float  # within the whole animation
    way_ms: float  # duration of the tiles' motion
    before: Cells  # tuple of CellView
    after: Cells  # tuple of CellView
    moves: dict[int, int]  # destination cell of each tile, by source cell
    joined: frozenset[int]  # cells where tiles merge

    @property
    def end_ms(self) -> float:
        """The end time, including what appears and grows at the end."""
        return self.start_ms + self.way_ms * SETTLE_SHARE + GROW_MS

    @property
    def leaving(self) -> frozenset[int]:
        """Cells whose contents disappear without moving."""
        stays = set(self.moves) | {c for c, seen in enumerate(self.before) if not is_thing(seen)}
        return frozenset(
            cell
            for cell in range(len(self.before))
            if cell not in stays and not same_thing(self.before[cell], self.after[cell])
        )

    @property
    def coming(self) -> frozenset[int]:
        """Cells where something appears that did not move there."""
        arrived = set(self.moves.values()) - self.joined
        return frozenset(
            cell
            for cell, seen in enumerate(self.after)
            if is_thing(seen)
            and cell not in arrived
            and cell not in self.joined
            and not same_thing(self.before[cell], seen)
        )


@dataclass(frozen=True)
class Burst:
    """A ring that spreads from a cell."""

    kind: str
    cell: int
    start_ms: float


def is_thing(seen: CellView) -> bool:
    """Return whether a cell contains something that can move, appear or disappear."""
    return seen.face in ("number", "hidden", "portal") or bool(seen.object)


def same_thing(first: CellView, second: CellView) -> bool:
    return (first.face, first.exponent, first.object) == (
        second.face,
        second.exponent,
        second.object,
    )


def phases_of(before: Cells, after: Cells, events: Sequence[Event]) -> list[AnimationPhase]:
    """Return the phases from one picture to the other; none if their shapes differ."""
    if len(before) != len(after):
        return []
    movers = [event for event in events if event.kind in ("slide", "fall", "permute")]
    pictures = [after]
    for event in reversed(movers[1:]):
        pictures.insert(0, _before_move(pictures[0], event))
    moved = {a: b for e in events if e.kind == "object_moved" for a, b in [e.cells]}
    phases: list[AnimationPhase] = []
    start_ms, now = 0.0, before
    for event, picture in zip(movers, pictures, strict=False):
        way_ms = float(_LENGTH_MS[event.kind])
        moves = dict(event.pairs)
        if event.kind == "slide":
            moves |= moved
        phase = AnimationPhase(
            event.kind, start_ms, way_ms, now, picture, moves, frozenset(event.cells)
        )
        phases.append(phase)
        start_ms, now = phase.end_ms, picture
    if not movers and before != after:
        phases.append(AnimationPhase("still", 0.0, 0.0, before, after, {}, frozenset()))
    return phases


def bursts_of(events: Sequence[Event], phases: Sequence[AnimationPhase]) -> list[Burst]:
    """Return the rings that spread where something happened, at the end of the first slide."""
    at_ms = phases[0].way_ms * SETTLE_SHARE if phases else 0.0
    bursts = []
    for event in events:
        if event.kind in _BURSTS and not (event.kind == "strike" and not event.amount):
            cells = event.cells[1:] if event.kind == "hit" else event.cells
            start_ms = 0.0 if event.kind in ("hit", "tool") else at_ms
            bursts += [Burst(event.kind, cell, start_ms) for cell in cells]
    return bursts


def _before_move(after: Cells, event: Event) -> Cells:
    picture = list(after)
    for _, stop in event.pairs:
        picture[stop] = _placed(CellView("empty"), after[stop])
    joined = set(event.cells)
    for source, stop in event.pairs:
        thing = after[stop]
        if stop in joined and thing.exponent is not None:
            thing = replace(thing, exponent=thing.exponent - 1)
        picture[source] = _placed(thing, after[source])
    return tuple(picture)


def _placed(thing: CellView, place: CellView) -> CellView:
    return replace(thing, goal=place.goal, is_marked=place.is_marked)
