"""Files of formations as people write them: the shipped one, own ones, broken ones."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
import small_formations

from engine.geometry import MODES
from tablebase.errors import FormationError
from tablebase.formation.checks import (
    FIELDS,
    MAX_EXTRA_STEPS,
    MIN_EXTRA_STEPS,
    OPTIONAL_FIELDS,
    SEED_MODES,
)
from tablebase.formation.formation import Formation
from tablebase.formation.json_file import MAX_BYTES
from tablebase.formation.patterns_file import CONFIG_PATH, load_formations

SHIPPED = CONFIG_PATH.read_text(encoding="utf-8")
SCHEMA_PATH = CONFIG_PATH.parent / "tablebase" / "patterns_config.schema.json"
SCHEMA = json.loads(SCHEMA_PATH.read_text(encoding="utf-8"))


def entry(**changes: object) -> dict[str, Any]:
    return small_formations.entry(**{"name": "mine", **changes})


def write(path: Path, *entries: object) -> Path:
    path.write_text(json.dumps({"version": 1, "formations": entries}), encoding="utf-8")
    return path


def test_own_formations_come_after_those_of_the_program(tmp_path):
    formations = load_formations(own=write(tmp_path / "own.json", entry()))
    assert list(formations) == [*load_formations(), "mine"]


def test_an_own_formation_replaces_the_one_of_its_name(tmp_path):
    own = write(tmp_path / "own.json", entry(name="L3", extra_steps=7))
    formations = load_formations(own=own)
    assert list(formations) == list(load_formations())
    assert formations["L3"].extra_steps == 7


def test_no_own_file_is_none(tmp_path):
    assert load_formations(own=tmp_path / "absent.json") == load_formations()


@pytest.mark.parametrize("names", [("mine", "MINE"), ("l3",)])
def test_names_that_a_drive_may_mix_up_are_refused(tmp_path, names):
    own = write(tmp_path / "own.json", *(entry(name=name) for name in names))
    with pytest.raises(FormationError, match=r"own\.json.*used twice"):
        load_formations(own=own)


def test_a_mistake_names_its_file(tmp_path):
    own = write(tmp_path / "own.json", entry(extra_steps="48"))
    with pytest.raises(FormationError, match=r"own\.json: formation 'mine': field extra_steps"):
        load_formations(own=own)


BROKEN: dict[str, tuple[bytes, str]] = {
    "a comma too many": (b'{"version": 1,\n "formations": [1,]}', r"line 2, column 19"),
    "cut off": (SHIPPED.encode()[:500], r"line \d+, column \d+: not valid JSON"),
    "empty": (b"", "line 1, column 1"),
    "utf-16": (SHIPPED.encode("utf-16"), "is not UTF-8 text"),
    "latin-1": (b'{"version": 1, "\xe9": 2}', r"is not UTF-8 text \(byte 16\)"),
    "NaN": (b'{"version": 1, "formations": NaN}', "NaN is not a JSON number"),
    "infinite": (b'{"version": 1, "formations": -Infinity}', "-Infinity is not a JSON number"),
    "huge number": (b"1" * 5000, "not valid JSON"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "deep objects": (b'{"a":' * 100_000, "nested too deeply"),
    "twice the same field": (b'{"version": 1, "version": 1}', "'version' is there twice"),
    "another field": (b'{"version": 1, "pattern": []}', "'pattern'"),
    "version as a bool": (b'{"version": true, "formations": []}', '"version": 1'),
    "version as a float": (b'{"version": 1.0, "formations": []}', '"version": 1'),
    "too large": (b" " * (MAX_BYTES + 1), "larger than 1000 KB"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_told_in_one_line(tmp_path, kind):
    data, message = BROKEN[kind]
    path = tmp_path / "own.json"
    path.write_bytes(data)
    with pytest.raises(FormationError, match=message) as caught:
        load_formations(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "own.json"
    with path.open("wb") as file:
        file.truncate(100 << 20)
    with pytest.raises(FormationError, match="larger than"):
        load_formations(path)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(FormationError, match="is not a file"):
        load_formations(tmp_path)


def test_a_byte_order_mark_is_allowed(tmp_path):
    path = tmp_path / "own.json"
    path.write_text(SHIPPED, encoding="utf-8-sig")
    assert load_formations(path) == load_formations()


STRANGE = (None, True, -1, 0, 1e308, 10**30, "", "0x", "ffffffffffffffffff", "\ud800", [], {}, [[]])


def mutated_text(rng: random.Random) -> str:
    """Change, delete, double or move a few characters."""
    text = SHIPPED
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        end = min(len(text), at + rng.choice((1, 1, 1, 30, 400)))
        piece = rng.choice(
            ("", rng.choice('0f"{}[],:e-\\'), text[at:end] * 2, text[::-1][at:end], "\x00")
        )
        text = text[:at] + piece + text[end:]
    return text


def mutated_values(rng: random.Random) -> str:
    """Put strange or foreign values into the fields of valid entries."""
    data = json.loads(SHIPPED)
    donors = json.loads(SHIPPED)["formations"]
    for _ in range(rng.randint(1, 3)):
        target = rng.choice(data["formations"])
        field = rng.choice(list(target))
        kind = rng.randrange(4)
        if kind == 0:
            target[field] = rng.choice(STRANGE)
        elif kind == 1:
            target[field] = rng.choice(donors).get(field)
        elif kind == 2:
            del target[field]
        elif isinstance(target[field], list) and target[field]:
            target[field][0] = mutated_digits(rng, target[field][0])
    return json.dumps(data)


def mutated_digits(rng: random.Random, text: str) -> str:
    at = rng.randrange(2, len(text))
    return text[:at] + rng.choice("0123456789abcdefg") + text[at + 1 :]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mutated", [mutated_text, mutated_values])
def test_whatever_the_file_holds_it_is_read_or_refused(tmp_path, mutated, seed):
    rng = random.Random(seed)
    path = tmp_path / "own.json"
    refusals = []
    for _ in range(100):
        path.write_text(mutated(rng), encoding="utf-8", errors="surrogatepass")
        try:
            formations = load_formations(path)
        except FormationError as error:
            refusals.append(str(error))
        else:
            assert all(isinstance(f, Formation) for f in formations.values())
    assert all("\n" not in text and len(text) < 800 for text in refusals)
    assert 20 < len(refusals) < 100  # mutations that are never refused, or always, test nothing


def violations(value: object, schema: dict[str, Any], at: str = "$") -> list[str]:
    """What in `value` a JSON Schema forbids; only the keywords that ours uses."""
    found = []
    if "$ref" in schema:
        schema = {**SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]], **schema}
    kinds = {"string": str, "array": list, "object": dict, "integer": int, "boolean": bool}
    kind = kinds.get(schema.get("type", ""), object)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return [f"{at}: not of type {schema['type']}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{at}: not {schema['const']}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: not in {schema['enum']}")
    if isinstance(value, str):
        if not re.search(schema.get("pattern", ""), value):
            found.append(f"{at}: not like {schema['pattern']}")
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            found.append(f"{at}: of a wrong length")
    if isinstance(value, int) and kind is int and not in_bounds(value, schema):
        found.append(f"{at}: out of bounds")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            found.append(f"{at}: too short")
        if schema.get("uniqueItems") and len(set(value)) < len(value):
            found.append(f"{at}: not unique")
        for i, item in enumerate(value):
            found += violations(item, schema["items"], f"{at}[{i}]")
    if isinstance(value, dict):
        known = schema["properties"]
        found += [f"{at}: no {name}" for name in schema["required"] if name not in value]
        for name, item in value.items():
            found += (
                violations(item, known[name], f"{at}.{name}")
                if name in known
                else [f"{at}: {name} is unknown"]
            )
    return found


def in_bounds(value: int, schema: dict[str, Any]) -> bool:
    return bool(schema["minimum"] <= value <= schema["maximum"])


def test_the_shipped_file_follows_the_schema():
    data = json.loads(SHIPPED)
    assert violations(data, SCHEMA) == []
    assert (CONFIG_PATH.parent / data["$schema"]) == SCHEMA_PATH


def test_the_schema_forbids_nothing_that_the_program_reads():
    """And the other way round, for all that it can say."""
    formation = SCHEMA["$defs"]["formation"]
    fields = formation["properties"]
    assert set(fields) == {*FIELDS, *OPTIONAL_FIELDS}
    assert set(formation["required"]) == set(FIELDS)
    assert tuple(fields["symmetry"]["enum"]) == MODES
    assert tuple(fields["seed_mode"]["enum"]) == SEED_MODES
    limits = fields["extra_steps"]
    assert (limits["minimum"], limits["maximum"]) == (MIN_EXTRA_STEPS, MAX_EXTRA_STEPS)


def test_every_field_of_the_schema_is_explained():
    for name, field in SCHEMA["$defs"]["formation"]["properties"].items():
        assert len(field["description"]) > 20, name


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "a_b"},
        {"category": " "},
        {"masks": ["0x1"]},
        {"target_cells": "0xg"},
        {"symmetry": "none"},
        {"seeds": []},
        {"seeds": ["0x00001000ffffffff", "0x00001000ffffffff"]},
        {"extra_steps": 16380},
        {"extra_steps": True},
        {"walls": 1},
        {"seed_mode": ""},
        {"more": 1},
    ],
)
def test_schema_and_program_refuse_the_same(tmp_path, changes):
    bad = entry(**changes)
    assert violations({"version": 1, "formations": [bad]}, SCHEMA)
    with pytest.raises(FormationError):
        load_formations(write(tmp_path / "own.json", bad))
