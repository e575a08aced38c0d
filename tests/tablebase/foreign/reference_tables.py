"""Small tables of another program, made from brute-force solutions."""

from collections.abc import Callable
from pathlib import Path

import brute_force
import reference_writer as writer

from tablebase.foreign.table import ReferenceTable

Layers = list[dict[int, float]]
Writer = Callable[..., Path]  # written(name, target, rate="uint32", packed=False)
Opener = Callable[[Path], ReferenceTable]


def stored_layers(solution: brute_force.Solution, rate: str = "float64") -> Layers:
    """What such a table stores: every board of a rate above zero, also those at the target."""
    zero = writer.stored_value(rate, 0.0)
    return [
        {board: p for board, p in layer.items() if writer.stored_value(rate, p) != zero}
        for layer in solution.rates
    ]


def write_table(folder: Path, name: str, layers: Layers, rate: str, packed: bool = False) -> None:
    for i, layer in enumerate(layers):
        if packed and i > 2 and layer:
            writer.write_packed(folder, name, i, layer, rate, stream_rows=40)
        else:
            writer.write_book(folder, name, i, layer, rate)
    writer.write_config(folder, name, rate)
