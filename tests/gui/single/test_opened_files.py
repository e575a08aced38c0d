"""Recorded games that somebody opens from the desktop, or names instead of a command."""

import pytest

import gui.shell.app
import gui.shell.command
import main
from gui.shell.command import with_open
from gui.shell.single_window import OpenRequest
from tests.gui.single.window_process import start_again

TELL_REVIEWS = """
import gui.review.page

class Reviewed(gui.review.page.ReviewPage):
    def review(self, what, position=None):
        super().review(what, position)
        print("review", what, flush=True)

gui.review.page.ReviewPage = Reviewed
"""
ASK_AS_MACOS_DOES = """
from PySide6.QtGui import QFileOpenEvent

class Asked(Program):
    def start(self, *what):
        super().start(*what)
        asked = QFileOpenEvent({path!r})
        QTimer.singleShot(0, lambda: gui.shell.app.QApplication.instance().event(asked))

gui.shell.app.Program = Asked
"""


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["game.rpl"], ["--open", "game.rpl"]),
        (["./game"], ["--open", "./game"]),
        (["--data-dir", "a.b", "my game.REC"], ["--data-dir", "a.b", "--open", "my game.REC"]),
        (["--table", "442_128", "x.vrs"], ["--table", "442_128", "--open", "x.vrs"]),
        (["--settings", "x.txt"], ["--settings", "--open", "x.txt"]),
        (["--open", "x.txt"], ["--open", "x.txt"]),
        (["analyze", "game.rpl"], ["analyze", "game.rpl"]),
        (["--data-dir", "a.b", "tables"], ["--data-dir", "a.b", "tables"]),
        (["--data-dir=a.b"], ["--data-dir=a.b"]),
        (["biuld"], ["biuld"]),
        ([], []),
    ],
)
def test_a_file_in_place_of_a_command_is_to_be_opened(given, meant):
    assert with_open(given) == meant


def test_a_file_that_is_not_there_is_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(gui.shell.command, "lacks_display", lambda: False)
    path = tmp_path / "missing.rpl"
    assert main.main(["--data-dir", str(tmp_path), str(path)]) == 2
    assert capsys.readouterr().err == f"error: there is no file {path}\n"


def test_the_window_opens_on_a_file(qapp, tmp_path, monkeypatch):  # noqa: ARG001 - it needs one
    requests = []
    monkeypatch.setattr(gui.shell.command, "lacks_display", lambda: False)
    monkeypatch.setattr(gui.shell.app, "run", lambda _, request, __: requests.append(request) or 0)
    path = tmp_path / "a game.vrs"
    path.write_bytes(b"")
    assert main.main(["--data-dir", str(tmp_path), str(path)]) == 0
    assert requests == [OpenRequest(file=path)]


@pytest.mark.thorough
def test_the_first_and_the_second_start_show_files_in_review(start, tmp_path, monkeypatch):
    first, second = tmp_path / "first.vrs", tmp_path / "second.rpl"
    first.write_bytes(b"no game at all")
    second.write_bytes(b"nor here")
    data = tmp_path / "data"
    window = start(data, first, more=TELL_REVIEWS)
    assert [window.read(), window.read()] == [f"review {first}", "open Review"]
    monkeypatch.chdir(tmp_path)
    assert start_again(data, "second.rpl") == (0, f"the window that has {data} open shows it\n")
    assert [window.read(), window.read()] == [f"review {second}", "again Review None"]


@pytest.mark.thorough
def test_macos_asks_the_window_that_is_there(start, tmp_path):
    path = tmp_path / "third.rec"
    more = TELL_REVIEWS + ASK_AS_MACOS_DOES.format(path=str(path))
    window = start(tmp_path / "data", more=more)
    lines = [window.read() for _ in range(3)]
    assert lines == ["open Home", f"review {path}", "again Review None"]
