"""The curve of a training, a CSV file beside what it learns: somebody else's file is refused."""

import codecs
from collections.abc import Sequence
from pathlib import Path

from ai.errors import WeightsError
from engine.platform.files.input_file import open_regular, why_unreadable
from engine.platform.language import mark, tr

_N_COMPARED = 2  # columns: a version before may have had others after these
_MAX_LINE = 1 << 16


def check_curve(path: Path, columns: Sequence[str]) -> None:
    """Raise WeightsError if there is a file that no training of this kind wrote."""
    try:
        with open_regular(path) as file:
            head_there = file.readline(_MAX_LINE).removeprefix(codecs.BOM_UTF8)
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
        raise WeightsError(tr(text, path=path))
