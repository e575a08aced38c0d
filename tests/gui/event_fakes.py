"""Events as commands tell them, with the fields that a test cares about."""

from pathlib import Path
from typing import Any

from tablebase.events import ConvertResult, LayerProgress, RelocateResult


def layer_progress(**fields: Any) -> LayerProgress:
    counts = dict.fromkeys(("layer", "layers", "boards", "bytes"), 0)
    memory = dict.fromkeys(("rss_bytes", "peak_rss_bytes", "scratch_bytes"), 0)
    times = {"elapsed_s": 0.0, "eta_s": None, "fraction": 0.0}
    return LayerProgress(**{"phase": "expand", **counts, **times, **memory, **fields})


def convert_result(**fields: Any) -> ConvertResult:
    names = ("layers", "boards", "stored", "bytes", "stored_before", "bytes_before", "elapsed_s")
    return ConvertResult(
        **{"table": Path("/t"), **dict.fromkeys(names, 0), "was_done": False, **fields}
    )


def relocate_result(layers: int) -> RelocateResult:
    return RelocateResult(Path("/t"), Path("/drive/442_128"), layers, 4_000_000, 1.0)
