"""The bodies of requests, field by field: JSON, checked before anything uses it."""

from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from msgspec import Meta, Struct, defstruct

from ai.thinking_time import HINT_MS
from engine.platform.files.input_file import parse_json
from engine.platform.files.json_struct import as_struct
from engine.platform.language import mark, tr
from tablebase.formation.extra_steps import FULL
from tablebase.store.options import OPTIONS, TableOption
from web.service.refusals import bad_request

MAX_BOARDS = 4096
MAX_MS = 10_000
MAX_NODES = 10**9
MAX_GAME_MS = 20
MAX_PROBE_S = 10.0
"""Time for the boards of one request; those left by then get an error."""
MAX_GRADE_S, MAX_ANALYSIS_S = 60.0, 1800.0
"""Time for a game; a longer one is reported as far as it was judged."""

Board = Annotated[
    str, Meta(max_length=400, description=mark("a board as text: 16 hex digits, or 16 tiles"))
]
Name = Annotated[str, Meta(min_length=1, max_length=64, description=mark("a name"))]
Names = Annotated[list[Name], Meta(min_length=1, max_length=64)]
Milliseconds = Annotated[float, Meta(ge=0.1, le=MAX_MS)]
Nodes = Annotated[int, Meta(ge=1, le=MAX_NODES)]
Seed = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Probability = Annotated[float, Meta(ge=0.001, le=0.999)]
Direction = Literal["left", "right", "up", "down"]
_T = TypeVar("_T", bound=Struct)


class ProbeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Boards to look up: `board`, or `boards` for many.

    The first of `tables` that can answer does; without `tables`, the one with the largest target.
    With `after` the boards are after-states, before the new tile.
    """

    board: Board | None = None
    boards: Annotated[list[Board], Meta(min_length=1, max_length=MAX_BOARDS)] | None = None
    tables: Names | None = None
    after: bool = False


class JudgeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A position of a `table` to practice: `board`, or without it a start position, by `seed`.

    With `follows` the board followed a position of that table by a move and a new tile.
    """

    table: Name
    board: Board | None = None
    seed: Seed = 0
    follows: bool = False


class SearchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A board to find the best move for, by tables and search.

    `ms` or `nodes` says how long to search where no table decides; 200 ms without either.
    """

    board: Board
    ms: Milliseconds | None = None
    nodes: Nodes | None = None


class GameRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to play; the same `seed` gives the same new tiles."""

    seed: Seed | None = None
    board: Board | None = None
    spawn4: Probability = 0.1


class MoveRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A move of a game: a direction, or "best" to let the AI move.

    `ms` is how long the AI may search.
    """

    move: Literal["left", "right", "up", "down", "best"]
    ms: Milliseconds = HINT_MS


class BuildTarget(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to build, as the command `build` does, with the same defaults."""

    pattern: Name
    target: Annotated[int, Meta(ge=1, le=1 << 20)] | Name

    def words(self) -> list[str]:
        words = []
        for name, option in _BY_FIELD.items():
            value = getattr(self, name)
            if value is not None and value is not False:
                words += option.words(value)
        return [*words, "--", self.pattern, str(self.target)]  # what follows is not an option


def _type_of(option: TableOption) -> Any:
    if option.kind == "switch":
        return bool
    if option.kind == "choice":
        return Literal[option.values] | None
    number_type: Any = float if option.kind == "share" else int
    number = Annotated[number_type, Meta(ge=option.wire_bounds[0], le=option.wire_bounds[1])]
    return number | Literal[FULL] | None if option.kind == "length" else number | None


_BY_FIELD = {
    option.flag or name: option for name, option in OPTIONS.items() if option.is_for_programs
}
BuildRequest: type[BuildTarget] = defstruct(  # type: ignore[assignment]
    "BuildRequest",
    [
        (name, _type_of(option), False if option.kind == "switch" else None)
        for name, option in _BY_FIELD.items()
    ],
    bases=(BuildTarget,),
    namespace={"__doc__": BuildTarget.__doc__},
    module=__name__,
    frozen=True,
    forbid_unknown_fields=True,
)
"""`BuildTarget` with the options of the build; None stands for the default of the command."""


class AnalyzeRequest(NamedTuple):
    """What a client wants to know about a game; the query of a request says it."""

    tables: list[str] | None  # names of tables; None for all
    least_moves: int
    is_strict: bool  # see `coach.analysis.analyze.Analysis`
    ms: float  # search time for a move
    with_moves: bool  # whether every move is reported


def read_body(body: bytes, kind: type[_T]) -> _T:
    """Return the request in a body; raise RequestError if it isn't as expected."""
    value = parse_json(body, tr("the body"), bad_request)
    return as_struct(value, kind, bad_request)
