"""Which tables are advised to make the AI strong, and that what is advised can be built."""

import argparse
import json
import shutil

import pytest

from ai.cli import build_set
from ai.dispatch.scale import is_nearly_certain
from ai.standings import OURS
from engine.platform.cli.console import Output
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildCancelledError
from tablebase.formation.formation import why_no_table
from tablebase.formation.patterns_file import load_formations
from tablebase.plan import player_set
from tablebase.plan.advise import AdviceLimits, TableAdvice
from tablebase.plan.estimate import Estimate
from tablebase.plan.player_set import SETS, WANTED, Entry, advise_for_player
from tablebase.store.options import TableOptions
from tests.child import run
from tests.test_main import assert_told

FORMATIONS = load_formations()
GB = 10**9
AMPLE = AdviceLimits(1000 * GB, 100 * GB, 1e7, threads=2)


def of(verdict: str, advice: list[TableAdvice]) -> list[tuple[str, int]]:
    return [(table.pattern, table.target) for table in advice if table.verdict == verdict]


@pytest.mark.parametrize("who", SETS)
def test_every_table_of_a_set_can_be_built_and_asked_in_a_search(who):
    advice = advise_for_player(AMPLE, FORMATIONS, {}, tables=SETS[who])
    assert of("build", advice) == [(one.pattern, one.target) for one in SETS[who]]
    for table in advice:
        assert not why_no_table(FORMATIONS[table.pattern], table.target)
        assert table.options is not None
        table.options.check()
        assert table.options.rate == "uint16"
        assert table.options.sparse <= 4  # see Tablebase.is_quick


@pytest.mark.parametrize("disk", [0.2 * GB, GB, 8 * GB, 20 * GB, 60 * GB])
def test_the_set_fits_and_keeps_its_order(disk):
    advice = advise_for_player(AdviceLimits(disk, 100 * GB, 1e7), FORMATIONS, {})
    chosen = of("build", advice)
    assert (
        sum(table.cost.bytes for table in advice if table.cost and table.verdict == "build") <= disk
    )
    order = [(one.pattern, one.target) for one in WANTED]
    assert chosen == sorted(chosen, key=order.index)
    assert (("4421", 1024) in chosen) == (disk >= 7.57 * GB), "it was built, and takes that much"
    assert (("4431", 1024) in chosen) == (disk >= 45 * GB)
    assert all(table.reason for table in advice if table.verdict == "left out")


def test_built_tables_take_their_room():
    """So a second run, after half of the set is built, comes to the same set."""
    limits = AdviceLimits(20 * GB, 100 * GB, 1e7)
    first = advise_for_player(limits, FORMATIONS, {})
    sizes = {(t.pattern, t.target): t.cost.bytes for t in first if t.verdict == "build" and t.cost}
    half = dict(list(sizes.items())[:4])
    second = advise_for_player(limits, FORMATIONS, half)
    assert set(of("built", second)) == set(half)
    assert [*of("built", second), *of("build", second)] == list(sizes)


def test_memory_and_time_bound_the_set_too():
    small = advise_for_player(AdviceLimits(100 * GB, 10 * GB, 1e7), FORMATIONS, {})
    assert ("4431", 1024) in of("left out", small)
    brief = advise_for_player(AdviceLimits(100 * GB, 100 * GB, 100.0), FORMATIONS, {})
    assert 0 < sum(table.wall_s for table in brief if table.verdict == "build") <= 100


@pytest.mark.slow
def test_advise_for_ai_names_the_set_in_words(tmp_path):
    said = run(
        "advise", "--for", "ai", "--disk", "20GB", "--memory", "100GB", "--data-dir", tmp_path
    )
    assert said.returncode == 0, said.stderr
    assert "build 4421 1024" in said.stdout
    assert "4431 1024" in said.stdout.partition("left out")[2]


def test_advise_for_ai_names_the_set(tmp_path):
    told = run(
        "advise",
        "--for",
        "ai",
        "--disk",
        "20GB",
        "--memory",
        "100GB",
        "--json",
        "--data-dir",
        tmp_path,
    )
    tables = [json.loads(line) for line in told.stdout.splitlines()]
    first = tables[0]
    assert (first["pattern"], first["target"], first["verdict"]) == ("4421", 1024, "build")
    assert first["options"]["rate"] == "uint16"
    assert_told(run("advise", "--for", "ai", "--sparse", 4, "--data-dir", tmp_path), "leave")


@pytest.fixture
def small_set(monkeypatch: pytest.MonkeyPatch) -> None:
    small = (Entry("44", 64, "one"), Entry("2x4", 64, "another", 3))
    monkeypatch.setitem(SETS, "ai", small)
    monkeypatch.setitem(SETS, "network-search", small[1:])


def arguments(tmp_path, **more: object) -> argparse.Namespace:
    fields = {"data_dir": tmp_path, "disk": GB, "spawn4": 0.1, "player": "main"}
    return argparse.Namespace(**{**fields, **more})


@pytest.mark.usefixtures("small_set")
def test_the_missing_tables_are_built_and_a_second_run_has_nothing_to_do(tmp_path, monkeypatch):
    options = TableOptions(rate="uint32")
    build(BuildPlan(FORMATIONS["44"], 64, tmp_path / "tables" / "44_64", options, threads=1))
    built: list[str] = []
    real = build_set.build_table

    def noted(formation, *args, **named):
        built.append(formation.name)
        return real(formation, *args, **named)

    monkeypatch.setattr(build_set, "build_table", noted)
    for _ in range(2):
        build_set.build_set(arguments(tmp_path), Output(is_json=True))
    assert built == ["2x4"]
    manifest = json.loads((tmp_path / "tables" / "2x4_64" / "manifest.json").read_text())
    assert manifest["options"]["sparse"] == 3
    assert manifest["complete"]


@pytest.mark.usefixtures("small_set")
def test_search_with_a_network_has_tables_of_its_own(tmp_path):
    build_set.build_set(arguments(tmp_path, player="network-search"), Output(is_json=True))
    assert [path.name for path in (tmp_path / "tables").glob("*_*")] == ["2x4_64"]


def test_search_with_a_network_was_measured_with_its_set():
    """Game names the tables of the measurement, the command line those of the set."""
    named = tuple(f"{one.pattern}_{one.target}" for one in SETS["network-search"])
    assert named == OURS["network-search-tables"].tables


def test_search_with_a_network_asks_each_table_of_its_set():
    for one in SETS["network-search"]:
        n_free = 16 - FORMATIONS[one.pattern].n_large
        assert not is_nearly_certain(one.target.bit_length() - 1, n_free)


@pytest.mark.parametrize("who", SETS)
def test_for_whom_is_chosen_on_the_command_line(who, tmp_path):
    told = run("advise", "--for", who, "--disk", "20GB", "--json", "--data-dir", tmp_path)
    tables = [json.loads(line) for line in told.stdout.splitlines()]
    wanted = [(one.pattern, one.target) for one in SETS[who]]
    assert sorted((one["pattern"], one["target"]) for one in tables) == sorted(wanted)


@pytest.mark.usefixtures("small_set")
def test_a_stopped_build_is_told_and_goes_on(tmp_path, monkeypatch):
    real = build_set.build_table

    def stopped(formation, target, parent, output, switch, **named):
        switch.cancel()
        return real(formation, target, parent, output, switch, **named)

    monkeypatch.setattr(build_set, "build_table", stopped)
    with pytest.raises(BuildCancelledError):
        build_set.build_set(arguments(tmp_path), Output(is_json=True))
    monkeypatch.setattr(build_set, "build_table", real)
    build_set.build_set(arguments(tmp_path), Output(is_json=True))
    assert (tmp_path / "tables" / "2x4_64" / "manifest.json").exists()


@pytest.mark.usefixtures("small_set")
def test_without_room_on_the_drive_nothing_is_begun(tmp_path, monkeypatch):
    monkeypatch.setattr(player_set, "estimate", lambda *_, **__: Estimate(GB, GB, GB // 4, 1, 1.0))
    usage = shutil.disk_usage(tmp_path)._replace(free=GB)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(build_set.PlayError, match=r"1\.30 GB .* 1\.00 GB is free"):
        build_set.build_set(arguments(tmp_path), Output(is_json=True))
    assert not list((tmp_path / "tables").iterdir())
