"""The manifest of a table: what it was built from, and which layers are finished.

``manifest.json`` holds nothing that depends on when, where or how fast it was built, so that equal
tables have equal manifests. Its last field is a checksum of all others.
"""

import json
import zlib
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tablebase.errors import DamagedTableError, MissingTableError, TableFormatError
from tablebase.formation import Formation, parse_formation
from tablebase.rates import RATE_TYPES
from tablebase.store.atomic import write_file
from tablebase.store.layer_file import WrittenLayer

MANIFEST_NAME = "manifest.json"
FORMAT = "endgame2048-table"
VERSION = 1


@dataclass(frozen=True)
class Manifest:
    """What a table is and how far it has got; a value: recording a layer returns a new one."""

    formation: Formation
    target: int
    spawn4: float
    rate: str
    complete: bool = False
    layers: dict[int, WrittenLayer] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the table's name, such as "L3_256"."""
        return f"{self.formation.name}_{self.target}"

    @property
    def n_layers(self) -> int:
        """Return the number of layers of the finished table."""
        return self.formation.n_layers(self.target)

    @property
    def boards(self) -> int:
        """Return the after-states of all finished layers."""
        return sum(layer.boards for layer in self.layers.values())

    @property
    def stored(self) -> int:
        """Return the stored boards of all finished layers."""
        return sum(layer.stored for layer in self.layers.values())

    @property
    def bytes(self) -> int:
        """Return the size of all finished layer files."""
        return sum(layer.bytes for layer in self.layers.values())

    def with_layers(self, written: list[WrittenLayer]) -> "Manifest":
        """Return the manifest with more finished layers."""
        return replace(self, layers={**self.layers, **{one.layer: one for one in written}})

    def completed(self) -> "Manifest":
        """Return the manifest of the finished table; every layer must be recorded."""
        missing = set(range(self.n_layers)) - set(self.layers)
        if missing:  # a defect of the builder, never to be written to a drive
            raise AssertionError(f"{self.name} is not complete: layers {sorted(missing)} missing")
        return replace(self, complete=True)

    def differences(self, other: "Manifest") -> list[str]:
        """Return how the parameters of two tables differ, in words."""
        mine, theirs = self._parameters(), other._parameters()
        pairs = {**mine.pop("formation"), **mine}, {**theirs.pop("formation"), **theirs}
        return [
            f"{key} is {pairs[0][key]!r}, not {pairs[1][key]!r}"
            for key in pairs[0]
            if pairs[0][key] != pairs[1][key]
        ]

    def save(self, folder: Path) -> None:
        """Write the manifest into the table's folder, atomically and durably."""
        body: dict[str, Any] = {"format": FORMAT, "version": VERSION, **self._parameters()}
        body["complete"] = self.complete
        body["layers"] = [asdict(self.layers[i]) for i in sorted(self.layers)]
        body["crc"] = _checksum(body)
        text = json.dumps(body, indent=1)
        write_file(folder / MANIFEST_NAME, [text.encode("ascii"), b"\n"])

    def _parameters(self) -> dict[str, Any]:
        return {
            "formation": self.formation.to_dict(),
            "target": self.target,
            "spawn4": self.spawn4,
            "rate": self.rate,
        }


def load_manifest(folder: Path) -> Manifest:
    """Return the manifest of the table in `folder`.

    Raises
    ------
    MissingTableError
        There is none.
    TableFormatError
        It belongs to another program or version.
    DamagedTableError
        It is not what was written.
    """
    path = folder / MANIFEST_NAME
    try:
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise MissingTableError(f"no table in {folder}: it has no {MANIFEST_NAME}") from error
    except OSError as error:
        raise MissingTableError(f"cannot read {path}: {error.strerror}") from error
    try:
        body = json.loads(raw.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise _damaged(path, "it is not valid JSON") from error
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise TableFormatError(f"{path} is not the manifest of a table of this program")
    if body.get("version") != VERSION:
        raise TableFormatError(
            f"{path} has version {body.get('version')!r}, this program reads version {VERSION}"
        )
    crc = body.pop("crc", None)
    if crc != _checksum(body):
        raise _damaged(path, "it does not match its checksum")
    return _parse(path, body)


def _parse(path: Path, body: dict[str, Any]) -> Manifest:
    try:
        layers = {entry["layer"]: WrittenLayer(**entry) for entry in body["layers"]}
        manifest = Manifest(
            formation=parse_formation(body["formation"]),
            target=body["target"],
            spawn4=body["spawn4"],
            rate=body["rate"],
            complete=body["complete"],
            layers=layers,
        )
    except (KeyError, TypeError) as error:
        raise _damaged(path, f"a field is missing or of the wrong kind ({error})") from error
    if manifest.rate not in RATE_TYPES:
        raise TableFormatError(f"{path}: unknown rate type {manifest.rate!r}")
    if manifest.complete and set(manifest.layers) != set(range(manifest.n_layers)):
        raise _damaged(path, "it calls itself complete, but layers are missing")
    if any(Path(layer.file).name != layer.file for layer in layers.values()):
        raise _damaged(path, "a layer file lies outside the table's folder")
    return manifest


def _checksum(body: dict[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return f"{zlib.crc32(text.encode()):08x}"


def _damaged(path: Path, what: str) -> DamagedTableError:
    return DamagedTableError(f"{path} is damaged: {what}; delete the table and build it again")
