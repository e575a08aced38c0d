"""What counting and sampling found out about tables, kept between runs.

Sampling a large table takes up to half a minute, and advice needs many of them for formations of
your own: so results are kept in ``DATA/estimates/``, a file for each, by a digest of the formation,
the target, the limits and the number of samples. They can be deleted.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from msgspec import to_builtins

from engine.platform.files.atomic_file import write_file
from engine.platform.files.json_struct import read_cached
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.plan.known_costs import Counted, digest

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
