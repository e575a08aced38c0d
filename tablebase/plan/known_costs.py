"""Tables that were counted, ``known_costs.json``, or sampled, ``sampled_costs.json``.

Samples of a large table take half a minute, and `advise` needs those of dozens: so the ones that it
needs for the formations of the program come with it. tests/bench/bench_estimate.py writes both
files. A formation is identified by its content, not
by its name: after a change of a seed, no count of another table is used. The counts do not depend
on the machine; times are not in the file.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.platform.files.input_file import read_limited
from tablebase.formation.formation import Formation

_MAX_BYTES = 8 << 20
KNOWN_PATH = Path(__file__).parent / "known_costs.json"
SAMPLED_PATH = Path(__file__).parent / "sampled_costs.json"
_PARTS = ("masks", "target_cells", "symmetry", "seeds", "extra_steps", "walls", "seed_mode")


@dataclass(frozen=True)
class Counted:
    """The counted content of a table.

    Attributes
    ----------
    bytes : int or None
        None if it was not written to disk.
    is_sampled : bool
        Whether it was estimated from samples instead.
    """

    boards: int
    stored: int
    bytes: int | None = None
    is_sampled: bool = False


Known = Mapping[str, Mapping[int, Counted]]


def digest(formation: Formation) -> str:
    """Return a digest of a formation's content, independent of its name."""
    fields = formation.to_dict()
    text = json.dumps([fields[part] for part in _PARTS])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_known(path: Path = KNOWN_PATH) -> dict[str, dict[int, Counted]]:
    """Return the counts by digest and target; empty if the file is unusable."""
    try:
        entries = json.loads(read_limited(path, _MAX_BYTES))["tables"]
        known: dict[str, dict[int, Counted]] = {}
        for entry in entries:
            counted = Counted(entry["boards"], entry["stored"], entry["bytes"])
            known.setdefault(entry["digest"], {})[entry["target"]] = counted
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}  # then estimates just take longer and are less exact
    return known
