"""Chained tables against brute force: what follows the target decides what it is worth."""

import json
from dataclasses import replace
from pathlib import Path

import brute_force
import numpy as np
import pytest

from engine.platform.quantities import bytes_text
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import (
    BuildCancelledError,
    BuildRefusedError,
    DamagedTableError,
    FormationError,
    MissingTableError,
)
from tablebase.formation.chain_name import chain_name, first_name
from tablebase.formation.formation import Formation
from tablebase.formation.goal import TileGoal
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.memory import arrays, limits
from tablebase.probe.continuation import chained, chained_to
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store.checked_json import write_checked
from tablebase.store.manifest import Continuation, load_manifest
from tablebase.store.options import TableOptions
from tests.child import assert_refused, json_lines, run
from tests.makers import TableMaker, count_maps
from tests.small_formations import rules_of
from tests.tablebase.chained_rates import any_rate, next_rates

TARGET = 64
FIRST_BOARD = 0x1001_F000_FFFF_FFFF


def _formation(name: str, mask: int, seed: int, symmetry: str = "identity") -> Formation:
    cells = sum(15 << shift for shift in range(0, 64, 4) if not mask >> shift & 15)
    return Formation(name, "others", (mask,), cells, symmetry, (seed,), 12, False)


# Eight, seven and six free cells; each large tile more is in the next one's place.
FIRST = _formation("first", 0x0000_0000_FFFF_FFFF, 0x1000_0000_FFFF_FFFF, "horizontal")
SECOND = _formation("second", 0x0000_F000_FFFF_FFFF, 0x1000_F000_FFFF_FFFF)
THIRD = _formation("third", 0x0000_F00F_FFFF_FFFF, 0x1000_F00F_FFFF_FFFF, "horizontal")


AFTER_SECOND = chained(SECOND, TileGoal(TARGET), THIRD, TileGoal(TARGET))


@pytest.fixture(scope="module")
def solution() -> brute_force.Solution:
    rules = rules_of(THIRD, TARGET)
    rate = any_rate(rules, brute_force.solve(rules))
    return brute_force.solve(rules_of(AFTER_SECOND, TARGET), next_rates(AFTER_SECOND, THIRD, rate))


def _build(folder: Path, formation: Formation, then: Path | None = None, **changes: object) -> Path:
    options = TableOptions(**changes.pop("options", {}))  # type: ignore[arg-type]
    path = folder / f"{formation.name}_{TARGET}"
    build(BuildPlan(formation, TARGET, path, options, then=then, **changes))  # type: ignore[arg-type]
    return path


def _chain(folder: Path, **changes: object) -> Path:
    third = _build(folder, THIRD, **changes)
    return _build(folder, AFTER_SECOND, third, **changes)


def _assert_equal(path: Path, solution: brute_force.Solution, tolerance: float) -> int:
    n = 0
    with Tablebase.open(path) as table:
        for layer, rates in enumerate(solution.rates):
            boards = np.array([*rates], np.uint64)
            found = table.computed_rates(boards)
            expected = np.array([*rates.values()])
            assert np.abs(np.nan_to_num(found) - expected).max(initial=0.0) <= tolerance, layer
            n += boards.size
    return n


@pytest.mark.parametrize(
    "options", [{}, {"rate": "float64", "sparse": 4}, {"rate": "uint16", "spawn4": 0.1}]
)
@pytest.mark.thorough
def test_rates_are_those_of_brute_force(
    tmp_path: Path, solution: brute_force.Solution, options: dict[str, object]
) -> None:
    path = _chain(tmp_path, options=options)
    tolerance = {"float64": 1e-12, "uint16": 2e-4}.get(str(options.get("rate")), 1e-9)
    assert _assert_equal(path, solution, tolerance) > 1000
    report = verify(path, sample=200)
    assert report.ok, report.problems


@pytest.mark.thorough
def test_a_table_continues_in_one_that_continues(
    tmp_path: Path, solution: brute_force.Solution
) -> None:
    second = _chain(tmp_path, options={"rate": "float64"})
    first = chained(FIRST, TileGoal(TARGET), AFTER_SECOND, TileGoal(TARGET))
    rules = replace(rules_of(first, TARGET), extra_steps=0)
    rate = any_rate(rules_of(AFTER_SECOND, TARGET), solution)
    rate_of_reached = next_rates(first, AFTER_SECOND, rate)
    path = _build(tmp_path, replace(first, extra_steps=0), second, options={"rate": "float64"})
    _assert_equal(path, brute_force.solve(rules, rate_of_reached), 1e-12)


@pytest.mark.thorough
def test_bytes_do_not_depend_on_threads_or_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [_chain(tmp_path / "a", threads=1), _chain(tmp_path / "b", threads=3)]
    monkeypatch.setattr(limits, "MIN_BYTES", 0)
    monkeypatch.setattr(arrays, "_ALWAYS_IN_MEMORY", 0)
    monkeypatch.setattr(arrays, "room_in_memory", lambda *_: 0)
    made = count_maps(monkeypatch)
    tables.append(_chain(tmp_path / "c", threads=2, memory_bytes=64 << 20))
    assert len(made) > 100, "its arrays were mapped"
    first, *others = map(_contents, tables)
    assert others == [first, first]


def test_every_lookup_gives_the_chained_rate(
    tmp_path: Path, solution: brute_force.Solution
) -> None:
    """Boards with a move to the target, whose rate is neither 1 nor 0."""
    rules = rules_of(AFTER_SECOND, TARGET)
    moves = brute_force.Moves(rules)
    best = {
        board: max(solution.rates[layer][b] for b in moves(board))
        for layer in range(32, 42)
        for after in solution.rates[layer - 1]
        if brute_force.cells_of(after).count(5) > 1 and not brute_force.has_reached(rules, after)
        for board in brute_force.spawned_boards(after, 1)
        if any(brute_force.has_reached(rules, b) for b in moves(board))
    }
    assert len(best) > 20
    with Tablebase.open(_chain(tmp_path)) as table:
        many = table.many_probes(np.array([*best], np.uint64), comes_up=True)
        for board, rates, expected in zip(best, many.rates, best.values(), strict=True):
            assert np.nanmax(rates) == pytest.approx(expected, abs=1e-9)
            probe = table.probe(board, comes_up=True)
            assert max(rate or 0.0 for rate in probe.rates) == pytest.approx(expected, abs=1e-9)


def test_the_target_counts_only_where_the_next_table_goes_on() -> None:
    assert AFTER_SECOND.target_cells == 0x0000_000F_0000_0000
    assert (AFTER_SECOND.name, AFTER_SECOND.symmetry) == ("secondthenthird", "identity")


@pytest.mark.parametrize(
    ("formation", "target", "after", "after_target"),
    [
        (FIRST, 64, THIRD, 64),  # two large tiles more
        (SECOND, 64, FIRST, 64),  # one fewer
        (SECOND, 64, THIRD, 128),  # the new tile would not be large there
        (FIRST, 64, replace(THIRD, masks=(0xF000_000F_0000_FFFF,)), 64),
    ],
)
def test_formations_that_cannot_follow_are_refused(
    formation: Formation, target: int, after: Formation, after_target: int
) -> None:
    with pytest.raises(FormationError, match="can't continue"):
        chained(formation, TileGoal(target), after, TileGoal(after_target))


def test_a_table_whose_continuation_is_gone_or_another_says_so(tmp_path: Path) -> None:
    path = _chain(tmp_path)
    third = tmp_path / "third_64"
    third.rename(tmp_path / "away")
    with pytest.raises(MissingTableError, match="continues in third_64"):
        Tablebase.open(path)
    _build(tmp_path, THIRD, options={"spawn4": 0.2})
    with pytest.raises(MissingTableError, match="another third_64"):
        Tablebase.open(path)


def test_a_chained_table_is_not_resumed_as_a_plain_one(tmp_path: Path) -> None:
    path = _chain(tmp_path)
    with Tablebase.open(path) as table:
        formation = table.formation
    with pytest.raises(BuildRefusedError, match="then is"):
        build(BuildPlan(formation, TARGET, path))


@pytest.mark.parametrize("options", [{"optimal_only": True}, {"most_equal": 2, "large_from": 16}])
def test_options_that_leave_out_boards_are_refused(
    tmp_path: Path, options: dict[str, object]
) -> None:
    third = _build(tmp_path, THIRD)
    with pytest.raises(BuildRefusedError, match="all boards"):
        _build(tmp_path, AFTER_SECOND, third, options=options)


@pytest.mark.parametrize("changed", [{"sparse": 4, "rate": "uint16"}, {}])
def test_a_converted_table_still_continues(tmp_path: Path, changed: dict[str, object]) -> None:
    path = _chain(tmp_path, options={"rate": "float64"})
    wanted = {"rate": "uint32", **changed}
    convert(ConvertPlan([path], **wanted))  # type: ignore[arg-type]
    _build(tmp_path / "anew", THIRD, options={"rate": "float64"})
    anew = _build(tmp_path / "anew", AFTER_SECOND, tmp_path / "anew" / "third_64", options=wanted)
    assert _contents(path) == _contents(anew)


def test_a_conversion_that_would_leave_out_boards_is_refused(tmp_path: Path) -> None:
    path = _chain(tmp_path)
    before = _contents(path)
    with pytest.raises(BuildRefusedError, match="holds all boards"):
        convert(ConvertPlan([path], optimal_only=True))
    assert _contents(path) == before


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"spawn4": 0.2}, "for games with 0.2 of new tiles as 4s, not 0.1"),
        ({"threshold": 0.01}, "leaves out boards"),
        ({"optimal_only": True}, "leaves out boards"),
        ({"most_equal": 2, "large_from": 16}, "leaves out boards"),
    ],
)
def test_a_next_table_that_cannot_rate_what_is_left_is_refused(
    tmp_path: Path, options: dict[str, object], why: str
) -> None:
    third = _build(tmp_path, THIRD, options=options)
    with pytest.raises(BuildRefusedError, match=why):
        chained_to(SECOND, TileGoal(TARGET), third, 0.1)


def test_commands_tell_what_a_chain_costs(table: TableMaker, tmp_path: Path) -> None:
    after = table("442", 64)
    asked = ("estimate", "4421", 64, "--then", after.name, "--out", after.parent)
    estimated = json_lines(run(*asked, "--json").stdout)[0]
    assert estimated["then"] == after.name
    alone = json_lines(run(*asked[:3], "--json").stdout)[0]
    assert estimated["wall_s"] > 1.2 * alone["wall_s"]
    assert f"with {after.name}, which it needs beside it: " in run(*asked).stdout
    assert_refused(run(*asked, "--optimal-only"), "holds all boards")
    path = _chain(tmp_path)
    n_bytes = sum(load_manifest(folder).bytes for folder in (path, tmp_path / "third_64"))
    told = run("info", path).stdout
    assert f"with third_64, which it needs beside it: {bytes_text(n_bytes)}" in told
    assert "Chained to third_64" in run("probe", path, "--board", f"{FIRST_BOARD:x}").stderr


@pytest.mark.parametrize("first", ["4421", "Lthen3", "then4"])
@pytest.mark.parametrize("after", ["L3", "thenL3", "L" * 30])
def test_the_first_formation_is_known_by_the_name_of_a_chain(first: str, after: str) -> None:
    name = chain_name(first, after)
    assert first_name(name, f"{after}_128") == first
    assert first_name(first, "") == first, "a table that isn't chained"


def test_the_first_formation_is_known_though_the_next_table_is_renamed() -> None:
    assert first_name("4421thenL3", "mine") == first_name("4421thenL3", "my_table") == "4421"


def test_machines_of_a_cluster_build_no_chained_table(tmp_path: Path) -> None:
    plan = BuildPlan(AFTER_SECOND, TARGET, tmp_path / "chain", then=_build(tmp_path, THIRD))
    with pytest.raises(BuildRefusedError, match="built on one machine"):
        build(plan, spread=lambda *_: pytest.fail("not reached"))


def test_a_next_table_of_the_same_game_is_taken(tmp_path: Path) -> None:
    third = _build(tmp_path, THIRD, options={"spawn4": 0.2})
    assert chained_to(SECOND, TileGoal(TARGET), third, 0.2) == AFTER_SECOND


@pytest.mark.sample(1)
@pytest.mark.parametrize("share", [0.8, 0.6, 0.95])
def test_a_build_that_was_stopped_goes_on(tmp_path: Path, share: float) -> None:
    third = _build(tmp_path, THIRD)
    calls: list[int] = []

    def build_until(name: str, n: int = 1 << 30) -> dict[str, bytes]:
        calls.clear()
        plan = BuildPlan(AFTER_SECOND, TARGET, tmp_path / name, then=third, threads=1)
        build(plan, is_cancelled=lambda: calls.append(1) or len(calls) > n)  # type: ignore[func-returns-value]
        return _contents(plan.folder)

    whole, n_calls = build_until("whole"), len(calls)
    with pytest.raises(BuildCancelledError):
        build_until("stopped", int(n_calls * share))
    assert build_until("stopped") == whole


def _contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize(
    "then",
    [
        None,
        {"table": "third_64"},
        {"table": "../third_64", "identity": "0"},
        {"table": "", "identity": "0"},
        {"table": 3, "identity": "0"},
    ],
)
def test_a_manifest_that_continues_nowhere_is_damaged(tmp_path: Path, then: object) -> None:
    manifest = BuildPlan(AFTER_SECOND, TARGET, tmp_path).new_manifest()
    replace(manifest, then=Continuation("third_64", "0")).save(tmp_path)
    assert load_manifest(tmp_path).then == Continuation("third_64", "0")
    body = json.loads((tmp_path / "manifest.json").read_text())
    del body["crc"]
    write_checked(tmp_path / "manifest.json", {**body, "then": then})
    with pytest.raises(DamagedTableError):
        load_manifest(tmp_path)
