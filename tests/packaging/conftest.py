"""The wheel of this checkout, made once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("outside")


@pytest.fixture(scope="session")
def wheel(project_root: Path, folder: Path) -> Path:
    from tests.packaging.installing import pip

    pip(sys.executable, "wheel", "--no-deps", "-w", folder / "made", project_root, folder=folder)
    (made,) = (folder / "made").glob("*.whl")
    return made
