"""A JSON object in a file of its own: kept over crashes, damage and absent drives."""

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from engine.platform.files import json_file
from engine.platform.files.json_file import FileTexts, JsonFile

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
    def full(*_args: object, **_more: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    file, heard = JsonFile(path, TEXTS), []
    with monkeypatch.context() as patch:
        patch.setattr(json_file, "write_file", full)
        file.save({"version": 1}, heard.append)
        file.flush()
    assert file.has_failed
    assert heard == ["unwritten [Errno 28] no space"]
    file.save({"version": 1}, never)
    file.close()
    assert not file.has_failed
    assert json.loads(path.read_text()) == {"version": 1}
