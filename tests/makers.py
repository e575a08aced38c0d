"""The types of the session's fixtures (see conftest.py), and a watch on mapped files."""

import mmap
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

import brute_force
import pytest

TableMaker = Callable[..., Path]  # table(name, target, rate="uint32")
Solver = Callable[[str, int], brute_force.Solution]


def every_other(first: Iterable[str], second: Iterable[str]) -> list[Any]:
    """Return all pairs for `parametrize`; every other one is a slow test, as on a chessboard."""
    first, second = list(first), list(second)
    return [
        pytest.param(
            *(a, b), marks=pytest.mark.slow if (first.index(a) + second.index(b)) % 2 else []
        )
        for a, b in product(first, second)
    ]


def count_maps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the length of every file mapped from now on."""
    made: list[int] = []
    real = mmap.mmap

    def counted(descriptor: int, length: int, **options: Any) -> mmap.mmap:
        if length:  # 0 maps the whole of a file to be read
            made.append(length)
        return real(descriptor, length, **options)

    monkeypatch.setattr(mmap, "mmap", counted)
    return made
