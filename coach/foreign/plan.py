"""The plan for importing the other program's files: what would change here, and its formations.

A path to any of them or to a folder will do. The older program keeps ``config``,
``mistakes_book.pkl`` and ``patterns_config.json`` in its own folder, the newer one in
``docs_and_configs/``.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from coach.foreign.config import (
    NEW,
    OLD,
    UNKNOWN,
    ForeignSettings,
    ForeignSettingsError,
    read_settings,
)
from coach.mistakes.files import Reading
from coach.mistakes.importing import read_mistakes
from engine.bitboard import format_board
from engine.platform.errors import AppError
from engine.platform.language import LANGUAGES, listed, mark, tr, trn
from tablebase.errors import FormationError
from tablebase.foreign.find import scan_folder
from tablebase.formation.formation import Formation
from tablebase.formation.json_file import read_json
from tablebase.formation.own_file import why_taken
from tablebase.formation.patterns_file import is_same_definition, load_formations, parse_reference
from tablebase.formation.reference_file import is_reference
from tablebase.store.foreign_files import unread_tables
from tablebase.store.manifest import MANIFEST_NAME
from tablebase.store.options import RATES

FOLDERS, NOTEBOOK, COLORS = "folders", "notebook", "colors"
FORMATIONS, SETTINGS, DOUBTFUL = "formations", "settings", "doubtful"
_YES, _NO = mark("yes"), mark("no")
_OLD_SPEEDS, _NEW_MS = 10.0, 1000.0  # speed = moves per second times this = this / milliseconds


@dataclass(frozen=True)
class NewFormation:
    """A formation that can be imported."""

    formation: Formation  # by the name that it gets here
    name: str  # its name in the other program

    @property
    def line(self) -> str:
        if self.formation.name == self.name:
            return self.name
        return tr("{name}, as {new}: ours is another one", name=self.name, new=self.formation.name)


@dataclass(frozen=True)
class Change:
    """One of our settings that would change."""

    name: str  # name in `gui.settings_model.settings`
    value: Any
    text: str  # the new value as text
    # Whether it depends on which of the two programs wrote the file, and that is unknown.
    is_doubtful: bool = False


@dataclass(frozen=True)
class FoundFolder:
    """A folder with tables, by the config."""

    path: Path
    tables: tuple[str, ...]
    why_not: str = ""  # why nothing in it can be used; "" if something can


@dataclass(frozen=True)
class Part:
    """A part that can be imported by itself."""

    key: str  # FOLDERS, FORMATIONS, NOTEBOOK, COLORS, SETTINGS or DOUBTFUL
    title: str  # a short title
    lines: tuple[str, ...]  # its contents
    is_usable: bool = True  # whether there is anything to import
    is_wanted: bool = True  # whether it is imported by default


@dataclass(frozen=True)
class TakeOver:
    """Everything found to import."""

    source: Path  # the path that the user named
    version: str = UNKNOWN
    folders: tuple[FoundFolder, ...] = ()
    reading: Reading | None = None
    colors: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()  # what is not imported, or uncertain
    parts: tuple[Part, ...] = field(default=())
    formations: tuple[NewFormation, ...] = ()

    def values(self, keys: Collection[str]) -> dict[str, Any]:
        return {
            one.name: one.value
            for one in self.changes
            if (DOUBTFUL if one.is_doubtful else SETTINGS) in keys
        }

    @property
    def new_folders(self) -> list[str]:
        return [str(one.path) for one in self.folders if not one.why_not]


def plan(
    source: Path,
    symmetry_of: Callable[[str], str],
    values: Mapping[str, Any] | None = None,
    known: Mapping[str, Formation] | None = None,
) -> TakeOver:
    """Return the import plan for a folder or file of the other program. Only reads.

    Of `values`, our current settings, those that stay the same are no changes; `known` are our
    formations, by default those that come with the program. Raises ForeignSettingsError if there is
    nothing to import.
    """
    files = find_files(source)
    notes: list[str] = []
    reading = None
    if files.notebook:
        try:
            reading = read_mistakes(files.notebook, symmetry_of)
        except AppError as error:
            if not files.config:
                raise
            notes.append(tr("Its notebook is left out: {problem}.", problem=error))
    formations: list[NewFormation] = []
    if files.formations:
        here = load_formations() if known is None else known
        try:
            formations, problems = new_formations(files.formations, here)
        except AppError as error:
            if not files.config and not files.notebook:
                raise
            problems = [str(error)]
        notes += [tr("Left out: {problem}.", problem=one) for one in problems]
    found = read_settings(files.config, files.version) if files.config else ForeignSettings()
    changes = [one for one in _changes(found) if (values or {}).get(one.name) != one.value]
    if found.game:
        game, board = found.game, format_board(found.game.board)
        text = mark(
            "Its game of {score:,} points (best: {best:,}) stays there: it has no history. To play "
            "on, enter {board} on the Game page."
        )
        notes.append(tr(text, score=game.score, best=game.best, board=board))
    if files.config and found.version == UNKNOWN:
        message = tr(
            "The config doesn't say which version wrote it. Speed and the number on 32768 mean "
            "different things in different versions; they are read as in version 9.0."
        )
        notes.append(message)
    notes += [tr("Left out: {problem}.", problem=one) for one in found.problems]
    tables: dict[str, list[str]] = {}
    for recorded in found.folders:
        tables.setdefault(recorded.folder, []).append(recorded.table)
    paths = [(Path(folder), tuple(names)) for folder, names in tables.items()]
    folders = tuple(FoundFolder(path, names, _why_not(path)) for path, names in paths)
    colors = found.custom_colors if found.uses_custom_colors and found.custom_colors else ()
    colors = colors or found.colors
    parts = _parts(folders, formations, reading, colors, changes)
    return TakeOver(
        source,
        version=found.version,
        folders=folders,
        reading=reading,
        colors=colors,
        changes=tuple(changes),
        notes=tuple(notes),
        parts=parts,
        formations=tuple(formations),
    )


def _why_not(path: Path) -> str:
    is_here = False
    with suppress(OSError, ValueError):
        is_here = path.is_absolute() and path.is_dir()
    if not is_here:
        return tr("not on this machine")
    if (path / MANIFEST_NAME).exists() or any(table.layers for table in scan_folder(path)):
        return ""
    for file in unread_tables(path).values():
        return file.why_unread
    return tr("no tables of 2048EndgameTablebase are there")


def _yes_or_no(value: bool) -> str:
    return tr(_YES) if value else tr(_NO)


def _percent(value: float) -> str:
    return f"{100 * value:g} %"


_Shown = Callable[[Any], str]
_AS_THEY_ARE: tuple[tuple[str, str, str, _Shown], ...] = (
    ("notebook_threshold", "mistakes.threshold",
     mark("Moves saved as mistakes: those that keep less than {value}"), "{:g}".format),
    ("spawn4", "game.spawn4", mark("Share of fours in games: {value}"), _percent),
    ("spawn4", "build.spawn4", mark("Share of fours of new tables: {value}"), _percent),
    ("rate", "build.rate", mark("Rates of new tables: {value}"), str),
    ("threshold", "build.threshold", mark("Threshold of new tables: {value}"), "{:g}".format),
    ("optimal_only", "build.optimal_only", mark("New tables: optimal play only: {value}"),
     _yes_or_no),
    ("packs_scratch", "build.pack_scratch", mark("New tables: working files packed: {value}"),
     _yes_or_no),
)  # fmt: skip
"""Fields with the meaning of ours: field, setting, text, and how the value is shown."""


def _changes(found: ForeignSettings) -> Iterator[Change]:
    """Yield the changes to our settings; fields that are missing, or that we lack, give none."""
    is_unknown, is_new = found.version == UNKNOWN, found.version == NEW
    if found.language is not None:
        code = "zh_CN" if found.language == "zh" else "en"
        yield Change("language", code, tr("Language: {value}", value=LANGUAGES[code]))
    is_dark = found.is_dark
    if is_dark is None and not is_new and found.theme in ("Default", "Dark"):
        is_dark = found.theme == "Dark"
    if is_dark is not None:
        text = tr("Theme: {value}", value=tr("dark") if is_dark else tr("light"))
        yield Change("theme", "dark" if is_dark else "light", text)
    if found.ui_percent is not None:
        percent = min(200, max(80, found.ui_percent))
        yield Change("ui_scale", percent, tr("Interface size: {value}", value=f"{percent} %"))
    if found.font_percent is not None:
        percent = min(130, max(70, found.font_percent))
        text = tr("Number size: {value}", value=f"{percent} %")
        yield Change("tile_font_scale", percent, text)
    if found.is_animated is False:
        text = tr("Tile speed: {value}", value=tr("no animation"))
        yield Change("animation_ms", 0, text)
    if found.marks_32768 is not None:
        is_shown = not found.marks_32768 if is_new else found.marks_32768
        text = tr("Numbers on the large tiles: {value}", value=_yes_or_no(is_shown))
        yield Change("large_tile_numbers", is_shown, text, is_unknown)
    if found.demo_speed is not None:
        speed = _NEW_MS / found.demo_speed if is_new else found.demo_speed / _OLD_SPEEDS
        per_s = min(30, max(1, round(speed)))
        text = trn(
            "Demo in Practice: {n} move a second", "Demo in Practice: {n} moves a second", per_s
        )
        yield Change("practice.speed", per_s, text, is_unknown)
    for field_name, name, text, shown in _AS_THEY_ARE:
        value = getattr(found, field_name)
        if value is not None and (field_name != "rate" or value in RATES):
            yield Change(name, value, tr(text, value=shown(value)))


def _parts(
    folders: tuple[FoundFolder, ...],
    formations: list[NewFormation],
    reading: Reading | None,
    colors: tuple[str, ...],
    changes: list[Change],
) -> tuple[Part, ...]:
    parts = []
    if folders:
        there = [one for one in folders if not one.why_not]
        title = trn("{n} folder with tables", "{n:,} folders with tables", len(there))
        lines = tuple(_folder_line(one) for one in folders)
        parts.append(Part(FOLDERS, title, lines, bool(there)))
    if formations:
        title = trn("{n} formation", "{n:,} formations", len(formations))
        parts.append(Part(FORMATIONS, title, tuple(one.line for one in formations)))
    if reading is not None:
        n = len(reading.records)
        title = trn("Notebook with {n} position", "Notebook with {n:,} positions", n)
        lines = tuple(reading.problems[:3])
        if len(reading.problems) > len(lines):
            rest = len(reading.problems) - len(lines)
            lines += (
                trn("{n} more entry can't be used", "{n:,} more entries can't be used", rest),
            )
        parts.append(Part(NOTEBOOK, title, lines, n > 0))
    if colors:
        text = tr("A palette of your own called {title}", title=tr("Imported"))
        parts.append(Part(COLORS, tr("Palette"), (text,)))
    sure = tuple(one.text for one in changes if not one.is_doubtful)
    if sure:
        parts.append(Part(SETTINGS, trn("{n} setting", "{n:,} settings", len(sure)), sure))
    doubtful = tuple(one.text for one in changes if one.is_doubtful)
    if doubtful:
        title = trn("{n} uncertain setting", "{n:,} uncertain settings", len(doubtful))
        parts.append(Part(DOUBTFUL, title, doubtful, is_wanted=False))
    return tuple(parts)


def _folder_line(folder: FoundFolder) -> str:
    names = listed(name.replace("_", " \u2192 ") for name in folder.tables)
    if not folder.why_not:
        return tr("{folder}: {tables}", folder=folder.path, tables=names)
    text = mark("{folder}: {tables} (can't be used: {why})")
    return tr(text, folder=folder.path, tables=names, why=folder.why_not)


_MAX_STEM_LENGTH = 26  # of 32 letters, with room for the ending


def new_formations(
    path: Path, known: Mapping[str, Formation]
) -> tuple[list[NewFormation], list[str]]:
    """Return the formations of a patterns_config.json that are not known, and the problems.

    One with the name of another definition gets a name of its own, so that nothing is replaced:
    tables that were made with it are still recognized by their boards. Raises ForeignSettingsError
    if it is not such a file.
    """
    try:
        data = read_json(path)
    except FormationError as error:
        raise ForeignSettingsError(str(error)) from error
    if not is_reference(data):
        text = tr("{path} has no formations of 2048EndgameTablebase", path=path)
        raise ForeignSettingsError(text)
    theirs, problems = parse_reference(data)
    here = dict(known)
    new = []
    for name, formation in theirs.items():
        if any(is_same_definition(formation, one) for one in here.values()):
            continue
        stem = name[:_MAX_STEM_LENGTH]
        names = chain([name, f"{stem}alt"], (f"{stem}alt{n}" for n in count(2)))
        free = next(one for one in names if not why_taken(one, here))
        here[free] = replace(formation, name=free)
        new.append(NewFormation(here[free], name))
    return new, problems


CONFIG, NOTEBOOK_FILE, NEWER_FOLDER = "config", "mistakes_book.pkl", "docs_and_configs"
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
        notebook = _newest([place / NOTEBOOK_FILE for place in places])
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
        config, notebook = path, _newest([path.with_name(NOTEBOOK_FILE)])
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
