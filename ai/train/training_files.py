"""The files of a training: beside what it learns are its state and its curve, a CSV file.

Files that no such training wrote are refused.
"""

import codecs
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import zstandard

from ai.errors import WeightsError
from engine.platform.files.input_file import open_regular, why_unreadable
from engine.platform.language import mark, tr

_N_COMPARED = 2  # columns: a version before may have had others after these
_DAMAGE: tuple[type[Exception], ...] = (
    *(ValueError, KeyError, TypeError, OverflowError, RecursionError),
    zstandard.ZstdError,
)


def beside(out: Path, suffix: str) -> Path:
    return out.with_name(out.name + suffix)


@contextmanager
def reading_state(path: Path, *wrong: type[Exception]) -> Iterator[WeightsError]:
    """Yield the error to raise for a damaged state; other errors of reading become WeightsError.

    `wrong` are errors that mean damage besides those that any state may cause.
    """
    damaged = WeightsError("{path} is damaged: delete it to start over", path=path)
    try:
        yield damaged
    except OSError as error:
        text = tr("cannot read {path}: {reason}", path=path, reason=error.strerror)
        raise WeightsError(text) from error
    except _DAMAGE + wrong as error:
        raise damaged from error


def of_another_training(path: Path) -> WeightsError:
    text = mark(
        "{path} belongs to a training with another configuration: choose another --out, "
        "or delete it to start over"
    )
    return WeightsError(text, path=path)


def check_curve(path: Path, columns: Sequence[str]) -> None:
    """Raise WeightsError if there is a file that no training of this kind wrote."""
    try:
        with open_regular(path) as file:
            head_there = file.readline(1 << 16).removeprefix(codecs.BOM_UTF8)
    except FileNotFoundError:
        return
    except OSError as error:
        raise WeightsError(why_unreadable(path, tr("the curve of a training"), error)) from error
    head = "".join(f"{name}," for name in columns[:_N_COMPARED]).encode("ascii")
    if not head.startswith(head_there[: len(head)]):
        text = mark(
            "{path} is not the curve of such a training: choose another --out, or move that "
            "file away"
        )
        raise WeightsError(text, path=path)
