"""What the files of 2048EndgameTablebase in a folder are, judged by their names alone.

A table called NAME = PATTERN_TARGET, or PATTERN_TARGET_POSITION up to version 8.3, consists of one
file or folder for each layer, ``NAME_<layer>`` and an ending. Tables with ``.book`` files and
``.z`` folders are read by `tablebase.foreign`; the other formats are only recognized, so that their
owner is told what they are, wherever a folder turns out to hold no table of ours.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from engine.platform.language import mark, tr

PROGRAM = "2048EndgameTablebase"
READ = (".book", ".z")
_LAYER = re.compile(
    r"(?P<pattern>[A-Za-z0-9]{1,32})_(?P<target>(?:sum-)?[1-9]\d{0,4})(?:_(?P<position>\d{1,2}))?"
    r"_(?P<layer>0|[1-9]\d{0,4}|)"
    r"(?P<suffix>\.book|\.z|\.book\.7z|\.7z|b|\.zbook|\.zlut|\.exzbook|\.bccmp|\.bcraw|)",
    re.ASCII,
)
_OF_ITS_EX, _OF_ITS_BC = mark("of the EX algorithm"), mark("of the BC algorithm")
_FORMATS = {
    "b": mark("of the advanced algorithm"),
    ".zbook": _OF_ITS_EX,
    ".zlut": _OF_ITS_EX,
    ".exzbook": _OF_ITS_EX,
    ".bccmp": _OF_ITS_BC,
    ".bcraw": _OF_ITS_BC,
}
_REMEDIES = {
    ".book.7z": mark("packed as .7z: unpack its files there first"),
    ".7z": mark("packed as .7z: unpack its files there first"),
    "": mark("not finished: finish it with the program that began it"),
}


@dataclass(frozen=True)
class ForeignFile:
    """The name of one layer's file or folder, taken apart."""

    name: str
    # The target is a tile, or "sum-" and a tile sum.
    pattern: str
    target: str
    # The number that versions up to 8.3 gave a choice of target cells; "" in later ones.
    position: str
    layer: str  # "" for a file that belongs to all layers
    suffix: str  # which format it has

    @property
    def table(self) -> str:
        return "_".join(part for part in (self.pattern, self.target, self.position) if part)

    @property
    def is_read(self) -> bool:
        return self.suffix in READ and self.target.isdigit() and bool(self.layer)

    @property
    def format(self) -> str:
        """The format in a few words, for one that cannot be read and has a format of its own."""
        if self.suffix in _FORMATS:
            return tr(_FORMATS[self.suffix])
        return "" if self.target.isdigit() else tr("of a tile sum as its target")

    @property
    def why_unread(self) -> str:
        facts = {"file": self.name, "program": PROGRAM, "format": self.format}
        if not self.format:
            remedy = tr(_REMEDIES[self.suffix])
            return tr("a table of {program}, {remedy} ({file})", **facts, remedy=remedy)
        if self.suffix not in _FORMATS:
            return tr(
                "a table of {program} {format}, which is not read here ({file}): build it here",
                **facts,
            )
        return tr(
            "a table of {program} {format}, which is not read here ({file}): make it there with "
            "the classic algorithm, or build it here",
            **facts,
        )


def foreign_file(name: str, is_folder: bool) -> ForeignFile | None:
    """Return the parts of the name of a layer's file; None for other files."""
    match = _LAYER.fullmatch(name)
    if not match:
        return None
    pattern, target, position, layer, suffix = match.groups(default="")
    if is_folder != (suffix in ("b", ".z")) or (not layer and suffix not in _FORMATS):
        return None
    if suffix not in READ and target.isdigit() and int(target).bit_count() != 1:
        return None  # as in a photo album packed as holiday_2026_8.7z
    return ForeignFile(name, pattern, target, position, layer, suffix)


def unread_tables(folder: Path) -> dict[str, ForeignFile]:
    """Return, by name, the tables in `folder` of which nothing can be read: a file of each.

    Of several files, that which tells most about the format.
    """
    tables: dict[str, ForeignFile] = {}
    read = set()
    for file in _files_in(folder):
        if file.is_read:
            read.add(file.table)
        elif file.table not in tables or (file.format and not tables[file.table].format):
            tables[file.table] = file
    return {name: tables[name] for name in sorted(tables) if name not in read}


def what_is_in(folder: Path) -> str:
    """Return what else `folder` holds than a table of ours, and how to go on; "" if nothing.

    It may also be called folder/PATTERN_TARGET, which names one of several tables in a folder.
    """
    if not folder.exists():
        named = unread_tables(folder.parent).get(folder.name)
        return _no_table(folder.parent, named) if named else ""
    for file in _files_in(folder):
        if file.is_read:
            return tr(
                "{folder} holds {table}, a table of {program}: import it first, by the command "
                "{command}",
                folder=folder,
                table=file.table,
                program=PROGRAM,
                command="import",
            )
    unread = unread_tables(folder)
    if not unread:
        return ""
    shown = next((file for file in unread.values() if file.format), next(iter(unread.values())))
    return _no_table(folder, shown)


def _no_table(folder: Path, file: ForeignFile) -> str:
    return tr(
        "no table in {folder} that can be read: {table} is {why}",
        folder=folder,
        table=file.table,
        why=file.why_unread,
    )


def _files_in(folder: Path) -> list[ForeignFile]:
    try:
        with os.scandir(folder) as entries:
            files = [foreign_file(entry.name, is_folder(entry)) for entry in entries]
    except (OSError, ValueError):
        return []
    return sorted((file for file in files if file), key=lambda file: file.name)


def is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # removed meanwhile, or a link that leads in a circle
        return False
