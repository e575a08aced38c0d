"""Odd names and broken outputs: a sentence and the right status, whatever is there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from makers import TableMaker

from main import main
from tablebase.errors import DamagedTableError, MissingTableError, TableError
from tablebase.library.catalog import scan
from tablebase.library.opening import open_table
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.maintain.relocate import RelocatePlan, relocate
from tablebase.plan.advise import quick_cost
from tablebase.probe.reader import Tablebase
from tablebase.store.folder_names import table_folder
from tablebase.store.origin import load_origin

ROOT = Path(__file__).parents[2]
BOARD = "00010021ffffffff"


@pytest.fixture
def copy(table: TableMaker, tmp_path: Path) -> Path:
    return Path(shutil.copytree(table("44", 64), tmp_path / "tables" / "44_64"))


@pytest.mark.parametrize("command", ["probe", "verify", "convert", "relocate"])
@pytest.mark.parametrize("name", ["", "/", "x" * 300, "nul\0", f"{'a/' * 3}{'y' * 300}", "\ud800"])
def test_names_that_no_table_has_are_the_users_mistake(command, name, tmp_path, capsys):
    more = {"probe": ["--board", BOARD], "relocate": ["--to", str(tmp_path)]}.get(command, [])
    assert main(["--data-dir", str(tmp_path), command, name, *more]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert "bug" not in line


@pytest.mark.skipif(os.name == "nt", reason="needs the right to make links")
@pytest.mark.parametrize("command", ["probe", "verify", "convert", "relocate", "tables"])
def test_a_link_to_itself_is_no_table(command, tmp_path, capsys):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    more = {"probe": ["--board", BOARD], "relocate": ["--to", str(tmp_path)]}.get(command, [])
    assert main(["--data-dir", str(tmp_path), command, str(loop), *more]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "loop" in line
    assert "bug" not in line
    assert scan([loop]) == []


@pytest.mark.thorough
@pytest.mark.parametrize("length", [246, 255])
def test_a_folder_with_a_long_name_is_used_but_not_replaced(copy, tmp_path, capsys, length):
    """With the suffix that its replacement has, no file system has such a name."""
    long = copy.rename(copy.with_name("x" * length))
    data = ["--data-dir", str(tmp_path)]
    for words in (["probe", str(long), "--board", BOARD], ["verify", str(long)], ["tables"]):
        assert main([*data, *words]) == 0
    capsys.readouterr()
    assert main([*data, "convert", str(long), "--rate", "uint16"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is too long" in line
    out = str(tmp_path / "out")
    assert main([*data, "convert", str(long), "--rate", "uint16", "--out", out]) == 0
    (tmp_path / "drive").mkdir()
    assert main([*data, "relocate", str(long), "--to", str(tmp_path / "drive")]) == 0


@pytest.mark.parametrize("name", ["", "/", "x" * 300, "nul\0"])
def test_programs_that_import_us_get_the_same_errors(name):
    for use in (open_table, Tablebase.open, lambda n: convert(ConvertPlan([Path(n)]))):
        with pytest.raises(TableError):
            use(name)


@pytest.mark.thorough
def test_a_table_may_be_called_dot(copy, monkeypatch, capsys):
    monkeypatch.chdir(copy)
    for words in (["probe", ".", "--board", BOARD], ["verify", "."]):
        assert main(["--data-dir", str(copy.parent), *words]) == 0
    assert "44_64" in capsys.readouterr().out
    with open_table(".") as opened:
        assert opened.path.name == "44_64"


def test_relocate_dot_after_convert_dot_touches_nothing_else(copy, monkeypatch, tmp_path, capsys):
    """The folder that we are in is then the one that was replaced and deleted."""
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(copy)
    data = ["--data-dir", str(tmp_path)]
    assert main([*data, "convert", ".", "--rate", "uint16", "--threads", "1"]) == 0
    before = sorted(path.name for path in copy.iterdir())
    assert main([*data, "relocate", ".", "--to", str(tmp_path / "other")]) == 2
    assert "enter it again" in capsys.readouterr().err
    assert sorted(path.name for path in copy.iterdir()) == before
    monkeypatch.chdir(copy)
    assert main([*data, "relocate", ".", "--to", str(tmp_path / "other")]) == 0
    with open_table(copy) as opened:
        assert opened.rate == "uint16"


def test_a_plan_made_with_dot_means_the_folder_we_are_in(copy, monkeypatch, tmp_path):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(copy)
    result = relocate(RelocatePlan([Path(".")], tmp_path / "other", range(3)))
    assert result.table.samefile(copy)
    assert (tmp_path / "other" / "44_64" / "layer-0000.tbl").exists()


def test_names_that_a_table_can_have_stay_as_they_are(tmp_path):
    assert table_folder("tables/L3_512") == Path("tables/L3_512")
    assert table_folder(tmp_path / "..").is_absolute()
    with pytest.raises(MissingTableError, match="expected its folder, or a name"):
        table_folder("")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_import_json_is_read_within_bounds(tmp_path):
    path = tmp_path / "import.json"
    os.mkfifo(path)
    with pytest.raises(DamagedTableError, match=r"import\.json is damaged"):
        load_origin(tmp_path)
    path.unlink()
    with path.open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(DamagedTableError, match=r"import\.json is damaged"):
        load_origin(tmp_path)


def shell(line: str) -> "subprocess.CompletedProcess[str]":
    command = line.replace("MAIN", f"{sys.executable} {ROOT / 'main.py'}")
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, timeout=600, check=False
    )


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full", "2>&- 0<&-"])
def test_the_exit_status_does_not_depend_on_stderr(where, tmp_path):
    for words in (f"probe nothing --board {BOARD}", "probe", "tables --no-such-option"):
        result = shell(f"MAIN --data-dir {tmp_path} {words} {where}")
        assert (result.returncode, result.stdout) == (2, ""), words
    result = shell(f"MAIN --data-dir {tmp_path} tables --json {where}")
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_progress_that_nobody_can_read_stops_nothing(copy):
    result = shell(f"MAIN --data-dir {copy.parent} verify {copy} --json 2>/dev/full")
    assert result.returncode == 0
    assert json.loads(result.stdout.splitlines()[-1])["ok"]


@pytest.mark.thorough
def test_advise_shows_how_far_it_is(tmp_path, monkeypatch, capsys):
    calls = []

    def cost(*arguments: object, **_: object) -> object:
        calls.append(arguments)
        return quick_cost(arguments[0], arguments[1], 0)  # type: ignore[arg-type]

    monkeypatch.setattr("tablebase.plan.advise.quick_cost", cost)
    assert main(["--data-dir", str(tmp_path), "advise", "--memory", "1", "--json"]) == 0
    said = capsys.readouterr()
    assert calls
    assert "estimating" in said.err
    assert all(json.loads(line) for line in said.out.splitlines())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_what_is_no_folder_is_no_damaged_import(tmp_path, capsys):
    file, loop = tmp_path / "file", tmp_path / "loop"
    file.write_bytes(b"x")
    loop.symlink_to(loop)
    for path in (file, loop, Path(os.devnull)):
        assert load_origin(path) is None
        assert main(["verify", str(path), "--data-dir", str(tmp_path)]) == 2
        assert f"no table in {path}" in capsys.readouterr().err


@pytest.mark.parametrize("command", [("hint", "1" + "0" * 15), ("engine",), ("serve",)])
def test_folders_of_tables_that_are_not_there_are_refused(tmp_path, capsys, command):
    words = [*command, "--tables", str(tmp_path / "none"), "--data-dir", str(tmp_path)]
    assert main(words) == 2
    assert "there is no such folder" in capsys.readouterr().err
