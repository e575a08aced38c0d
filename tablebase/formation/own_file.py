"""The user's own formations: the file beside their tables, changed without losing anything.

Every change reads the file again, so edits made by hand meanwhile stay. A file that cannot be used,
or that is that of 2048EndgameTablebase, is kept under another name, and its valid formations go on
in the new one.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from engine.platform.files.atomic_file import unlink, write_error, write_file
from engine.platform.files.damaged_file import set_aside
from engine.platform.language import tr
from tablebase.errors import FormationError
from tablebase.formation.formation import Formation
from tablebase.formation.json_file import parse_json, read_json
from tablebase.formation.patterns_file import parse_formation, read_own
from tablebase.formation.reference_file import is_reference, our_entries

_SCHEMA = "$schema"


@dataclass(frozen=True)
class FileChange:
    """The side effects of a change."""

    old_file: Path | None  # where it is if it could not be used as it is; None if it could
    place: int  # the position of the formation in the file, now or before


class OwnFile:
    """The file of the user's own formations; it and its folder are made on the first write."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, Formation]:
        return read_own(self.path) if self.path.exists() else {}

    def put(
        self,
        formation: Formation,
        taken: Mapping[str, Formation],
        replaces: str = "",
        place: int | None = None,
    ) -> FileChange:
        """Write a formation into the file.

        `taken` are the built-in formations, whose names are taken; `replaces` is the name that it
        had before, in which case it keeps its position; otherwise `place` is its position among the
        others, by default at the end. Raises FormationError if another formation has its name or
        the file cannot be read, WriteError if it cannot be written.
        """
        formations, is_set_aside = self._sound()
        if replaces in formations:
            place = [*formations].index(replaces)
            del formations[replaces]
        others = [*formations, *(name for name in taken if name != replaces)]
        if why := why_taken(formation.name, others):
            raise FormationError(why)
        entries = list(formations.values())
        place = len(entries) if place is None else min(place, len(entries))
        entries.insert(place, formation)
        return FileChange(self._write(entries, is_set_aside), place)

    def add(self, formations: Iterable[Formation], taken: Mapping[str, Formation]) -> FileChange:
        """Write several formations at the end of the file, all or none; errors as in `put`."""
        entries, is_set_aside = self._sound()
        place = len(entries)
        for formation in formations:
            if why := why_taken(formation.name, [*entries, *taken]):
                raise FormationError(why)
            entries[formation.name] = formation
        return FileChange(self._write(list(entries.values()), is_set_aside), place)

    def remove(self, *names: str) -> FileChange:
        """Remove formations from the file, and the file with its last one; errors as in `put`."""
        formations, is_set_aside = self._sound()
        place = next((i for i, name in enumerate(formations) if name in names), len(formations))
        left = [entry for name, entry in formations.items() if name not in names]
        return FileChange(self._write(left, is_set_aside), place)

    def _sound(self) -> tuple[dict[str, Formation], bool]:
        """Return the valid formations of the file, and whether it has to be set aside."""
        try:
            return self.read(), self.path.exists() and is_reference(read_json(self.path))
        except FormationError as error:
            if isinstance(error.__cause__, OSError):  # it may be all right: do not touch it
                raise
        return _salvaged(self.path), True

    def _write(self, formations: list[Formation], is_set_aside: bool) -> Path | None:
        """Rewrite the file; return where the old one is now, if that is kept."""
        schema = self._schema()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            old_file = set_aside(self.path, datetime.now(timezone.utc)) if is_set_aside else None
            if not formations:
                unlink(self.path, missing_ok=True)
                return old_file
            entries = [formation.to_dict() for formation in formations]
            data = {**schema, "version": 1, "formations": entries}
            write_file(self.path, [json.dumps(data, indent=2).encode(), b"\n"])
            return old_file
        except OSError as error:
            raise write_error(error, self.path) from error

    def _schema(self) -> dict[str, Any]:
        with suppress(FormationError):
            data = read_json(self.path)
            if isinstance(data, dict) and _SCHEMA in data:
                return {_SCHEMA: data[_SCHEMA]}
        return {}


def why_taken(name: str, others: Mapping[str, object] | list[str]) -> str:
    """Return the reason why a formation cannot have a name; "" if it can.

    Names that differ only in case are the same folder on some drives.
    """
    for other in others:
        if other.lower() == name.lower():
            return tr(
                "There is a formation called {name} already. Choose another name.", name=other
            )
    return ""


def formation_text(formation: Formation) -> str:
    return json.dumps(formation.to_dict(), indent=2)


def parse_formation_text(text: str) -> Formation:
    """Return the formation that a text describes: an entry of the file, or a file of one."""
    data = parse_json(text.strip().rstrip(","), tr("the text"))
    if is_reference(data):
        data = {"formations": our_entries(data)}
    if isinstance(data, dict) and isinstance(data.get("formations"), list):
        entries = data["formations"]
        if len(entries) != 1:
            raise FormationError(
                "the text has {count} formations: paste one at a time", count=len(entries)
            )
        data = entries[0]
    return parse_formation(data)


def _salvaged(path: Path) -> dict[str, Formation]:
    formations: dict[str, Formation] = {}
    with suppress(FormationError):
        data = read_json(path)
        entries = data.get("formations") if isinstance(data, dict) else None
        for entry in entries if isinstance(entries, list) else ():
            with suppress(FormationError):
                formation = parse_formation(entry)
                if not why_taken(formation.name, formations):
                    formations[formation.name] = formation
    return formations
