"""The length of a table: what a short one cuts off, and a full one against brute force."""

import json
from dataclasses import replace

import brute_force
import pytest
from agreement import assert_layer_agrees, stored_boards
from child import json_lines, run
from small_formations import FIXED, rules_of

import endgame2048 as eg
from tablebase.errors import BuildRefusedError, FormationError
from tablebase.formation.extra_steps import FULL, steps_of, with_extra_steps
from tablebase.formation.formation import Formation
from tablebase.formation.goal import SumGoal
from tablebase.library.catalog import scan
from tablebase.probe.reader import Tablebase
from tablebase.store.manifest import load_manifest

TARGET = 64
# A board of five cells, on which the target is the largest tile there is.
BOARD = replace(
    next(one for one in FIXED if one.name == "tinyboard"),
    seeds=(0x000F_00FF_FFFF_FFFF,),
    extra_steps=0,
)
# The target counts in one cell, so larger tiles may be made beside it.
ONE_CELL = replace(BOARD, name="tinyonecell", target_cells=0x0F00_0000_0000_0000)
# Five cells with mirror images, and F that slide.
MIRROR = replace(
    next(one for one in FIXED if one.name == "tinymirror"),
    masks=(0x0000_F00F_FFFF_FFFF,),
    target_cells=0x0FF0_0000_0000_0000,
    seeds=(0x0120_F00F_FFFF_FFFF, 0x0210_F00F_FFFF_FFFF),
    extra_steps=-10,
)


def endless(formation: Formation, n_layers: int) -> brute_force.Solution:
    return brute_force.solve(
        rules_of(replace(formation, extra_steps=n_layers - TARGET // 2), TARGET)
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("short", [BOARD, ONE_CELL, MIRROR], ids=lambda one: one.name)
def test_a_full_table_has_the_rates_of_a_game_without_end(short, tmp_path):
    n = eg.build(short, TARGET, tmp_path, rate="float64", extra_steps=FULL, threads=1).layers
    solved = endless(short, n + 8)
    for layer in range(n - 2, n + 8):
        assert not solved.rates[layer].keys() - solved.reached[layer]
    with Tablebase.open(tmp_path) as table:
        assert not table.is_cut_off
        for layer in range(n):
            found = table.layer_boards(layer)
            assert_layer_agrees(found, stored_boards(solved, layer), "float64", layer)


@pytest.mark.thorough
@pytest.mark.parametrize("options", [{"sparse": 4}, {"optimal_only": True}], ids=str)
def test_whatever_a_full_table_keeps_is_exact(options, tmp_path):
    build = {"rate": "float64", "extra_steps": FULL, "threads": 1, **options}
    solved = endless(ONE_CELL, eg.build(ONE_CELL, TARGET, tmp_path, **build).layers)  # type: ignore[arg-type]
    n = 0
    with Tablebase.open(tmp_path) as table:
        assert not table.is_cut_off
        for kept in solved.rates[:60]:
            for after in sorted(kept):
                if (rate := table.rate_of(after)) is not None:
                    assert rate == pytest.approx(kept[after], abs=1e-14)
                    n += 1
    assert n > 100


def test_a_short_table_says_that_its_rates_are_lower_bounds(tmp_path):
    folder = tmp_path / "tinyonecell_64"
    n = eg.build(ONE_CELL, TARGET, folder, rate="float64", extra_steps=2, threads=1).layers
    assert n == TARGET // 2 + 2
    exact, n_lower = endless(ONE_CELL, 200), 0
    with Tablebase.open(folder) as table:
        assert table.is_cut_off
        for layer in range(n - 12, n):
            for board, rate in exact.rates[layer].items():
                found = table.rate_of(board, comes_up=True)
                assert found is not None
                assert found <= rate + 1e-14
                n_lower += found < rate - 0.05
    assert n_lower
    (info,) = scan([folder], lambda: {ONE_CELL.name: ONE_CELL})
    assert (info.extra_steps, info.is_cut_off) == ("2", True)
    told = run("info", folder).stdout
    assert "extra steps: 2" in told
    assert "lower bounds" in told
    (event,) = json_lines(run("info", folder, "--json").stdout)
    assert (event["extra_steps"], event["cut_off"], event["at_least"]) == (2, True, False)


def test_a_probe_says_once_that_a_table_is_cut_off(tmp_path):
    folder = tmp_path / "table"
    eg.build(ONE_CELL, TARGET, folder, extra_steps=2, threads=1)
    boards = ("--board", "012f00ffffffffff", "--board", "011f00ffffffffff")
    asked = run("probe", folder, *boards)
    assert asked.stderr.count("lower bounds") == 1
    assert ">=" not in asked.stdout
    for answer in json_lines(run("probe", folder, *boards, "--json").stdout):
        assert answer["cut_off"] is True
        assert "at_least" not in answer


def test_tables_of_other_lengths_are_not_mistaken_for_each_other(tmp_path):
    folder = tmp_path / "2x4_64"
    formation = eg.formations()["2x4"]
    eg.build("2x4", TARGET, folder, extra_steps=12, threads=1)
    with pytest.raises(BuildRefusedError, match="extra_steps is 12, not 48"):
        eg.build("2x4", TARGET, folder, threads=1)
    assert eg.build("2x4", TARGET, folder, extra_steps=12).was_complete
    longer = with_extra_steps(formation, TARGET, FULL)
    kept = [load_manifest(folder), replace(load_manifest(folder), formation=longer)]
    assert kept[0].identity != kept[1].identity
    (info,) = scan([folder])
    assert info.extra_steps == "12"
    assert "12 extra layers" in run("tables", tmp_path).stdout


def test_the_choice_of_a_length_is_found_again():
    formation = eg.formations()["442"]
    for steps in (None, 3, 300, FULL):
        table = with_extra_steps(formation, 128, steps)
        assert steps_of(table, 128, formation) == ("" if steps is None else str(steps))
    assert steps_of(formation, SumGoal(200), formation) == ""
    assert steps_of(formation, 128, None) == ""  # the formation is gone
    full = with_extra_steps(formation, 128, FULL)
    assert full.is_full(128)
    assert with_extra_steps(full, 128, FULL) == full
    assert not formation.is_full(128)


def test_what_has_no_such_length_is_refused_in_words(tmp_path):
    formation, total = eg.formations()["44"], SumGoal(116)
    assert with_extra_steps(formation, total, FULL) == formation
    with pytest.raises(FormationError, match="ends at the sum"):
        with_extra_steps(formation, total, 9)
    with pytest.raises(FormationError, match="at least 0"):
        with_extra_steps(formation, 64, -40)
    with pytest.raises(FormationError, match="from -8191"):
        with_extra_steps(formation, 64, 20_000)
    refused = run("build", "44", "64", "--extra-steps", "most", "--out", tmp_path)
    assert refused.returncode == 2
    assert "'most' is not a number of extra steps" in refused.stderr


def test_commands_take_a_length(tmp_path):
    words = ("2x4", "64", "--extra-steps", "12", "--out", tmp_path, "--json")
    (cost,) = json_lines(run("estimate", *words).stdout)
    assert cost["extra_steps"] == 12
    assert json_lines(run("build", *words).stdout)[-1]["layers"] == 44
    manifest = json.loads((tmp_path / "2x4_64" / "manifest.json").read_text())
    assert manifest["formation"]["extra_steps"] == 12
