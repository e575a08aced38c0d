"""``migrate``: import the data of 2048EndgameTablebase. Without Qt, like all commands."""

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.cli.console import DONE, Commands, Output, add_command, folders_of
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import writing
from engine.platform.files.file_lock import FileLock
from engine.platform.language import tr
from engine.platform.user_folders import WINDOW_LOCK, UserFolders
from tablebase.library.named_tables import known_formations

if TYPE_CHECKING:
    from coach.foreign.plan import TakeOver
    from coach.mistakes.record import Imported


def add_migrate(commands: Commands) -> None:
    parser = add_command(
        commands,
        "migrate",
        run,
        tr("import settings, mistakes, formations and table folders from 2048EndgameTablebase"),
        tr(
            "Its files are only read. Folders with tables are used where they are: nothing is "
            "copied. The window must be closed."
        ),
    )
    parser.add_argument(
        "source",
        metavar="PATH",
        type=Path,
        help=tr("its folder, its config, its mistakes_book.pkl or its patterns_config.json"),
    )
    parser.add_argument(
        "--dry-run", action="store_true", help=tr("only list what could be imported")
    )


def run(args: argparse.Namespace) -> int:
    from coach.backup.settings_file import read_values
    from coach.foreign.plan import plan

    output, folders = Output(args.json), folders_of(args)
    symmetry_of = partial(_symmetry, folders)
    found = plan(args.source, symmetry_of, read_values(folders.data), known_formations(folders))
    _show_plan(output, found)
    if args.dry_run:
        return DONE
    lock = FileLock(folders.data / WINDOW_LOCK)
    with writing(folders.data):
        folders.data.mkdir(parents=True, exist_ok=True)
        is_closed = lock.take()
    if not is_closed:
        raise AppError(tr("the window is open: close it, or import there in Settings"))
    try:
        done = _import(found, folders)
    finally:
        lock.remove()
    n_new = done.n_new if done else 0
    output.emit({"event": "done", "mistakes": n_new})
    output.show(tr("Done. Mistakes: {n:,} new.", n=n_new))
    return DONE


def _symmetry(folders: UserFolders, table: str) -> str:
    from coach.grading.position import position_symmetry
    from tablebase.formation.patterns_file import load_formations

    own = folders.patterns if folders.patterns.exists() else None
    formation = load_formations(own=own).get(table.rpartition("_")[0])
    return position_symmetry(formation) if formation else "full"


def _show_plan(output: Output, found: "TakeOver") -> None:
    output.emit(
        {
            "event": "found",
            "version": found.version,
            "folders": found.new_folders,
            "formations": [one.formation.name for one in found.formations],
            "mistakes": len(found.reading.records) if found.reading else 0,
            "colors": list(found.colors),
            "settings": found.values([part.key for part in found.parts if part.is_wanted]),
            "notes": list(found.notes),
        }
    )
    for part in found.parts:
        is_taken = part.is_usable and part.is_wanted
        output.show(part.title if is_taken else tr("{title} (not taken over)", title=part.title))
        for line in part.lines:
            output.show(f"  {line}")
    for note in found.notes:
        output.show(note)


def _import(found: "TakeOver", folders: UserFolders) -> "Imported | None":
    from coach.backup.settings_file import change_values, read_values
    from coach.foreign.plan import FOLDERS, FORMATIONS
    from coach.mistakes.mistakes import Mistakes
    from coach.mistakes.record import add_records
    from coach.old_files.opening import open_for_command

    wanted = [part.key for part in found.parts if part.is_usable and part.is_wanted]
    values: dict[str, Any] = found.values(wanted)
    if FOLDERS in wanted:
        known = read_values(folders.data).get("table_folders")
        known = known if isinstance(known, list) else []
        values["table_folders"] = known + [one for one in found.new_folders if one not in known]
    if FORMATIONS in wanted:
        _add_formations(found, folders)
    if found.colors:
        values["tile_palette"] = _add_palette(found, folders.data)
    if values:
        change_values(folders.data, values)
    if not (found.reading and found.reading.records):
        return None
    mistakes = Mistakes(open_for_command(folders.data))
    try:
        return add_records(mistakes, found.reading.records)
    finally:
        mistakes.close()


def _add_formations(found: "TakeOver", folders: UserFolders) -> None:
    from tablebase.formation.own_file import OwnFile
    from tablebase.formation.patterns_file import load_formations

    formations = (one.formation for one in found.formations)
    OwnFile(folders.patterns).add(formations, load_formations())


def _add_palette(found: "TakeOver", data_dir: Path) -> str:
    from gui.style.color_schemes import SCHEMES_NAME, load_color_schemes
    from gui.style.own_palettes import OwnPalettes
    from gui.style.palette_draft import imported_before, imported_palette

    own = OwnPalettes(data_dir / SCHEMES_NAME)
    known = own.load().palettes
    if there := imported_before(found.colors, known):
        return there
    taken = [*load_color_schemes().palettes, *known]
    name, text = imported_palette(found.colors, taken)
    own.put(name, text)
    return name
