"""What must hold after every action of every variant, and random games that try it.

The figures are those of the specification, written down again: nothing is asked of `parameters`.
"""

# ruff: noqa: ARG001 - what is special of a variant is told all that happened

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path

from minigames.board import CRATER, FLOOR, HOLE, ICE, INERT, PORTAL
from minigames.records import Record
from minigames.registry import rules_of
from minigames.run import Run, play_again
from minigames.state import EVENTS, Action, Event, State
from minigames.store import Slot, load_slot, slot_bytes, slot_path
from minigames.trophies import trophy
from tests.minigames import slow_rules

GAMES = [
    "blitzkrieg",
    "design_master_1",
    "design_master_2",
    "design_master_3",
    "design_master_4",
    "column_chaos",
    "mystery_merge_1",
    "mystery_merge_2",
    "gravity_twist_1",
    "gravity_twist_2",
    "ferris_wheel",
    "ice_age",
    "isolated_island",
    "shape_shifter",
    "tricky_tiles",
    "endless_factorization",
    "endless_explosions",
    "endless_giftbox",
    "endless_hybrid",
    "endless_air_raid",
]
OBJECT_GAMES = {
    "endless_explosions": (0,),
    "endless_factorization": (1,),
    "endless_giftbox": (2,),
    "endless_hybrid": (0, 1, 2),
}
PORTAL_GAMES = ("isolated_island", "endless_hybrid")
FOGGY = ("mystery_merge_1", "mystery_merge_2")
SCORED = (*OBJECT_GAMES, "endless_air_raid")
THINGS = ("bomb", "factorizer", "gift")
MOVES = ("left", "right", "up", "down")
SWAP_PERIOD = {False: 40, True: 30}
TURN_PERIOD = 20
FREEZE = {False: 80, True: 60}
CRATER_LIFE = {False: 60, True: 100}
MOST_PORTALS = {
    ("isolated_island", False): 2,
    ("isolated_island", True): 3,
    ("endless_hybrid", False): 2,
    ("endless_hybrid", True): 3,
}
RECTANGLE = {False: range(8, 14), True: range(6, 12)}
TILE_LEVELS = (1024, 2048, 4096, 8192)
LEVELS = {
    **{f"design_master_{i}": (256, 512, 1024, 2048) for i in (1, 2, 3, 4)},
    **dict.fromkeys(SCORED, (40_000, 100_000, 200_000, 300_000)),
    "endless_hybrid": (20_000, 50_000, 100_000, 150_000),
}


def fake_adversary(image: Sequence[int]) -> tuple[int, int]:
    """Answer any board somehow, the same one always the same."""
    empty = [cell for cell, tile in enumerate(image) if tile == 0]
    weight = sum(place * tile for place, tile in enumerate(image, start=1))
    return empty[weight % len(empty)], 1 + weight % 2


def adversary_of(game: str):
    return fake_adversary if game == "tricky_tiles" else None


def walls_of(state: State) -> list[bool]:
    return [kind != FLOOR for kind in state.terrain]


def thing_of(state: State) -> int:
    return state.number("object") if "object" in state.own else -1


def mark_of(state: State) -> int:
    return state.number("mark") if "mark" in state.own else -1


def reserved(state: State) -> set[int]:
    return {cell for cell in (thing_of(state), mark_of(state)) if cell >= 0}


def slow_legal(state: State) -> list[int]:
    return list(legal_of(state.tiles, state.terrain, state.n_columns, thing_of(state)))


@lru_cache(maxsize=4)
def legal_of(
    tiles: tuple[int, ...], terrain: tuple[int, ...], n_columns: int, thing: int
) -> list[int]:
    return slow_rules.legal(list(tiles), [kind != FLOOR for kind in terrain], n_columns, thing)


def block_of(state: State, cell: int) -> list[int] | None:
    """The four cells of a twist, clockwise."""
    row, column = divmod(cell, state.n_columns)
    if row + 1 >= state.n_rows or column + 1 >= state.n_columns:
        return None
    below = cell + state.n_columns
    return [cell, cell + 1, below + 1, below]


# One action ---------------------------------------------------------------------------------------


def check_state(game: str, state: State) -> None:
    """What holds at any moment (invariants 2 and 3)."""
    rules = rules_of(game, hard=state.hard)
    directions = slow_legal(state)
    assert rules.legal(state) == directions
    if state.over != "time":
        assert (state.over == "stuck") == (directions == [])
    for cell, (tile, kind) in enumerate(zip(state.tiles, state.terrain, strict=True)):
        assert tile == 0 or kind == FLOOR, f"a tile on terrain {kind} at {cell}"
        assert tile >= 0 or (tile == PORTAL and game in PORTAL_GAMES)
        assert kind == FLOOR or (game, kind) in (
            ("ice_age", ICE),
            ("endless_air_raid", CRATER),
            ("shape_shifter", HOLE),
        )
    for cell in reserved(state):
        assert state.tiles[cell] == 0
        assert state.terrain[cell] == FLOOR
    assert len(reserved(state)) == (thing_of(state) >= 0) + (mark_of(state) >= 0)
    assert all(count >= 0 for count in state.tools)
    assert state.newest == -1 or state.tiles[state.newest] != 0
    assert state.best >= max(state.tiles)
    assert all(0 <= stream < 1 << 64 for stream in state.rng)


@dataclass
class Told:
    """A board that knows of a turn only what its events say."""

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
    """Find what a new tile is: where it went afterwards, and before it merged there."""
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


def check_action(before: State, action: Action, events: Sequence[Event], after: State) -> None:
    """What holds of any action that is no undo."""
    game = before.game
    if after is before:
        assert events == ()
        if action.kind in MOVES and not before.over:
            assert MOVES.index(action.kind) not in slow_legal(before)
        if action.kind in ("bomb", "glove", "twist"):
            assert not may_use(before, action)
        return
    check_state(game, after)
    kinds = [event.kind for event in events]
    told = explain(before, action, events, after)
    if action.kind in MOVES:
        assert not before.over
        assert MOVES.index(action.kind) in slow_legal(before)
        check_move(before, events, after, told)
    else:
        assert after.rng == before.rng
        assert ("tool" in kinds) == (action.kind in ("bomb", "glove", "twist"))
        if "tool" in kinds:
            check_tool(before, action, events, after)
    if action.kind == "tick":
        assert {**after.own, "left_ms": 0, "used_ms": 0} == {
            **before.own,
            "left_ms": 0,
            "used_ms": 0,
        }
        assert before.n_moves > 0
        passed = action.numbers[0]
        assert after.number("left_ms") == max(0, before.number("left_ms") - passed)
        assert (after.over == "time") == (after.number("left_ms") == 0)
    assert kinds.count("over") == (after.over not in ("", before.over))
    check_hidden(before, action, events, after)


def check_move(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    kinds = [event.kind for event in events]
    assert kinds.count("slide") == 1
    assert kinds.count("award") <= (300 <= told.gain < 1024)
    won = [event.what for event in events if event.kind == "award"]
    for name, old, new in zip(("bomb", "glove", "twist"), before.tools, after.tools, strict=True):
        assert new == old + won.count(name)
    CHECKS.get(before.game, nothing_more)(before, events, after, told)


def may_use(state: State, action: Action) -> bool:
    """Tell whether a tool may be used, as section 1.4 says."""
    place = ("bomb", "glove", "twist").index(action.kind)
    cells, taken = list(action.numbers), reserved(state)
    if state.over == "time" or not state.tools[place]:
        return False
    if any(cell >= len(state.tiles) for cell in cells):
        return False
    if action.kind == "bomb":
        return state.tiles[cells[0]] > 0
    if action.kind == "glove":
        source, stop = cells
        is_free = state.tiles[stop] == 0 and state.terrain[stop] == FLOOR and stop not in taken
        return state.tiles[source] > 0 and is_free
    four = block_of(state, cells[0])
    if four is None or not any(state.tiles[cell] for cell in four):
        return False
    return all(state.terrain[cell] == FLOOR and cell not in taken for cell in four)


def check_tool(before: State, action: Action, events: Sequence[Event], after: State) -> None:
    """A tool costs one of its kind, and what tiles carry goes with them (10)."""
    assert may_use(before, action)
    place = ("bomb", "glove", "twist").index(action.kind)
    for one in range(3):
        assert after.tools[one] == before.tools[one] - (one == place)
    assert (after.score, after.best, after.n_moves) == (before.score, before.best, before.n_moves)
    goes = {cell: cell for cell in range(len(before.tiles))}
    if action.kind == "glove":
        source, stop = action.numbers
        goes[source], goes[stop] = stop, source
    elif action.kind == "twist":
        four = block_of(before, action.numbers[0])
        goes |= dict(zip(four, [four[1], four[2], four[3], four[0]], strict=True))
    removed = action.numbers[0] if action.kind == "bomb" else -1
    layers = [(before.tiles, after.tiles)]
    layers += [(before.own[one], after.own[one]) for one in ("hidden", "idle") if one in before.own]
    for old, new in layers:
        for source, stop in goes.items():
            assert new[stop] == (0 if source == removed else old[source])
    newest = goes.get(before.newest, -1)
    assert after.newest == (-1 if newest == removed else newest)
    kept = {name for name in before.own if name not in ("hidden", "idle", "level")}
    assert all(before.own[name] == after.own[name] for name in kept)
    if "level" in before.own:
        check_level(before, events, after)


# Each variant -------------------------------------------------------------------------------------


def nothing_more(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    assert after.own == before.own
    assert after.terrain == before.terrain


def clock(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    first, step = (20_000, 10_000) if before.hard else (30_000, 15_000)
    bonus = sum(first + (e - 9) * step for e in told.slid.made.values() if e >= 9)
    assert after.number("left_ms") == before.number("left_ms") + bonus
    assert after.number("used_ms") == before.number("used_ms")
    assert sum(event.amount for event in events if event.kind == "bonus") == bonus


def check_level(before: State, events: Sequence[Event], after: State) -> None:
    reached = slow_rules.level_reached(before.game, list(after.tiles), before.hard)
    level, had = after.number("level"), before.number("level")
    assert (1 << level if level else 0) == max(reached, 1 << had if had else 0)
    assert [event.amount for event in events if event.kind == "level"] == [level] * (level > had)


def goals(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    check_level(before, events, after)


def countdown(before: State, events: Sequence[Event], after: State, period: int) -> bool:
    left = before.number("moves_left")
    assert 1 <= left <= period
    assert after.number("moves_left") == (left - 1 or period)
    return left == 1


def columns(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    swaps = [event for event in events if event.kind == "permute"]
    assert len(swaps) == countdown(before, events, after, SWAP_PERIOD[before.hard])
    for swap in swaps:
        pairs = {(source % 4, stop % 4) for source, stop in swap.pairs}
        ((a, b), (c, d)) = sorted(pairs)
        assert (a, b) == (d, c)
        assert a != b
        assert all(source // 4 == stop // 4 for source, stop in swap.pairs)
        assert len(swap.pairs) == 8


def wheel(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    turns = [event for event in events if event.kind == "permute"]
    assert len(turns) == countdown(before, events, after, SWAP_PERIOD[before.hard])
    for turn in turns:
        assert set(turn.pairs) == set(
            zip(slow_rules.RING, slow_rules.RING[1:] + slow_rules.RING[:1], strict=True)
        )


def fog_1(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    seen = {after.newest, *told.slid.made}
    hidden = [int(tile > 0 and cell not in seen) for cell, tile in enumerate(after.tiles)]
    assert after.layer("hidden") == hidden
    assert after.newest == next(event.cells[0] for event in events if event.kind == "spawn")
    assert after.number("peeks") == before.number("peeks")


def fog_2(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    hidden = [0] * 16
    for source, stop in told.slid.pairs:
        if stop not in told.slid.made:
            hidden[stop] = before.layer("hidden")[source]
    for event in events:
        if event.kind == "spawn":
            hidden[event.cells[0]] = 1
    assert after.layer("hidden") == hidden
    assert all(after.tiles[cell] > 0 for cell in range(16) if hidden[cell])
    assert after.number("peeks") == before.number("peeks")


def gravity(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    points_to = before.number("gravity")
    clockwise = {0: 2, 2: 1, 1: 3, 3: 0}
    if before.hard and countdown(before, events, after, TURN_PERIOD):
        points_to = clockwise[points_to]
    assert after.number("gravity") == points_to
    if not before.hard:
        assert points_to == 3
        assert after.own == before.own
    packed = slow_rules.slide(list(after.tiles), [False] * 16, 4, points_to, False)
    assert packed.tiles == list(after.tiles)
    if before.game == "gravity_twist_1":
        assert after.score - before.score == told.slid.gain


def ice(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    limit, idle = FREEZE[before.hard], [0] * 16
    frozen = list(before.layer("frozen"))
    for source, stop in told.slid.pairs:
        if source == stop and stop not in told.slid.made:
            idle[stop] = before.layer("idle")[source] + 1
    for cell in range(16):
        if idle[cell] >= limit:
            frozen[cell], idle[cell] = before.tiles[cell], 0
    assert after.layer("idle") == idle
    assert after.layer("frozen") == frozen
    assert [kind == ICE for kind in after.terrain] == [tile > 0 for tile in frozen]


def portals(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    slid = told.slid.tiles.count(PORTAL)
    came = [event for event in events if event.kind == "spawn" and event.what == "portal"]
    assert slid <= before.tiles.count(PORTAL)
    if came:
        assert slid < MOST_PORTALS[before.game, before.hard]
    hit = any(event.kind == "gone" for event in events)
    if before.game == "isolated_island":
        assert after.own == before.own
        assert after.tiles.count(PORTAL) == slid + len(came)
        assert not hit


def objects(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    kinds = OBJECT_GAMES[before.game]
    assert after.number("kind") in kinds
    came = [event.what for event in events if event.kind == "object"]
    if thing_of(before) >= 0:
        assert after.over == "" or thing_of(after) < 0
        assert all(
            event.what == THINGS[before.number("kind")]
            for event in events[:1]
            if event.kind == "hit"
        )
    if came:
        assert came == [THINGS[after.number("kind")]]
    else:
        assert after.number("kind") == before.number("kind")
    if before.game == "endless_hybrid":
        portals(before, events, after, told)


def air_raid(before: State, events: Sequence[Event], after: State, told: Told) -> None:
    life, left = CRATER_LIFE[before.hard], after.layer("crater_left")
    struck = [event.cells[0] for event in events if event.kind == "strike" and event.amount]
    for cell in range(16):
        if cell in struck:
            assert left[cell] == life
        else:
            assert left[cell] == max(0, before.layer("crater_left")[cell] - 1)
        assert (left[cell] > 0) == (after.terrain[cell] == CRATER)
    marks = [event.cells[0] for event in events if event.kind == "mark"]
    strikes = [event.cells[0] for event in events if event.kind == "strike"]
    assert strikes == [mark_of(before)] * (mark_of(before) >= 0)
    assert marks == [mark_of(after)] * (mark_of(after) >= 0)
    assert not (struck and marks)


CHECKS = {
    "blitzkrieg": clock,
    **{f"design_master_{i}": goals for i in (1, 2, 3, 4)},
    "column_chaos": columns,
    "ferris_wheel": wheel,
    "mystery_merge_1": fog_1,
    "mystery_merge_2": fog_2,
    "gravity_twist_1": gravity,
    "gravity_twist_2": gravity,
    "ice_age": ice,
    "isolated_island": portals,
    **dict.fromkeys(OBJECT_GAMES, objects),
    "endless_air_raid": air_raid,
}


# What is hidden (13) ------------------------------------------------------------------------------


def with_other_hidden(state: State) -> State:
    """The same to a person, with other tiles under the cover."""
    hidden = state.layer("hidden")
    tiles = tuple(tile % 11 + 1 if h else tile for tile, h in zip(state.tiles, hidden, strict=True))
    return replace(state, tiles=tiles)


def check_hidden(before: State, action: Action, events: Sequence[Event], after: State) -> None:
    rules = rules_of(after.game, hard=after.hard)
    view = rules.view(after)
    assert after.over or rules.legal(after) == slow_legal(after)
    if after.game not in FOGGY:
        return
    assert [cell.face == "hidden" for cell in view.cells] == [
        bool(hidden) and not after.over for hidden in after.layer("hidden")
    ]
    assert all(cell.exponent is None for cell in view.cells if cell.face == "hidden")
    assert all(
        cell.exponent == tile
        for cell, tile in zip(view.cells, after.tiles, strict=True)
        if cell.face == "number"
    )
    if not after.over:
        assert rules.view(with_other_hidden(after)).cells == view.cells
    if action.kind in ("bomb", "glove", "twist") and not (before.over or after.over):
        other = with_other_hidden(before)
        _, told = rules.play(other, action)
        assert [event for event in told if event.kind != "over"] == list(events)


# Whole games --------------------------------------------------------------------------------------


def prepared(start: State, rng: random.Random) -> State:
    """Return the middle of some game, with everything close to happening."""
    game, hard, n = start.game, start.hard, len(start.tiles)
    terrain, own = list(start.terrain), dict(start.own)
    most, fill = rng.choice([2, 4, 10, 13]), rng.choice([0.3, 0.6, 0.9, 1.0])
    kinds = list(range(1, most + 1)) + [PORTAL] * (game in PORTAL_GAMES)
    walls = {"ice_age": ICE, "endless_air_raid": CRATER}
    if game in walls:
        terrain = [walls[game] if rng.random() < 0.2 else FLOOR for _ in range(n)]
        terrain[rng.randrange(n)] = FLOOR
    floor = [cell for cell in range(n) if terrain[cell] == FLOOR]
    tiles = [rng.choice(kinds) if c in floor and rng.random() < fill else 0 for c in range(n)]
    spare = rng.choice(floor)
    if "object" in own:
        own["object"], own["kind"] = rng.choice([-1, spare, spare]), rng.choice(OBJECT_GAMES[game])
    if "mark" in own:
        own["mark"] = rng.choice([-1, spare])
        life = CRATER_LIFE[hard]
        own["crater_left"] = [rng.choice([1, 2, life]) if kind == CRATER else 0 for kind in terrain]
    if spare in reserved(replace(start, own=own)):
        tiles[spare] = 0
    if not any(tile > 0 for tile in tiles):
        other = [cell for cell in floor if cell != spare]
        tiles[other[0] if other else spare] = 1
        own |= {"object": -1} if "object" in own and not other else {}
        own |= {"mark": -1} if "mark" in own and not other else {}
    if "hidden" in own:
        own["hidden"] = [int(tile > 0 and rng.random() < 0.6) for tile in tiles]
        own["peeks"] = rng.randrange(4)
    if "idle" in own:
        close = FREEZE[hard] - 1
        own["idle"] = [rng.choice([0, 1, close - 1, close]) if tile else 0 for tile in tiles]
        own["frozen"] = [rng.randint(1, 9) if kind == ICE else 0 for kind in terrain]
    if own.get("moves_left"):
        own["moves_left"] = rng.choice([1, 2, 3])
    if "gravity" in own and hard:
        own["gravity"] = rng.randrange(4)
    if "level" in own:
        own["level"] = rng.choice([0, 8, 9, 13, 14])
        if rng.random() < 0.5:
            for cell, face in slow_rules.pattern(game, 256 << rng.randrange(7), hard).items():
                tiles[cell] = face.bit_length() - 1
    if "left_ms" in own:
        own["left_ms"] = rng.choice([1, 500, 180_000])
    has = [cell for cell in range(n) if tiles[cell]]
    state = replace(
        start,
        tiles=tuple(tiles),
        terrain=tuple(terrain),
        own=own,
        score=rng.choice([0, 9_990, 39_000]),
        n_moves=rng.choice([0, 1, 100]),
        best=max(tiles),
        newest=rng.choice([-1, rng.choice(has)]),
        tools=tuple(rng.randrange(4) for _ in range(3)),
    )
    return replace(state, over="" if slow_legal(state) else "stuck")


def random_action(state: State, rng: random.Random) -> Action:
    n = len(state.tiles)
    kind = rng.choices(
        ["move", "bomb", "glove", "twist", "peek", "tick", "undo"], [70, 5, 7, 7, 3, 4, 4]
    )[0]
    if kind == "move":
        return Action(rng.choice(MOVES))
    count = {"bomb": 1, "glove": 2, "twist": 1}.get(kind, 0)
    numbers = tuple(rng.randrange(n + (rng.random() < 0.05)) for _ in range(count))
    return Action(kind, (rng.choice([0, 1, 400, 90_000]),) if kind == "tick" else numbers)


def kept_and_read(run: Run, folder: Path) -> Run:
    """Write a run and read it again (7)."""
    game, hard = run.rules.spec.name, run.rules.hard
    slot = Slot(game, hard, Record().with_run(run), run)
    raw = slot_bytes(slot)
    json.loads(raw)
    slot_path(folder, game, hard).write_bytes(raw)
    read = load_slot(
        folder, game, hard, lambda: datetime(2026, 1, 1, tzinfo=timezone.utc), run.adversary
    )
    assert read.problem == ""
    assert read.record == slot.record
    again = read.run
    assert again is not None
    assert (again.state, again.log, again.seed) == (run.state, run.log, run.seed)
    assert (again.is_assisted, again.day) == (run.is_assisted, run.day)
    assert list(again.past) == list(run.past)[-10:]
    return again


def play_random(
    game: str, hard: bool, seed: int, n_actions: int, is_prepared: bool, folder: Path
) -> None:
    """Play a random game and check everything after each action."""
    rng, adversary = random.Random(seed), adversary_of(game)
    run = Run(game, hard, seed, adversary)
    assert run.state == rules_of(game, hard=hard).start(seed)
    assert (run.state.score, run.state.n_moves, run.log) == (0, 0, [])
    assert sum(tile != 0 for tile in run.state.tiles) == 2
    if is_prepared:
        run.state = prepared(run.state, rng)
    first, record = run.state, Record()
    check_state(game, first)
    twin = Run(game, hard, seed, adversary)
    twin.state = first
    saved_at = rng.randrange(n_actions)
    for place in range(n_actions):
        before, n_past = run.state, len(run.past)
        action = random_action(before, rng)
        frozen_before = json.dumps(before.own), before.tiles
        events = run.do(action)
        twin.do(action)
        assert (json.dumps(before.own), before.tiles) == frozen_before, "a state was changed"
        if action.kind == "undo":
            assert run.is_assisted or run.state is before
            check_state(game, run.state)
            check_undo(before, run, n_past)
            record = Record() if run.is_assisted else record
        else:
            check_action(before, action, events, run.state)
            record = check_record(game, run, record)
        if place == saved_at:
            run = kept_and_read(run, folder)
    assert (run.state, run.log) == (twin.state, twin.log)
    if not is_prepared:
        again = play_again(run.replay, adversary)
        assert (again.state, again.log) == (run.state, run.log)
        assert again.is_assisted == run.is_assisted


def check_undo(left: State, run: Run, n_past: int) -> None:
    if run.state is left:
        return
    assert len(run.past) == n_past - 1
    assert left.over != "time"
    assert left.n_moves - run.state.n_moves in (0, 1)
    if "peeks" in left.own:
        assert run.state.number("peeks") == left.number("peeks")
    if "left_ms" in left.own:
        assert run.state.number("left_ms") > 0
        assert run.state.number("used_ms") == left.number("used_ms")


def check_record(game: str, run: Run, record: Record) -> Record:
    """Best ones and trophies never fall (4); trophies are as section 1.5 says."""
    state, spec = run.state, run.rules.spec
    now = record.with_run(run)
    if run.is_assisted:
        assert now == record
        return now
    assert now.best_score == max(record.best_score, state.score)
    assert now.best >= max(record.best, *state.tiles, 0)
    assert now.trophy >= record.trophy
    if game in SCORED:
        value = state.score
    elif game.startswith("design_master"):
        value = 1 << state.number("level") if state.number("level") else 0
    else:
        value = 1 << state.best
    earned = sum(value >= level for level in LEVELS.get(game, TILE_LEVELS))
    if game == "blitzkrieg" and not state.over:
        earned = 0
    assert trophy(spec, state) == earned
    assert now.trophy == max(record.trophy, earned)
    return now
