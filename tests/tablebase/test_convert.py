"""Converted tables are those that a build makes, and the original is safe all the time."""

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from child import assert_refused, contents, environment, json_lines, run, run_apart
from makers import count_maps

import tablebase.memory.arrays as arrays_module
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import (
    BuildCancelledError,
    BuildRefusedError,
    ChangedTableError,
    DamagedTableError,
)
from tablebase.formation.formation import Formation
from tablebase.library import catalog
from tablebase.maintain import convert as convert_module
from tablebase.maintain import convert_layer
from tablebase.maintain.convert import ConvertPlan, ConvertResult, convert, predict
from tablebase.maintain.relocate import RelocatePlan, relocate
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store.block_cache import BlockCache
from tablebase.store.build_lock import LOCK_NAME, folder_lock
from tablebase.store.manifest import OmittedLayer, load_manifest
from tablebase.store.options import TableOptions
from tablebase.store.origin import Origin, load_origin
from tablebase.store.rates import find_rate_type

NAME, TARGET = "tinyangle", 64
TABLE = f"{NAME}_{TARGET}"
Builder = Callable[..., Path]


@pytest.fixture(scope="module")
def built(formations: dict[str, Formation], tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """Return ``built(**options) -> Path``, a table built with these; never write to it."""
    known: dict[TableOptions, Path] = {}

    def make(**options: Any) -> Path:
        wanted = TableOptions(**options)
        if wanted not in known:
            known[wanted] = tmp_path_factory.mktemp("built") / TABLE
            build(BuildPlan(formations[NAME], TARGET, known[wanted], wanted, threads=1))
        return known[wanted]

    return make


@pytest.fixture
def home(built: Builder, tmp_path: Path) -> Callable[..., Path]:
    """Return ``home(**options) -> Path``, a copy of a table to convert."""

    def make(**options: Any) -> Path:
        folder = tmp_path / "tables" / TABLE
        shutil.copytree(built(**options), folder)
        return folder

    return make


def converted(folder: Path, **options: Any) -> ConvertResult:
    return convert(ConvertPlan([folder], threads=1, **options))


EXACT = [
    ({}, {"optimal_only": True}),
    ({"rate": "uint16"}, {"optimal_only": True}),
    ({"rate": "float64"}, {"rate": "uint32"}),
    ({"rate": "float64"}, {"rate": "float32"}),
    ({"rate": "float64"}, {"rate": "uint64"}),
    ({"rate": "float64"}, {"rate": "uint16"}),
    ({"rate": "uint64"}, {"rate": "uint32"}),
    ({"rate": "float64"}, {"threshold": 0.3}),
    ({"rate": "float64"}, {"rate": "uint16", "threshold": 0.3, "optimal_only": True}),
    ({"threshold": 0.1}, {"threshold": 0.3, "optimal_only": True}),
    ({"threshold": 0.1, "optimal_only": True}, {"threshold": 0.3}),
    ({"threshold": 0.1}, {"threshold": 0.3}),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("have", "change"), EXACT)
def test_bytes_are_those_of_a_table_built_so(built, home, have, change):
    folder = home(**have)
    before = load_manifest(folder)
    result = converted(folder, **change)
    assert contents(folder) == contents(built(**{**have, **change}))
    assert [path.name for path in folder.parent.iterdir()] == [TABLE]
    assert not result.was_done
    assert (result.bytes_before, result.stored_before) == (before.bytes, before.stored)
    assert result.bytes == load_manifest(folder).bytes


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("have", "change"),
    [
        ({}, {"rate": "float32"}),
        ({}, {"rate": "uint16"}),
        ({"rate": "float32"}, {"rate": "uint16", "threshold": 0.2}),
        ({"rate": "uint16"}, {"threshold": 0.2}),
        ({"optimal_only": True}, {"rate": "uint16", "threshold": 0.2}),
    ],
)
def test_other_conversions_agree_within_their_errors(built, home, have, change):
    folder = home(**have)
    converted(folder, **change)
    wanted = built(**{**have, **change})
    with Tablebase.open(folder) as got, Tablebase.open(wanted) as want:
        rate = find_rate_type(got.rate)
        for layer in range(got.n_layers):
            error = got.layer_file(layer).max_error + want.layer_file(layer).max_error
            boards, values = got.layer_boards(layer)
            others, other_values = want.layer_boards(layer)
            common = np.intersect1d(boards, others)
            assert common.size >= 0.99 * others.size
            mine = rate.decode_many(values)[np.isin(boards, common)]
            theirs = rate.decode_many(other_values)[np.isin(others, common)]
            assert np.abs(mine - theirs).max(initial=0) <= error + 1e-15
    report = verify(folder, sample=150)
    assert report.ok, report.problems


@pytest.mark.parametrize(
    ("have", "change"),
    [
        ({"rate": "float64"}, {"rate": "uint16", "threshold": 0.3, "optimal_only": True}),
        ({"threshold": 0.1}, {"threshold": 0.3}),
        ({"rate": "uint16"}, {"optimal_only": True}),
    ],
)
def test_a_limited_conversion_writes_the_same_bytes(built, home, monkeypatch, have, change):
    folder, wanted = home(**have), contents(built(**{**have, **change}))
    monkeypatch.setattr(convert_layer, "MIN_BYTES", 0)
    monkeypatch.setattr(convert_layer, "blocks_bytes", lambda _space: 0)
    monkeypatch.setattr(arrays_module, "_ALWAYS_IN_MEMORY", 0)
    made = count_maps(monkeypatch)
    converted(folder, **change, memory_bytes=1)
    assert len(made) > 200, "its arrays were mapped"
    assert contents(folder) == wanted


def test_less_memory_than_the_program_itself_takes_is_refused(home):
    folder = home()
    before = contents(folder)
    with pytest.raises(BuildRefusedError, match=r"converting tinyangle_64 needs at least .*MB"):
        converted(folder, rate="uint16", memory_bytes=100 << 20)
    assert contents(folder) == before


def test_a_sparse_table_keeps_the_files_of_some_layers(home):
    folder = home()
    before, manifest = contents(folder), load_manifest(folder)
    converted(folder, sparse=4)
    now, after = load_manifest(folder), contents(folder)
    assert now.options == replace(manifest.options, sparse=4)
    assert now.complete
    assert now.layers == {i: manifest.layers[i] for i in now.layers_with_files}
    left_out = set(range(now.n_layers)) - set(now.layers_with_files)
    assert now.omitted == {
        i: OmittedLayer(i, manifest.layers[i].boards, manifest.layers[i].stored) for i in left_out
    }
    del after["manifest.json"]
    assert after == {one.file: before[one.file] for one in now.layers.values()}
    converted(folder, sparse=8)
    assert load_manifest(folder).boards == manifest.boards


def test_another_level_packs_all_files_anew(home, built):
    folder = home()
    small = converted(folder, level="small")
    assert small.bytes < small.bytes_before
    assert set(contents(folder)) == set(contents(built()))
    converted(folder, level="fast")
    assert contents(folder) == contents(built())


def test_the_original_stays_when_the_new_table_goes_elsewhere(home, built, tmp_path):
    folder = home(rate="float64")
    before = contents(folder)
    result = converted(folder, rate="uint32", out=tmp_path / "out")
    assert result.table == tmp_path / "out" / TABLE
    assert contents(result.table) == contents(built())
    assert contents(folder) == before
    assert converted(folder, rate="uint32", out=tmp_path / "out").was_done
    with pytest.raises(BuildRefusedError, match="holds another table"):
        converted(folder, rate="uint16", out=tmp_path / "out")


def test_a_record_that_cannot_be_deleted_is_named(home, tmp_path, monkeypatch):
    folder = home()

    real = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.name == "conversion.json":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        real(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    for _ in range(2):  # after the work, and when it is found done
        with pytest.raises(BuildRefusedError, match=r"conversion\.json"):
            converted(folder, sparse=4, out=tmp_path / "out")


def test_only_the_wanted_table_counts_as_done(home, formations, tmp_path):
    """Of another formation it is another table; files do not tell at which level they are."""
    folder = home()
    done = converted(folder, rate="uint16", out=tmp_path / "out").table
    before, manifest = contents(done), load_manifest(done)
    with pytest.raises(BuildRefusedError, match=r"do not record their level: .* --level small"):
        converted(folder, rate="uint16", level="small", out=tmp_path / "out")
    assert contents(done) == before
    replace(manifest, formation=formations["tinymirror"]).save(done)
    with pytest.raises(BuildRefusedError, match="holds another table"):
        converted(folder, rate="uint16", out=tmp_path / "out")
    manifest.save(done)
    Origin("uint32", False, "0123abcd").save(done)
    with pytest.raises(BuildRefusedError, match="holds another table"):
        converted(folder, rate="uint16", out=tmp_path / "out")


def test_a_conversion_killed_at_its_very_end_is_done_only_for_its_options(
    home, tmp_path, monkeypatch
):
    folder, target = home(), tmp_path / "out" / TABLE

    def kill(path: Path) -> None:
        raise KeyboardInterrupt(path)

    monkeypatch.setattr(convert_module, "unlink", kill)
    with pytest.raises(KeyboardInterrupt, match=r"conversion\.json"):
        converted(folder, level="fast", out=target.parent)
    monkeypatch.undo()
    assert load_manifest(target).complete
    assert not converted(folder, level="small", out=target.parent).was_done
    assert load_manifest(target).bytes < load_manifest(folder).bytes
    assert not (target / "conversion.json").exists()


def test_a_copy_begun_for_something_else_is_dropped_but_not_the_users_files(
    home, built, tmp_path, monkeypatch
):
    """Nor the lock that this process holds, which on Windows cannot even be deleted."""
    folder, target = home(rate="float64"), tmp_path / "out" / TABLE
    plan = ConvertPlan([folder], rate="uint16", threads=1, out=target.parent)
    with pytest.raises(BuildCancelledError):
        convert(plan, is_cancelled=cancel_at(target, 10))
    (target / "letter.txt").write_text("mine")
    deleted: list[str] = []
    real = Path.unlink

    def unlink(path: Path, *, missing_ok: bool = False) -> None:
        deleted.append(path.name)
        real(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    told = []
    plan = ConvertPlan([folder], rate="uint32", threads=1, out=target.parent)
    convert(plan, lambda _progress: told.append((target / LOCK_NAME).exists()))
    assert all(told)
    assert deleted.count("layer-0003.tbl") == 1
    assert contents(target) == contents(built()) | {"letter.txt": b"mine"}


def test_an_imported_table_says_so_as_long_as_it_exists(home, tmp_path):
    """What its source lacks is unknown, also in a converted copy."""
    folder = home()
    origin = Origin("uint32", True, "0123abcd")
    origin.save(folder)
    copy = converted(folder, rate="uint16", out=tmp_path / "out").table
    assert load_origin(copy) == origin
    growing = folder.with_name(f"{TABLE}.converting")
    for rate in ("float32", "uint16"):
        with pytest.raises(BuildCancelledError):
            convert(ConvertPlan([folder], rate=rate, threads=1), is_cancelled=cancel_at(growing, 1))
        assert load_origin(growing) == origin
    converted(folder, rate="uint16")
    assert contents(folder) == contents(copy)
    assert [path.name for path in folder.parent.iterdir()] == [TABLE]


def test_layers_on_another_drive_are_read_there_but_not_replaced(home, built, tmp_path):
    folder = home(rate="float64")
    (tmp_path / "drive").mkdir()
    relocate(RelocatePlan([folder], tmp_path / "drive", range(10, 30)))
    with pytest.raises(BuildRefusedError, match=r"bring them back first.*--out"):
        converted(folder, rate="uint32")
    result = converted(folder, rate="uint32", out=tmp_path / "out")
    assert contents(result.table) == contents(built())


def test_nothing_to_do_is_told_and_changes_nothing(home):
    folder = home()
    before = contents(folder)
    for options in ({}, {"rate": "uint32"}, {"threshold": 0}, {"sparse": 1}):
        assert converted(folder, **options).was_done
    assert contents(folder) == before


REFUSED = [
    ({}, {"rate": "float64"}, "hold less than float64 would promise: rebuild tinyangle_64"),
    ({"rate": "uint16"}, {"rate": "uint32"}, "hold less than uint32"),
    ({"threshold": 0.3}, {"threshold": 0.1}, "boards of a rate up to 0.3 are not stored"),
    ({"threshold": 0.3}, {"sparse": 4}, "a sparse table needs all boards"),
    ({}, {"sparse": 2}, "sparse 2: expected"),
    ({}, {"threshold": 1.5}, "threshold 1.5: expected"),
    ({}, {"rate": "int8"}, "no rate type 'int8'"),
    ({}, {"level": "best"}, "no level 'best'"),
]


@pytest.mark.parametrize(("have", "change", "message"), REFUSED)
def test_what_is_not_there_is_refused(home, have, change, message):
    folder = home(**have)
    before = contents(folder)
    with pytest.raises(BuildRefusedError, match=message):
        converted(folder, **change)
    assert contents(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == [TABLE]


def test_a_sparse_table_does_not_become_dense(home):
    folder = home()
    converted(folder, sparse=8)
    for sparse in (1, 3, 4):
        with pytest.raises(BuildRefusedError, match="have no file"):
            converted(folder, sparse=sparse)
    converted(folder, rate="uint16")
    assert load_manifest(folder).options == TableOptions(rate="uint16", sparse=8)


def test_tables_that_cannot_be_converted_are_refused(home):
    folder = home()
    with folder_lock(folder), pytest.raises(BuildRefusedError, match="another builder"):
        converted(folder, rate="uint16")
    with pytest.raises(BuildRefusedError, match="choose another one"):
        converted(folder, rate="uint16", out=folder.parent)
    manifest = load_manifest(folder)
    replace(manifest, complete=False).save(folder)
    with pytest.raises(BuildRefusedError, match="is not finished"):
        converted(folder, rate="uint16")
    manifest.save(folder)
    path = folder / "layer-0025.tbl"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(DamagedTableError, match=r"layer-0025\.tbl"):
        converted(folder, rate="uint16")
    assert load_manifest(folder) == manifest


@pytest.mark.parametrize("name", [f"{TABLE}.converting", f"{TABLE}.replaced"])
def test_a_folder_of_the_user_is_not_touched(home, name):
    folder = home()
    own = folder.with_name(name)
    own.mkdir()
    (own / "letter.txt").write_text("mine")
    with pytest.raises(BuildRefusedError, match="is in the way"):
        converted(folder, rate="uint16")
    assert contents(own) == {"letter.txt": b"mine"}


def test_too_little_room_is_told_before_anything_happens(home, monkeypatch):
    folder = home()
    usage = shutil.disk_usage(folder)._replace(free=1 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    with pytest.raises(BuildRefusedError, match="are needed: free some space"):
        converted(folder, rate="uint16")
    assert [path.name for path in folder.parent.iterdir()] == [TABLE]


def test_little_more_room_than_the_original_takes_is_enough(home, monkeypatch):
    """Files of the same rates, packed anew: on a full drive it matters that no more is asked."""
    folder = home()
    size = load_manifest(folder).bytes
    usage = shutil.disk_usage(folder)._replace(free=(1 << 20) + size * 6 // 5)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    assert converted(folder, level="small").bytes < size


def cancel_at(folder: Path, n_files: int) -> Callable[[], bool]:
    return lambda: len(list(folder.glob("layer-*.tbl"))) >= n_files


@pytest.mark.parametrize("change", [{"rate": "uint16"}, {"optimal_only": True}])
def test_a_cancelled_conversion_goes_on(home, built, change):
    folder = home(rate="float64")
    before = contents(folder)
    growing = folder.with_name(f"{TABLE}.converting")
    for n_files in (5, 22, 40):
        plan = ConvertPlan([folder], threads=1, **change)
        with pytest.raises(BuildCancelledError, match="the original is intact"):
            convert(plan, is_cancelled=cancel_at(growing, n_files))
        assert contents(folder) == before
        assert len(load_manifest(growing).layers) >= n_files - 1
        assert [info.path for info in catalog.scan([folder.parent])] == [folder]
    converted(folder, **change)
    assert contents(folder) == contents(built(**{"rate": "float64", **change}))


def test_what_was_begun_for_something_else_is_dropped(home, built):
    folder = home(rate="float64")
    growing = folder.with_name(f"{TABLE}.converting")
    with pytest.raises(BuildCancelledError):
        convert(ConvertPlan([folder], rate="uint16"), is_cancelled=cancel_at(growing, 10))
    converted(folder, rate="uint32")
    assert contents(folder) == contents(built())
    assert [path.name for path in folder.parent.iterdir()] == [TABLE]


def test_progress_ends_with_everything(home):
    told = []
    folder = home()
    result = convert(ConvertPlan([folder], rate="uint16"), told.append)
    assert {progress.phase for progress in told} == {"convert"}
    assert told[-1].fraction == 1.0
    assert told[-1].bytes == result.bytes
    assert [p.fraction for p in told] == sorted(p.fraction for p in told)


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_a_kill_at_any_write_leaves_a_whole_table(table, tmp_path):
    """The next run ends as if nothing had happened; what is not the table's stays."""
    script = Path(__file__).with_name("convert_kills.py")
    original = table("tinymirror", TARGET, "float64")
    environ = {**environment(), "PYTHONPATH": str(script.parent.parent.parent)}
    result = subprocess.run(
        [sys.executable, str(script), str(original), str(tmp_path / "scratch")],
        capture_output=True,
        text=True,
        env=environ,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    kills = [json.loads(line) for line in result.stdout.splitlines()]
    assert [kill for kill in kills if kill["wrong"]] == []
    statuses = [kill["status"] for kill in kills]
    assert statuses.count(86) > 100
    assert (
        statuses.count(0) >= 8
    )  # four conversions, undisturbed and with a kill that came too late


@pytest.mark.parametrize(
    ("have", "change", "error"),
    [
        ({}, {"rate": "uint16"}, 0.05),
        ({}, {"threshold": 0.3}, 0.05),
        ({"rate": "float64"}, {"rate": "uint32", "level": "small", "threshold": 0.5}, 0.1),
        ({"optimal_only": True}, {"rate": "uint16"}, 0.05),
        ({}, {"sparse": 4}, 0.0),
    ],
)
def test_the_size_is_known_before(home, have, change, error):
    folder = home(**have)
    before = contents(folder)
    told = predict(ConvertPlan([folder], **change, threads=1))
    assert contents(folder) == before
    result = converted(folder, **change)
    assert told.bytes == pytest.approx(result.bytes, rel=error)
    assert (told.bytes_before, told.is_most) == (result.bytes_before, False)
    assert predict(ConvertPlan([folder], **{**change, "level": None}, threads=1)).is_same


def test_what_best_play_saves_is_told_as_a_bound(home):
    folder = home()
    told = predict(ConvertPlan([folder], optimal_only=True, threads=1))
    assert told.is_most
    assert told.bytes >= converted(folder, optimal_only=True).bytes


def test_a_dry_run_tells_the_size_and_writes_nothing(home):
    folder = home()
    before = contents(folder)
    result = run("convert", folder, "--rate", "uint16", "--dry-run", "--json")
    (told,) = json_lines(result.stdout)
    assert (told["event"], told["is_most"], told["is_same"]) == ("size", False, False)
    assert 0 < told["bytes"] < told["bytes_before"]
    assert "instead of" in run("convert", folder, "--rate", "uint16", "--dry-run").stdout
    assert "nothing to do" in run("convert", folder, "--dry-run").stdout
    assert_refused(run("convert", folder, "--rate", "float64", "--dry-run"), "uint32")
    assert contents(folder) == before


def test_the_command_converts(home, built):
    folder = home(rate="float64")
    result = run("convert", folder, "--rate", "uint32", "--json")
    assert result.returncode == 0, result.stderr
    *progress, done = json_lines(result.stdout)
    assert {line["phase"] for line in progress} == {"convert"}
    assert done["event"] == "done"
    assert done["table"] == str(folder)
    assert contents(folder) == contents(built())
    again = run("convert", folder, "--rate", "uint32")
    assert again.returncode == 0
    assert "nothing to do" in again.stdout


@pytest.mark.thorough
def test_the_command_refuses_in_one_line(home):
    folder = home()
    assert_refused(run("convert", folder, "--rate", "float64"), "uint32", "rebuild tinyangle_64")
    assert_refused(run("convert", folder, "--threshold", "2"), "'2'")
    assert_refused(run("convert", folder.with_name("none")), "no table")
    cancelled = run_apart(
        "convert", folder, "--rate", "uint16", "--stdin-control", stdin="cancel\n"
    )
    assert cancelled.returncode in (0, 3)


@pytest.mark.parametrize("n_bytes", [1, 1 << 20])
def test_a_table_converted_while_it_is_open_says_so(home, n_bytes):
    """It is sound, and nobody is to delete it; whatever was opened of it before."""
    folder = home()
    with Tablebase.open(folder) as table:
        table.keep_layers(BlockCache(n_bytes))
        table.layer_boards(20)
        table.close()
        converted(folder, rate="uint16")
        with pytest.raises(ChangedTableError, match="open or verify it again"):
            [table.layer_boards(layer) for layer in range(table.n_layers)]


@pytest.mark.parametrize("change", [{"level": "small"}, {"rate": "uint16", "threshold": 0.3}])
def test_a_table_converted_while_it_is_verified_is_not_called_damaged(home, change):
    folder = home()
    done = []

    def convert_now(_done: int, _total: int) -> None:
        if not done:
            done.append(converted(folder, **change))

    with pytest.raises(ChangedTableError, match="open or verify it again"):
        verify(folder, 0, convert_now)


def test_damage_beside_somebody_at_work_may_be_that_work(home):
    folder = home()
    (folder / "layer-0020.tbl").unlink()
    with folder_lock(folder), pytest.raises(ChangedTableError, match="wait until that is done"):
        verify(folder, 0)
    assert not verify(folder, 0).ok
