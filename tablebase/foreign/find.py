"""Finds such tables in a folder, by the names of its files alone.

A table called NAME = PATTERN_TARGET, or PATTERN_TARGET_POSITION up to version 8.3, consists of
``NAME_<i>.book`` and ``NAME_<i>.z/`` for its layers, beside ``NAME_config.txt`` and
``NAME_stats.txt``; a folder can hold several of them.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from engine.platform.language import tr
from tablebase.errors import MissingTableError
from tablebase.store.foreign_files import ForeignFile, foreign_file


@dataclass
class ForeignTable:
    """The files of one table."""

    folder: Path
    pattern: str
    target: int
    # The layers that can be read: a plain book, or the folder of a compressed one.
    layers: dict[int, Path] = field(default_factory=dict)
    # Other layers: a file that this program cannot read.
    unread: dict[int, ForeignFile] = field(default_factory=dict)
    # The number that versions up to 8.3 gave a choice of target cells; "" in later ones.
    position: str = ""

    @property
    def name(self) -> str:
        return f"{self.pattern}_{self.target}" + (self.position and f"_{self.position}")

    @property
    def config_path(self) -> Path:
        return self.folder / f"{self.name}_config.txt"

    @property
    def bytes(self) -> int:
        files = [
            file
            for path in self.layers.values()
            for file in (path.iterdir() if path.is_dir() else [path])
        ]
        return sum(file.stat().st_size for file in files)

    def why_missing(self, layer: int) -> str:
        facts = {"layer": layer, "name": self.name, "folder": self.folder}
        missing = tr("layer {layer} of {name} is missing in {folder}", **facts)
        words = {"missing": missing, "stem": f"{self.name}_{layer}"}
        other = self.unread.get(layer)
        if other is None:
            return tr("{missing}: neither {stem}.book nor {stem}.z is there", **words)
        words |= {"other": other.name, "format": other.format}
        if other.format:
            return tr("{missing}: {other} is {format}, expected {stem}.book", **words)
        if other.suffix:
            return tr("{missing}: {other} has to be unpacked into {stem}.book first", **words)
        return tr("{missing}: {other} is of an unfinished build, expected {stem}.book", **words)


def find_tables(folder: Path) -> list[ForeignTable]:
    """Return the tables in a folder that have a readable layer, by name."""
    return [table for table in scan_folder(folder) if table.layers]


def scan_folder(folder: Path) -> list[ForeignTable]:
    tables: dict[str, ForeignTable] = {}
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []
    for entry in entries:
        with suppress(OSError):  # removed meanwhile, or a link that leads in a circle
            file = foreign_file(entry.name, entry.is_dir())
            if file is None or not file.layer or not file.target.isdigit():
                continue
            table = ForeignTable(folder, file.pattern, int(file.target), position=file.position)
            _add(tables.setdefault(file.table, table), file, entry)
    return [tables[name] for name in sorted(tables)]


def find_table(path: Path) -> ForeignTable | None:
    """Return the table at a folder or folder/PATTERN_TARGET; MissingTableError if several."""
    tables = find_tables(path)
    if not tables:
        named = [table for table in find_tables(path.parent) if table.name == path.name]
        return named[0] if named else None
    named = [table for table in tables if table.name == path.name]
    if len(tables) > 1 and not named:
        names = ", ".join(table.name for table in tables)
        raise MissingTableError(
            "{path} holds several tables ({names}): name one, as in {example}",
            path=path,
            names=names,
            example=path / tables[0].name,
        )
    return named[0] if named else tables[0]


def _add(table: ForeignTable, file: ForeignFile, entry: "os.DirEntry[str]") -> None:
    layer = int(file.layer)
    if file.suffix == ".book":
        if not entry.is_file():  # a link to a drive that is not attached
            return
        if layer not in table.layers or entry.stat().st_size:  # a plain book takes precedence
            table.layers[layer] = table.folder / entry.name
    elif file.suffix == ".z":
        book = table.layers.get(layer)
        if book is None or not book.stat().st_size:  # an empty one may stand for a moved layer
            table.layers[layer] = table.folder / entry.name
    else:
        table.unread[layer] = file
