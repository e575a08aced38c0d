import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "name", ["bitboard", "course_script", "moves", "spawn", "game", "platform.quantities"]
)
def test_the_examples_in_the_docstrings_are_true(name):
    module = importlib.import_module(f"engine.{name}")
    found = doctest.testmod(module, extraglobs={"LEFT": 0})
    assert found.attempted > 0
    assert found.failed == 0
