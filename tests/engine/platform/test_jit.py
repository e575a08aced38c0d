"""Kernels are loaded when they were compiled before, and go together with new ones."""

import os
import subprocess
import sys

import pytest
from numba.core.dispatcher import Dispatcher

from engine.kernels.moves import slide, slide_four
from engine.platform.project_files import CACHE_VARIABLE, PROJECT_ROOT

MODULE = """
import sys
import numpy as np
from engine.platform.jit import inline_kernel, kernel

@inline_kernel
def twice(x):
    return x + x

@kernel
def total(values):
    found = values[0] - values[0]
    for i in range(values.size):
        found += twice(values[i])
    return found

@kernel
def total_of_two(a, b):
    return total(a) + total(b)

numbers = np.arange(10).astype(sys.argv[1])
print(total(np.arange(10)), total(numbers), total_of_two(np.arange(10), numbers), twice(21))
print(sum(total.stats.cache_hits.values()))
"""


@pytest.mark.thorough
def test_kernels_are_loaded_and_others_compiled_after_them(tmp_path):
    module = tmp_path / "some_kernels.py"
    module.write_text(MODULE, encoding="utf-8")
    hits = []
    for dtype in ("int64", "int64", "float32"):
        done = subprocess.run(
            [sys.executable, str(module), dtype],
            env={**os.environ, "PYTHONPATH": str(PROJECT_ROOT), CACHE_VARIABLE: str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        *totals, n_hits = done.stdout.split()
        assert [float(one) for one in totals] == [90, 90, 180, 42]
        hits.append(int(n_hits))
    assert hits == [0, 1, 1], "the second run compiles nothing, the third a kernel for float32"


def test_kernels_of_a_graphics_card_can_have_what_is_compiled_into_others():
    """They compile numba's own dispatchers for the card, and nothing else."""
    assert isinstance(slide, Dispatcher)
    assert isinstance(slide_four, Dispatcher)
