"""An excerpt of a table: the after-states that good play comes to most often, in one small file.

Perfect play comes to few of a table's boards again and again: of the 191 million of L3 512, some
150,000 are 97 % of what a game meets. So a few megabytes answer most of what a table of gigabytes
would; what they do not know, nobody may take for worthless.

The file: one line of JSON, then one zstd frame with a checksum, which holds column by column

    spacing  uint64[n]  from one board to the next, ascending, as it stands in the formation
    rates    uint16[n]  of winning, on a scale of odds

each stored byte by byte: first the lowest bytes of all numbers, then the next ones, for these
are alike.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from engine.files.atomic_file import replacing
from engine.files.input_file import read_bytes
from engine.geometry import permute
from engine.language import tr
from engine.moves import move
from tablebase.errors import TableFormatError
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import parse_formation
from tablebase.probe.bulk_rates import rates_of_many
from tablebase.probe.embed import Turns, turns_of, ways_to_fit
from tablebase.rank.space import Space

U64 = npt.NDArray[np.uint64]
U16 = npt.NDArray[np.uint16]
F64 = npt.NDArray[np.float64]

SUFFIX = ".excerpt"
_FORMAT = "endgame2048-excerpt"
_VERSION = 1
_FIELDS = {"format", "version", "formation", "target", "spawn4", "boards"}
_MOST_BYTES = 256 << 20
_MOST_BOARDS = 20_000_000
_LONGEST_LINE = 1 << 20
_LEAST_ODDS, _ODDS_STEP = -12.0, 1 / 2048
_LEVEL = 19


Rates = tuple[float | None, ...]
"""By direction; None for a move that is illegal, leaves the formation, or is unknown."""


class Excerpt:
    """Some after-states of a table and their rates; for who asks it like a `Tablebase`.

    Parameters
    ----------
    formation : Formation
        Of no symmetry: all its boards count as they stand.
    target : int
    spawn4 : float
        The probability that a new tile is a 4.
    boards : uint64[n]
        After-states inside the formation, ascending, none twice.
    codes : uint16[n]
        Of the rate of each; see `codes_of`.
    """

    is_quick = True

    def __init__(
        self, formation: Formation, target: int, spawn4: float, boards: U64, codes: U16
    ) -> None:
        if formation.symmetry != "identity":
            raise TableFormatError(
                tr("an excerpt of {name}: expected a formation of no symmetry", name=formation.name)
            )
        self.formation, self.target, self.spawn4 = formation, target, spawn4
        self.pattern, self.name = formation.name, f"{formation.name}_{target}"
        self.boards, self.codes = boards, codes
        self._known: Turns = {}

    def __len__(self) -> int:
        return int(self.boards.size)

    @property
    def n_large(self) -> int:
        """Return the number of large tiles, F, on a board."""
        return self.formation.n_large

    @cached_property
    def rates(self) -> F64:
        """The rates (float64[n]) as they are stored: to a 4,000th of their odds."""
        return 1.0 / (1.0 + np.exp(-(_LEAST_ODDS + _ODDS_STEP * self.codes)))

    def turns(self, masked: int) -> list[Sequence[int]]:
        """Return how to turn a board whose large tiles are F into the formation: destinations."""
        return turns_of(masked, self._space, self._known)

    def held_rates(self, board: int) -> Rates | None:
        """Return the rates of a board's four moves; None where not one of them is known."""
        answers = [
            self._rates_of_moves(masked, destination)
            for masked, destination in ways_to_fit(
                board, self.formation, self.target, self._space, self._known
            )
        ]
        best = max(answers, key=_best, default=())
        return best if _best(best) > 0 else None

    def many_rates(self, afters: U64) -> F64:
        """Return the rates of after-states whose large tiles are F, NaN where none is known."""
        first, n_layers = self.formation.seed_half_sum, self._space.n_layers
        return rates_of_many(afters, first, n_layers, self.turns, self._rates_in)

    def close(self) -> None:
        """Do nothing: there are no open files."""

    @cached_property
    def _space(self) -> Space:
        return Space(self.formation, self.target, self.formation.n_layers(self.target))

    def _rates_of_moves(self, masked: int, destination: Sequence[int]) -> Rates:
        rates: list[float | None] = []
        for direction in range(4):
            after = move(masked, direction, self.formation.walls)
            turned = permute(after, destination)
            is_possible = after != masked and self._space.is_inside(turned)
            rates.append(self._rate(turned) if is_possible else None)
        return tuple(rates)

    def _rate(self, after: int) -> float | None:
        if self._space.reached(after):
            return 1.0
        at = int(np.searchsorted(self.boards, np.uint64(after)))
        is_known = at < self.boards.size and int(self.boards[at]) == after
        return float(self.rates[at]) if is_known else None

    def _rates_in(self, boards: U64, _layer: int) -> F64:
        at = np.minimum(np.searchsorted(self.boards, boards), max(self.boards.size - 1, 0))
        found = np.where(self.boards[at] == boards, self.rates[at], np.nan)
        found[_reached(boards, self.formation.target_cells, self.target)] = 1.0
        return found


def _best(rates: Rates) -> float:
    return max((rate for rate in rates if rate is not None), default=0.0)


def _reached(boards: U64, target_cells: int, target: int) -> npt.NDArray[np.bool_]:
    """Tell which boards have the target in a cell where it counts."""
    has = np.zeros(boards.size, bool)
    for shift in range(0, 64, 4):
        if target_cells >> shift & 15:
            has |= (boards >> np.uint64(shift)) & np.uint64(15) == target.bit_length() - 1
    return has


def codes_of(rates: F64) -> U16:
    """Return rates (float64[n], above 0) on the scale of odds, as they are stored."""
    odds = np.log(np.maximum(rates, 1e-9)) - np.log(np.maximum(1.0 - rates, 1e-9))
    steps = np.rint((odds - _LEAST_ODDS) / _ODDS_STEP)
    return np.asarray(np.clip(steps, 0, np.iinfo(np.uint16).max).astype(np.uint16))


def write_excerpt(path: Path, excerpt: Excerpt) -> None:
    """Write an excerpt, so that a crash leaves the old file or the new one."""
    head = {
        "format": _FORMAT,
        "version": _VERSION,
        "formation": excerpt.formation.to_dict(),
        "target": excerpt.target,
        "spawn4": excerpt.spawn4,
        "boards": len(excerpt),
    }
    spacing = np.diff(excerpt.boards, prepend=np.uint64(0))
    body = b"".join(_planes(column) for column in (spacing, excerpt.codes))
    packed = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(body)
    with replacing(path) as part:
        part.write_bytes(json.dumps(head).encode("ascii") + b"\n" + packed)


def _planes(column: npt.NDArray[Any]) -> bytes:
    little = column.astype(column.dtype.newbyteorder("<"))
    return np.ascontiguousarray(little.view(np.uint8).reshape(column.size, -1).T).tobytes()


def read_excerpt(path: Path) -> Excerpt:
    """Return the excerpt in a file.

    Raises
    ------
    TableFormatError
        It cannot be read, is no excerpt, of another version, or damaged.
    """
    raw = read_bytes(path, tr("an excerpt of a table"), _MOST_BYTES, TableFormatError)
    try:
        return _parsed(raw)
    except (KeyError, TypeError, ValueError, RecursionError, zstandard.ZstdError) as error:
        raise TableFormatError(
            tr("{path} is no excerpt of a table, or damaged: {problem}", path=path, problem=error)
        ) from error


def _parsed(raw: bytes) -> Excerpt:
    line, _, packed = raw.partition(b"\n")
    head = json.loads(line[:_LONGEST_LINE])
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise ValueError(tr("expected the format {format}", format=_FORMAT))
    if head.get("version") != _VERSION or set(head) != _FIELDS:
        raise ValueError(
            tr(
                "version is {found!r}; this program reads version {known}",
                found=head.get("version"),
                known=_VERSION,
            )
        )
    n, spawn4, target = head["boards"], head["spawn4"], head["target"]
    if type(n) is not int or not 0 < n <= _MOST_BOARDS:
        raise ValueError(tr("boards is {n!r}; expected a number", n=n))
    if type(spawn4) is not float or not 0 <= spawn4 <= 1:
        raise ValueError(tr("spawn4 is {spawn4!r}; expected a number from 0 to 1", spawn4=spawn4))
    if type(target) is not int or target not in [1 << exponent for exponent in range(6, 15)]:
        raise ValueError(tr("target is {target!r}; expected a tile", target=target))
    n_bytes = n * 10
    with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
        body = stream.read(n_bytes)
        is_whole = len(body) == n_bytes and not stream.read(1)
    if not is_whole:
        raise ValueError(tr("expected {n} bytes", n=n_bytes))
    planes = np.frombuffer(body, np.uint8)
    spacing = np.ascontiguousarray(planes[: 8 * n].reshape(8, n).T).view("<u8").ravel()
    codes = np.ascontiguousarray(planes[8 * n :].reshape(2, n).T).view("<u2").ravel()
    boards = np.cumsum(spacing.astype(np.uint64), dtype=np.uint64)
    if n > 1 and not bool((boards[1:] > boards[:-1]).all()):
        raise ValueError(tr("its boards are not in order"))
    formation = parse_formation(head["formation"])
    return Excerpt(formation, target, spawn4, boards, codes.astype(np.uint16))
