"""The commands to be disturbed, as data; a new command that changes folders is one more entry.

A *room* is a fresh folder for one command: ``room/tables`` is what must come out right, everything
else (``room/data``, ``room/said``) is not compared.
"""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from engine.platform.errors import AppError
from tablebase.build.builder import BuildPlan, build
from tablebase.foreign.convert import ImportPlan, import_table
from tablebase.foreign.table import ReferenceTable
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.probe.reader import Tablebase
from tablebase.store.manifest import MANIFEST_NAME, load_manifest
from tests.tablebase.foreign import reference_writer

from .children import Child, start_fork, start_program
from .wound import Wound

Kept = set[tuple[object, ...]]
UNHURT = Wound()
_FILES_OF_PATHS = ("elsewhere.json", "home.json")


def _nothing(_room: Path) -> None:
    pass


@dataclass(frozen=True)
class Subject:
    """A command that changes a folder.

    Attributes
    ----------
    verb : str
        The command as ``main.py --help`` lists it.
    arguments : callable
        Takes the room, returns the words after main.py; None for a plan no command line can name.
    prepare : callable
        Makes the files that the command starts from.
    plan : callable
        Takes the room; for builds only.
    work : callable
        Takes the room; does the work if neither `arguments` nor `plan` is set.
    """

    name: str
    verb: str
    arguments: Callable[[Path], list[str]] | None
    prepare: Callable[[Path], None] = _nothing
    plan: Callable[[Path], BuildPlan] | None = None
    work: Callable[[Path], object] | None = None

    def start(self, room: Path, wound: Wound = UNHURT, *, fork: bool = True) -> Child:
        """Start the command in a room; `fork` says how, where there is a choice."""
        if fork or self.arguments is None:
            return start_fork(lambda: self.run(room), wound, room)
        return start_program(self._words(room), wound, room)

    def run(self, room: Path) -> int:
        """Do the command in this process; return the exit status."""
        if self.arguments is None:
            return self._work(room)
        from main import main

        return main(self._words(room))

    def _words(self, room: Path) -> list[str]:
        assert self.arguments is not None
        return [*self.arguments(room), "--json", "--data-dir", str(room / "data")]

    def _work(self, room: Path) -> int:
        """Do what main.py does, with a formation that no file holds."""
        try:
            if self.work:
                self.work(room)
            else:
                assert self.plan is not None
                build(self.plan(room), lambda p: print(json.dumps(asdict(p)), flush=True))
        except AppError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        return 0

    def kept(self, room: Path, result: dict[str, bytes]) -> Kept:
        """Return the files that must survive any disturbance; `result` is the correct end result.

        For a table being built: the recorded layers with inode and time, as nothing may compute
        them again. For anything else: each file that has the content of a layer.

        Raises
        ------
        LostLayerError
            A recorded layer is not there, or not what it should be.
        """
        if self.plan is None:
            return {(sha256(data).hexdigest(),) for data in _layers(room).values()}
        return _recorded(self.plan(room).folder, room / "tables", result)


class LostLayerError(Exception):
    """A layer that was finished is gone or has changed."""


def _recorded(folder: Path, top: Path, result: dict[str, bytes]) -> Kept:
    if not (folder / MANIFEST_NAME).exists():
        return set()
    try:
        layers = load_manifest(folder).layers.values()
    except AppError as error:
        raise LostLayerError(f"the manifest cannot be read: {error}") from error
    kept: Kept = set()
    for layer in layers:
        path = folder / layer.file
        if not path.exists():
            raise LostLayerError(f"{layer.file} is recorded, but not there")
        data = path.read_bytes()
        if len(data) != layer.bytes or result.get(str(path.relative_to(top)), data) != data:
            raise LostLayerError(f"{layer.file} is recorded, but not what it should be")
        status = path.stat()
        kept.add((layer.file, status.st_ino, status.st_mtime_ns))
    return kept


def _layers(room: Path) -> dict[str, bytes]:
    return {name: data for name, data in contents(room / "tables").items() if name.endswith(".tbl")}


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below `folder`, by its relative path.

    Files that name folders are made comparable: without the room's name and without checksum.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): _comparable(path, folder) for path in files}


def _comparable(path: Path, folder: Path) -> bytes:
    data = path.read_bytes()
    if path.name not in _FILES_OF_PATHS:
        return data
    text = data.replace(str(folder.resolve()).encode(), b"TABLES")
    body = json.loads(text)
    body.pop("crc", None)
    return json.dumps(body, sort_keys=True).encode()


def small_formation() -> Formation:
    """Return a formation of a dozen layers in which everything happens: 64 is near at the start."""
    whole = load_formations()["2x4"]
    return replace(whole, name="small2x4", seeds=(0xFFFF_5431_2000_FFFF,), extra_steps=-20)


def small_subject() -> Subject:
    """Return the build of the small formation."""
    formation = small_formation()

    def plan(room: Path) -> BuildPlan:
        return BuildPlan(formation, 64, room / "tables" / f"{formation.name}_64", threads=1)

    return Subject("build small 64", "build", None, plan=plan)


def build_subject(pattern: str, target: int, *options: str) -> Subject:
    """Return the build of a table of the project's formations."""
    formation = load_formations()[pattern]

    def plan(room: Path) -> BuildPlan:
        return BuildPlan(formation, target, room / "tables" / f"{pattern}_{target}")

    def arguments(room: Path) -> list[str]:
        return ["build", pattern, str(target), "--out", str(room / "tables"), *options]

    return Subject(f"build {pattern} {target}", "build", arguments, plan=plan)


def other_subjects(table: Path, kind: str = "") -> list[Subject]:
    """Return the commands that start from a finished table; `table` is copied into the room."""

    def copy(room: Path) -> None:
        shutil.copytree(table, room / "tables" / "from" / table.name)
        (room / "tables" / "to").mkdir()

    def words(verb: str, option: str) -> Callable[[Path], list[str]]:
        return lambda room: [
            verb,
            str(room / "tables" / "from" / table.name),
            *(option, str(room / "tables" / "to")),
        ]

    return [
        Subject(f"{kind}relocate", "relocate", words("relocate", "--to"), copy),
        Subject(f"{kind}convert", "convert", words("convert", "--out"), copy),
    ]


def import_subject(reference: Path, *options: str) -> Subject:
    """Return the import of a table of the reference program, which lies in `reference`."""

    def arguments(room: Path) -> list[str]:
        return ["import", str(reference), "--out", str(room / "tables"), *options]

    return Subject("import", "import", arguments)


def small_import(reference: Path) -> Subject:
    """Return the import of the small formation's table, which no command line can name."""
    known = {small_formation().name: small_formation()}

    def work(room: Path) -> None:
        with ReferenceTable.open(reference, formations=known) as source:
            import_table(ImportPlan(source, room / "tables" / source.name))

    return Subject("small import", "import", None, work=work)


def write_reference(table: Path, folder: Path) -> Path:
    """Write one of our tables as the reference program would; every third layer compressed."""
    folder.mkdir(parents=True)
    with Tablebase.open(table) as ours:
        for layer in range(ours.n_layers):
            boards, values = ours.layer_boards(layer)
            rates = [float(value) / 4e9 for value in values]
            records = dict(zip(boards.tolist(), rates, strict=True))
            if layer % 3 == 2 and records:
                reference_writer.write_packed(folder, ours.name, layer, records, "uint32", 500)
            else:
                reference_writer.write_book(folder, ours.name, layer, records, "uint32")
        reference_writer.write_config(folder, ours.name, "uint32")
    return folder
