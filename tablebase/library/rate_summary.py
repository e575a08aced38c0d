"""A summary of a finished table, including its rates, which are computed only once.

Rates are kept in ``DATA/rates/``, in a file named after the table and a digest of its manifest,
which has the checksums of all layers: a different table has a different file.
"""

import json
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from engine.platform.default_callbacks import never_cancelled
from engine.platform.files.atomic_file import write_file
from engine.platform.files.input_file import read_limited
from tablebase.probe.rate_profile import (
    SAMPLE,
    LayerRates,
    StartRates,
    plain_layers,
    profile_layers,
    profile_starts,
)
from tablebase.probe.reader import Tablebase
from tablebase.store.manifest import MANIFEST_NAME

_VERSION = 1
_MAX_BYTES = 16 << 20
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Place:
    """A folder with layers of a table."""

    folder: Path
    layers: int
    bytes: int


@dataclass(frozen=True)
class RateSummary:
    """The rates of a table's start positions and of its layers.

    Attributes
    ----------
    starts : StartRates or None
        None if rates were not requested.
    """

    starts: StartRates | None
    layers: tuple[LayerRates, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        starts = asdict(self.starts) if self.starts else None
        return {"starts": starts, "by_layer": [asdict(layer) for layer in self.layers]}


def places_of(table: Tablebase) -> list[Place]:
    """Return the places of a table's layers, its own folder first."""
    recorded, found = table.manifest.layers, table.locations.layers
    places = [table.locations.home, *table.locations.parts]
    counts = []
    for place in places:
        inside = [i for i, path in found.items() if path.parent == place]
        counts.append(Place(place, len(inside), sum(recorded[i].bytes for i in inside)))
    return counts


def without_rates(table: Tablebase) -> RateSummary:
    """Return the summary without rates, which takes no time."""
    return RateSummary(None, tuple(plain_layers(table)))


def summarize_rates(
    table: Tablebase,
    keep_in: Path,
    sample: int = SAMPLE,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> RateSummary:
    """Return a table's rates, from the folder `keep_in` if they are known already.

    Parameters and errors are those of `profile_layers`.
    """
    kept = kept_file(table.path, table.name, keep_in, sample)
    if known := load_kept(kept):
        return known
    starts = profile_starts(table, is_cancelled)
    layers = profile_layers(table, sample, on_progress, is_cancelled)
    summary = RateSummary(starts, tuple(layers))
    body = {"version": _VERSION, **summary.to_dict()}
    with suppress(OSError):  # then it is computed again the next time
        keep_in.mkdir(parents=True, exist_ok=True)
        write_file(kept, [json.dumps(body).encode("ascii")], durable=False)
    return summary


def kept_file(folder: Path, name: str, keep_in: Path, sample: int = SAMPLE) -> Path:
    """Return the file that keeps the rates of the table in a folder; raise OSError."""
    manifest = read_limited(folder / MANIFEST_NAME, _MAX_BYTES)
    digest = blake2b(manifest + b"%d" % sample, digest_size=8).hexdigest()
    return keep_in / f"{name}-{digest}.json"


def load_kept(path: Path) -> RateSummary | None:
    """Return the summary in a file; None if it is missing, damaged, or of another version."""
    try:
        body = json.loads(read_limited(path, _MAX_BYTES))
        if body["version"] != _VERSION:
            return None
        return read_summary(body)
    except OSError:
        return None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        _log.info("%s is not used: %s", path, error)
        return None


def read_summary(body: dict[str, Any]) -> RateSummary:
    """Return the summary from the output of `RateSummary.to_dict`.

    Raises
    ------
    ValueError, TypeError, LookupError
        It is not such output.
    """
    starts = body["starts"]
    layers = tuple(LayerRates(**entry) for entry in body["by_layer"])
    for one in layers:
        _check_numbers(
            (one.layer, one.tile_sum, one.boards, one.stored, one.bytes, one.sampled),
            (one.mean, one.low, one.median, one.high),
        )
    if starts is not None:
        starts = StartRates(**starts)
        _check_numbers(
            (starts.positions, starts.all_positions), (starts.mean, starts.best, starts.worst)
        )
    return RateSummary(starts, layers)


def _check_numbers(counts: Sequence[object], rates: Sequence[object]) -> None:
    for count in counts:
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise ValueError("expected a count")  # no text
    for rate in rates:
        is_rate = isinstance(rate, (int, float)) and not isinstance(rate, bool)
        if rate is not None and not (is_rate and 0 <= rate <= 1):  # type: ignore[operator]
            raise ValueError("expected a rate")  # no text
