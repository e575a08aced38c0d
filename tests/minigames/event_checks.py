"""The events of a turn must lead from the board before it to the one after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from minigames.board import CRATER, FLOOR, ICE, INERT, PORTAL
from minigames.state import EVENTS, Action, Event, State
from tests.minigames import slow_rules
from tests.minigames.specified import MOVES, mark_of, thing_of


@dataclass
class Told:
    """A board that follows a turn by its events alone."""

    tiles: list[int]
    terrain: list[int]
    thing: int
    mark: int
    gain: int = 0
    n_new: int = 0
    slid: slow_rules.Slid | None = None
    split: int = 0  # what a factorizer or a gift changes
    had_room: bool | None = None

    def is_free(self, cell: int) -> bool:
        taken = self.tiles[cell] or self.terrain[cell] != FLOOR or cell in (self.thing, self.mark)
        return not taken

    def n_free(self) -> int:
        return sum(map(self.is_free, range(len(self.tiles))))


def new_tile(events: Sequence[Event], place: int, after: State) -> int:
    """Return the exponent of a new tile: from where it went afterwards, before it merged there."""
    (cell,), is_merged = events[place].cells, False
    for event in events[place + 1 :]:
        if event.kind in ("fall", "permute"):
            cell = dict(event.pairs).get(cell, cell)
            is_merged = event.kind == "fall" and cell in event.cells
    return after.tiles[cell] - is_merged


def explain(before: State, action: Action, events: Sequence[Event], after: State) -> Told:
    """Follow the events from one state to the next; nothing else may have changed (4, 5, 6, 8)."""
    told = Told(list(before.tiles), list(before.terrain), thing_of(before), mark_of(before))
    n_columns = before.n_columns
    is_move = action.kind in MOVES
    direction = MOVES.index(action.kind) if is_move else -1
    for place, event in enumerate(events):
        assert event.kind in EVENTS
        if event.kind in ("spawn", "object"):
            told.had_room = told.n_free() > 0
            told.n_new += 1
            (cell,) = event.cells
            assert told.is_free(cell), "something new came where something was"
            if event.kind == "object":
                told.thing = cell
            elif event.what == "portal":
                told.tiles[cell] = PORTAL
            else:
                told.tiles[cell] = new_tile(events, place, after)
                assert told.tiles[cell] in (1, 2)
        elif event.kind == "slide":
            assert is_move
            told.slid = follow_slide(told, event, n_columns, direction, merges=True)
        elif event.kind == "fall":
            points_to = after.number("gravity")
            follow_slide(told, event, n_columns, points_to, merges=before.game == "gravity_twist_2")
        elif event.kind in ("hit", "object_moved"):
            follow_thing(told, event, n_columns, direction)
        else:
            follow_other(told, event, before, after)
    assert told.tiles == list(after.tiles)
    assert told.terrain == list(after.terrain)
    assert (told.thing, told.mark) == (thing_of(after), mark_of(after))
    assert after.score == before.score + told.gain
    assert after.n_moves == before.n_moves + is_move
    if is_move:
        assert told.slid is not None
        had_room = told.n_free() > 0 if told.had_room is None else told.had_room
        assert told.n_new == had_room, "exactly one new thing where there is room"
    else:
        assert told.n_new == 0
    return told


def follow_slide(
    told: Told, event: Event, n_columns: int, direction: int, *, merges: bool
) -> slow_rules.Slid:
    walls = [kind != FLOOR for kind in told.terrain]
    slid = slow_rules.slide(told.tiles, walls, n_columns, direction, merges)
    assert set(event.pairs) == slid.pairs
    assert len(event.pairs) == len(slid.pairs)
    assert list(event.cells) == sorted(slid.joined)
    assert event.amount == slid.gain
    told.tiles, told.gain = list(slid.tiles), told.gain + slid.gain
    return slid


def follow_thing(told: Told, event: Event, n_columns: int, direction: int) -> None:
    cell, other = event.cells
    assert cell == told.thing
    hit = slow_rules.met(told.tiles, n_columns, cell, direction)
    if event.kind == "object_moved":
        assert hit == -1
        assert other == slow_rules.edge(len(told.tiles), n_columns, cell, direction) != cell
        told.thing = other
        return
    assert other == hit >= 0
    told.thing = -1
    tile = told.tiles[hit]
    if event.what == "bomb" or (event.what == "factorizer" and tile == PORTAL):
        return  # told to be gone next
    told.split, told.tiles[hit] = max(tile, 0), INERT
    if event.what == "factorizer" and tile > 1:
        told.tiles[cell] = INERT


def follow_other(told: Told, event: Event, before: State, after: State) -> None:
    kind, cells = event.kind, event.cells
    if kind == "permute":
        sources, stops = zip(*event.pairs, strict=True)
        assert sorted(sources) == sorted(stops)
        assert len(set(sources)) == len(sources)
        old = list(told.tiles)
        for source, stop in event.pairs:
            assert told.terrain[source] == told.terrain[stop] == FLOOR
            told.tiles[stop] = old[source]
    elif kind == "gone":
        assert len(cells) == 1
        assert told.tiles[cells[0]] != 0
        if told.tiles[cells[0]] == INERT:
            assert told.split == 1, "only a 2 has no product"
        told.tiles[cells[0]] = 0
    elif kind == "split":
        first, second = cells
        assert [c for c, tile in enumerate(told.tiles) if tile == INERT] == [first, second]
        parts = after.tiles[first], after.tiles[second]
        assert min(parts) >= 1
        assert sum(parts) == told.split
        told.tiles[first], told.tiles[second] = parts
    elif kind == "gift":
        (cell,) = cells
        assert told.tiles[cell] == INERT
        told.tiles[cell] = after.tiles[cell]
        assert told.tiles[cell] in range(2, 11)
        assert told.tiles[cell] != told.split
    elif kind == "freeze":
        for cell in cells:
            assert after.layer("frozen")[cell] == told.tiles[cell] > 0
            told.tiles[cell], told.terrain[cell] = 0, ICE
    elif kind == "thaw":
        for cell in cells:
            assert told.terrain[cell] == CRATER
            told.terrain[cell] = FLOOR
    elif kind == "strike":
        assert cells == (told.mark,)
        assert event.amount == (told.tiles[cells[0]] != 0)
        told.mark = -1
        if event.amount:
            told.tiles[cells[0]], told.terrain[cells[0]] = 0, CRATER
    elif kind == "mark":
        assert told.is_free(cells[0])
        told.mark = cells[0]
    elif kind == "tool" and event.what == "bomb":
        assert told.tiles[cells[0]] > 0
        told.tiles[cells[0]] = 0
    else:
        assert kind in ("tool", "award", "over", "bonus", "level", "gravity"), kind
        if kind == "over":
            assert before.over != after.over == event.what
