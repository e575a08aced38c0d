"""Files from outside: regular ones, bounded, UTF-8; what cannot be used is set aside."""

import errno
import io
import os
import socket
from datetime import datetime
from pathlib import Path

import pytest

from engine.platform.errors import AppError
from engine.platform.files.damaged_file import is_set_aside, is_transient, set_aside
from engine.platform.files.input_file import (
    InputFileError,
    is_nameable,
    open_regular,
    parse_json,
    read_bytes,
    read_json,
    read_limited,
    read_lines,
    read_text,
)

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


def test_a_file_is_read_up_to_its_limit(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bytes(path, "a number", 5) == b"12345"
    with pytest.raises(InputFileError, match="is too large for a number: choose another file"):
        read_bytes(path, "a number", 4)


def test_standard_input_is_read_like_a_file(monkeypatch):
    def read(data: bytes | None) -> list[str]:
        typed = None if data is None else io.TextIOWrapper(io.BytesIO(data), encoding="ascii")
        monkeypatch.setattr("sys.stdin", typed)
        return read_lines(Path("-"), "a script", 8)

    assert read("\ufeffübe\n".encode()) == ["übe"]  # whatever Python takes the terminal to be
    assert read(None) == []  # closed before the start
    with pytest.raises(InputFileError, match="stdin is not UTF-8 text"):
        read(b"\xff")
    with pytest.raises(InputFileError, match="stdin is too large for a script"):
        read(b"too large")


def test_a_sparse_giant_is_refused_without_being_read(tmp_path):
    path = tmp_path / "giant"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="larger than 100 bytes"):
        read_limited(path, 100)


@posix
def test_a_pipe_is_refused_at_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)  # opening it the usual way would wait for a writer
    with pytest.raises(InputFileError, match="is not a file: expected settings"):
        read_bytes(path, "settings", 100)


@posix
def test_devices_sockets_and_folders_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        for path in (Path("/dev/zero"), Path("socket"), tmp_path):
            with pytest.raises(OSError, match="it is not a file"):
                open_regular(path)


def test_what_is_not_there_says_so(tmp_path):
    with pytest.raises(InputFileError, match=r"cannot read .*missing: No such file"):
        read_bytes(tmp_path / "missing", "a test", 10)
    with pytest.raises(FileNotFoundError):
        read_limited(tmp_path / "missing", 10)


@pytest.mark.parametrize("name", ["nul\0byte", "x" * 300])
def test_names_that_no_file_can_have_are_errors_of_that_file(tmp_path, name):
    assert not is_nameable(tmp_path / name)
    with pytest.raises(InputFileError, match="cannot read"):
        read_text(tmp_path / name, "a script", 10)


def test_any_other_name_can_be_had(tmp_path):
    assert is_nameable(tmp_path)
    assert is_nameable(tmp_path / "not there" / "at all")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbf" + "é".encode())
    assert read_text(path, "text", 100) == "é"


def test_text_in_another_encoding_names_the_byte(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"caf\xe9")
    with pytest.raises(InputFileError, match=r"not UTF-8 text \(byte 3\): save it as UTF-8"):
        read_text(path, "text", 100)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "line 1, column 2"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 10_000, "not valid JSON"),
    ],
)
def test_what_is_not_json_is_one_sentence(tmp_path, text, why):
    path = tmp_path / "data.json"
    path.write_text(text)
    with pytest.raises(InputFileError, match=why):
        read_json(path, "settings", 1 << 20)


def test_the_caller_chooses_the_error(tmp_path):
    class OtherError(AppError):
        """Another one."""

    with pytest.raises(OtherError):
        read_json(tmp_path / "missing", "settings", 10, OtherError)


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
