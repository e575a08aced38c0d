"""Which tables there are, without opening them: manifests and file sizes only."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tablebase.errors import MissingTableError, TableError
from tablebase.store.manifest import MANIFEST_NAME, Manifest, load_manifest


@dataclass(frozen=True)
class TableInfo:
    """One table that was found.

    Attributes
    ----------
    state : str
        "complete", "partial" (unfinished, the same build goes on with it) or "damaged".
    layers_done, layers : int
    boards, stored, bytes : int
        Of the finished layers.
    message : str
        What is wrong with a damaged table; "" otherwise.
    """

    path: Path
    name: str
    pattern: str
    target: int
    state: str
    layers_done: int
    layers: int
    boards: int
    stored: int
    bytes: int
    spawn4: float
    rate: str
    message: str
    threshold: float = 0.0
    optimal_only: bool = False
    sparse: int = 1


def scan(folders: Iterable[Path]) -> list[TableInfo]:
    """Return the tables in some folders, and the folders that are tables themselves, by name."""
    found = {path.resolve(): path for folder in folders for path in _candidates(Path(folder))}
    return sorted((_describe(path) for path in found.values()), key=_order)


def _order(info: TableInfo) -> tuple[str, int, str]:
    return info.pattern, info.target, str(info.path)


def _candidates(folder: Path) -> Iterator[Path]:
    try:
        if (folder / MANIFEST_NAME).is_file():
            yield folder
            return
        for path in sorted(folder.iterdir()):
            if (path / MANIFEST_NAME).is_file():
                yield path
    except OSError:
        return  # a drive that is not there has no tables


def _describe(path: Path) -> TableInfo:
    try:
        manifest = load_manifest(path)
    except TableError as error:
        pattern, _, target = path.name.partition("_")
        goal = int(target) if target.isdecimal() else 0
        return TableInfo(
            path, path.name, pattern, goal, "damaged", 0, 0, 0, 0, 0, 0.0, "", str(error)
        )
    try:
        _check_files(path, manifest)
        state, message = ("complete" if manifest.complete else "partial"), ""
    except MissingTableError as error:
        state, message = "damaged", str(error)
    return TableInfo(
        path=path,
        name=manifest.name,
        pattern=manifest.formation.name,
        target=manifest.target,
        state=state,
        layers_done=manifest.n_done,
        layers=manifest.n_layers,
        boards=manifest.boards,
        stored=manifest.stored,
        bytes=manifest.bytes,
        spawn4=manifest.spawn4,
        rate=manifest.rate,
        message=message,
        threshold=manifest.options.threshold,
        optimal_only=manifest.options.optimal_only,
        sparse=manifest.options.sparse,
    )


def _check_files(path: Path, manifest: Manifest) -> None:
    for layer in manifest.layers.values():
        try:
            size = (path / layer.file).stat().st_size
        except OSError:
            size = 0
        if size != layer.bytes:
            raise MissingTableError(
                f"{layer.file} has {size} bytes, expected {layer.bytes}; "
                "start the same build again to compute it anew"
            )
