"""How Windows calls a screen saver, and our own options for the same."""

import pytest

import gui.screensaver.show
import gui.shell.app
import gui.shell.command
import main
from gui.screensaver.switches import plain_arguments
from gui.shell.single_window import OpenRequest


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["/s"], ["--screensaver"]),
        (["/S"], ["--screensaver"]),
        (["-s"], ["--screensaver"]),
        (["/p", "1234"], ["--screensaver", "--preview", "1234"]),
        (["/p:1234"], ["--screensaver", "--preview", "1234"]),
        (["/P:1234"], ["--screensaver", "--preview", "1234"]),
        (["-p", "1234"], ["--screensaver", "--preview", "1234"]),
        (["/p"], ["--screensaver", "--preview"]),  # refused later: a window is missing
        (["/c"], ["--settings"]),
        (["/C:66052"], ["--settings"]),
        (["/c", "66052"], ["--settings"]),
        (["/s", "--data-dir", "x"], ["--screensaver", "--data-dir", "x"]),
        (["build", "442", "128"], ["build", "442", "128"]),
        (["/sx"], ["/sx"]),
        (["/c:x"], ["/c:x"]),
        ([], []),
    ],
)
def test_the_switches_of_windows_are_read(given, meant):
    assert plain_arguments(given, "endgame2048.exe") == meant


def test_a_screen_saver_that_is_opened_shows_its_settings():
    assert plain_arguments([], r"C:\Windows\Endgame2048.SCR") == ["--settings"]
    assert plain_arguments(["/s"], r"C:\Windows\Endgame2048.SCR") == ["--screensaver"]


@pytest.fixture
def opened(monkeypatch, qapp):  # noqa: ARG001 - the window needs one
    """Return a list of what would be opened, instead of opening it."""
    calls = []
    monkeypatch.setattr(gui.shell.command, "lacks_display", lambda: False)
    monkeypatch.setattr(gui.shell.app, "run", lambda _, request, __: calls.append(request) or 0)
    monkeypatch.setattr(gui.screensaver.show, "run", lambda *a: calls.append(("saver", a[1:])) or 0)
    return calls


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (["/s"], ("saver", (None,))),
        (["/p:1234"], ("saver", (1234,))),
        (["--screensaver", "--preview", "0x4d2"], ("saver", (1234,))),
        (["/c"], OpenRequest(page="Settings")),
        ([], OpenRequest()),
    ],
)
def test_each_opens_what_it_should(opened, tmp_path, words, call):
    assert main.main([*words, "--data-dir", str(tmp_path)]) == 0
    assert opened == [call]


@pytest.mark.parametrize("word", ["x", "0", "-3", "1.5", ""])
def test_a_window_that_is_no_number_is_refused(opened, word, capsys):
    with pytest.raises(SystemExit) as end:
        main.main(["--screensaver", "--preview", word])
    assert end.value.code == 2
    assert "error:" in capsys.readouterr().err
    assert opened == []


def test_a_preview_of_nothing_is_refused(opened, tmp_path, capsys):
    assert main.main(["--preview", "5", "--data-dir", str(tmp_path)]) == 2
    assert "--screensaver" in capsys.readouterr().err
    assert opened == []
