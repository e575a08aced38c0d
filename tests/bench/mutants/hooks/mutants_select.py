"""A pytest plugin that runs the tests named in a file, in that order."""

import json
import os
from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what was asked for."""
    asked = json.loads(Path(os.environ["MUTANT_TESTS"]).read_text())
    places = {name: i for i, name in enumerate(asked)}
    config.hook.pytest_deselected(items=[one for one in items if one.nodeid not in places])
    items[:] = sorted(
        (one for one in items if one.nodeid in places), key=lambda one: places[one.nodeid]
    )
