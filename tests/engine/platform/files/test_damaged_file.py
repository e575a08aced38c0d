"""What cannot be used is set aside under a name of its own, and what may be all right is not."""

import errno
from datetime import datetime
from pathlib import Path

import pytest

from engine.platform.files.damaged_file import is_set_aside, is_transient, set_aside
from engine.platform.files.input_file import InputFileError, parse_json, read_bytes

WHEN = datetime(2026, 3, 4, 5, 6, 7)


def test_files_of_one_second_are_all_kept(tmp_path):
    path, kept = tmp_path / "a.b.json", []
    for i in range(3):
        path.write_text(str(i))
        kept.append(set_aside(path, WHEN))
    assert not path.exists()
    assert [one.read_text() for one in kept] == ["0", "1", "2"]
    assert [one.name for one in kept] == [
        "a.b.damaged-20260304-050607.json",
        "a.b.damaged-20260304-050607-2.json",
        "a.b.damaged-20260304-050607-3.json",
    ]
    assert all(map(is_set_aside, kept))
    assert not is_set_aside(path)


def test_a_folder_or_a_name_without_an_end_is_set_aside_too(tmp_path):
    (tmp_path / "folder").mkdir()
    kept = set_aside(tmp_path / "folder", WHEN)
    assert kept.is_dir()
    assert kept.name == "folder.damaged-20260304-050607"
    assert is_set_aside(kept)


def test_what_cannot_be_renamed_stays(tmp_path):
    with pytest.raises(FileNotFoundError):
        set_aside(tmp_path / "none", WHEN)
    assert list(tmp_path.iterdir()) == []


def reading_error(path: Path) -> InputFileError:
    with pytest.raises(InputFileError) as caught:
        parse_json(read_bytes(path, "settings", 10), str(path))
    return caught.value


def test_only_what_says_nothing_of_the_content_is_passing(tmp_path):
    (tmp_path / "damaged").write_text("{")
    (tmp_path / "large").write_text("x" * 11)
    (tmp_path / "folder").mkdir()
    for name in ("damaged", "large", "folder"):
        assert not is_transient(reading_error(tmp_path / name)), name
    assert not is_transient(ValueError("no such board"))
    assert is_transient(reading_error(tmp_path / "damaged" / "below a file"))
    for code in (errno.EACCES, errno.EIO, errno.ESTALE, errno.ELOOP):
        assert is_transient(OSError(code, "why"))


def test_a_link_stays_and_the_file_it_leads_to_is_set_aside(tmp_path):
    (tmp_path / "other").mkdir()
    path = tmp_path / "a.json"
    path.symlink_to(tmp_path / "other" / "real.json")
    (tmp_path / "other" / "real.json").write_text("damaged")
    kept = set_aside(path, WHEN)
    assert kept == tmp_path / "other" / "real.damaged-20260304-050607.json"
    assert kept.read_text() == "damaged"
    assert path.is_symlink()
