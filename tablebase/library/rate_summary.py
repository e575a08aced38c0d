"""A summary of a finished table, including its rates, which are computed only once.

Rates are kept in ``DATA/rates/``, in a file named after the table and a digest of its manifest,
which has the checksums of all layers: a different table has a different file.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from engine.platform.default_callbacks import never_cancelled
from engine.platform.events import to_plain
from engine.platform.files.atomic_file import write_file
from engine.platform.files.input_file import read_limited
from engine.platform.files.json_struct import read_cached
from tablebase.events import LayerFolder, LayerRates, StartRates
from tablebase.probe.rate_profile import SAMPLE, plain_layers, profile_layers, profile_starts
from tablebase.probe.reader import Tablebase
from tablebase.store.manifest import MANIFEST_NAME

_MAX_BYTES = 16 << 20


class RateSummary(Struct, frozen=True):
    """The rates of a table's start positions, None if not requested, and of its layers."""

    starts: StartRates | None
    layers: tuple[LayerRates, ...] = field(name="by_layer")


class _RatesFile(RateSummary, frozen=True, kw_only=True):
    version: Literal[1] = 1


def places_of(table: Tablebase) -> list[LayerFolder]:
    recorded, paths = table.manifest.layers, table.locations.layers
    places = [table.locations.home, *table.locations.parts]
    counts = []
    for place in places:
        inside = [i for i, path in paths.items() if path.parent == place]
        counts.append(LayerFolder(place, len(inside), sum(recorded[i].bytes for i in inside)))
    return counts


def without_rates(table: Tablebase) -> RateSummary:
    return RateSummary(None, tuple(plain_layers(table)))


def summarize_rates(
    table: Tablebase,
    keep_in: Path,
    sample: int = SAMPLE,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> RateSummary:
    """Parameters and errors are those of `profile_layers`; rates are kept in `keep_in`."""
    cache_file = stored_file(table.path, table.name, keep_in, sample)
    if known_rates := load_stored(cache_file):
        return known_rates
    starts = profile_starts(table, is_cancelled)
    layers = profile_layers(table, sample, on_progress, is_cancelled)
    summary = RateSummary(starts, tuple(layers))
    body = to_plain(_RatesFile(summary.starts, summary.layers))
    with suppress(OSError):  # then it is computed again the next time
        keep_in.mkdir(parents=True, exist_ok=True)
        write_file(cache_file, [json.dumps(body).encode("ascii")], durable=False)
    return summary


def stored_file(folder: Path, name: str, keep_in: Path, sample: int = SAMPLE) -> Path:
    manifest = read_limited(folder / MANIFEST_NAME, _MAX_BYTES)
    digest = blake2b(manifest + b"%d" % sample, digest_size=8).hexdigest()
    return keep_in / f"{name}-{digest}.json"


def load_stored(path: Path) -> RateSummary | None:
    stored = read_cached(path, _RatesFile, _MAX_BYTES)
    return RateSummary(stored.starts, stored.layers) if stored else None
