"""The fields of recordings of Practice; apart, because msgspec takes time to load."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from engine.bitboard import DIRECTIONS, N_CELLS
from engine.formats.replay import Rates, ReplayMove
from engine.platform.files.field_types import DirectionName, Share
from engine.platform.language import mark, tr

_LARGEST_EXPONENT = 17
_A_TILE = "0, 2, 4, 8 ..."
_Tile = Annotated[int, Meta(ge=0, le=1 << _LARGEST_EXPONENT, description=_A_TILE)]


class _NamedRates(Struct, frozen=True, forbid_unknown_fields=True):
    """The rates before a move."""

    left: Share | None = None
    right: Share | None = None
    up: Share | None = None
    down: Share | None = None


class MoveFields(Struct, frozen=True):
    """A move."""

    move: DirectionName
    cell: Annotated[int, Meta(ge=0, le=N_CELLS - 1)]
    tile: Literal[2, 4]
    rates: _NamedRates | None = None

    def replay_move(self) -> ReplayMove:
        rates: Rates | None = structs.astuple(self.rates) if self.rates else None
        return ReplayMove(DIRECTIONS.index(self.move), self.cell, self.tile // 2, rates)


class PracticeFields(Struct, frozen=True):
    """A recording; moves are decoded one by one, so damaged ones don't spoil those before."""

    start: Annotated[tuple[_Tile, ...], Meta(min_length=N_CELLS, max_length=N_CELLS)]
    moves: tuple[object, ...]
    table: str = ""
    spawn4: Share = 0.1
    walls: bool = False
    merge_32768: bool = False

    def __post_init__(self) -> None:
        for number, tile in enumerate(self.start, 1):
            if tile & (tile - 1) or tile == 1:
                text = mark("'start': entry {number} is {tile}; expected {wanted}")
                raise ValueError(tr(text, number=number, tile=tile, wanted=_A_TILE))
