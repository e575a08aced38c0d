"""The special rules of each variant must hold after every move, and hidden tiles stay hidden."""

# ruff: noqa: ARG001 - what is special of a variant is told all that happened

from collections.abc import Sequence
from dataclasses import replace

from minigames.board import CRATER, ICE, PORTAL
from minigames.registry import rules_of
from minigames.state import Action, Event, State
from tests.minigames import slow_rules
from tests.minigames.event_checks import Told
from tests.minigames.specified import (
    CRATER_LIFE,
    FOGGY,
    FREEZE,
    MAX_PORTALS,
    OBJECT_GAMES,
    SWAP_PERIOD,
    THINGS,
    TURN_PERIOD,
    mark_of,
    slow_legal,
    thing_of,
)


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
        assert slid < MAX_PORTALS[before.game, before.hard]
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
