"""The types of the session's fixtures (see conftest.py)."""

from collections.abc import Callable
from pathlib import Path

import brute_force

TableMaker = Callable[..., Path]  # table(name, target, rate="uint32")
Solver = Callable[[str, int], brute_force.Solution]
