"""The documents: what they name exists, links lead somewhere, formats.md is what is written."""

import json
import re
import sqlite3
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import zstandard

from ai.match import results_file
from coach.backup import manifest as backup
from coach.exam import session_file
from coach.mistakes import files as mistake_files
from coach.play.run import Run
from coach.play.setup import Setup
from coach.record import schema
from coach.record.database import open_database
from coach.recordings import practice_file
from engine.bitboard import parse_board
from engine.formats.replay import Replay
from engine.formats.rpl import write_rpl
from engine.game import Game
from engine.game_log import GameLog
from engine.platform.kernel_cache import KernelFolder
from gui.game.records import GameRecord
from gui.settings_model import settings_file
from main import build_parser
from tablebase.build.builder import BuildPlan, build
from tablebase.build.scratch import Scratch
from tablebase.formation.patterns_file import load_formations
from tablebase.memory.arrays import Arrays
from tablebase.store.manifest import Manifest, load_manifest
from tablebase.store.options import TableOptions
from tablebase.store.origin import Origin
from tablebase.store.parts_index import Elsewhere, PartRecord
from tablebase.store.rates import RATE_TYPES
from tablebase.store.replace_table import Conversion
from tablebase.store.work_folder import make_work_folder

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
FORMATS = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
PLACEHOLDER = re.compile(r"NAME|PATTERN|FILE")  # from there on a path is an example
SIZES = {"u8": 1, "u32": 4, "u64": 8, "f64": 8}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def named_paths(text: str) -> Iterator[str]:
    """Yield what stands in backticks and is a path of the repository, or a name of a file in it."""
    tops = {path.name for path in ROOT.iterdir()} - {".venv", "build", "dist"}
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for token in re.findall(r"`([\w.*/-]+)`", prose):
        if "__pycache__" in token:
            continue
        top, slash, _ = token.partition("/")
        if (slash and top in tops) or (not slash and re.search(r"\w\.(py|md|toml|yaml)$", token)):
            parts = token.rstrip("/").split("/")
            n_real = next((i for i, part in enumerate(parts) if PLACEHOLDER.search(part)), None)
            yield "/".join(parts[:n_real])


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_path_that_is_named_exists(document):
    for path in named_paths(document.read_text(encoding="utf-8")):
        is_there = any(ROOT.glob(path)) or ("/" not in path and any(ROOT.glob(f"*/**/{path}")))
        assert is_there, f"{name_of(document)} names {path}"


def test_paths_are_found_in_documents():
    found = list(
        named_paths("`engine/game.py`, `tests/gui/NAME/`, `no.py`, `make test`, `tables/`")
    )
    assert found == ["engine/game.py", "tests/gui", "no.py"]
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert len(set(named_paths(text))) > 100


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_module_that_is_run_exists(document):
    text = document.read_text(encoding="utf-8")
    for module in re.findall(r"python -m ((?:ai|tests)(?:\.\w+)+)", text):
        path = ROOT.joinpath(*module.split("."))
        is_there = path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
        assert is_there, f"{name_of(document)} runs {module}"


def test_the_commands_of_the_readme_are_all_there_are():
    named = re.findall(r"^\| `([a-z]+)[ `]", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    commands = build_parser().format_help().partition("\ncommands:")[2]
    assert sorted(named) == sorted(re.findall(r"^ {4}([a-z]+)\b", commands, re.M))


def test_every_room_is_in_the_table_of_rooms_and_in_the_picture():
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z]+/[a-z_]+)/`", text))
    rooms = {
        name_of(path.parent)
        for package in ("engine", "tablebase", "ai", "coach", "minigames", "gui", "web")
        for path in (ROOT / package).glob("*/__init__.py")
    }
    assert rooms - named == set()
    picture = (ROOT / "docs/architecture.svg").read_text(encoding="utf-8")
    assert {room.partition("/")[2] for room in rooms} <= set(re.findall(r">([a-z_]+)<", picture))


def links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document):
    for link in links(document.read_text(encoding="utf-8")):
        if link.startswith("https://"):
            continue
        place, _, anchor = link.partition("#")
        path = document.parent / place if place else document
        assert path.is_file(), f"{name_of(document)} links to {link}"
        if anchor:
            assert anchor in anchors(path.read_text(encoding="utf-8")), link


def test_every_picture_is_shown_and_can_be_read():
    shown = {
        (document.parent / link).resolve()
        for document in DOCUMENTS
        for link in links(document.read_text(encoding="utf-8"))
    }
    pictures = [path for path in (ROOT / "docs").rglob("*") if path.suffix in (".svg", ".png")]
    assert len(pictures) > 5
    for path in pictures:
        assert path.resolve() in shown, f"no document shows {path.name}"
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.stat().st_size < 200_000


class Row(NamedTuple):
    cells: tuple[str, ...]

    @property
    def offset(self) -> int:
        return int(self.cells[0])

    @property
    def size(self) -> int:
        return int(self.cells[1])


def section(title: str) -> str:
    _, found, rest = FORMATS.partition(f"# {title}\n")
    assert found, title
    return re.split(r"^#+ ", rest, maxsplit=1, flags=re.M)[0]


def tables(text: str) -> list[list[Row]]:
    found: list[list[Row]] = [[]]
    for line in text.splitlines():
        if line.startswith("|"):
            row = Row(tuple(cell.strip() for cell in line.strip("|").split("|")))
            found[-1] += [] if set(line) <= set("|-") else [row]
        elif found[-1]:
            found.append([])
    return [one for one in found if one]


def row_of(rows: list[Row], meaning: str) -> Row:
    (found,) = [row for row in rows if row.cells[-1].startswith(meaning)]
    return found


def number(raw: bytes, row: Row) -> int:
    return int.from_bytes(raw[row.offset : row.offset + row.size], "little")


def words(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that was really built."""
    folder = tmp_path_factory.mktemp("tables") / "2x4_64"
    build(BuildPlan(load_formations()["2x4"], 64, folder, threads=1))
    return folder


@pytest.fixture(scope="module")
def manifest(built: Path) -> Manifest:
    return load_manifest(built)


def test_offsets_add_up():
    n_checked = 0
    for head, *rows in tables(FORMATS):
        if not head.cells[0].startswith("offset"):
            continue
        for before, row in pairwise(rows):
            if row.cells[0].isdecimal() and before.cells[1].isdecimal():
                assert row.offset == before.offset + before.size, (head, row)
                n_checked += 1
        for row in rows:
            if len(row.cells) > 3 and row.cells[2] in SIZES and row.cells[1].isdecimal():
                assert row.size == SIZES[row.cells[2]], row
    assert n_checked > 20


def test_the_header_of_a_layer_file(built, manifest):
    (_, *rows), *_ = tables(section("Layer files"))
    rows = [row for row in rows if row.cells[0].isdecimal()]
    magic = row_of(rows, "magic")
    for layer in manifest.layers.values():
        raw = (built / layer.file).read_bytes()
        assert f"`{raw[magic.offset : magic.size].decode()}`" in magic.cells[-1]
        assert number(raw, row_of(rows, "number of the layer")) == layer.layer
        assert number(raw, row_of(rows, "boards")) == layer.boards
        assert number(raw, row_of(rows, "stored")) == layer.stored
        assert number(raw, row_of(rows, "code of")) == RATE_TYPES["uint32"].code
        crc = row_of(rows, "crc32")
        n_blocks = number(raw, row_of(rows, "n, the number"))
        start = rows[-1].offset + 24 * (n_blocks + 1)
        end = start + number(raw, row_of(rows, "bytes of the codebook"))
        assert number(raw, crc) == layer.crc
        assert zlib.crc32(raw[crc.offset + 4 : end], zlib.crc32(raw[: crc.offset])) == layer.crc


def test_the_directory_and_the_keys_of_blocks(built, manifest):
    (_, *header), (_, *entry), *_ = tables(section("Layer files"))
    header = [row for row in header if row.cells[0].isdecimal()]
    meanings = (
        "where the block begins",
        "boards stored",
        "bytes of its keys",
        "crc32 of its bytes",
    )
    parts = [row_of(entry, meaning) for meaning in meanings]
    n_seen = 0
    for layer in manifest.layers.values():
        raw = (built / layer.file).read_bytes()
        n_blocks = number(raw, row_of(header, "n, the number"))
        starts = [header[-1].offset + 24 * i for i in range(n_blocks + 1)]
        entries = [[number(raw[at:], row) for row in parts] for at in starts]
        assert entries[-1] == [len(raw), layer.stored, 0, 0]
        for (at, before, n_key_bytes, crc), (end, after, *_) in pairwise(entries):
            if at == end:
                assert before == after
                continue
            block, n_bytes = raw[at:end], 131_072 // 8
            assert zlib.crc32(block) == crc
            keys = block[:n_key_bytes]
            if n_key_bytes != n_bytes:
                keys = zstandard.ZstdDecompressor().decompress(keys)
            n_bytes = len(keys)
            assert n_bytes in (16_384, 32_768, 65_536, 131_072)
            assert int.from_bytes(keys, "little").bit_count() == after - before
            n_seen += 1
    assert n_seen > 50


def test_the_codes_of_rate_types():
    _, _, (_, *rows) = tables(section("Layer files"))
    assert {words(row.cells[1])[0]: int(row.cells[0]) for row in rows} == {
        rate.name: rate.code for rate in RATE_TYPES.values()
    }


def test_the_fields_of_a_manifest(built):
    body = json.loads((built / "manifest.json").read_bytes())
    ((_, *rows),) = tables(section("manifest.json"))
    assert [words(row.cells[0])[0] for row in rows] == list(body)
    meaning = {words(row.cells[0])[0]: words(row.cells[2]) for row in rows}
    assert meaning["options"] == list(body["options"])
    assert meaning["layers"] == list(body["layers"][0])
    assert set(body["formation"]) <= set(meaning["formation"])
    assert meaning["omitted"] == ["layer", "boards", "stored"]


def test_the_magic_numbers_are_those_that_are_written(built, tmp_path):
    written = {next(built.glob("layer-*.tbl")).read_bytes()[:8]}
    for pack in (False, True):
        scratch = Scratch(tmp_path, Arrays(tmp_path, None), pack=pack)
        scratch.save_bits(12, np.ones(1 << 18, np.uint64), 77)
        raw = (tmp_path / "after-0012.bits").read_bytes()
        assert struct.unpack_from("<QQQ", raw, 8) == (12, 1 << 18, 77)
        written |= {raw[:8], raw[-8:]}
    scratch.save_live(12, np.array([0.25, 0.0, 0.5, 1.0]))
    raw = (tmp_path / "live-0012.f8").read_bytes()
    assert struct.unpack_from("<QQ", raw, 8) == (12, 4)
    assert struct.unpack_from("<II", raw, 24) == (len(raw) - 32, zlib.crc32(raw[:24] + raw[32:]))
    planes = zip(*(struct.pack("<d", rate) for rate in (0.25, 0.5, 1.0)), strict=True)
    expected = bytes([0b1011_0000]) + b"".join(map(bytes, planes))
    assert zstandard.ZstdDecompressor().decompress(raw[32:]) == expected
    written.add(raw[:8])
    assert {one.encode() for one in re.findall(r"E48\w+", FORMATS)} == written


def test_small_bitmaps_share_files_as_described(tmp_path):
    scratch = Scratch(tmp_path, Arrays(tmp_path, None))
    scratch.save_bits(12, np.ones(64, np.uint64), 64)
    scratch.flush()
    raw = (tmp_path / "batch-0000.bits").read_bytes()
    part = next(rows for rows in tables(section("Working files")) if "crc32 of bytes 4 to 27" in
                rows[1].cells[-1])  # fmt: skip
    crc, name, n_bytes, body = part[1:]
    assert number(raw, crc) == zlib.crc32(raw[name.offset : body.offset])
    assert raw[name.offset : name.offset + name.size].rstrip(b"\0") == b"after-0012"
    assert number(raw, n_bytes) == len(raw) - body.offset


def test_the_names_of_formats_are_those_that_are_written(built, manifest, tmp_path):
    Elsewhere(manifest.identity, {tmp_path: frozenset([1, 2])}).save(tmp_path)
    PartRecord.of(manifest, tmp_path).save(tmp_path)
    Origin("uint32", False, "0").save(tmp_path)
    Conversion("0", TableOptions(), "").save(tmp_path)
    make_work_folder(tmp_path, tmp_path)
    (_, *rows) = tables(section("Other files of a table"))[0]
    names = [row.cells[0].strip("`") for row in rows if row.cells[1]]
    found = {name: json.loads((tmp_path / name).read_bytes()) for name in names}
    assert {f"`{name}`": f"`{body['format']}`" for name, body in found.items()} == {
        row.cells[0]: row.cells[1] for row in rows if row.cells[1]
    }
    for row in rows:
        if row.cells[1]:
            body = found[row.cells[0].strip("`")]
            others = set(body) - {"format", "version", "crc"}
            assert others <= set(words(row.cells[2])) | {"path"}, row
    known = {body["format"] for body in found.values()}
    known.add(json.loads((built / "manifest.json").read_bytes())["format"])
    known |= {session_file.FORMAT, practice_file.FORMAT, mistake_files.FORMAT}
    known |= {backup.FORMAT, settings_file.FORMAT}
    assert set(re.findall(r"endgame2048-[a-z]+", FORMATS)) == known


def test_the_end_mark_of_an_rpl():
    start = (1, 1, *[0] * 14)
    row = struct.unpack("<QB4I", write_rpl(Replay(start, ()))[-25:])
    mark = re.search(r"its byte is (\d+), its numbers are ([\d, and\n]+)", section(".rpl"))
    assert mark
    assert [str(one) for one in row[1:]] == re.findall(r"\d+", " ".join(mark.groups()))


def test_the_first_line_of_a_game_log(tmp_path):
    log = GameLog(tmp_path / "current.log")
    log.begin(Game.new(1), best=1234)
    log.close()
    head = json.loads((tmp_path / "current.log").read_text().splitlines()[0])
    text = section("Games in play")
    assert f'{{"version": {head["version"]}, "best": 1234, "game": {{...}}}}' in text
    assert {*head["game"], *head["game"]["parts"][0]} <= set(words(text))


def test_the_fields_of_a_test():
    start = parse_board("1020_0000_21ff_ffff")
    when = datetime(2026, 5, 1, tzinfo=timezone.utc)
    session = Run(Setup("442_128", 128, 0.1, "uint32", 1, start), when)
    session.add(0, 3, 1, (0.5, 0.4, None, None), 800, False, ())
    body = json.loads(session_file.session_to_json(session))
    ((_, *rows), *_) = tables(section("Tests"))
    assert {name for row in rows for name in words(row.cells[0])} == set(body)
    assert set(body["moves"][0]) <= set(words(row_of(rows, "objects").cells[-1]))


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Games in play", [field.name for field in fields(GameRecord)]),
        ("Games in play", results_file.COLUMNS),
        ("Mistakes", mistake_files.COLUMNS),
    ],
)
def test_the_columns_of_csv(title, names):
    found = words(section(title))
    assert any(found[i : i + len(names)] == list(names) for i in range(len(found)))


@pytest.mark.parametrize(("title", "migrations"), [("The user's database", schema.MIGRATIONS)])
def test_the_columns_of_databases(title, migrations, tmp_path):
    (_, *rows) = next(one for one in tables(section(title)) if one[0].cells[1] == "column")
    named: dict[str, set[str]] = {}
    table = ""
    for row in rows:
        table = words(row.cells[0])[0] if row.cells[0] else table
        named.setdefault(table, set()).update(words(row.cells[1]))
    connection = open_database(tmp_path / "some.db", migrations)
    is_there = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    found = {name: columns(connection, name) for (name,) in connection.execute(is_there)}
    connection.close()
    assert named == found


def columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "n_stages", "size", "kind"),
    [("walls_1024", 8, 4 * 12**6, ["goal"]), ("whole_game", 9, 8 * 16**6, ["sums", "tuples"])],
)
def test_the_parts_of_a_network(name, n_stages, size, kind):
    text = section("Networks and weights")
    ((_, *rows),) = tables(text)
    assert [row.cells[0] for row in rows] == ["mask", "steps", "wide"]
    assert [row.cells[1] for row in rows[1:]] == ["i8[n]", "i16[m]"]
    packed = (ROOT / f"ai/evaluation/weights/{name}.net").read_bytes()
    head, body = zstandard.ZstdDecompressor().decompressobj().decompress(packed).split(b"\n", 1)
    told = json.loads(head)
    assert sorted(told) == sorted(["version", "unit", *kind])
    assert f"`version` ({told['version']})" in text
    assert set(kind) <= set(re.findall("`([a-z]+)`", text))
    at = 0
    for _ in range(n_stages):
        steps_at = at + size // 8
        n_here = int.from_bytes(body[at:steps_at], "big").bit_count()
        wide_at = steps_at + n_here
        at = wide_at + 2 * body.count(b"\x80", steps_at, wide_at)
    assert at == len(body)


def test_the_head_of_machine_code(tmp_path):
    KernelFolder(tmp_path, bytes(32)).write("name", b"origin", b"payload")
    (path,) = tmp_path.glob("*.kernel")
    raw = path.read_bytes()
    (_, magic, digest, rest), *_ = tables(section("Machine code of kernels"))
    assert (
        raw[: magic.size] == magic.cells[-1].strip("`").encode().decode("unicode_escape").encode()
    )
    assert raw[rest.offset :] == b"payload"
    assert rest.offset == digest.offset + digest.size
