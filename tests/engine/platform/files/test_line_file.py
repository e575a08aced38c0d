"""A file that grows by lines: a drive that is full for a while costs none of them."""

import errno
from io import FileIO

import pytest

from engine.platform.files.line_file import LineFile


class TightFile(FileIO):
    """A file on a drive with so much room; what is too long is cut short, as a drive does."""

    room = 1 << 30

    def write(self, data):
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        n_bytes = super().write(bytes(data)[: self.room])
        self.room -= n_bytes
        return n_bytes

    def truncate(self, size=None):
        self.room += self.seek(0, 2) - size
        return super().truncate(size)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lines.log"


def appended(lines: LineFile, texts: list[str]) -> list[str]:
    """Append some lines and return those that were refused."""
    refused = []
    for text in texts:
        try:
            lines.append(text)
        except OSError:
            refused.append(text)
    return refused


def test_lines_go_behind_what_is_there(path):
    path.write_text("one\n")
    lines = LineFile(path)
    lines.append("two")
    assert path.read_text() == "one\ntwo\n"
    lines.close()
    lines.close()


@pytest.mark.parametrize("room", range(13))
def test_nothing_is_lost_by_a_drive_that_is_full_for_a_while(path, room):
    file = TightFile(path, "ab")
    file.room = room
    lines = LineFile(path, file)
    texts = ["one", "two", "three", "four"]
    refused = appended(lines, texts)
    assert refused == texts[len(texts) - len(refused) :]
    assert "".join(f"{text}\n" for text in texts).startswith(path.read_text())
    file.room += 100
    lines.append("five")
    assert path.read_text() == "one\ntwo\nthree\nfour\nfive\n"
    lines.close()


def test_what_waits_is_written_by_flush_and_by_close(path):
    file = TightFile(path, "ab")
    file.room = 2
    lines = LineFile(path, file)
    assert appended(lines, ["one", "two"]) == ["one", "two"]
    with pytest.raises(OSError, match="No space"):
        lines.flush()
    file.room += 4
    with pytest.raises(OSError, match="No space"):
        lines.flush()
    file.room += 100
    lines.close()
    assert path.read_text() == "one\ntwo\n"


def test_a_write_cut_short_without_an_error_is_finished(path):
    class Slow(FileIO):
        def write(self, data):
            return super().write(bytes(data)[:1])

    lines = LineFile(path, Slow(path, "ab"))
    lines.append("one")
    lines.append("two")
    assert path.read_text() == "one\ntwo\n"
    lines.close()
