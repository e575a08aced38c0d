"""A conversion killed between its two renames: the next search for the table does the second."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from child import contents
from drives import read_only
from makers import TableMaker

from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildRefusedError, MissingTableError
from tablebase.library import catalog
from tablebase.library.opening import open_table
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.maintain.relocate import RelocatePlan, relocate
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store import replace_table as swap
from tablebase.store.options import TableOptions

NAME, TARGET = "tinymirror", 64
TABLE = f"{NAME}_{TARGET}"


class KilledError(BaseException):
    """No code of ours catches it."""


@pytest.fixture
def gap(table: TableMaker, tmp_path: Path) -> Callable[[Callable[[], None]], Path]:
    """Return ``gap(instead) -> home``: convert to sparse 8, with `instead` of the second rename."""
    home = tmp_path / "tables" / TABLE
    shutil.copytree(table(NAME, TARGET), home)
    real_rename = os.rename

    def make(instead: Callable[[], None]) -> Path:
        def rename(path: Path, target: Path) -> None:
            if path.name == f"{TABLE}.converting":
                patch.undo()
                instead()
            real_rename(path, target)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(swap, "_exchange", lambda _one, _other: False)
            patch.setattr(os, "rename", rename)
            convert(ConvertPlan([home], sparse=8, threads=1))
        return home

    return make


def killed() -> None:
    raise KilledError


@pytest.fixture
def home(gap: Callable[[Callable[[], None]], Path], tmp_path: Path) -> Path:
    """Return the place of the table before the process was killed."""
    with pytest.raises(KilledError):
        gap(killed)
    names = [path.name for path in sorted((tmp_path / "tables").iterdir())]
    assert names == [f"{TABLE}.converting", f"{TABLE}.replaced"]
    return tmp_path / "tables" / TABLE


def open_and_close(home: Path) -> None:
    with Tablebase.open(home) as table:
        assert table.path == home


def open_any(home: Path) -> None:
    open_table(home).close()


def check(home: Path) -> None:
    assert verify(home, 50).ok


def move_some(home: Path) -> None:
    drive = home.parent.parent / "drive"
    drive.mkdir()
    relocate(RelocatePlan([home], drive, range(2)))
    relocate(RelocatePlan([home], home))


def list_tables(home: Path) -> None:
    tables = catalog.scan([home.parent])
    assert [(table.path, table.state, table.sparse) for table in tables] == [(home, "complete", 8)]


@pytest.mark.parametrize("use", [open_and_close, open_any, check, move_some, list_tables])
def test_whoever_uses_the_table_finds_the_new_one(home, use):
    use(home)
    assert home.is_dir()
    assert not home.with_name(f"{TABLE}.converting").exists()
    with Tablebase.open(home) as table:
        assert table.manifest.options == TableOptions(sparse=8)
    assert convert(ConvertPlan([home], sparse=8)).was_done
    assert [path.name for path in home.parent.iterdir()] == [TABLE]


def test_a_build_goes_on_with_it_instead_of_beginning_anew(home, formations):
    plan = BuildPlan(formations[NAME], TARGET, home, TableOptions(sparse=8), threads=1)
    assert build(plan).was_complete


def test_the_same_conversion_ends_as_if_nothing_had_happened(home, table, tmp_path):
    assert convert(ConvertPlan([home], sparse=8)).was_done
    other = tmp_path / "other" / TABLE
    shutil.copytree(table(NAME, TARGET), other)
    convert(ConvertPlan([other], sparse=8, threads=1))
    assert contents(home) == contents(other)


def test_the_original_comes_back_when_the_new_table_is_damaged(home):
    manifest = home.with_name(f"{TABLE}.converting") / "manifest.json"
    manifest.write_bytes(manifest.read_bytes()[:-20])
    with Tablebase.open(home) as table:
        assert table.manifest.options == TableOptions()


def test_on_a_read_only_drive_the_new_table_is_read_where_it_is(home, monkeypatch):
    with read_only(monkeypatch, home.parent), Tablebase.open(home) as table:
        assert table.path == home.with_name(f"{TABLE}.converting")
        assert table.manifest.options == TableOptions(sparse=8)
        with pytest.raises(BuildRefusedError, match=r"cannot rename .*\.converting"):
            convert(ConvertPlan([home], sparse=8))


def test_a_reader_in_the_gap_does_the_work_of_the_converter(gap, tmp_path):
    """Both at the same time: the converter finds its second rename done, and continues."""
    home = gap(lambda: open_and_close(tmp_path / "tables" / TABLE))
    assert [path.name for path in home.parent.iterdir()] == [TABLE]
    with Tablebase.open(home) as table:
        assert table.manifest.options == TableOptions(sparse=8)


@pytest.mark.parametrize("suffix", [".converting", ".replaced"])
def test_a_folder_of_the_user_with_such_a_name_stays(table, tmp_path, suffix):
    shutil.copytree(table(NAME, TARGET), tmp_path / f"{TABLE}{suffix}")
    with pytest.raises(MissingTableError):
        Tablebase.open(tmp_path / TABLE)
    assert catalog.scan([tmp_path])[0].path == tmp_path / f"{TABLE}{suffix}"
