"""Random games of every variant, each action of which is checked."""

import json
import random
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from minigames.board import CRATER, FLOOR, ICE, PORTAL
from minigames.records import MinigameRecord
from minigames.registry import rules_of
from minigames.run import MinigameRun, play_again
from minigames.state import Action, State
from minigames.store import Slot, load_slot, slot_bytes, slot_path
from minigames.trophies import trophy
from tests.minigames import slow_rules
from tests.minigames.action_checks import check_action, check_state
from tests.minigames.specified import (
    CRATER_LIFE,
    FREEZE,
    LEVELS,
    MOVES,
    OBJECT_GAMES,
    PORTAL_GAMES,
    SCORED,
    TILE_LEVELS,
    adversary_of,
    reserved,
    slow_legal,
)


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


def kept_and_read(run: MinigameRun, folder: Path) -> MinigameRun:
    """Write a run and read it again (7)."""
    game, hard = run.rules.spec.name, run.rules.hard
    slot = Slot(game, hard, MinigameRecord().with_run(run), run)
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
    run = MinigameRun(game, hard, seed, adversary)
    assert run.state == rules_of(game, hard=hard).start(seed)
    assert (run.state.score, run.state.n_moves, run.log) == (0, 0, [])
    assert sum(tile != 0 for tile in run.state.tiles) == 2
    if is_prepared:
        run.state = prepared(run.state, rng)
    first, record = run.state, MinigameRecord()
    check_state(game, first)
    twin = MinigameRun(game, hard, seed, adversary)
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
            record = MinigameRecord() if run.is_assisted else record
        else:
            check_action(before, action, events, run.state)
            record = check_record(game, run, record)
        if place == saved_at:
            run = kept_and_read(run, folder)
    assert (run.state, run.log) == (twin.state, twin.log)
    if not is_prepared:
        again, _ = play_again(run.replay, adversary)
        assert (again.state, again.log) == (run.state, run.log)
        assert again.is_assisted == run.is_assisted


def check_undo(left: State, run: MinigameRun, n_past: int) -> None:
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


def check_record(game: str, run: MinigameRun, record: MinigameRecord) -> MinigameRecord:
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
