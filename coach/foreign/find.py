"""Finding the other program's files from a path to any of them, or to a folder.

The older program keeps ``config``, ``mistakes_book.pkl`` and ``patterns_config.json`` in its own
folder, the newer one in ``docs_and_configs/``.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from coach.foreign.config import NEW, OLD, UNKNOWN, ForeignSettingsError
from engine.platform.language import mark, tr

CONFIG, NOTEBOOK, NEWER_FOLDER = "config", "mistakes_book.pkl", "docs_and_configs"
FORMATIONS_FILE = "patterns_config.json"


@dataclass(frozen=True)
class ForeignFiles:
    """The files of the other program that were found."""

    config: Path | None
    notebook: Path | None
    # The program that wrote the config, judged by its place: OLD, NEW or UNKNOWN.
    version: str = UNKNOWN
    formations: Path | None = None


def find_files(path: Path) -> ForeignFiles:
    """Return the files in a folder, or a given file with those next to it.

    Raises ForeignSettingsError if there are none.
    """
    is_there = False
    with suppress(OSError, ValueError):
        is_there = path.exists()
    if not is_there:
        text = tr("{path} is not there: name the folder of 2048EndgameTablebase", path=path)
        raise ForeignSettingsError(text)
    if path.is_dir():
        places = [path, path / NEWER_FOLDER]
        config = _newest([place / CONFIG for place in places])
        notebook = _newest([place / NOTEBOOK for place in places])
        formations = _newest([place / FORMATIONS_FILE for place in places])
        if not config and not notebook and not formations:
            text = mark(
                "{folder} has no config, mistakes_book.pkl or patterns_config.json: name the "
                "folder of 2048EndgameTablebase"
            )
            raise ForeignSettingsError(text, folder=path)
    elif path.suffix.lower() in (".pkl", ".pickle"):
        return ForeignFiles(None, path)
    elif path.suffix.lower() == ".json":
        return ForeignFiles(None, None, formations=path)
    else:
        config, notebook = path, _newest([path.with_name(NOTEBOOK)])
        formations = _newest([path.with_name(FORMATIONS_FILE)])
    version = UNKNOWN
    if config and config.name == CONFIG:
        if config.absolute().parent.name == NEWER_FOLDER:
            version = NEW
        elif (config.parent / FORMATIONS_FILE).is_file():
            version = OLD
    return ForeignFiles(config, notebook, version, formations)


def _newest(paths: list[Path]) -> Path | None:
    found: list[tuple[float, Path]] = []
    for path in paths:
        with suppress(OSError, ValueError):
            if path.is_file():
                found.append((path.stat().st_mtime, path))
    return max(found)[1] if found else None
