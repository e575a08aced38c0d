"""Whatever a manifest says: one clear error, or the very same table; never anything else."""

import json
import math
import os
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from makers import TableMaker

from engine.platform.errors import AppError
from tablebase.errors import DamagedTableError, MissingTableError, TableError, TableFormatError
from tablebase.library import catalog
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store.build_lock import is_locked
from tablebase.store.checked_json import MAX_BYTES, checksum
from tablebase.store.manifest import load_manifest, parse_manifest

BOARD = 0xFFFF01001200FFFF
PLACE = Path("TABLE/manifest.json")
# Values that a field can be changed to; each is wrong for most fields, some for all.
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 3, 63, 64, 64.0, 65, 80, 1 << 31, 1 << 64),
    *(10**400, -(10**30)),
    *(0.5, -0.5, 1.0, math.nan, math.inf, -math.inf, 1e308, 5e-324),
    *("", "x", "\0", "\ud800", "a" * 100_000, "../x", "/etc/passwd", "layer-0001.tbl", "uint32"),
    *("layer-0001.tbl/../layer-0002.tbl", "C:\\x", "0xffff00000000ffff", "full", "identity"),
    *([], [None], [[]], [{}], {}, {"layer": 0}, [0] * 1000, ["0xffff00000000ffff"] * 2),
]


@pytest.fixture(scope="module")
def original(table: TableMaker) -> Path:
    return table("2x4", 64)


@pytest.fixture(scope="module")
def body(original: Path) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads((original / "manifest.json").read_text())
    return fields


@pytest.fixture
def damaged(original: Path, tmp_path: Path) -> Callable[[bytes], Path]:
    """Return ``damaged(manifest) -> folder`` whose layers are the original ones."""
    folder = tmp_path / original.name
    folder.mkdir()
    for path in original.glob("layer-*"):
        os.link(path, folder / path.name)

    def write(raw: bytes) -> Path:
        (folder / "manifest.json").write_bytes(raw)
        return folder

    return write


def encoded(body: dict[str, Any], *, with_right_crc: bool = True) -> bytes:
    if with_right_crc:
        body = {key: value for key, value in body.items() if key != "crc"}
        body["crc"] = checksum(body)
    return json.dumps(body).encode("ascii")


def containers(value: Any) -> list[Any]:
    """Return every dict and list inside a JSON value, itself included."""
    found = []
    if isinstance(value, (dict, list)):
        found.append(value)
        for child in value.values() if isinstance(value, dict) else value:
            found += containers(child)
    return found


def mutant(body: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the fields with one to three of them changed, removed, added, swapped or doubled."""
    changed = deepcopy(body)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        # The few fields of the table itself as often as the many of its layers.
        few = [changed, changed.get("formation"), changed.get("options")]
        places = rng.choice((containers(few), containers(changed)))
        place = rng.choice([one for one in places if one is not few and one] or [changed])
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key, other = rng.choice(keys), rng.choice(keys)
        match rng.randrange(6):
            case 0 | 1 | 2:
                place[key] = deepcopy(rng.choice(VALUES))
            case 3:
                del place[key]
            case 4:
                place[key], place[other] = place[other], place[key]
            case _:
                if isinstance(place, list):
                    place.append(deepcopy(place[key]))
                else:
                    place[rng.choice(("x", "file", "layer", "__class__"))] = place[key]
    return changed


def error_of(raw: bytes) -> str:
    """Return the error message about a manifest, "" if none; any other exception is a bug."""
    try:
        parse_manifest(raw, PLACE)
    except TableError as error:
        message = str(error)
        assert message.startswith(str(PLACE)), message
        assert "\n" not in message
        assert len(message) < 600, "one clear line, not the whole file"
        return message
    return ""


def test_the_original_is_taken(body):
    assert error_of(encoded(body)) == error_of(encoded(body, with_right_crc=False)) == ""


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_field_under_the_old_checksum_is_an_error(body, seed):
    rng = random.Random(seed)
    for i in range(100):
        changed = mutant(body, rng)
        same = json.dumps(changed, sort_keys=True) == json.dumps(body, sort_keys=True)
        assert same or error_of(encoded(changed, with_right_crc=False)), f"mutant {i}"


@pytest.mark.thorough
def test_a_changed_field_under_a_right_checksum_is_an_error_or_a_possible_table(body):
    """Whoever computes the checksum again can describe another table, but only a possible one."""
    rng, n_errors = random.Random(2), 0
    for i in range(600):
        changed = mutant(body, rng)
        raw = encoded(changed)
        if error_of(raw):
            n_errors += 1
            continue
        manifest = parse_manifest(raw, PLACE)
        layers = list(manifest.layers.values())
        assert manifest.n_layers >= 3, i
        assert 0 < manifest.options.spawn4 < 1, i
        assert all(layer.file == f"layer-{layer.layer:04d}.tbl" for layer in layers), i
        assert all(0 <= layer.stored <= layer.boards for layer in layers), i
    assert n_errors > 450


@pytest.mark.thorough
def test_what_opens_in_spite_of_a_changed_manifest_answers_as_before(body, damaged, original):
    """Only fields that no file can contradict may differ: how often a 4 comes, a menu's name."""
    with Tablebase.open(original) as table:
        expected = table.probe(BOARD).rates
    rng, n_opened = random.Random(3), 0
    for i in range(300):
        changed = mutant(body, rng)
        folder = damaged(encoded(changed))
        try:
            with Tablebase.open(folder) as table:
                rates = table.probe(BOARD).rates
        except AppError:
            rates = None
        else:
            n_opened += 1
        assert rates in (None, expected), f"mutant {i}"
        assert [info.path for info in catalog.scan([folder.parent])] == [folder]
    assert n_opened < 60


def test_verify_reports_or_refuses_a_changed_manifest(body, damaged):
    rng = random.Random(4)
    for i in range(60):
        changed = mutant(body, rng)
        folder = damaged(encoded(changed, with_right_crc=bool(i % 2)))
        with suppress(AppError):
            verify(folder, sample=5)


FIELDS = {
    "target": [64.0, True, 1 << 70, 100],
    "complete": [1],
    "layers": [{}],
    "omitted": [[{"layer": 3, "boards": 5, "stored": 5}]],
    "options": [[]],
    "formation": [None],
    "more": [1],
}
OPTIONS = {
    "spawn4": [math.nan, 0.0, "0.1", 10**400],
    "threshold": [-0.0001, math.nan],
    "rate": ["uint33", ["uint32"]],
    "sparse": [2, 4.0],
    "optimal_only": [0],
    "more": [1],
}
LAYER = {
    "layer": [6, -1, 80, "5"],
    "file": ["layer-0006.tbl", "../layer-0005.tbl", "sub/layer-0005.tbl", "/layer-0005.tbl", 5],
    "bytes": [0, -5, 1 << 63, 5.0],
    "crc": [1 << 32],
    "boards": [-1],
    "stored": [1 << 62],
    "more": [1],
}


def pairs(values: dict[str, list[Any]]) -> list[tuple[str, Any]]:
    return [(name, value) for name, all_of in values.items() for value in all_of]


@pytest.mark.parametrize(("name", "value"), pairs(FIELDS))
def test_an_absurd_field_is_named_as_damage(body, name, value):
    with pytest.raises(DamagedTableError):
        parse_manifest(encoded({**body, name: value}), PLACE)


@pytest.mark.parametrize(("name", "value"), pairs(OPTIONS))
def test_an_absurd_option_is_damage(body, name, value):
    options = {**body["options"], name: value}
    with pytest.raises(DamagedTableError):
        parse_manifest(encoded({**body, "options": options}), PLACE)


@pytest.mark.parametrize(("name", "value"), pairs(LAYER))
def test_an_absurd_layer_is_damage(body, name, value):
    layers = [dict(layer) for layer in body["layers"]]
    layers[5][name] = value
    with pytest.raises(DamagedTableError):
        parse_manifest(encoded({**body, "layers": layers}), PLACE)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe\x00",
        b'{"format": "\xc3\xa9"}',
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"9" * 100_000,
        b"NaN",
        b'"' + b"a" * 1000,
    ],
)
def test_bytes_that_are_no_json_are_an_error(raw):
    assert error_of(raw)


@pytest.mark.parametrize("depth", [*range(100, 1100, 50), 5000])
def test_deep_nesting_is_an_error_at_any_depth(depth, body):
    """Also where reading just works, and computing the checksum does not."""
    deep = "[" * depth + "]" * depth
    raw = json.dumps({**body, "crc": 0})[:-1] + f', "more": {deep}}}'
    assert error_of(raw.encode())
    version = json.dumps({**body, "version": 0}).replace('"version": 0', f'"version": {deep}')
    assert error_of(version.encode())


def test_a_huge_file_is_refused_without_reading_it(damaged):
    folder = damaged(b"{}")
    with (folder / "manifest.json").open("r+b") as file:
        file.truncate(100 << 30)  # takes no room, and does not fit into any memory
    with pytest.raises(DamagedTableError, match=str(MAX_BYTES)):
        load_manifest(folder)
    assert [info.state for info in catalog.scan([folder])] == ["damaged"]


def test_a_manifest_of_another_program_is_told_apart(body):
    with pytest.raises(TableFormatError):
        parse_manifest(encoded({**body, "format": "else"}), PLACE)
    for version in (0, 5, 1.0, "2", None, [2], 10**400):
        with pytest.raises(TableFormatError, match="version"):
            parse_manifest(encoded({**body, "version": version}), PLACE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_does_not_make_anybody_wait(damaged):
    folder = damaged(b"{}")
    for name in ("manifest.json", "elsewhere.json", "home.json", "build.lock"):
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)
    with pytest.raises(MissingTableError, match="not a file"):
        Tablebase.open(folder)
    assert catalog.scan([folder.parent, folder]) == []
    assert not is_locked(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_layers_that_are_links_to_something_else_are_refused(body, damaged, original, tmp_path):
    folder = damaged(encoded(body))
    layer = folder / "layer-0005.tbl"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    other = original / "layer-0006.tbl"
    same_size = tmp_path / "same_size"
    same_size.write_bytes(bytes((original / layer.name).stat().st_size))
    for place in (pipe, other, same_size, Path("/dev/zero"), tmp_path, tmp_path / "nowhere", layer):
        layer.unlink()
        layer.symlink_to(place)
        with pytest.raises(TableError, match=r"layer-0005\.tbl"):
            Tablebase.open(folder)
    layer.unlink()
    layer.symlink_to(original / layer.name)  # somebody's own way to use another drive
    with Tablebase.open(folder) as table:
        assert table.probe(BOARD).best is not None


def test_a_null_character_in_a_path_is_no_table():
    with pytest.raises(MissingTableError):
        load_manifest(Path("a\0b"))
    assert catalog.scan([Path("a\0b")]) == []


def test_garbage_next_to_tables_does_not_disturb_the_catalog(original, tmp_path):
    shutil.copytree(original, tmp_path / original.name)
    (tmp_path / "home.json").write_text('{"this is": "somebody else\'s"}')
    rng = random.Random(5)
    for i, name in enumerate(("manifest.json", "home.json", "elsewhere.json") * 5):
        folder = tmp_path / f"garbage{i}_9{'9' * i}"
        folder.mkdir()
        (folder / name).write_bytes(rng.randbytes(200))
    (tmp_path / "x_²").mkdir()
    (tmp_path / "x_²" / "manifest.json").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    found = catalog.scan([tmp_path, tmp_path, tmp_path / "nowhere", tmp_path / "home.json"])
    assert [info.name for info in found if info.state == "complete"] == ["2x4_64"]
    assert {info.state for info in found} == {"complete", "damaged"}
