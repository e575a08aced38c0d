"""Which files are recorded games: those that are named, and what folders hold of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.files.input_file import read_bytes
from engine.language import listed, mark, tr

if TYPE_CHECKING:
    from engine.formats.replay import Replay

SUFFIXES = (".txt", ".vrs", ".rpl", ".rec")
"""What is taken of a folder; files that are named may be called anything."""


_HEAD_BYTES = 400  # of a test, where its format stands
_TEST_FORMAT = b'"endgame2048-test"'  # as coach.exam.session_file writes it


def find_games(paths: Sequence[Path]) -> tuple[list[Path], list[tuple[Path, str]]]:
    """Return the files that are meant, each once, and what is wrong with which of the paths.

    Of a folder those with a suffix of `SUFFIXES`, in the order of their names; folders inside it
    are left alone.
    """
    found: dict[Path, Path] = {}
    problems = []
    for path in paths:
        try:
            taken = _games_in(path) if path.is_dir() else [path]
            if not taken:
                text = mark("no recorded game in {path}: expected {suffixes}")
                problems.append((path, tr(text, path=path, suffixes=_suffixes())))
            for one in taken:
                found.setdefault(one.resolve(), one)
        except OSError as error:
            text = mark("cannot read {path}: {problem}")
            problems.append((path, tr(text, path=path, problem=error.strerror or error)))
    return list(found.values()), problems


def is_test(data: bytes) -> bool:
    """Tell whether a file is a test of this program, as JSON, by its first bytes."""
    return data.lstrip()[:1] == b"{" and _TEST_FORMAT in data[:_HEAD_BYTES]


def read_game_file(path: Path) -> bytes:
    """Return the bytes of a file, but not many more than a recorded game can have.

    Raises
    ------
    AppError
        It cannot be read.
    """
    from engine.formats.following import SIZE_LIMIT_BYTES  # not needed for --help

    return read_bytes(path, tr("a recorded game"), SIZE_LIMIT_BYTES)


def read_game(data: bytes, name: str) -> "tuple[str, Replay]":
    """Return the format and the game of a file, of which tables are to judge the moves.

    Raises
    ------
    ReplayError
        It is no recorded game, or a test: its large tiles are all F. Which tables cover a position
        depends on their values, so only the table it was taken on can speak about it, and that has.
    """
    from engine.formats.reading import read_replay
    from engine.formats.replay import ReplayError

    if is_test(data):
        raise ReplayError(
            tr(
                "{name} is a test: its large tiles have no values that another table could "
                "go by, and its own table has judged every move. Review shows it",
                name=name,
            )
        )
    return read_replay(data)


def _games_in(folder: Path) -> list[Path]:
    inside = sorted(folder.iterdir())
    return [one for one in inside if one.suffix.lower() in SUFFIXES and one.is_file()]


def _suffixes() -> str:
    return tr("{names} or {last}", names=listed(SUFFIXES[:-1]), last=SUFFIXES[-1])
