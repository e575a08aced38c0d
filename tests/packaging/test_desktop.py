"""The entries for the Linux desktop, from the command ``desktop`` and from packages."""

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gui.shell.desktop_command
import main
from engine.platform.language import translated
from engine.platform.project_files import own_command
from gui.shell.desktop_files import KINDS, desktop_entry, icon_png, mime_info

ENTRY = "applications/endgame2048.desktop"
NAMESPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux")


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for data of programs, which has a program of others already."""
    share = tmp_path / "my share"
    monkeypatch.setenv("XDG_DATA_HOME", str(share))
    (share / "applications").mkdir(parents=True)
    (share / "applications" / "other.desktop").write_text("[Desktop Entry]\n")
    return share


def desktop(tmp_path: Path, what: str) -> int:
    return main.main(["--data-dir", str(tmp_path / "data"), "desktop", what])


def files_in(folder: Path) -> set[str]:
    """Return the files, without what the programs of the desktop make of them."""
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if name.startswith(("app", "icons/hicolor/")) or "pack" in name}


def entry_of(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


@linux_only
def test_what_is_installed_is_removed_and_nothing_of_others(share, tmp_path):
    assert desktop(tmp_path, "--install") == 0
    entry = entry_of((share / ENTRY).read_text(encoding="utf-8"))
    assert entry["Exec"].replace('"', "").endswith("main.py %f")  # quoted where it has spaces
    assert (share / "icons/hicolor/48x48/apps/endgame2048.png").is_file()
    assert (share / "mime/packages/endgame2048.xml").is_file()
    assert desktop(tmp_path, "--install") == 0, "once more after it has moved"
    assert desktop(tmp_path, "--remove") == 0
    left = files_in(share) - {"applications/mimeinfo.cache", "icons/hicolor/icon-theme.cache"}
    assert left == {"applications/other.desktop"}
    assert desktop(tmp_path, "--remove") == 0, "nothing to do"


@linux_only
def test_a_folder_that_cannot_be_written_is_a_sentence(share, tmp_path, capsys):
    (share / "icons").write_text("no folder")
    assert desktop(tmp_path, "--install") == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert str(share / "icons") in said
    assert not (share / ENTRY).exists()


@pytest.mark.parametrize(("system", "word"), [("win32", "Windows"), ("darwin", "Applications")])
def test_elsewhere_it_says_what_to_do(system, word, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(gui.shell.desktop_command.sys, "platform", system)
    assert desktop(tmp_path, "--install") == 2
    assert word in capsys.readouterr().err


def test_a_command_is_quoted_as_entries_have_it():
    """The values of the specification: first the escapes of a string, then the quotes in it."""
    command = ["/opt/my program", "100%", 'a"b', "$x\\y", "plain-1.0"]
    entry = entry_of(desktop_entry(command))
    expected = r'"/opt/my program" 100%% "a\\"b" "\\$x\\\\y" plain-1.0 %f'
    assert entry["Exec"] == expected


def test_the_entry_and_the_kinds_of_files_name_each_other():
    kinds = entry_of(desktop_entry(["endgame2048"]))["MimeType"].split(";")
    tree = ElementTree.fromstring(mime_info())
    found = {
        node.attrib["type"]: node.find(f"{NAMESPACE}glob").attrib["pattern"]  # type: ignore[union-attr]
        for node in tree
    }
    assert kinds == [*found, ""]
    assert list(found.values()) == ["*.rpl", "*.rec", "*.vrs"]


def test_people_read_of_it_in_their_language(monkeypatch):
    monkeypatch.setattr("engine.platform.language.translated", lambda code, text: f"{code}: {text}")
    assert "GenericName[zh_CN]=zh_CN: 2048 endgame trainer" in desktop_entry(["x"])
    assert f'<comment xml:lang="zh_CN">zh_CN: {KINDS[0].comment}</comment>' in mime_info()
    assert translated("en", "Home") == "Home"


@pytest.mark.parametrize("side", [16, 256])
def test_icons_have_their_sizes(side):
    png = icon_png(side)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(png[i : i + 4], "big") for i in (16, 20)] == [side, side]


@linux_only
@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="not installed")
def test_the_entry_is_valid(tmp_path):
    path = tmp_path / "endgame2048.desktop"
    path.write_text(desktop_entry(own_command()), encoding="utf-8")
    told = subprocess.run(
        ["desktop-file-validate", str(path)], capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stdout) == (0, "")
