"""The conditions at any moment, and after every action of every variant."""

from collections.abc import Sequence

from minigames.board import CRATER, FLOOR, HOLE, ICE, PORTAL
from minigames.registry import rules_of
from minigames.state import Action, Event, State
from tests.minigames.event_checks import Told, explain
from tests.minigames.specified import (
    MOVES,
    PORTAL_GAMES,
    block_of,
    mark_of,
    reserved,
    slow_legal,
    thing_of,
)
from tests.minigames.variant_checks import CHECKS, check_hidden, check_level, nothing_more


def check_state(game: str, state: State) -> None:
    """Check the conditions at any moment (invariants 2 and 3)."""
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


def check_action(before: State, action: Action, events: Sequence[Event], after: State) -> None:
    """Check the conditions after any action except undo."""
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
    """Return whether a tool may be used, as section 1.4 says."""
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
