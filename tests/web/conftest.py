"""A service that all tests of this folder share, on small tables, and browsers."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.makers import TableMaker
    from tests.web.browsers import Browser
    from tests.web.served import Served


@pytest.fixture(scope="session")
def tables_folder(table: TableMaker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    for name, target in (("2x4", 64), ("442", 64)):
        shutil.copytree(table(name, target), folder / f"{name}_{target}")
    return folder


@pytest.fixture(scope="session")
def served(tables_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The service, reading only."""
    from tests.web.served import service

    with service([tables_folder], tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def window(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A browser; each installed one in turn."""
    # Here: what speaks to them takes half a second to import.
    from tests.web.browsers import browser, installed

    if request.param not in installed():
        pytest.skip("there is neither Chromium with its driver nor Firefox")
    with browser(request.param) as found:
        yield found
