"""Tables that were counted, ``known_costs.json``, or sampled, ``sampled_costs.json``.

Samples of a large table take half a minute, and `advise` needs those of dozens: so the ones that it
needs for the formations of the program come with it. tests/bench/bench_estimate.py writes both
files. A formation is identified by its content, not
by its name: after a change of a seed, no count of another table is used. The counts do not depend
on the machine; times are not in the file.

What is counted or sampled for a user's own formations is kept in ``DATA/estimates/``, a file for
each, by a digest of the formation, the target, the limits and the number of samples.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, to_builtins

from engine.platform.files.atomic_file import write_file
from engine.platform.files.json_struct import read_cached
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal

_Count = Annotated[int, Meta(ge=0, le=1 << 62)]  # no table comes near
KNOWN_PATH = Path(__file__).parent / "known_costs.json"
SAMPLED_PATH = Path(__file__).parent / "sampled_costs.json"
_PARTS = ("masks", "target_cells", "symmetry", "seeds", "extra_steps", "walls", "seed_mode")


class Counted(Struct, frozen=True):
    """The counted content of a table."""

    boards: _Count
    stored: _Count
    bytes: _Count | None = None  # None if it was not written to disk
    is_sampled: bool = False  # whether it was estimated from samples instead


class _KnownTable(Struct, frozen=True):
    digest: str
    target: int
    boards: _Count
    stored: _Count
    bytes: _Count | None


class _KnownFile(Struct, frozen=True):
    tables: list[_KnownTable]


Known = Mapping[str, Mapping[int, Counted]]


def digest(formation: Formation) -> str:
    fields = formation.to_dict()
    text = json.dumps([fields[part] for part in _PARTS])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_known(path: Path = KNOWN_PATH) -> dict[str, dict[int, Counted]]:
    costs_file = read_cached(path, _KnownFile, 8 << 20)
    counts: dict[str, dict[int, Counted]] = {}
    for table in (
        costs_file.tables if costs_file else ()
    ):  # without, estimates are slower and less exact
        counted = Counted(table.boards, table.stored, table.bytes)
        counts.setdefault(table.digest, {})[table.target] = counted
    return counts


_VERSION = 2
"""Part of every key: increase it when counting or sampling gives other results."""


@dataclass(frozen=True)
class StoredCounts:
    """Results in a folder, which need not exist; safe for several processes at once."""

    folder: Path

    def once(
        self, formation: Formation, target: Goal, how: object, find: Callable[[], Counted]
    ) -> Counted:
        """What is found is stored, unless `find` raises; `how` is what else it depends on."""
        key = json.dumps([_VERSION, digest(formation), target.json, how]).encode("ascii")
        file = self.folder / f"{blake2b(key, digest_size=12).hexdigest()}.json"
        stored = read_cached(file, Counted, 1 << 12)
        if stored is not None:
            return stored
        counted = find()
        with suppress(OSError):  # then it is done again the next time
            self.folder.mkdir(parents=True, exist_ok=True)
            write_file(file, [json.dumps(to_builtins(counted)).encode("ascii")], durable=False)
        return counted
