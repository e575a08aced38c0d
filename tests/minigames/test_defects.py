"""The defects of another program's minigames, and that ours has none of them.

Of the 26, those that are missing here are tried where the rule itself is.
Where a defect is one of a window, the part that the rules have in it is tried here, and a remark
says what a test of the window has to see.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from minigames.board import CRATER, FLOOR, ICE
from minigames.parameters import SPAWN_4_PERCENT, GameSpec, Numbers
from minigames.records import MinigameRecord
from minigames.registry import GAMES, rules_of
from minigames.run import MinigameRun
from minigames.state import Action, State
from minigames.store import Slot, load_slot
from minigames.trophies import trophy
from tests.minigames import slow_rules
from tests.minigames.made_states import do, faces, save_slot, state_of
from tests.minigames.specified import fake_adversary
from tests.minigames.variant_checks import with_other_hidden

STUCK = "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2"
# Every cell but one is walled in; I stands for ice here and for craters in AirRaid.
ENCLOSED = "_ I 2 4 / I 8 4 2 / 2 4 2 4 / 4 2 4 2"


def reloaded(run: MinigameRun, folder: Path) -> MinigameRun:
    game, hard = run.rules.spec.name, run.rules.hard
    save_slot(folder, Slot(game, hard, run=run))
    slot = load_slot(folder, game, hard, lambda: datetime.now(timezone.utc), run.adversary)
    assert slot.problem == ""
    assert slot.run is not None
    return slot.run


def run_at(state: State) -> MinigameRun:
    run = MinigameRun(
        state.game, state.hard, 1, fake_adversary if state.game == "tricky_tiles" else None
    )
    run.state = state
    return run


def kinds(events) -> list[str]:
    return [event.kind for event in events]


def test_d01_a_running_clock_is_what_ticks_left_of_it():
    # A window must show 03:00.00 less the time since the first move, and end the run by itself
    # when it reaches zero, without a key.
    rules, state = rules_of("blitzkrieg", hard=False), state_of("blitzkrieg", "2 2 _ _", n_moves=1)
    for passed in (33, 80, 1000, 60_000):
        left = state.number("left_ms")
        state, _ = do(state, f"tick {passed}")
        assert rules.view(state).time_left_ms == left - passed


def test_d02_what_is_over_stays_over(tmp_path):
    run = run_at(state_of("blitzkrieg", "2 2 _ _", n_moves=1, best=10))
    run.do(Action("tick", (170_000,)))
    run = reloaded(run, tmp_path)
    assert run.state.number("left_ms") == 10_000, "no time is given back"
    run.do(Action("tick", (10_000,)))
    run = reloaded(run, tmp_path)
    over, n_log = run.state, len(run.log)
    assert over.over == "time"
    for action in (Action("left"), Action("bomb", (0,)), Action("tick", (5,)), Action("undo")):
        assert run.do(action) == ()
    assert run.state is over
    assert len(run.log) == n_log
    record = MinigameRecord().with_run(run)
    assert record.trophy == 1
    assert record.with_run(run) == record, "a trophy is given once"


@pytest.mark.parametrize("game", ["ice_age", "endless_air_raid"])
def test_d03_a_walled_in_cell_is_no_move(game):
    text = ENCLOSED if game == "ice_age" else ENCLOSED.replace("I", "C")
    state = state_of(game, text)
    assert 0 in [tile for tile, kind in zip(state.tiles, state.terrain, strict=True) if not kind]
    rules = rules_of(game, hard=False)
    assert rules.legal(state) == []
    assert state.over == "stuck"
    after, _ = do(state, "bomb 2")
    assert (after.over, rules.legal(after)) == ("", [0, 2])


def test_d03_the_end_is_told_by_the_move_that_closes_the_last_way():
    # Cell 4 freezes in this move and walls cell 0 in; whatever is new, no move is left.
    text = "_ I 2 4 / 8 4 16 2 / 32 64 128 256 / 8 2 4 _"
    ends = set()
    for seed in range(40):
        state = state_of("ice_age", text, idle=[0] * 4 + [79] + [0] * 11, rng=(seed, 0, 0))
        after, events = do(state, "right")
        assert after.terrain[4] == ICE
        walls = [kind != FLOOR for kind in after.terrain]
        legal = slow_rules.legal(list(after.tiles), walls, 4)
        assert (after.over == "stuck") == (legal == [])
        assert ("over" in kinds(events)) == (legal == [])
        ends.add((after.over, after.tiles[0] == 0))
    assert ends == {("stuck", True), ("", False)}


def test_d05_what_a_tile_carries_goes_with_it():
    for game, name, value in (("mystery_merge_2", "hidden", 1), ("ice_age", "idle", 33)):
        state = state_of(game, "2 4 _ _", **{name: [value] + [0] * 15})
        gloved, _ = do(state, "glove 0 9")
        assert gloved.layer(name) == [0] * 9 + [value] + [0] * 6
        twisted, _ = do(state, "twist 0")
        assert twisted.layer(name) == [0, value] + [0] * 14
        bombed, _ = do(state, "bomb 0")
        assert bombed.layer(name) == [0] * 16
        moved, _ = do(state, "right")
        assert moved.layer(name)[2] == (1 if name == "hidden" else 0)


@pytest.mark.parametrize("game", ["mystery_merge_1", "mystery_merge_2"])
def test_d06_nothing_tells_a_hidden_tile(game):
    # A window must draw a "?" on the tile that a glove has picked up as well.
    rules = rules_of(game, hard=True)
    state = state_of(game, "2 4 _ _ / 8 _ _ 16", True, hidden=[1, 1, 0, 0, 1] + [0] * 11)
    other = with_other_hidden(state)
    assert other.tiles != state.tiles
    assert rules.view(other) == rules.view(state)
    for text in ("glove 0 5", "twist 0", "bomb 4", "down"):
        one, told = do(state, text)
        two, said = do(other, text)
        assert told == said
        if text != "down":
            assert rules.view(one) == rules.view(two)
    for tool in ("bomb", "glove", "twist"):
        assert rules.tool_cells(state, tool) == rules.tool_cells(other, tool)
    assert rules.tool_cells(state, "glove", source=0) == rules.tool_cells(other, "glove", source=0)


def test_d07_one_thing_comes_and_no_portal_on_an_object():
    # Two cells are free, one of them the object's, whose lines have no tile in the move's way.
    state = state_of("endless_hybrid", "B _ _ _ / 2 4 8 _ / 4 8 16 32 / 8 16 32 64", True)
    portals = 0
    for seed in range(1500):
        after, events = do(replace(state, rng=(seed, seed << 20, 0)), "right")
        new = [event for event in events if event.kind in ("spawn", "object")]
        assert len(new) == 1
        assert new[0].cells[0] != after.number("object")
        portals += new[0].what == "portal"
        assert sum(tile != 0 for tile in after.tiles) == 12
    assert portals > 20


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        ("endless_explosions", 0),
        ("endless_factorization", 1),
        ("endless_giftbox", 2),
        ("endless_hybrid", 0),
    ],
)
def test_d08_no_tool_puts_a_tile_on_an_object(game, kind):
    state = state_of(game, "2 B _ _ / 4 _ _ _", kind=kind)
    for text in ("glove 0 1", "twist 0", "twist 1", "bomb 1", "glove 1 2"):
        assert do(state, text)[0] is state, text
    assert do(state, "glove 0 2")[0] is not state


def test_d09_each_run_has_its_own_level():
    # A window must announce a level in a second run too: it compares with the run, not the record.
    spec = GAMES["endless_giftbox"]
    done = replace(state_of("endless_giftbox", "2 _ _ _", kind=2), score=250_000)
    assert trophy(spec, done) == 3
    assert trophy(spec, rules_of("endless_giftbox", hard=False).start(1)) == 0
    assert "level" not in done.own
    goals = rules_of("design_master_2", hard=False)
    assert goals.start(1).number("level") == 0


def test_d10_a_new_run_knows_nothing_of_the_last_one():
    fresh = json.dumps(asdict(rules_of("endless_air_raid", hard=False).start(8)))
    state = state_of("endless_air_raid", "C C X 2 / 4 2 _ _", crater_left=[9, 9] + [0] * 14)
    do(state, "left")
    start = rules_of("endless_air_raid", hard=False).start(8)
    assert json.dumps(asdict(start)) == fresh
    assert start.layer("crater_left") == [0] * 16
    assert start.number("mark") == -1
    # Nor can a state be changed by what is played from it.
    first, _ = do(start, "left")
    first, _ = (first, ()) if first is not start else do(start, "up")
    assert json.dumps(asdict(start)) == fresh


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("column_chaos", {"moves_left": 1}),
        ("ferris_wheel", {"moves_left": 1}),
        ("gravity_twist_1", {}),
        ("endless_air_raid", {"mark": 0}),
    ],
)
def test_d13_a_move_is_whole_when_it_is_made(game, changes, tmp_path):
    text = "_ _ 2 8 / 4 _ _ _ / _ _ 2 4 / 2 4 _ _"
    run = run_at(state_of(game, text, **changes))
    events = run.do(Action("left"))
    kind = {"gravity_twist_1": "fall", "endless_air_raid": "strike"}.get(game, "permute")
    assert kind in kinds(events)
    again = reloaded(run, tmp_path)
    assert again.state == run.state
    assert run.state.own.get("moves_left", 0) in (0, 40)
    if game == "endless_air_raid":
        assert run.state.terrain[0] == CRATER
    legal = rules_of(game, hard=False).legal(run.state)
    assert (run.state.over == "stuck") == (legal == [])
    for action in ("up", "right", "down"):
        run.do(Action(action))
        again.do(Action(action))
    assert again.state == run.state


@pytest.mark.parametrize("game", list(GAMES))
def test_d15_an_illegal_key_changes_nothing(game):
    state = state_of(game, "2 _ _ _ / 4 _ _ _ / 2 _ _ _ / 4 _ _ _", n_moves=1)
    if "hidden" in state.own:
        state = replace(state, own={**state.own, "hidden": [0, 0, 0, 0, 1] + [0] * 11})
    before = json.dumps(asdict(state))
    run = run_at(state)
    for name in ("left", "up", "down"):
        assert run.do(Action(name)) == ()
        assert run.state is state
    assert json.dumps(asdict(state)) == before
    assert run.log == []
    assert not run.can_undo


def test_d16_the_share_of_fours_is_no_setting(project_root):
    # How often they come is tried in test_frequencies.py.
    assert SPAWN_4_PERCENT == 10
    assert not [field.name for field in (*fields(Numbers), *fields(GameSpec)) if "4" in field.name]
    for path in (project_root / "minigames").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^(from|import) .*settings", text, re.M), path


def test_d19_each_game_has_a_small_file_that_is_data(tmp_path):
    run = run_at(state_of("ice_age", "2 _ _ _"))
    for _ in range(200):
        for name in ("left", "up", "right"):
            run.do(Action(name))
    save_slot(tmp_path, Slot("ice_age", False, run=run))
    (path,) = tmp_path.iterdir()
    assert path.name == "ice_age-normal.json"
    assert path.stat().st_size < 20_000
    json.loads(path.read_bytes())


def test_d20_each_trophy_has_a_name_and_no_file():
    # A window draws trophies itself; its test must see four pictures that differ.
    from minigames.trophies import TROPHIES

    assert TROPHIES == ("", "bronze", "silver", "gold", "grand")


def test_d21_events_have_no_words_of_a_language():
    # Words belong to the window: what the rules tell are names.
    for game in GAMES:
        run = MinigameRun(game, True, 2, fake_adversary)
        for step in range(60):
            for event in run.do(Action(("left", "up", "right", "down")[step % 4])):
                assert re.fullmatch(r"[a-z_]*", event.what), event
                assert re.fullmatch(r"[a-z_]+", event.kind)


@pytest.mark.parametrize(
    ("game", "kind", "name"),
    [
        ("endless_explosions", 0, "bomb"),
        ("endless_factorization", 1, "factorizer"),
        ("endless_giftbox", 2, "gift"),
        ("endless_hybrid", 1, "factorizer"),
    ],
)
def test_d22_an_object_is_seen_for_what_it_is(game, kind, name):
    # A window must draw each of the three in a way of its own, the factorizer with its sign.
    state = state_of(game, "2 B _ _", kind=kind)
    cells = rules_of(game, hard=False).view(state).cells
    assert [cell.object for cell in cells] == ["", name, *[""] * 14]
    assert cells[1].face == "empty"


def test_d23_the_share_of_the_adversary_does_not_change(tmp_path):
    n_asked: list[int] = []
    for share in (33, 43):
        asked = []

        def adversary(image: Sequence[int], asked: list = asked) -> tuple[int, int]:
            asked.append(1)
            return fake_adversary(image)

        run = MinigameRun("tricky_tiles", share == 43, 6, adversary)
        twin = MinigameRun("tricky_tiles", share == 43, 6, fake_adversary)
        for step in range(120):
            action = Action(("left", "down", "right", "up")[step % 4])
            run.do(action)
            twin.do(action)
            if step % 10 == 0:
                run = reloaded(run, tmp_path)
        assert run.state == twin.state, "to open a run again is no way to a better one"
        assert "share" not in run.state.own
        n_asked.append(len(asked))
    assert n_asked[0] > 0


def test_d24_points_of_the_fall_count_in_the_move():
    # 64 + 64 in the slide; 128s fall together: 128 + 256 points win a tool, 128 would not.
    state = state_of(
        "gravity_twist_2", "_ _ _ _ / _ _ 64 64 / _ _ _ 128 / _ _ _ 2", tools=(0, 0, 0)
    )
    won = 0
    for seed in range(60):
        after, events = do(replace(state, rng=(seed, 0, seed)), "right")
        assert next(event.amount for event in events if event.kind == "slide") == 128
        assert after.score >= 128 + 256
        won += kinds(events).count("award")
    assert won > 0


def test_d25_after_the_last_level_nothing_is_asked_for():
    for game in ("design_master_1", "design_master_2", "design_master_3", "design_master_4"):
        for hard in (False, True):
            rules = rules_of(game, hard=hard)
            last = state_of(game, "2 _ _ _", hard, level=14)
            assert rules.goal(last) is None
            view = rules.view(last)
            assert view.goal_level is None
            assert not [cell for cell in view.cells if cell.goal is not None]
            before = rules.view(state_of(game, "2 _ _ _", hard, level=13))
            assert before.goal_level == 14
    view = rules_of("design_master_2", hard=False).view(state_of("design_master_2", "256 2 _ _"))
    assert [cell.meets_goal for cell in view.cells[:6]] == [True, False, False, False, False, False]


def test_d26_ties_are_drawn_to_no_corner():
    # An adversary that always takes the first empty cell: the images spread it over the board.
    cells = set()
    for seed in range(400):
        state = state_of("tricky_tiles", "2 4 _ _", rng=(seed, seed << 24, 0))
        after, events = do(state, "right", lambda image: (list(image).index(0), 7))
        (spawn,) = [event for event in events if event.kind == "spawn"]
        if after.tiles[spawn.cells[0]] == 7:
            cells.add(spawn.cells[0])
    assert {0, 12, 15} <= cells
    assert faces(state_of("tricky_tiles", "2 4 _ _")).startswith("2 4")
