"""Formations drawn by hand: what follows from a drawing, and that its tables are right."""

import json
from dataclasses import replace
from typing import Any

import brute_force
import brute_force_arrays
import pytest
from agreement import assert_layer_agrees, stored_boards
from brute_force import SOURCES, board_of, cells_of
from hypothesis import given
from hypothesis import strategies as st
from small_formations import rules_of

from tablebase.build.builder import BuildPlan, build
from tablebase.formation.drawing import Drawing, drawing_of, faults
from tablebase.formation.patterns_file import CONFIG_PATH, load_formations, parse_formation
from tablebase.probe.reader import Tablebase

ENTRIES: dict[str, dict[str, Any]] = {
    entry["name"]: entry
    for entry in json.loads(CONFIG_PATH.read_text(encoding="utf-8"))["formations"]
}
# Whose file says less than the drawing allows: both halves of 44 are mirror images.
LESS_SYMMETRIC = {"44": "horizontal"}
# Whose start boards the shape of the others does not give: they begin later in a game, or have
# twice the tiles that the shape needs.
OTHER_SEEDS = {"4421", "4442ff", "4442f", "L1", "3x405"}
EXACT_SEEDS = {
    *("L3", "L3t", "L3f", "t", "2x4", "3x3", "3x4"),
    *("free8", "free9", "free10", "free11", "free12"),
}

cells = st.integers(0, 0xFFFF).map(
    lambda bits: board_of([15 if bits >> (15 - cell) & 1 else 0 for cell in range(16)])
)


def mask(*rows: str) -> int:
    """A board from four rows of text, # for a cell that is marked."""
    return int("".join(rows).replace("#", "f").replace(".", "0"), 16)


def tile_sum(board: int) -> int:
    return sum(1 << tile for tile in cells_of(board) if 0 < tile < 15)


def drawn_as(name: str) -> Drawing:
    """What a person draws to get a formation of the file: cells, and nothing chosen besides."""
    entry = ENTRIES[name]
    boards = [int(text, 16) for text in entry["masks"]]
    n_large = entry["seeds"][0].removeprefix("0x").count("f")
    walls = mask(*["#" if tile == 15 else "." for tile in cells_of(int(entry["seeds"][0], 16))])
    if entry["walls"]:
        boards, n_large = [walls], bin(walls).count("1") // 4
    most = max((bin(board).count("1") // 4 for board in boards), default=0)
    targets = int(entry["target_cells"], 16)
    everywhere = (1 << 64) - 1 - (walls if entry["walls"] else 0)
    return Drawing(
        masks=tuple(boards) or (0,),
        targets=0 if targets == everywhere else targets,
        n_loose=n_large - most,
        walls=entry["walls"],
    )


@pytest.mark.parametrize("name", ENTRIES)
def test_a_shipped_formation_drawn_by_hand_follows_from_its_drawing(name):
    entry, drawing = ENTRIES[name], drawn_as(name)
    assert not faults(drawing)
    assert drawing.n_free == 16 - entry["seeds"][0].removeprefix("0x").count("f")
    assert drawing.symmetry == LESS_SYMMETRIC.get(name, entry["symmetry"])
    formation = drawing.formation(name)
    assert [f"{m:#018x}" for m in formation.masks] == entry["masks"]
    assert f"{formation.target_cells:#018x}" == entry["target_cells"]
    assert formation.seed_mode == entry.get("seed_mode", "explicit")
    seeds = [int(seed, 16) for seed in entry["seeds"]]
    if name in EXACT_SEEDS:
        assert list(formation.seeds) == seeds
    elif name not in OTHER_SEEDS:
        assert {tile_sum(seed) for seed in formation.seeds} == {tile_sum(seed) for seed in seeds}
    else:
        assert set(formation.seeds).isdisjoint(seeds)


@pytest.mark.parametrize("name", ENTRIES)
def test_nothing_of_a_formation_is_lost_when_it_is_edited(name):
    formation = load_formations()[name]
    assert drawing_of(formation).formation(name, formation.category) == formation


def image(board: int, sources: list[int]) -> int:
    return board_of([cells_of(board)[source] for source in sources])


@given(cells, st.one_of(st.just(0), cells), st.integers(0, 3), st.booleans())
def test_what_has_no_fault_is_a_formation_of_the_largest_symmetry(large, targets, n_loose, walls):
    drawing = Drawing((large,), targets, 0 if walls else n_loose, walls)
    if faults(drawing):
        return
    formation = drawing.formation("drawn")
    assert parse_formation(formation.to_dict()) == formation
    kept = {
        mode
        for mode, images in SOURCES.items()
        if all(image(large, i) == large for i in images)
        and all(image(drawing.target_cells, i) == drawing.target_cells for i in images)
    }
    if not walls:
        kept -= {"square3x3", "rect3x4"}
    elif large & 0x000F_000F_000F_FFFF != 0x000F_000F_000F_FFFF:
        kept -= {"square3x3"}
    if large & 0xFFFF != 0xFFFF:
        kept -= {"rect3x4"}
    assert len(SOURCES[formation.symmetry]) == max(len(SOURCES[mode]) for mode in kept)
    assert formation.symmetry in kept
    assert len({tile_sum(seed) for seed in formation.seeds}) == 1
    for seed in formation.seeds:
        assert seed & large == large
        assert cells_of(seed).count(15) == 16 - drawing.n_free


@pytest.mark.parametrize(
    ("drawing", "part"),
    [
        (Drawing(), "Click a cell to put a large tile there."),
        (Drawing(walls=True), "Click a cell to put a wall there."),
        (Drawing((mask("####", "####", "####", "####"),)), "No cell is free."),
        (Drawing((mask("####", "####", "####", "...."),)), "64, doesn't fit on 4 free cells"),
        (Drawing((mask("####", "####", "#...", "...."),), 0, 5), "doesn't fit on 2 free cells"),
        (
            Drawing((mask("####", "....", "....", "...."),), mask("##..", "....", "....", "....")),
            "only where a large tile always stands",
        ),
        (
            Drawing((mask("#.#.", ".#.#", "#.#.", ".#.#"),), walls=True),
            "No tile can move between these walls",
        ),
        (
            Drawing((mask("####", "....", "....", "...."),), own_seeds=(0x1000,)),
            "expected a board that has all f of a mask",
        ),
    ],
)
def test_a_fault_is_told_in_a_sentence(drawing, part):
    (told,) = faults(drawing)
    assert part in told
    assert told[0].isupper()
    assert told.endswith(".")


def test_a_drawing_that_is_symmetric_top_to_bottom_can_be_turned():
    drawing = Drawing((mask("##..", "#...", "#...", "##.."),))
    assert drawing.symmetry == "identity"
    turned = drawing.turned(drawing.better_turn())
    assert turned.symmetry == "horizontal"
    assert not turned.better_turn()
    assert Drawing((mask("....", "....", ".###", ".###"),)).better_turn() == ""


def test_a_choice_is_kept_as_long_as_the_drawing_allows_it():
    drawing = Drawing((mask("....", "....", "....", "####"),), own_symmetry="identity")
    assert drawing.symmetries == ("horizontal", "identity")
    assert drawing.symmetry == "identity"
    assert replace(drawing, own_symmetry="full").symmetry == "horizontal"


DRAWN = {
    "column": Drawing((mask("..##", "..##", "..##", ".###"),)),
    "crosswalls": Drawing((mask("##.#", "....", "##.#", "####"),), walls=True),
    "lanes": Drawing((mask("####", "....", "....", "####"),), mask("....", "####", "####", "....")),
    "corner": Drawing((mask("....", ".###", ".###", "####"), mask("....", ".###", "#.##", "####"))),
    "drifting": Drawing((mask("....", ".###", ".###", ".###"),), n_loose=1),
}
HOPELESS = {"lanes"}  # large tiles that stand apart hardly let anything move


@pytest.mark.thorough
@pytest.mark.parametrize("name", DRAWN)
def test_the_table_of_a_drawing_agrees_with_brute_force(name, tmp_path):
    drawing = replace(DRAWN[name], extra_steps=8)
    assert not faults(drawing)
    formation = drawing.formation(name)
    solved = brute_force_arrays.solve(rules_of(formation, 64))
    build(BuildPlan(formation, 64, tmp_path / f"{name}_64", threads=2))
    n_probed = 0
    moves = brute_force.Moves(rules_of(formation, 64))
    with Tablebase.open(tmp_path / f"{name}_64") as table:
        for layer in range(table.n_layers):
            got = table.layer_boards(layer)
            assert_layer_agrees(got, stored_boards(solved, layer), "uint32", layer)
        for board in [*solved.rates[6]][:40]:
            pre = brute_force.spawned_boards(board, 1)[:1]
            best = max((solved.rates[7][after] for p in pre for after in moves(p)), default=None)
            if best:
                rates = [rate for rate in table.probe(pre[0], comes_up=True).rates if rate]
                assert max(rates) == pytest.approx(best, abs=1e-8)
                n_probed += 1
    assert n_probed > 0 or name in HOPELESS
