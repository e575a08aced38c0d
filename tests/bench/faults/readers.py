"""Everything that reads the files of a table, each as a function from a folder to an answer.

An answer can be compared: the same files give the same answer. A reader raises AppError, returns
`Refused`, or answers; anything else is wrong.
"""

import contextlib
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.platform.errors import AppError
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import ProbeError
from tablebase.foreign.check import verify_reference
from tablebase.foreign.convert import ImportPlan, import_table
from tablebase.foreign.find import find_tables
from tablebase.foreign.table import ReferenceTable
from tablebase.formation.patterns_file import load_formations, parse_formation
from tablebase.library import catalog
from tablebase.library.foreign_summary import summarize
from tablebase.maintain.relocate import RelocatePlan, relocate
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store.manifest import MANIFEST_NAME, load_manifest

from .subjects import contents, small_formation

_N_BOARDS = 20


@dataclass(frozen=True)
class Refused:
    """A reader's refusal; a list also says which table the message is about."""

    message: str
    is_listed: bool = False


@dataclass(frozen=True)
class Specimen:
    """An intact folder to be spoiled, and what is known about it."""

    name: str
    folder: Path
    plan: Callable[[Path], BuildPlan]
    boards: tuple[int, ...]
    result: dict[str, bytes]
    readers: "tuple[Reader, ...]" = ()  # those of tables where none are named
    has_checksums: bool = True
    prepare: Callable[[Path], None] = lambda _folder: None  # after copying: what depends on where


Reader = Callable[[Specimen, Path], Any]


def open_and_probe(specimen: Specimen, folder: Path) -> Any:
    """Open as the window does; probe."""
    with Tablebase.open(folder) as table:
        return _probe_all(specimen, table)


def probe_unchecked(specimen: Specimen, folder: Path) -> Any:
    """Probe as in a large table, which is not read from end to end when it is opened."""
    with Tablebase(folder, load_manifest(folder)) as table:
        return _probe_all(specimen, table)


def _probe_all(specimen: Specimen, table: Tablebase) -> Any:
    answers: list[Any] = [table.name, table.rate, table.spawn4, table.stored]
    for board in specimen.boards:
        try:
            answers += [table.probe(board), table.rate_of(board)]
        except ProbeError as error:
            answers.append(str(error))
    return answers


def verify_sample(_specimen: Specimen, folder: Path) -> Any:
    """Verify all checksums and a few values."""
    report = verify(folder, sample=5)
    return asdict(report) if report.ok else Refused(report.problems[0], True)


def scan_folder(_specimen: Specimen, folder: Path) -> Any:
    """List the table."""
    (info,) = catalog.scan([folder])
    return Refused(info.message, True) if info.state == "damaged" else _told(asdict(info))


def tables_command(_specimen: Specimen, folder: Path) -> Any:
    """List the table on the command line."""
    status, lines = _command("tables", str(folder))
    states = [line.get("state") for line in lines]
    if "damaged" in states:
        return Refused(lines[0]["message"], True)
    return status, [_told(line) for line in lines]


def _told(table: dict[str, Any]) -> dict[str, Any]:
    """Return the listing of a table, without the fields about its working files."""
    return {k: v for k, v in table.items() if k not in ("layers_expanded", "work_bytes")}


def probe_command(specimen: Specimen, folder: Path) -> Any:
    """Probe on the command line."""
    boards = [f"{board:016x}" for board in specimen.boards[:2]]
    status, lines = _command("probe", str(folder), *(w for b in boards for w in ("--board", b)))
    return Refused(str(folder)) if status == 2 else (status, lines)


def _command(*words: str) -> tuple[int, list[Any]]:
    from main import main

    folder = words[1]
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = main([*words, "--json", "--data-dir", f"{folder}-data"])
    if status not in (0, 2) or (status == 2) != bool(errors.getvalue()):
        raise AssertionError(f"status {status}: {errors.getvalue()[-500:]}")
    return status, [json.loads(line) for line in output.getvalue().splitlines()]


def resume_build(specimen: Specimen, folder: Path) -> Any:
    """Build on; everything must come out as if nothing had happened."""
    build(specimen.plan(folder))
    found = {name: data for name, data in contents(folder).items() if name != "build.lock"}
    is_right = _meant(found) == _meant(specimen.result)
    return "the right table" if is_right else sorted(found)


def _meant(files: dict[str, bytes]) -> dict[str, Any]:
    """Return files with a manifest that may be written otherwise: a missing line end is no harm."""
    return {**files, MANIFEST_NAME: json.loads(files[MANIFEST_NAME])}


def read_formations(_specimen: Specimen, folder: Path) -> Any:
    """Read formations; those that are accepted can be written and checked without an accident."""
    formations = load_formations(folder / "patterns_config.json")
    for formation in formations.values():
        if parse_formation(formation.to_dict()) != formation:
            raise AssertionError(f"{formation.name} is written otherwise than it is read")
        with contextlib.suppress(AppError):
            BuildPlan(formation, 64, Path("nowhere")).check()
    return formations


def probe_reference(specimen: Specimen, folder: Path) -> Any:
    """Probe the reference program's table as it is."""
    with _reference(folder) as table:
        return _probe_all(specimen, table)


def verify_reference_table(_specimen: Specimen, folder: Path) -> Any:
    """Check every record of the reference program's table."""
    with _reference(folder) as table:
        report = verify_reference(table, sample=20)
    return asdict(report) if report.ok else Refused(report.problems[0])


def import_reference(_specimen: Specimen, folder: Path) -> Any:
    """Import the reference program's table."""
    new = folder.with_name("imported")
    shutil.rmtree(new, ignore_errors=True)
    with _reference(folder) as table:
        import_table(ImportPlan(table, new))
    return hash(tuple(contents(new).items()))


def list_reference(_specimen: Specimen, folder: Path) -> Any:
    """List the reference program's table."""
    known = {small_formation().name: small_formation()}
    infos = [summarize(found, known) for found in find_tables(folder)]
    damaged = [info for info in infos if info.state == "damaged"]
    return Refused(damaged[0].message, True) if damaged else [asdict(info) for info in infos]


def _reference(folder: Path) -> ReferenceTable:
    return ReferenceTable.open(folder, formations={small_formation().name: small_formation()})


def resume_import(specimen: Specimen, folder: Path) -> Any:
    """Import on; everything must come out as if nothing had happened."""
    with _reference(specimen.folder.parent / "reference") as table:
        import_table(ImportPlan(table, folder))
    found = {name: data for name, data in contents(folder).items() if name != "build.lock"}
    return "the right table" if _meant(found) == _meant(specimen.result) else sorted(found)


def open_split(specimen: Specimen, folder: Path) -> Any:
    """Open a table that lies in two folders; probe."""
    with Tablebase.open(folder / "home") as table:
        return _probe_all(specimen, table)


def scan_split(_specimen: Specimen, folder: Path) -> Any:
    """List both folders."""
    infos = catalog.scan([folder])
    told = [info.message for info in infos if info.state not in ("complete", "part")]
    return Refused(told[0], True) if told else sorted(str(asdict(info)) for info in infos)


def bring_back(specimen: Specimen, folder: Path) -> Any:
    """Move everything back home; no sound layer may be lost, whether that was done or refused."""
    before = _sound_layers(specimen, folder)
    try:
        relocate(RelocatePlan([folder / "home"], folder / "home"))
    finally:
        lost = before - _sound_layers(specimen, folder)
        if lost:
            raise AssertionError(f"lost {sorted(lost)}")
    return sorted(path.name for path in (folder / "home").glob("layer-*"))


def _sound_layers(specimen: Specimen, folder: Path) -> set[str]:
    layers = folder.rglob("layer-*.tbl")
    return {path.name for path in layers if path.read_bytes() == specimen.result[path.name]}


def read_settings(_specimen: Specimen, folder: Path) -> Any:
    """Read the settings, change one, and read them again."""
    from PySide6.QtCore import QCoreApplication

    from gui.settings_model.settings import Settings

    application = QCoreApplication.instance() or QCoreApplication([])
    assert application  # timers need one
    path = folder / "settings.json"
    settings = Settings(path)
    problem = settings.problem
    settings.set("theme", "light" if settings.get("theme") == "dark" else "dark")
    wanted = settings.get("theme")
    settings.close()
    if Settings(path).get("theme") != wanted:
        raise AssertionError("settings cannot be written any more")
    del application
    return Refused(problem) if problem else wanted


REFERENCE_READERS: tuple[Reader, ...] = (
    *(probe_reference, verify_reference_table, import_reference, list_reference),
)
SPLIT_READERS: tuple[Reader, ...] = (open_split, scan_split, bring_back)
TABLE_READERS: tuple[Reader, ...] = (
    *(open_and_probe, probe_unchecked, verify_sample, scan_folder),
    *(tables_command, probe_command, resume_build),
)
FORMATION_READERS: tuple[Reader, ...] = (read_formations,)


def boards_of(folder: Path) -> tuple[int, ...]:
    """Return boards to probe, from all over a table: stored after-states, and one of no table."""
    boards = []
    with Tablebase.open(folder) as table:
        for layer in sorted(table.manifest.layers):
            n = table.manifest.layers[layer].stored
            boards += [
                int(table.stored_board(layer, i)[0]) for i in {0, n // 2, n - 1} if 0 <= i < n
            ]
    step = max(len(boards) // (_N_BOARDS - 1), 1)
    return (*boards[::step][: _N_BOARDS - 1], 0x1234_5678_9ABC_DEF1)


# Readers that change what they read: the folder is copied anew after them.
CHANGING = (resume_build, resume_import, bring_back, read_settings)
