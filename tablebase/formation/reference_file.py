"""The formations of 2048EndgameTablebase, its file ``patterns_config.json``, in terms of ours.

One object with an entry for each formation, by name::

    {"L3": {"category": "10 space",
            "valid pattern": ["0xfff0fff"],          our masks; digits may lack 0x everywhere
            "target pos": "0xf00f0000000",           our target_cells
            "canonical mode": "identity",            our symmetry
            "seed boards": ["0x100000001fff2fff", "0x12fff1fff"],
            "extra steps": 48}}                      36 if it is missing

Of seeds with different tile sums those like the first one count. A category "variant" has walls,
and layer 0 of a formation whose name begins with "free" is generated.
"""

from collections.abc import Mapping
from typing import Any

_FIELDS = {
    "category": "category",
    "valid pattern": "masks",  # no text
    "target pos": "target_cells",  # no text
    "canonical mode": "symmetry",  # no text
    "seed boards": "seeds",  # no text
    "extra steps": "extra_steps",  # no text
}
_SYMMETRIES = {"min24": "rect2x4", "min33": "square3x3", "min34": "rect3x4"}
_DEFAULT_STEPS = 36


def is_reference(data: object) -> bool:
    """Return whether the value of a JSON file has formations in that form."""
    if not isinstance(data, dict) or "formations" in data:
        return False
    return any(
        isinstance(entry, dict) and ("valid pattern" in entry or "seed boards" in entry)
        for entry in data.values()
    )


def our_entries(data: Mapping[str, object]) -> list[dict[str, Any]]:
    """Return the entries as those of our file, to be parsed; values of other types stay."""
    return [_our_entry(name, entry) for name, entry in data.items()]


def _our_entry(name: str, entry: object) -> dict[str, Any]:
    fields: dict[str, Any] = entry if isinstance(entry, dict) else {}
    ours: dict[str, Any] = {_FIELDS.get(field, field): fields[field] for field in fields}
    ours.setdefault("extra_steps", _DEFAULT_STEPS)
    symmetry = ours.get("symmetry")
    if isinstance(symmetry, str):
        ours["symmetry"] = _SYMMETRIES.get(symmetry, symmetry)
    is_free = name.startswith("free")
    return {
        "name": name,
        **ours,
        "walls": ours.get("category") == "variant",
        "seed_mode": "generated" if is_free else "explicit",
        "seeds": _like_the_first(ours["seeds"]) if "seeds" in ours else [],
    }


def _like_the_first(seeds: object) -> object:
    """Return the seeds without those whose tile sum is not that of the first one."""
    if not isinstance(seeds, list) or not all(isinstance(seed, str) for seed in seeds):
        return seeds
    return [seed for seed in seeds if _digit_sum(seed) == _digit_sum(seeds[0])]


def _digit_sum(seed: str) -> int:
    digits = seed.removeprefix("0x")
    return sum(1 << int(d, 16) for d in digits if d != "0" and d in "0123456789abcdefABCDEF")
