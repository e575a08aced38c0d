"""A small table and two drives, to move layers between."""

import shutil
from pathlib import Path

import pytest
from makers import TableMaker

NAME = "2x4_64"


@pytest.fixture(scope="module")
def original(table: TableMaker) -> Path:
    return table("2x4", 64)


@pytest.fixture
def home(original: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "tables" / NAME
    shutil.copytree(original, folder)
    return folder


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    folder = tmp_path / "drive"
    folder.mkdir()
    return folder
