"""Tables that were built once and counted: ``known_costs.json``.

The file is written by tests/bench/bench_estimate.py. A formation is known by what it is, not by its
name: whoever changes a seed gets no count of another table. The counts do not depend on the
machine; times are not in the file.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.files.input_file import read_limited
from tablebase.formation.formation import Formation

_MOST_BYTES = 8 << 20
KNOWN_PATH = Path(__file__).parent / "known_costs.json"
_PARTS = ("masks", "target_cells", "symmetry", "seeds", "extra_steps", "walls", "seed_mode")


@dataclass(frozen=True)
class Counted:
    """What a table turned out to hold; `bytes` is None when it was not written to a disk."""

    boards: int
    stored: int
    bytes: int | None = None


Known = Mapping[str, Mapping[int, Counted]]


def digest(formation: Formation) -> str:
    """Return what tells formations apart, whatever they are called."""
    fields = formation.to_dict()
    text = json.dumps([fields[part] for part in _PARTS])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_known(path: Path = KNOWN_PATH) -> dict[str, dict[int, Counted]]:
    """Return the counts by digest and target; none at all when the file does not serve."""
    try:
        entries = json.loads(read_limited(path, _MOST_BYTES))["tables"]
        known: dict[str, dict[int, Counted]] = {}
        for entry in entries:
            counted = Counted(entry["boards"], entry["stored"], entry["bytes"])
            known.setdefault(entry["digest"], {})[entry["target"]] = counted
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}  # estimates take longer and are less exact then, nothing more
    return known
