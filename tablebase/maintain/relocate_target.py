"""Chooses the folder for the layers of a table, and refuses unsuitable ones."""

from pathlib import Path

from engine.platform.files.atomic_file import is_part_of
from engine.platform.language import tr
from tablebase.errors import BuildRefusedError, MissingTableError, TableError, TableFormatError
from tablebase.store.intact_layers import fault_of
from tablebase.store.layer_locations import find_twin, is_same_folder
from tablebase.store.manifest import Manifest, load_manifest
from tablebase.store.parts_index import PART_NAME, Elsewhere, belongs_elsewhere, load_part


def find_target(to: Path, home: Path, manifest: Manifest, elsewhere: Elsewhere) -> Path:
    """Return the folder for the layers: the home, a part, or ``to/NAME``.

    Raises
    ------
    BuildRefusedError
        It cannot be used; the message says why.
    """
    if not to.is_dir():
        raise BuildRefusedError(
            tr("{to} is not a folder: expected one on the drive that is to take the layers", to=to)
        )
    to = to.resolve()
    if is_same_folder(to, home) or is_same_folder(to / manifest.name, home):
        return home
    if any(is_same_folder(path, home) for path in to.parents):
        raise BuildRefusedError(
            tr("{to} is inside the table itself: choose a folder outside it", to=to)
        )
    for folder in (to, to / manifest.name):
        for known in elsewhere.folders:
            if is_same_folder(folder, known):
                return _unless_twins(known, home, manifest)
    target = to if _is_part(to, manifest) else to / manifest.name
    for path in (to, *to.parents):
        if path != target and _is_table(path):
            raise BuildRefusedError(tr("{to} is inside a table: choose a folder outside it", to=to))
    if _is_part(target, manifest):
        _check_layers(target, home, manifest)
        return _unless_twins(target, home, manifest)
    if target.exists():
        _check_unused(target)
    return target


def _unless_twins(folder: Path, home: Path, manifest: Manifest) -> Path:
    twin = find_twin(folder, home, manifest)
    if twin is not None:
        raise belongs_elsewhere(folder, twin)
    return folder


def _check_layers(folder: Path, home: Path, manifest: Manifest) -> None:
    """Refuse a part that the table does not know if it holds layers of other bytes.

    They are those of the same table built or packed otherwise, whose home may just be away. Layers
    that were moved there from this very home are ours, damaged or not.
    """
    other = load_part(folder).home
    if is_same_folder(Path(other), home):
        return
    for layer in manifest.layers.values():
        path = folder / layer.file
        if path.exists() and fault_of(path, layer, manifest.rate, reads_blocks=False):
            raise belongs_elsewhere(folder, other)


def _is_part(folder: Path, manifest: Manifest) -> bool:
    try:
        return load_part(folder).table == manifest.identity
    except (FileNotFoundError, TableError):
        return False


def _is_table(folder: Path) -> bool:
    """Return whether a folder is one of our tables, or a part of one, damaged or not."""
    try:
        load_part(folder)
        return True
    except FileNotFoundError:
        pass
    except TableFormatError:
        return False
    except TableError:
        return True
    try:
        load_manifest(folder)
    except (MissingTableError, TableFormatError):
        return False
    except TableError:
        return True
    return True


def _check_unused(folder: Path) -> None:
    if not folder.is_dir():
        raise BuildRefusedError(tr("{folder} is not a folder: choose another place", folder=folder))
    try:
        strangers = [path.name for path in folder.iterdir() if not is_part_of(path.name, PART_NAME)]
    except OSError as error:
        raise BuildRefusedError(
            tr("cannot use {folder}: {reason}", folder=folder, reason=error.strerror)
        ) from error
    if strangers:
        raise BuildRefusedError(
            tr(
                "{folder} holds other files, such as {file}: choose another folder",
                folder=folder,
                file=min(strangers),
            )
        )
