"""What the commands about tables tell with ``--json``; see `engine.platform.events`."""

from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from engine.platform.events import Event, Progress
from engine.platform.files.field_types import Share

Count = Annotated[int, Meta(ge=0)]


class LayerProgress(Event, frozen=True, tag="progress"):
    """The progress of a build, an import, a conversion or a move, in the order of its layers.

    The first fields are those of `tablebase.build.progress.Progress`. `layer_boards` is the number
    of a layer, then its after-states and those of the layers that follow, as far as no earlier line
    had them.
    """

    phase: str
    layer: Count
    layers: Count
    boards: Count
    bytes: Count
    elapsed_s: float
    eta_s: float | None
    fraction: float
    rss_bytes: Count
    peak_rss_bytes: Count
    scratch_bytes: Count
    layer_boards: tuple[Count, ...] = ()


class BuildDone(Event, frozen=True, tag="done"):
    """A table built or imported; `notes` is what the source of an import leaves unknown."""

    table: Path
    layers: int
    boards: int
    stored: int
    bytes: int
    elapsed_s: float
    cpu_s: float
    peak_rss_bytes: int
    was_complete: bool
    notes: list[str] | None = None


class ConvertResult(Event, frozen=True, tag="done"):
    """A table as it is now, and as it was; `was_done` if there was nothing to do."""

    table: Path
    layers: int
    boards: int
    stored: int
    bytes: int
    stored_before: int
    bytes_before: int
    elapsed_s: float
    was_done: bool


class ConvertSize(Event, frozen=True, tag="size"):
    """About what a conversion will make of a table; with `is_most`, `bytes` is an upper bound."""

    table: Path
    bytes: int
    bytes_before: int
    is_most: bool
    is_same: bool


class RelocateResult(Event, frozen=True, tag="done"):
    """The result of a move: `to` is the folder that holds the layers now."""

    table: Path
    to: Path
    layers: int
    bytes: int
    elapsed_s: float


class VerifyDone(Event, frozen=True, tag="done"):
    """The findings about a table; see `tablebase.probe.verify.VerifyReport`."""

    table: Path
    ok: bool
    files: int
    omitted: int
    bytes: int
    sampled: int
    mismatches: int
    problems: list[str]


class AdvisedTable(Struct, frozen=True, omit_defaults=True):
    """One table of ``advise``; see `tablebase.plan.advise.TableAdvice`.

    The costs are those of `tablebase.plan.estimate.Estimate`, absent for a table that is there;
    `options` are the options to build it with, absent if the caller chose them.
    """

    order: int
    pattern: str
    target: int | str
    verdict: str
    purpose: str
    reason: str
    wall_s: float
    options: dict[str, Any] | None = None
    boards: int | None = None
    stored: int | None = None
    bytes: int = 0
    memory_bytes: int | None = None
    cpu_s: float | None = None
    source: str | None = None
    is_most: bool | None = None
    scratch_bytes: int | None = None
    stream_bytes: int | None = None


class AdvisedPlace(Struct, frozen=True):
    """One place of ``advise --chain``: boards with F where large tiles and the new ones stand.

    `first_formations` and `second_formations` are those with their large tiles there; `rates` are
    the chances to make both tiles, by their face value.
    """

    order: int
    large: str
    first: str
    second: str
    first_formations: list[str]
    second_formations: list[str]
    rates: dict[str, float]


class LayerFolder(Struct, frozen=True):
    """A folder with layers of a table."""

    folder: Path
    layers: int
    bytes: int


class StartRates(Struct, frozen=True, forbid_unknown_fields=True):
    """The rates of the start positions of games: a seed and a new tile.

    `mean` is the chance of success of a new game, None where the table does not know it; the others
    are of the `positions` looked at.
    """

    mean: Share | None
    best: Share | None
    worst: Share | None
    positions: Count
    all_positions: Count


class LayerRates(Struct, frozen=True, forbid_unknown_fields=True):
    """One layer and the rates of its stored boards, of which `sampled` were read; None without any.

    `tile_sum` leaves out F; `bytes` is 0 where a sparse table has no file; `low` and `high` are the
    10 % and the 90 % quantile.
    """

    layer: Count
    tile_sum: Count
    boards: Count
    stored: Count
    bytes: Count
    sampled: Count = 0
    mean: Share | None = None
    low: Share | None = None
    median: Share | None = None
    high: Share | None = None

    @property
    def is_exact(self) -> bool:
        return self.sampled == self.stored


class TableReport(Event, frozen=True, tag="info"):
    """The output of ``info``; `starts` is None if rates were not requested."""

    table: Path
    name: str
    pattern: str
    target: int | str
    options: dict[str, Any]
    layers: int
    boards: int
    stored: int
    bytes: int
    tile_sums: tuple[int, int]
    places: list[LayerFolder]
    warning: str
    extra_steps: int | None
    cut_off: bool
    at_least: bool
    starts: StartRates | None
    by_layer: Annotated[tuple[LayerRates, ...], Meta(min_length=1)]
    then: str = ""  # the table it continues in


BuildEvent = LayerProgress | BuildDone
ConvertEvent = LayerProgress | ConvertResult
RelocateEvent = LayerProgress | RelocateResult
VerifyEvent = Progress | VerifyDone
ReportEvent = Progress | TableReport
