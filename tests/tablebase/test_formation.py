"""patterns_config.json is whole, and every bad value is refused by name."""

import json
from pathlib import Path
from typing import Any

import pytest
from brute_force import SOURCES
from hypothesis import given
from hypothesis import strategies as st
from small_formations import entry

from tablebase.errors import FormationError, UnknownFormationError
from tablebase.formation.formation import (
    Formation,
    buildable_targets,
    check_buildable,
    why_no_table,
)
from tablebase.formation.goal import TARGETS, check_target
from tablebase.formation.patterns_file import find_formation, load_formations, parse_formation

# Which large tiles stay where they are, from spec: all of the first, some of the others.
FIXED = {
    *("L3", "442", "4431", "444", "LL", "4421", "4441", "4432", "4442", "44", "L1"),
    *("2x4", "3x3", "3x4", "3x405"),
}
MOVABLE = {
    "L3t": 2,
    "442t": 3,
    "t": 2,
    "4432f": 1,
    "4442ff": 2,
    "4442f": 1,
    "L3f": 4,
    "free8": 8,
    "free9": 7,
    "free10": 6,
    "free11": 5,
    "free12": 4,
}
BOARD_BITS = 0xFFFF_FFFF_FFFF_FFFF


def write(folder: Path, data: object) -> Path:
    path = folder / "patterns.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


def test_all_formations_load():
    formations = load_formations()
    assert set(formations) == FIXED | set(MOVABLE)
    assert all(formation.name == name for name, formation in formations.items())


def test_the_large_tiles_that_move_are_known():
    for name, formation in load_formations().items():
        assert formation.n_movable == MOVABLE.get(name, 0), name


def test_the_cells_that_are_always_large_are_those_of_all_arrangements():
    for formation in load_formations().values():
        shared = BOARD_BITS
        for way in formation.arrangements:
            assert bin(way).count("1") == 4 * formation.n_large
            shared &= way
        if len(formation.arrangements) > 1 or not formation.walls:
            assert shared == formation.fixed_mask, formation.name


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        *[("L3", 1), ("L3t", 3), ("442t", 10), ("t", 3), ("L3f", 14), ("2x4", 1)],
        # One free tile anywhere but on three cells, two anywhere but on two, all anywhere.
        *[("4432f", 13), ("4442ff", 14 * 13 // 2), ("free8", 12870), ("free12", 1820)],
    ],
)
def test_the_ways_to_stand_are_counted(name, ways):
    assert len(load_formations()[name].arrangements) == ways


def test_every_seed_lies_inside_its_formation():
    for formation in load_formations().values():
        for seed in formation.seeds:
            inside = any(seed & mask == mask for mask in formation.masks)
            assert inside or not formation.masks, f"{formation.name} {seed:016x}"


def test_masks_and_target_cells_keep_their_symmetry():
    """Otherwise a board would be inside, or a success, in one orientation only."""
    for formation in load_formations().values():
        for sources in SOURCES[formation.symmetry]:
            images = {image(mask, sources) for mask in formation.masks}
            assert images == set(formation.masks), formation.name
            assert image(formation.target_cells, sources) == formation.target_cells


def image(board: int, sources: list[int]) -> int:
    digits = f"{board:016x}"
    return int("".join(digits[cell] for cell in sources), 16)


def test_large_tiles_are_counted():
    formations = load_formations()
    counts = {"L3": 6, "442": 6, "LL": 4, "4442": 2, "44": 8, "2x4": 8, "3x3": 7, "3x4": 4}
    assert {name: formations[name].n_large for name in counts} == counts


def test_a_formation_survives_writing_and_reading():
    for formation in load_formations().values():
        assert parse_formation(json.loads(json.dumps(formation.to_dict()))) == formation


def test_an_unknown_name_gets_the_nearest_one_unless_it_is_like_none():
    with pytest.raises(UnknownFormationError, match=r"'44l'.*'444?1?'"):
        find_formation("44l", load_formations())
    with pytest.raises(UnknownFormationError, match="no formation 'zzzz'") as caught:
        find_formation("zzzz", load_formations())
    assert "did you mean" not in str(caught.value)


BAD_VALUES: dict[str, list[object]] = {
    "name": ["", "4_4", "../44", "44 ", "44\n", "Ω4", 44, None],
    "category": ["", "  ", 3, "a\nb", "x" * 33],
    "masks": [
        *("0x00000000ffffffff", ["0x00000000fffffff1"], ["0x00000000fffffffg"]),
        *(["0x000000000ffffffff"], [""], [0xFFFFFFFF], [None], ["-0x1"]),
        *(["0x00000000ffffffff"] * 2, ["0x0000000000000000"]),
        ["0x00000000ffffffff", "0x0000000fffffffff"],  # more f than a seed has
    ],
    "target_cells": [
        *("0x0000fff100000000", "0x0000000000000000", "", "cells", 15, None),
        "0x00000000ffffffff",  # always taken
    ],
    "symmetry": ["sideways", "Identity", None, "square3x3", "rect3x4"],  # the last need walls
    "seeds": [
        *([], "0x00001000ffffffff", ["0x00001000fffffffz"], [1]),
        ["0x00001000ffffff0f"],  # outside the mask
        ["0x12341234ffffffff"],  # full
        ["0x00001000ffffffff", "0x00002000ffffffff"],  # other sum
        ["0x00001000ffffffff", "0x0000100fffffffff"],  # other number of f
        ["0x00001000ffffffff"] * 2,
    ],
    "seed_mode": ["random", "generated", None],  # has masks
    "extra_steps": [-9000, "48", 4.5, True, None, 10**9, -(10**9)],
    "walls": ["no", 0, None],
}


@pytest.mark.parametrize(
    ("field", "value"), [(field, one) for field, all_of in BAD_VALUES.items() for one in all_of]
)
def test_a_bad_value_is_refused_by_formation_field_and_value(field, value):
    with pytest.raises(FormationError) as caught:
        parse_formation(entry(**{field: value}))
    message = str(caught.value)
    name = value if field == "name" else "44"
    assert repr(name) in message
    assert field in message
    assert any(text in message for text in texts_of(value)), message
    assert "\n" not in message


def texts_of(value: object) -> list[str]:
    """How a message may quote the value: as it is, or the item of it that is wrong."""
    items = value if isinstance(value, list) else []
    return [repr(value), *(repr(item) for item in items)]


@pytest.mark.parametrize("field", entry())
def test_a_missing_field_is_refused_by_name(field):
    fields = entry()
    del fields[field]
    with pytest.raises(FormationError, match=field):
        parse_formation(fields)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"symmetry": "diagonal"},
            "field masks: '0x00000000ffffffff': expected masks that the symmetry 'diagonal' keeps: "
            "its image 0x00ff00ff00ff00ff is missing",
        ),
        (
            {"seeds": ["0x00001000ffffffff", "0x00002000ffffffff"]},
            "field seeds: '0x00002000ffffffff': expected the tile sum of 0x00001000ffffffff: "
            "2, not 4",
        ),
        (
            {"seeds": ["0x00001000ffffffff", "0x0000100fffffffff"]},
            "field seeds: '0x0000100fffffffff': expected the f count of 0x00001000ffffffff: "
            "8, not 9",
        ),
        (
            {"seeds": ["0x0000100fffffff0f"]},
            "field seeds: '0x0000100fffffff0f': expected a board that has all f of a mask",
        ),
        (
            {"masks": ["0x00000000ffffffff", "0x0000000fffffffff"]},
            "field masks: '0x0000000fffffffff': expected at most the 8 f of a seed, "
            "this mask has 9",
        ),
    ],
)
def test_a_contradiction_is_told_in_these_words(changes, message):
    with pytest.raises(FormationError) as caught:
        parse_formation(entry(**changes))
    assert str(caught.value) == f"formation '44': {message}"


def free(**changes: object) -> dict[str, Any]:
    """A small valid free formation, changed."""
    fields = entry(masks=[], symmetry="full", target_cells="0x" + "f" * 16, seed_mode="generated")
    return {**fields, "seeds": ["0x01111111ffffffff"], **changes}


def test_a_free_formation_starts_from_generated_boards():
    formation = parse_formation(free())
    assert formation.is_generated
    assert len(formation.layer_0) == 12_866  # measured with the reference program
    assert formation.seed_half_sum == 7


def test_a_free_formation_beyond_its_layer_0_starts_from_what_is_written():
    formation = parse_formation(free(seeds=["0x02111111ffffffff"]))
    assert not formation.is_generated
    assert formation.layer_0.tolist() == [int("0x02111111ffffffff", 16)]
    assert formation.seed_half_sum == 8


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("symmetry", {"symmetry": "identity"}),
        ("seed_mode", {"walls": True}),
        ("seeds", {"seeds": ["0xffffffffffffffff"], "target_cells": "0x" + "f" * 16}),
    ],
)
def test_seeds_are_generated_for_free_formations_only(field, changes):
    with pytest.raises(FormationError, match=field):
        parse_formation(free(**changes))


@pytest.mark.parametrize("seed", ["0x000f000f000ffff0", "0x000f000f000f0000"])
def test_symmetry_of_a_window_needs_walls_around_it(seed):
    """Without them tiles pass, and the mirrored board is another position."""
    fields = entry(masks=[], walls=True, symmetry="square3x3", seeds=[seed])
    with pytest.raises(FormationError, match=r"symmetry.*0x000f000f000fffff"):
        parse_formation({**fields, "target_cells": "0xfff0fff0fff00000"})


def test_each_wall_stands_in_every_seed():
    fields = entry(masks=[], walls=True, seeds=["0xffff00000000ffff", "0xffff0000fffff000"])
    with pytest.raises(FormationError, match="seeds"):
        parse_formation(fields)


@pytest.mark.parametrize(
    ("changes", "target", "message"),
    [
        ({"seeds": ["0x00006000ffffffff"]}, 64, "seeds already have a 64"),
        ({"seeds": ["0x00008000ffffffff"]}, 64, "seeds already have a 256"),
        # 32 + 16 + 8 + 4 + 2: tables may begin close to their end.
        ({"seeds": ["0x12345000ffffffff"], "extra_steps": -30}, 64, "fewer than 3 layers"),
        ({"seeds": ["0x0000cccbffffffff"], "extra_steps": 1024}, 16384, "at most 32758"),
    ],
)
def test_a_target_without_a_table_is_refused(changes, target, message):
    formation = parse_formation(entry(**changes))
    with pytest.raises(FormationError, match=message) as caught:
        check_buildable(formation, target)
    assert f"'44' has no table for target {target}" in str(caught.value)
    assert target not in buildable_targets(formation)


def test_targets_beyond_what_the_seeds_hold_have_tables():
    assert buildable_targets(load_formations()["3x405"]) == [4096, 8192]
    seeds = ["0x12345000ffffffff"]
    assert buildable_targets(parse_formation(entry(seeds=seeds, extra_steps=-30)))[0] == 128
    assert buildable_targets(parse_formation(entry(seeds=seeds, extra_steps=-29)))[0] == 64


@pytest.mark.parametrize(
    ("seed", "too_few"), [("0x00001000ffffffff", -1), ("0x12345000ffffffff", -31)]
)
def test_layers_that_end_before_the_target_are_refused(seed, too_few):
    """Layer target / 2 - 1 + extra must have the sum of the target: 2 a layer from the seed on."""
    with pytest.raises(FormationError, match=f"extra_steps: {too_few}: expected at least"):
        parse_formation(entry(seeds=[seed], extra_steps=too_few))
    parse_formation(entry(seeds=[seed], extra_steps=too_few + 1))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seeds": ["0x0000e000ffffffff"]}, "'44' has no table"),
        ({"target_pos": "0xf"}, "target_pos"),
        ({"symmetry": "horizontal", "target_cells": "0x0000f00000000000"}, r"'44'.*target_cells"),
    ],
)
def test_what_makes_no_formation_is_refused_by_name(changes, words):
    with pytest.raises(FormationError, match=words):
        parse_formation(entry(**changes))


@pytest.mark.parametrize(
    "data",
    [
        "",
        "{",
        "[]",
        "null",
        '"44"',
        {"version": 1},
        {"version": 1, "formations": []},
        {"version": 1, "formations": {}},
        {"version": 2, "formations": [entry()]},
        {"formations": [entry()]},
        {"version": 1, "formations": [entry(), entry()]},
        {"version": 1, "formations": [[]]},
        {"version": 1, "formations": ["44"]},
        {"version": 1, "formations": [None]},
    ],
)
def test_a_bad_file_is_refused(tmp_path, data):
    with pytest.raises(FormationError):
        load_formations(write(tmp_path, data))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FormationError, match=r"absent\.json"):
        load_formations(tmp_path / "absent.json")


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "patterns.json"
    path.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(FormationError, match=r"patterns\.json"):
        load_formations(path)


@pytest.mark.thorough
@given(data=st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_no_entry_of_any_type_escapes(data):
    with pytest.raises(FormationError):
        parse_formation(data)


@pytest.mark.thorough
@given(
    field=st.sampled_from(sorted(entry())),
    value=st.none()
    | st.booleans()
    | st.floats()
    | st.text()
    | st.integers()
    | st.lists(st.none() | st.integers() | st.text()),
)
def test_no_value_of_any_field_escapes(field, value):
    """What is accepted is a formation; what is not is refused with the one error."""
    try:
        formation = parse_formation(entry(**{field: value}))
    except FormationError:
        return
    assert isinstance(formation, Formation)


@pytest.mark.parametrize("target", [0, 2, 32, 63, 65, 96, 32768, -64, "64", 64.5, None])
def test_a_target_that_no_table_has_is_refused(target):
    with pytest.raises(FormationError, match="64, 128"):
        check_target(target)


def test_every_target_is_known():
    assert TARGETS == (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
    assert all(check_target(target) == target for target in TARGETS)


@pytest.mark.parametrize(("name", "most"), [("2x4", 512), ("44", 512), ("3x3", 1024), ("LL", 8192)])
def test_a_target_that_no_board_holds_is_refused(name, most):
    """On n free cells 4, 4, 8, 16 ... add up to 2 ** (n + 1), each on a cell of its own."""
    formation = load_formations()[name]
    assert why_no_table(formation, most) == ""
    why = why_no_table(formation, 2 * most)
    assert why.endswith(f"its {16 - formation.n_large} free cells hold no tile larger than {most}")
    assert max(buildable_targets(formation)) == most
