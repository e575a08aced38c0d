"""The files of a table's layers: found on its drives, opened on demand, some kept open."""

from collections import OrderedDict
from collections.abc import Container, Iterator, Sequence
from functools import partial
from pathlib import Path

from tablebase.errors import ChangedTableError, DamagedTableError, MissingTableError, TableError
from tablebase.rank.space import Space
from tablebase.store.block_cache import BlockCache
from tablebase.store.codecs import BlockReader
from tablebase.store.layer_file import CACHE_BYTES, LayerFile, gone
from tablebase.store.layer_locations import locate
from tablebase.store.manifest import Manifest, load_manifest

_OPEN_FILES = 16
# A probe of a sparse table reads a thousand boards of two layers: fewer files, more of each.
_OPEN_SPARSE_FILES = 8


class OpenLayers:
    """The layers of one table, its own folder first; `omitted` are those without a file."""

    def __init__(self, folders: Sequence[Path], manifest: Manifest, space: Space) -> None:
        self._folders, self._manifest, self._space = folders, manifest, space
        self.locations = locate(folders, manifest)
        self.omitted: Container[int] = manifest.omitted
        self._files: OrderedDict[int, LayerFile] = OrderedDict()
        self._unpack = BlockReader()
        self._kept: BlockCache | None = None  # for all layers; otherwise only for open ones
        self._key = object()  # identifies these layers in a cache for many tables

    def close(self) -> None:
        """They are opened again when needed."""
        while self._files:
            self._files.popitem()[1].close()

    def keep(self, cache: BlockCache) -> None:
        self.close()
        self._kept = cache
        self.unpack_quickly()

    def unpack_quickly(self) -> None:
        from tablebase.store.quick_reader import QuickReader  # loads the compiler

        self._unpack = QuickReader()

    def take_time(self) -> None:
        """Announce slow work (milliseconds); raise NotCachedError if the caller cannot wait."""
        if self._kept:
            self._kept.look_elsewhere()

    def check(self) -> Iterator[int]:
        """Compare every checksum of the table; yield the bytes checked, bit by bit."""
        for layer in sorted(self.locations.layers):
            yield from self.file(layer).check_blocks()

    def file(self, layer: int) -> LayerFile:
        """Return the opened file of a layer; its header is checked against the manifest.

        Raises MissingTableError: the table is sparse and has no file of this layer, or it cannot be
        opened now. DamagedTableError: it is not as it was written. ChangedTableError: the table was
        converted since it was opened.
        """
        if layer in self._files:
            self._files.move_to_end(layer)
            return self._files[layer]
        if self._kept and (kept := self._kept.get((self._key, layer))):
            closed: LayerFile = kept
            return closed
        if layer in self.omitted:
            raise MissingTableError(
                "{name} is sparse, and its layer {layer} has no file: you can look up single "
                "boards; build the table without sparse to list them all",
                name=self._manifest.name,
                layer=layer,
            )
        most_open = _OPEN_SPARSE_FILES if self._kept or self._manifest.omitted else _OPEN_FILES
        cache = self._kept or CACHE_BYTES * _OPEN_FILES // most_open
        try:
            file = LayerFile(self._path(layer), cache, self._unpack, partial(self._path, layer))
            self._compare(file, layer)
        except TableError:
            self.check_unchanged()
            raise
        self._files[layer] = file
        if self._kept:
            self._kept.keep((self._key, layer), file, file.n_bytes)
        if len(self._files) > most_open:
            self._files.popitem(last=False)[1].close()
        return file

    def check_unchanged(self) -> None:
        """Raise ChangedTableError if it was converted in place, which may look like damage."""
        try:
            now = load_manifest(self._folders[0])
        except TableError:  # keep the original error
            return
        if now.layers != self._manifest.layers:
            raise ChangedTableError(
                "{folder} was changed in the meantime: open or verify it again",
                folder=self._folders[0],
            )

    def _compare(self, file: LayerFile, layer: int) -> None:
        recorded = self._manifest.layers[layer]
        n_slots = self._space.n_slots(self._manifest.formation.seed_half_sum + layer)
        found = file.layer, file.crc, file.rate.name, file.n_slots, file.n_boards, file.stored
        boards, stored = recorded.boards, recorded.stored
        if found != (layer, recorded.crc, self._manifest.rate, n_slots, boards, stored):
            file.close()
            raise DamagedTableError(
                "{path} is not the file that the manifest records: delete this file and start "
                "the same build again",
                path=file.path,
            )

    def _path(self, layer: int) -> Path:
        """Return the file of a layer; search again if it was moved or its drive was reattached."""
        path = self.locations.layers.get(layer)
        if path is None or not path.exists():
            home = self._folders[0]
            if not home.exists():
                raise gone(home)
            self.locations = locate(self._folders, self._manifest)
        return self.locations.path(layer)
