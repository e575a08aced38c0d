"""JSON in a file of its own, and read as classes: kept over crashes, damage is named."""

import errno
import json
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal
from unittest.mock import Mock

import pytest
from msgspec import Meta, Struct

from engine.platform.files import json_file
from engine.platform.files.field_types import DirectionName, Share, one_of
from engine.platform.files.input_file import InputFileError
from engine.platform.files.json_file import FileTexts, JsonFile
from engine.platform.files.json_struct import as_struct, check_format

TEXTS = FileTexts("unreadable {why}", "damaged {path}", "fixed {path}", "unwritten {why}", "Alone.")


def is_versioned(data: dict[str, Any]) -> None:
    if data.get("version") != 1:
        raise ValueError("expected version 1")


def never(text: str) -> None:
    raise AssertionError(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "queue.json"


def test_what_is_saved_is_loaded(path):
    file = JsonFile(path, TEXTS)
    assert file.load(is_versioned) is None
    file.save({"version": 1, "names": ["\ud800", "ü"]}, never)
    file.close()
    assert JsonFile(path, TEXTS).load(is_versioned) == {"version": 1, "names": ["\ud800", "ü"]}
    assert [one.name for one in path.parent.iterdir()] == ["queue.json"]


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"version": 2}', b"\xff", b"[" * 100_000])
def test_damage_is_set_aside_and_reported(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    file = JsonFile(path, TEXTS)
    assert file.load(is_versioned) is None
    (aside,) = path.parent.iterdir()
    assert aside.read_bytes() == content
    assert file.problem == f"damaged {aside}"
    assert not file.is_left_alone


def test_the_file_of_another_process_stays_as_it_is(path):
    path.parent.mkdir()
    path.write_bytes(b"{")
    file = JsonFile(path, TEXTS, is_read_only=True)
    assert file.load(is_versioned) is None
    file.save({"version": 1}, never)
    file.close()
    assert path.read_bytes() == b"{"


def test_a_failed_write_is_reported_and_tried_again(path, monkeypatch):
    file, heard = JsonFile(path, TEXTS), []
    with monkeypatch.context() as patch:
        patch.setattr(json_file, "write_file", Mock(side_effect=OSError(errno.ENOSPC, "no space")))
        file.save({"version": 1}, heard.append)
        file.flush()
    assert file.has_failed
    assert heard == ["unwritten [Errno 28] no space"]
    file.save({"version": 1}, never)
    file.close()
    assert not file.has_failed
    assert json.loads(path.read_text()) == {"version": 1}


class Color(Enum):
    """A choice."""

    RED = "red"
    BLUE = "light blue"


class Stop(Struct, frozen=True):
    """A part of the file below."""

    name: Annotated[str, Meta(min_length=1, max_length=8)]
    cell: Annotated[int, Meta(ge=0, le=15)] = 0
    way: DirectionName = "left"
    tile: Literal[2, 4] = 2
    color: Color = Color.RED
    shares: tuple[Share | None, Share | None] = (None, None)

    def __post_init__(self) -> None:
        if self.name == "nowhere":
            raise ValueError("'name' is no place")


class Trip(Struct, frozen=True, forbid_unknown_fields=True):
    """A made-up file."""

    color: Annotated[str, one_of(["red", "light.blue"])]
    stops: Annotated[tuple[Stop, ...], Meta(max_length=4)]
    walls: bool = False
    least: Annotated[int, Meta(ge=-3)] = 0
    most: Annotated[float, Meta(le=9.5)] = 0.0
    tag: str | int | None = None
    here: Annotated[Stop | None, Meta(description="where it begins, or null")] = None
    start: list[int] = []
    code: Annotated[str, Meta(min_length=3, max_length=3)] = "abc"
    byname: dict[str, bool] = {}


GOOD: dict[str, Any] = {"color": "red", "stops": [{"name": "a"}, {"name": "b", "cell": 15}]}


def read(data: object) -> Trip:
    return as_struct(data, Trip)


def test_good_data_comes_as_an_instance():
    trip = read(GOOD | {"most": 2})
    assert trip == Trip("red", (Stop("a"), Stop("b", 15)), most=2.0)
    assert type(trip.most) is float


def stop(**fields: object) -> dict[str, object]:
    """Return a file whose second stop has these fields too."""
    return {"stops": [{"name": "a"}, {"name": "b", **fields}]}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        # Of a wrong type; whole numbers are neither 1.0 nor true.
        ({"walls": 1}, "'walls' is 1; expected true or false"),
        ({"least": True}, "'least' is true; expected a whole number of at least -3"),
        ({"least": 1.0}, "'least' is 1.0; expected a whole number of at least -3"),
        ({"most": "1"}, "'most' is '1'; expected a number of at most 9.5"),
        ({"stops": {}}, "'stops' is {}; expected a list of 0 to 4 entries"),
        ({"stops": [3]}, "stop 1 is 3; expected an object"),
        ({"tag": 1.5}, "'tag' is 1.5; expected a text or a whole number, or null"),
        ({"here": 2}, "'here' is 2; expected where it begins, or null"),
        ({"start": [1, "x"]}, "'start': entry 2 is 'x'; expected a whole number"),
        ({"byname": {"x": 1}}, "'byname': a value is {'x': 1}; expected true or false"),
        (stop(shares=[0.5, "x"]), "stop 2: share 2 is 'x'; expected a number from 0 to 1, or null"),
        (stop(shares=[0.5]), "stop 2: 'shares' is [0.5]; expected a list of 2"),
        (stop(cell=None), "stop 2: 'cell' is null; expected a whole number from 0 to 15"),
        # Out of range.
        (stop(cell=16), "stop 2: 'cell' is 16; expected a whole number from 0 to 15"),
        (stop(cell=-1), "stop 2: 'cell' is -1; expected a whole number from 0 to 15"),
        ({"least": -(1 << 70)}, "-1180591620717411303424; expected a whole number of at least -3"),
        ({"most": float("inf")}, "'most' is inf; expected a number of at most 9.5"),
        ({"most": 10**400}, "expected a number of at most 9.5"),
        (stop(name=""), "stop 2: 'name' is ''; expected a text of 1 to 8 characters"),
        ({"stops": [{"name": "a"}] * 5}, "expected a list of 0 to 4 entries"),
        ({"code": "ab"}, "'code' is 'ab'; expected a text of 3 characters"),
        # None of the allowed values.
        (stop(way="north"), "stop 2: 'way' is 'north'; expected left, right, up or down"),
        (stop(color="green"), "stop 2: 'color' is 'green'; expected red or light blue"),
        (stop(color=1), "stop 2: 'color' is 1; expected red or light blue"),
        (stop(tile=8), "stop 2: 'tile' is 8; expected 2 or 4"),
        ({"color": "lightxblue"}, "'color' is 'lightxblue'; expected one of red, light.blue"),
        ({"color": "dark red"}, "'color' is 'dark red'; expected one of red, light.blue"),
        ({"color": "red\n"}, "expected one of red, light.blue"),
        # Fields that are missing, or too many.
        ({"color": ...}, "'color' is missing"),
        ({"stops": [{}]}, "stop 1: 'name' is missing"),
        ({"here": {}}, "'here': 'name' is missing"),
        ({"col": 1}, "'col' is unknown; expected only color, stops, walls, least, most, tag, here"),
        ({"a\nb": 1}, "'a\\nb' is unknown; expected only color, stops, walls, least, most, tag"),
        ({"a` - at `$.b": 1}, "contains unknown field `a` - at `$.b`"),
        # What types cannot say.
        ({"stops": [{"name": "nowhere"}]}, "stop 1: 'name' is no place"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(change, problem):
    data = {name: value for name, value in (GOOD | change).items() if value is not ...}
    with pytest.raises(InputFileError) as caught:
        read(data)
    text = str(caught.value)
    assert text.startswith(problem) or text.endswith(problem)


@pytest.mark.parametrize(("data", "found"), [([], "[]"), (None, "null"), ("x", "'x'")])
def test_what_is_no_object_at_all(data, found):
    with pytest.raises(InputFileError, match="; expected an object") as caught:
        read(data)
    assert str(caught.value).startswith(f"it is {found}")


@pytest.mark.parametrize("data", [{"\ud800": 1}, {"least": "\ud800"}])
def test_half_a_character_is_refused(data):
    """JSON can hold it, as a text and as a name."""
    with pytest.raises(InputFileError, match="half a character is missing"):
        read(GOOD | data)


def test_unknown_fields_are_passed_over_where_they_are_not_refused():
    assert as_struct({"name": "a", "of a later version": [1]}, Stop) == Stop("a")


@pytest.mark.parametrize(
    ("data", "cell"), [({"cell": "7"}, 7), ({"cell": 7.0}, 7), ({"cell": "7.0"}, 7)]
)
def test_a_lenient_reader_takes_numbers_that_are_texts(data, cell):
    found = as_struct({"name": "a", "shares": ["0.5", None], **data}, Stop, lenient=True)
    assert found == Stop("a", cell, shares=(0.5, None))
    with pytest.raises(InputFileError, match="'cell' is "):
        as_struct({"name": "a", **data}, Stop)


@pytest.mark.parametrize("share", [True, "inf", "nan", "", "half", "1,5"])
def test_nor_does_a_lenient_reader_take_what_is_no_number(share):
    with pytest.raises(InputFileError, match="share 1 is "):
        as_struct({"name": "a", "shares": [share, 0]}, Stop, lenient=True)


def test_a_long_value_is_cut_short():
    with pytest.raises(InputFileError) as caught:
        read(GOOD | {"walls": "x" * 10_000})
    assert len(str(caught.value)) < 200


def test_a_nest_is_refused_where_a_value_is_expected():
    nest: list[object] = []
    for _ in range(100_000):
        nest = [nest]
    with pytest.raises(InputFileError, match=r"'walls' is .*; expected true or false"):
        read(GOOD | {"walls": nest})


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], 'it is not a trip: expected "format": "trip"'),
        ({"format": "other", "version": 1}, 'it is not a trip: expected "format": "trip"'),
        ({"format": "trip"}, "'version' is None; expected 2"),
        ({"format": "trip", "version": True}, "'version' is True; expected 2"),
        ({"format": "trip", "version": 0}, "'version' is 0; expected 2"),
        ({"format": "trip", "version": 3}, "its format has version 3, this one knows 2"),
    ],
)
def test_another_format_or_a_later_version_is_told_first(data, problem):
    with pytest.raises(InputFileError) as caught:
        check_format(data, "a trip", "trip", 2)
    assert problem in str(caught.value)


@pytest.mark.parametrize("version", [1, 2])
def test_known_versions_pass(version):
    check_format({"format": "trip", "version": version}, "a trip", "trip", 2)
