"""Which tables there are, for the list in a backup that cannot have them."""

from collections.abc import Iterable
from pathlib import Path

from coach.backup.manifest import KeptTable


def tables_there(folders: Iterable[Path]) -> list[KeptTable]:
    """Return the tables in some folders as a backup lists them."""
    from tablebase.library.catalog import scan

    return [
        KeptTable(_text(info.name), _text(str(info.path)), info.state, max(0, info.bytes))
        for info in scan(folder for folder in folders if folder.is_dir())
    ]


def _text(name: str) -> str:
    """Return a name, with what is no character of it spelled out."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
