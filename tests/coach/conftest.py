"""Stores of a person, and commands as people type them."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coach.mistakes.mistakes import Mistakes
from coach.profile.facts import JudgedMoves
from coach.record.user_database import UserDatabase
from main import main

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def mistakes(tmp_path: Path) -> Iterator[Mistakes]:
    with closing(Mistakes(UserDatabase(tmp_path))) as found:
        yield found


@pytest.fixture
def facts(tmp_path: Path) -> Iterator[JudgedMoves]:
    with closing(JudgedMoves(UserDatabase(tmp_path))) as found:
        yield found


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return ``command(data, name, *words) -> (status, stdout, stderr)``."""

    def run(data: Path, name: str, *words: object) -> tuple[int, str, str]:
        status = main(["--data-dir", str(data), name, *map(str, words)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run
