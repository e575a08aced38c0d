"""The fields of a saved game and of its log; see `game_data` and `game_log`."""

import reprlib
from typing import Annotated, Any

from msgspec import Meta, Struct

from engine.game import MAX_SCORE
from engine.platform.language import mark, tr

_Score = Annotated[int, Meta(ge=0, le=MAX_SCORE)]
_A_STATE = mark("a whole number from 0 to 18446744073709551615")
_MAX_MS = 10**15  # 30,000 years


class PartFields(Struct, frozen=True):
    """A position that was set, and the moves after it."""

    board: str
    score: _Score
    rng_state: Annotated[int, Meta(ge=0, description=_A_STATE)]
    moves: str
    ms: list[Annotated[int, Meta(ge=0, le=_MAX_MS)] | None] = []

    def __post_init__(self) -> None:
        if self.rng_state > (1 << 64) - 1:
            found, expected = reprlib.repr(self.rng_state), tr(_A_STATE)
            text = tr(
                "{field} is {found}; expected {expected}",
                field="'rng_state'",
                found=found,
                expected=expected,
            )
            raise ValueError(text)


class GameFields(Struct, frozen=True):
    """A game; the seed may be any whole number."""

    version: int
    seed: int
    spawn4: float
    walls: bool
    merge_32768: bool
    at: int
    board: str
    score: int
    parts: list[PartFields]


class LogFields(Struct, frozen=True):
    """The first line of a log."""

    version: int
    best: _Score
    game: dict[str, Any]
