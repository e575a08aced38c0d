"""Looking boards up in a finished table."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.bitboard import format_board
from engine.geometry import SQUARE, destinations, permute
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.errors import DamagedTableError, MissingTableError, ProbeError
from tablebase.formation import Formation, half_sum
from tablebase.locations import as_folders, locate
from tablebase.rates import find_rate_type
from tablebase.row_facts import kernel_tables
from tablebase.space import Space
from tablebase.store.layer_file import LayerFile
from tablebase.store.manifest import Manifest, load_manifest
from tablebase.tables import Tables

_OPEN_FILES = 16
# A table up to this size is checked from end to end when it is opened; a larger one has its sizes
# compared then, and each block's checksum whenever the block is read.
_CHECK_AT_OPENING_BYTES = 64 << 20
# Turned before mirrored, as players do.
_ORIENTATIONS = [
    dict(zip(SQUARE, destinations("full"), strict=True))[name]
    for name in (
        "identity", "rotate_left", "rotate_180", "rotate_right",
        "mirror", "anti_transpose", "flip", "transpose",
    )
]  # fmt: skip


@dataclass(frozen=True)
class Probe:
    """What a table knows of a board.

    Attributes
    ----------
    board : int
        As asked for.
    table : str
        Name of the table that answered.
    rates : tuple of four float or None
        Success rates after LEFT, RIGHT, UP, DOWN; None for a move that is illegal or leaves the
        formation.
    best : int or None
        The direction of the highest rate, the first of equal ones; None without a legal move.
    masked : int
        The board as looked up: its large tiles replaced by F, and turned.
    """

    board: int
    table: str
    rates: tuple[float | None, float | None, float | None, float | None]
    best: int | None
    masked: int

    @property
    def best_rate(self) -> float:
        """Return the highest rate, -1 without a legal move."""
        return max((rate for rate in self.rates if rate is not None), default=-1.0)


class Tablebase:
    """A finished table, opened for look-ups; one caller at a time.

    Attributes
    ----------
    path : Path
    name, pattern : str
        Such as "L3_256" and "L3".
    target, n_layers, stored : int
    formation : Formation
    spawn4 : float
    rate : str
        The rate type.
    locations : Locations
        Where its layers are; its `warning` says which of them cannot be read now.
    """

    def __init__(self, path: Path, manifest: Manifest, more_folders: Sequence[Path] = ()) -> None:
        self.path = path
        self.manifest = manifest
        self._folders = [path, *more_folders]
        self.locations = locate(self._folders, manifest)
        self.formation: Formation = manifest.formation
        self.name, self.pattern = manifest.name, manifest.formation.name
        self.target, self.spawn4, self.rate = manifest.target, manifest.spawn4, manifest.rate
        self.n_layers, self.stored = manifest.n_layers, manifest.stored
        self._files: OrderedDict[int, LayerFile] = OrderedDict()
        self._images = destinations(self.formation.symmetry)
        self._rate_type = find_rate_type(manifest.rate)

    @classmethod
    def open(cls, path: Path | str | Sequence[Path | str]) -> "Tablebase":
        """Open the table in a folder, or in several: its own one first.

        Folders on other drives that the table knows of need not be named. When one of them is not
        there, the table opens all the same, and `locations.warning` says so.

        Raises
        ------
        MissingTableError
            There is none, or it is not finished.
        TableFormatError, DamagedTableError
            It is another program's, or not what was written.
        """
        folder, *more_folders = as_folders(path)
        manifest = load_manifest(folder)
        if not manifest.complete:
            raise MissingTableError(
                f"the table in {folder} is not finished ({len(manifest.layers)} of "
                f"{manifest.n_layers} layers): start the same build again to go on with it"
            )
        table = cls(folder, manifest, more_folders)
        try:
            table.locations.check()
            if manifest.bytes <= _CHECK_AT_OPENING_BYTES:
                for _ in table.check_files():
                    pass
        except BaseException:
            table.close()
            raise
        return table

    @property
    def warning(self) -> str:
        """Return which layers cannot be read now and why, "" when all can."""
        return self.locations.warning

    def __enter__(self) -> "Tablebase":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all files; the table can still be used and opens them again."""
        while self._files:
            self._files.popitem()[1].close()

    def probe(self, board: int) -> Probe:
        """Return the success rates of the four moves of `board`.

        The player's large tiles are replaced by F where the formation has its own, and the board
        is turned or mirrored, as far as that is needed. Of several ways to fit it, the one with the
        highest rate counts, the first of equal ones: a table need not hold a position's mirror
        image.

        Raises
        ------
        ProbeError
            The board does not fit the formation, or its tile sum lies outside the table.
        DamagedTableError
            A file is not what was written.
        """
        best: Probe | None = None
        why = "it is not inside the formation in any orientation"
        for masked, destination in self._fits(board):
            layer = half_sum(masked) - self.formation.seed_half_sum
            if not 0 <= layer < self.n_layers:
                why = self._sum_outside(masked)
                continue
            probe = self._probe_fitted(board, masked, destination, layer)
            if best is None or probe.best_rate > best.best_rate:
                best = probe
        if best is None:
            raise ProbeError(f"{self.name} cannot answer for {format_board(board)}: {why}")
        return best

    def get(self, board: int) -> Probe | None:
        """Return what `probe` does; None where it raises ProbeError."""
        try:
            return self.probe(board)
        except ProbeError:
            return None

    def rate_of(self, after: int) -> float:
        """Return the success rate of an after-state: 1 when it has reached the target.

        Raises
        ------
        ProbeError
            It does not fit the formation, or its tile sum lies outside the table.
        """
        for masked, destination in self._fits(after):
            turned = permute(masked, destination)
            layer = half_sum(masked) - self.formation.seed_half_sum
            if not 0 <= layer < self.n_layers:
                raise ProbeError(
                    f"{self.name} cannot answer for {format_board(after)}: "
                    f"{self._sum_outside(masked)}"
                )
            if self._space.reached(turned):
                return 1.0
            return self._stored_rate(turned, layer)
        raise ProbeError(
            f"{self.name} cannot answer for {format_board(after)}: "
            "it is not inside the formation in any orientation"
        )

    def start_board(self, rng: Rng) -> int:
        """Return a board to start from: one of the formation's seeds and a new tile."""
        seed = self.formation.seeds[rng.below(len(self.formation.seeds))]
        return spawn(seed, rng, self.spawn4)[0]

    def layer_boards(self, layer: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.generic]]:
        """Return the stored boards of a layer, canonical, ascending, and their stored values.

        For tests and exports; it unpacks the whole layer and needs the compiler.
        """
        from tablebase.listing import boards_of_layer  # loads the compiler

        file = self.layer_file(layer)
        blocks = [file.block(i) for i in range(file.n_blocks)]
        words = np.concatenate([np.zeros(0, np.uint64), *(words for words, _ in blocks)])
        values = np.concatenate([np.zeros(0, file.rate.dtype), *(values for _, values in blocks)])
        first = self.formation.seed_half_sum
        boards = boards_of_layer(self._space, self._tables, first + layer, words)
        order = np.argsort(boards)
        return boards[order], values[order]

    def canonical(self, board: int) -> int:
        """Return the least of the board's images under the formation's symmetry."""
        return min(permute(board, destination) for destination in self._images)

    def stored_board(self, layer: int, i_stored: int) -> tuple[int, np.generic]:
        """Return the `i_stored`-th stored board of a layer and its stored value."""
        file = self.layer_file(layer)
        i_block, before = file.block_of(i_stored)
        slots, values = file.slots_and_values(i_block)
        half = self.formation.seed_half_sum + layer
        return self._space.board(int(slots[i_stored - before]), half), values[i_stored - before]

    def layer_file(self, layer: int) -> LayerFile:
        """Return the opened file of a layer; its header is checked against the manifest."""
        if layer in self._files:
            self._files.move_to_end(layer)
            return self._files[layer]
        path = self._path(layer)
        recorded = self.manifest.layers[layer]
        file = LayerFile(path)
        n_slots = self._space.n_slots(self.formation.seed_half_sum + layer)
        found = file.layer, file.crc, file.rate.name, file.n_slots, file.n_boards, file.stored
        wanted = layer, recorded.crc, self.rate, n_slots, recorded.boards, recorded.stored
        if found != wanted:
            file.close()
            raise DamagedTableError(
                f"{file.path} is not the file that the manifest records: "
                "delete this file and start the same build again"
            )
        self._files[layer] = file
        if len(self._files) > _OPEN_FILES:
            self._files.popitem(last=False)[1].close()
        return file

    def check_files(self) -> Iterator[int]:
        """Compare every checksum of the table; yield the bytes checked, bit by bit."""
        for layer in sorted(self.locations.layers):
            yield from self.layer_file(layer).check_blocks()

    def _path(self, layer: int) -> Path:
        """Return the file of a layer; look again when it was moved, or its drive has come back."""
        known = self.locations.layers.get(layer)
        if known is None or not known.exists():
            self.locations = locate(self._folders, self.manifest)
        return self.locations.path(layer)

    @cached_property
    def _space(self) -> Space:
        return Space(self.formation, self.target, self.n_layers)

    @cached_property
    def _tables(self) -> Tables:
        return kernel_tables(self._space)

    def _fits(self, board: int) -> Iterator[tuple[int, list[int]]]:
        """Yield the board with its large tiles as F, and how to turn it into the formation.

        The large tiles must be the largest of the board, and at least the target. Of turns that
        lead to the same position one is enough.
        """
        n = self.formation.n_large
        tiles = [(board >> shift) & 15 for shift in range(0, 64, 4)]
        ranked = sorted(tiles, reverse=True)
        if ranked[n:][:1] == [15]:
            return  # one large tile more than the formation has
        if n and ranked[n - 1] < (15 if self.formation.walls else self.target.bit_length() - 1):
            return
        for masked in _masked(board, tiles, ranked[:n]):
            seen = set()
            for destination in _ORIENTATIONS:
                turned = permute(masked, destination)
                if not self._space.is_inside(turned):
                    continue
                stored = self._space.stored_form(turned)
                if stored not in seen:
                    seen.add(stored)
                    yield masked, destination

    def _probe_fitted(self, board: int, masked: int, destination: list[int], layer: int) -> Probe:
        left, right, up, down = (self._move_rate(masked, d, destination, layer) for d in range(4))
        rates = (left, right, up, down)
        known = [(rate, -direction) for direction, rate in enumerate(rates) if rate is not None]
        best = -max(known)[1] if known else None
        return Probe(board, self.name, rates, best, permute(masked, destination))

    def _move_rate(
        self, masked: int, direction: int, destination: list[int], layer: int
    ) -> float | None:
        after = move(masked, direction, self.formation.walls)
        if after == masked:
            return None
        turned = permute(after, destination)
        if not self._space.is_inside(turned):
            return None
        if self._space.reached(turned):
            return 1.0
        return self._stored_rate(turned, layer)

    def _stored_rate(self, after: int, layer: int) -> float:
        half = self.formation.seed_half_sum + layer
        slot = self._space.slot(self._space.stored_form(after), half)
        if slot is None:
            return 0.0
        stored = self.layer_file(layer).value(slot)
        return 0.0 if stored is None else self._rate_type.decode(stored)

    def _sum_outside(self, masked: int) -> str:
        first, last = self.formation.seed_half_sum, self.n_layers - 1
        return (
            f"its tiles other than F add up to {2 * half_sum(masked)}, the table covers "
            f"{2 * first} to {2 * (first + last)}"
        )


def _masked(board: int, tiles: list[int], largest: list[int]) -> Iterator[int]:
    """Yield the board with its largest tiles as F; several when some of equal ones must stay."""
    if not largest:
        yield board
        return
    sure = [i for i, tile in enumerate(tiles) if tile > largest[-1]]
    equal = [i for i, tile in enumerate(tiles) if tile == largest[-1]]
    for some in combinations(equal, len(largest) - len(sure)):
        yield board | sum(15 << 4 * i for i in (*sure, *some))
