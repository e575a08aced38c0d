"""The tables of ``tests/golden/small_tables.json``: what another program computed."""

import json
from dataclasses import dataclass
from pathlib import Path

_PATH = Path(__file__).parent.parent / "golden" / "small_tables.json"


@dataclass(frozen=True)
class Sample:
    """One layer: boards before dropping zero rates, boards kept, and facts of the kept ones."""

    generated: int | None
    kept: int
    xor_boards: int
    sum_raw: int
    max_raw: int
    at_max: int


@dataclass(frozen=True)
class GoldenTable:
    formation: str
    target: int
    layers: int
    target_cells: int
    kept: int
    seed_raws: dict[int, int]
    samples: dict[int, Sample]


def _sample(fields: list) -> Sample:
    generated, kept, xor_boards, *rest = fields
    return Sample(generated, kept, int(xor_boards, 16), *rest)


def load_golden() -> list[GoldenTable]:
    return [
        GoldenTable(
            formation=entry["formation"],
            target=entry["target"],
            layers=entry["layers"],
            target_cells=int(entry["target_cells"], 16),
            kept=entry["kept"],
            seed_raws={int(board, 16): raw for board, raw in entry["seed_raws"].items()},
            samples={int(layer): _sample(fields) for layer, fields in entry["samples"].items()},
        )
        for entry in json.loads(_PATH.read_text())["tables"]
    ]
