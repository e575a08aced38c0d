"""Solutions by brute force, kept between runs: plain Python takes long, and finds the same again.

A solution is kept under a digest of the rules and of the solver's source, so that neither can
change and be answered from before.
"""

import os
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

import brute_force
import numpy as np
from brute_force import Rules, Solution


def solve(rules: Rules, folder: Path) -> Solution:
    """Return ``brute_force.solve(rules)``, from `folder` when it is there."""
    source = Path(brute_force.__file__).read_bytes()
    path = folder / f"{blake2b(source + repr(rules).encode(), digest_size=16).hexdigest()}.npz"
    try:
        return _read(path)
    except FileNotFoundError:
        solution = brute_force.solve(rules)
        _write(path, solution)
        return solution


def _read(path: Path) -> Solution:
    with np.load(path) as kept:
        ends = np.cumsum(kept["lengths"])[:-1]
        parts = [np.split(kept[name], ends) for name in ("boards", "rates", "is_reached")]
    rates, reached = [], []
    for of_boards, of_rates, are_reached in zip(*parts, strict=True):
        rates.append(dict(zip(of_boards.tolist(), of_rates.tolist(), strict=True)))
        reached.append(set(of_boards[are_reached].tolist()))
    return Solution(rates, reached)


def _write(path: Path, solution: Solution) -> None:
    layers = list(zip(solution.rates, solution.reached, strict=True))
    part = path.with_name(f"{uuid4().hex}.npz")
    np.savez(
        part,
        lengths=[len(rates) for rates, _ in layers],
        boards=np.array([b for rates, _ in layers for b in rates], np.uint64),
        rates=np.array([rate for rates, _ in layers for rate in rates.values()], np.float64),
        is_reached=np.array([b in reached for rates, reached in layers for b in rates], bool),
    )
    os.replace(part, path)
