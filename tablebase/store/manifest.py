"""The manifest of a table: its parameters, and which layers are finished.

``manifest.json`` holds nothing that depends on when, where or how fast it was built, so that equal
tables have equal manifests. Its last field is a checksum of all others.

Version 1 had only two options, next to ``target``; it can still be read. Version 3 is for a table
whose goal is not a tile, ``target`` being a word such as "sum1800", or that has limits (see
tablebase.store.options), so that a program without these features refuses it; all other tables are
of version 2. Version 4 is for a chained table: its field ``then`` names the table that it
continues in (see tablebase.probe.continuation).
"""

import errno
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from engine.platform.errors import AppError
from engine.platform.language import tr
from tablebase.errors import (
    BuildRefusedError,
    DamagedTableError,
    MissingTableError,
    TableFormatError,
    cannot_read,
)
from tablebase.formation.formation import Formation
from tablebase.formation.goal import MIN_LAYERS, Goal, check_target, goal_in, goal_of
from tablebase.formation.patterns_file import parse_formation
from tablebase.store.checked_json import (
    checksum,
    decode_checked,
    is_whole,
    read_limited,
    write_checked,
)
from tablebase.store.foreign_files import what_is_in
from tablebase.store.layer_file import WrittenLayer, layer_name
from tablebase.store.options import TableOptions, parse_options

MANIFEST_NAME = "manifest.json"
IMPORT_NAME = "import.json"  # beside the manifest of a table that was imported, not built
FORMAT = "endgame2048-table"
VERSION, LATER_VERSION, CHAINED_VERSION = 2, 3, 4

_READABLE = (1, 2, 3, 4)
_FIELDS = {"format", "version", "formation", "target", "options", "complete", "layers", "omitted"}
_NO_FOLDER = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


@dataclass(frozen=True)
class OmittedLayer:
    """A layer that was computed for a sparse table but has no file.

    Its `boards` and `stored` count like those of a layer with a file: the table can rate them.
    """

    layer: int
    boards: int
    stored: int


@dataclass(frozen=True)
class Continuation:
    """The table that a chained one continues in: its folder's name, and its `Manifest.identity`."""

    table: str
    identity: str


_Layer = TypeVar("_Layer", WrittenLayer, OmittedLayer)


@dataclass(frozen=True)
class Manifest:
    """The parameters and state of a table; a value: recording a layer returns a new one."""

    formation: Formation
    target: Goal | int  # a plain int is the face value of a tile
    options: TableOptions = field(default_factory=TableOptions)
    complete: bool = False
    # The finished layers that have a file.
    layers: dict[int, WrittenLayer] = field(default_factory=dict)
    # The finished layers of a sparse table that have none.
    omitted: dict[int, OmittedLayer] = field(default_factory=dict)
    then: Continuation | None = None

    @property
    def goal(self) -> Goal:
        return goal_of(self.target)

    @property
    def version(self) -> int:
        if self.then:
            return CHAINED_VERSION
        is_usual = isinstance(self.goal.json, int) and not self.options.is_limited
        return VERSION if is_usual else LATER_VERSION

    @property
    def rate(self) -> str:
        return self.options.rate

    @property
    def name(self) -> str:
        return f"{self.formation.name}_{self.goal}"

    @property
    def identity(self) -> str:
        """Return a checksum of the parameters: equal if the tables' layers are equal."""
        parameters = self._parameters()
        del parameters["formation"]["category"]  # just names a menu
        return checksum(parameters)

    @property
    def n_layers(self) -> int:
        return self.goal.n_layers(self.formation)

    def is_cut_off(self, is_imported: bool = False) -> bool:
        """Return whether a later layer might raise rates: boards that are left at the end count 0.

        A table that another program built may have counted no boards at the end.
        """
        last = range(self.n_layers - 2, self.n_layers)
        if self.goal.tile and not is_imported and self.records(last):
            return any(map(self.boards_of, last))  # counted: nothing is surer
        return not self.formation.is_full(self.goal)

    @property
    def layers_with_files(self) -> list[int]:
        return self.options.layers_with_files(self.n_layers)

    @property
    def n_done(self) -> int:
        return len(self.layers) + len(self.omitted)

    @property
    def boards(self) -> int:
        return sum(layer.boards for layer in self._finished())

    def boards_of(self, layer: int) -> int:
        record = self.layers.get(layer) or self.omitted[layer]
        return record.boards

    @property
    def stored(self) -> int:
        """Return the stored boards of the finished layers, as if all layers had files."""
        return sum(layer.stored for layer in self._finished())

    @property
    def bytes(self) -> int:
        return sum(layer.bytes for layer in self.layers.values())

    def with_layers(self, written: Iterable[WrittenLayer | OmittedLayer]) -> "Manifest":
        layers, omitted = dict(self.layers), dict(self.omitted)
        for layer in written:
            if isinstance(layer, OmittedLayer):
                omitted[layer.layer] = layer
            else:
                layers[layer.layer] = layer
        return replace(self, layers=layers, omitted=omitted)

    def completed(self) -> "Manifest":
        """Return the manifest of the finished table; every layer must be recorded."""
        # Anything else is a bug in the builder and must never be written.
        if not (self.has_all_layers and self.is_thinned):
            raise AssertionError(f"{self.name} is not complete: layers are missing")
        return replace(self, complete=True)

    @property
    def has_all_layers(self) -> bool:
        """Return whether exactly the layers that need files have them and the rest are recorded."""
        with_files = set(self.layers_with_files)
        without = set(range(self.n_layers)) - with_files
        return set(self.layers) == with_files and set(self.omitted) == without

    def records(self, layers: Iterable[int]) -> bool:
        return all(layer in self.layers or layer in self.omitted for layer in layers)

    @property
    def is_thinned(self) -> bool:
        """Return whether every finished layer that should be reduced to optimal play is."""
        return all(self.has_thinned(i) or not self.options.is_thinned(i) for i in self.layers)

    def has_thinned(self, layer: int) -> bool:
        """Return whether the file of a finished layer holds only boards of optimal play."""
        return self.layers[layer].file == layer_name(layer, is_thinned=True)

    def differences(self, other: "Manifest") -> list[str]:
        mine, theirs = (
            {
                **table.formation.to_dict(),
                **asdict(table.options),
                "target": table.goal.json,
                "then": table.then and table.then.table,
                "identity": table.then and table.then.identity,
            }
            for table in (self, other)
        )
        return [
            tr("{key} is {value!r}, not {other!r}", key=key, value=mine[key], other=theirs[key])
            for key in mine
            if mine[key] != theirs[key]
        ]

    def save(self, folder: Path) -> None:
        body: dict[str, Any] = {"format": FORMAT, "version": self.version, **self._parameters()}
        body["complete"] = self.complete
        body["layers"] = [asdict(self.layers[i]) for i in sorted(self.layers)]
        body["omitted"] = [asdict(self.omitted[i]) for i in sorted(self.omitted)]
        write_checked(folder / MANIFEST_NAME, body)

    def _parameters(self) -> dict[str, Any]:
        parameters = {
            "formation": self.formation.to_dict(),
            "target": self.goal.json,
            "options": self.options.to_dict(),
        }
        return {**parameters, "then": asdict(self.then)} if self.then else parameters

    def _finished(self) -> Iterator[WrittenLayer | OmittedLayer]:
        yield from self.layers.values()
        yield from self.omitted.values()


def load_manifest(folder: Path) -> Manifest:
    """Return the manifest of a table; raise Missing- or DamagedTableError or TableFormatError."""
    path = folder / MANIFEST_NAME
    return parse_manifest(_read(path), path)


def unfinished_text(folder: Path, manifest: Manifest) -> str:
    if (folder / IMPORT_NAME).exists():
        return unfinished_import_text(folder)
    return tr(
        "the table in {folder} is not finished ({done} of {layers} layers): start the same build "
        "again to resume it",
        folder=folder,
        done=manifest.n_done,
        layers=manifest.n_layers,
    )


def unfinished_import_text(folder: Path) -> str:
    return tr(
        "{folder} holds an import that is not finished, or has lost layers: start the same import "
        "again, or build in another folder",
        folder=folder,
    )


def load_finished(folder: Path) -> Manifest:
    """Return the manifest of a finished table; refuse an unfinished one with BuildRefusedError."""
    manifest = load_manifest(folder)
    if not manifest.complete:
        raise BuildRefusedError(unfinished_text(folder, manifest))
    return manifest


def refuse_unreadable(error: MissingTableError) -> None:
    """Raise BuildRefusedError if there is a manifest that `load_manifest` just could not read.

    The table may be all right: a new one in its place would overwrite it.
    """
    cause = error.__cause__
    if isinstance(cause, OSError) and cause.errno not in _NO_FOLDER:
        raise BuildRefusedError(str(error)) from error


def parse_manifest(raw: bytes, path: Path) -> Manifest:
    """Return the manifest in `raw`; errors are those of `load_manifest`, and call it `path`."""
    try:
        body = decode_checked(raw, FORMAT, _READABLE)
        manifest = _parse(body if body["version"] > 1 else _upgraded(body))
    except TableFormatError as error:
        raise TableFormatError(f"{path} {error}") from error
    except (AppError, LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        what = " ".join(str(error).split())[:300]
        raise _damaged(path, what or type(error).__name__) from error
    return manifest


def _read(path: Path) -> bytes:
    try:
        return read_limited(path)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise _damaged(path, str(error.strerror)) from error
        if error.errno not in _NO_FOLDER:
            raise MissingTableError(cannot_read(path, error)) from error
        nothing = tr("no table in {folder}: it has no {file}", folder=path.parent, file=path.name)
        raise MissingTableError(what_is_in(path.parent) or nothing) from error


def _upgraded(body: dict[str, Any]) -> dict[str, Any]:
    options = {"spawn4": body.pop("spawn4"), "rate": body.pop("rate")}
    return {**body, "options": TableOptions(**options).to_dict(), "omitted": []}


def _parse(body: dict[str, Any]) -> Manifest:
    """Return the manifest of a body whose checksum is right; raises errors of many kinds."""
    if body.keys() != _FIELDS | ({"then"} if body["version"] == CHAINED_VERSION else set()):
        raise ValueError(tr("expected the fields {fields}", fields=", ".join(sorted(_FIELDS))))
    if not isinstance(body["complete"], bool):
        raise TypeError("complete: expected true or false")
    formation, target = parse_formation(body["formation"]), goal_in(body["target"])
    if target is None:
        raise TypeError("target: expected a tile, or a word such as sum1800")
    check_target(target)
    n_layers = formation.n_layers(target)
    if n_layers < MIN_LAYERS:
        raise ValueError(tr("{count} layers: expected at least 3", count=n_layers))
    manifest = Manifest(
        formation=formation,
        target=target,
        options=parse_options(body["options"]),
        complete=body["complete"],
        layers=_parse_layers(body["layers"], WrittenLayer, n_layers),
        omitted=_parse_layers(body["omitted"], OmittedLayer, n_layers),
        then=_parse_continuation(body["then"]) if "then" in body else None,
    )
    if manifest.version != max(body["version"], VERSION):
        raise ValueError(tr("its version is not that of a table with such options"))
    for layer in manifest.layers.values():
        _check_file(layer, may_be_thinned=manifest.options.is_thinned(layer.layer))
    with_files = set(manifest.layers_with_files)
    if not (with_files.issuperset(manifest.layers) and with_files.isdisjoint(manifest.omitted)):
        raise ValueError(tr("layers have files that should not, or none that should"))
    if manifest.complete and not (manifest.has_all_layers and manifest.is_thinned):
        raise ValueError(tr("it calls itself complete, but layers are missing"))
    return manifest


def _parse_continuation(entry: object) -> Continuation:
    if not isinstance(entry, dict) or entry.keys() != {"table", "identity"}:
        raise TypeError("then: expected a table and its identity")
    if not all(isinstance(value, str) for value in entry.values()):
        raise TypeError("then: expected texts")
    if Path(entry["table"]).name != entry["table"] or entry["table"] in (".", "..", ""):
        raise ValueError(tr("it continues in a table elsewhere; expected one beside it"))
    return Continuation(**entry)


def _parse_layers(entries: object, kind: type[_Layer], n_layers: int) -> dict[int, _Layer]:
    if not isinstance(entries, list) or len(entries) > n_layers:
        raise TypeError(f"expected a list of at most {n_layers} layers")
    layers: dict[int, _Layer] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            raise TypeError("a layer must be an object with named fields")
        for name, value in entry.items():
            if name != "file" and not is_whole(value):
                raise ValueError(
                    tr("layer field {name!r}: expected a whole number", name=name[:40])
                )
        layer = kind(**entry)
        if layer.layer >= n_layers or layer.layer in layers:
            raise ValueError(
                tr(
                    "layer {layer} is there twice, or none of the {count}",
                    layer=layer.layer,
                    count=n_layers,
                )
            )
        if layer.stored > layer.boards:
            raise ValueError(
                tr("layer {layer} has more boards stored than there are", layer=layer.layer)
            )
        layers[layer.layer] = layer
    return layers


def _check_file(layer: WrittenLayer, *, may_be_thinned: bool) -> None:
    names = {layer_name(layer.layer), layer_name(layer.layer, may_be_thinned)}
    if layer.file not in names:  # in particular, nothing outside the folder
        raise ValueError(tr("layer {layer} has a file of another name", layer=layer.layer))
    if not layer.bytes or layer.crc >= 1 << 32:
        raise ValueError(tr("layer {layer} has an impossible size or checksum", layer=layer.layer))


def _damaged(path: Path, what: str) -> DamagedTableError:
    return DamagedTableError(
        "{path} is damaged: {what}; delete the table and build it again", path=path, what=what
    )
