"""Importing mistakes from any supported file."""

from collections.abc import Callable
from pathlib import Path

from coach.mistakes.files import MistakeFileError, Reading, read_csv, read_json
from coach.mistakes.foreign_mistakes import read_notebook
from engine.platform.files.input_file import read_bytes
from engine.platform.language import tr

MAX_BYTES = 512 << 20  # a million mistakes, written out in full


def read_mistakes(path: Path, symmetry_of: Callable[[str], str]) -> Reading:
    """Return the mistakes in a file, whose format is recognized by its first bytes.

    Parameters
    ----------
    path : Path
        JSON or CSV of `coach.mistakes.files`, or a notebook.
    symmetry_of : callable
        See `read_notebook`.

    Raises
    ------
    MistakeFileError
        It cannot be read, or contains something else.
    """
    data = read_bytes(path, tr("a file of mistakes"), MAX_BYTES, MistakeFileError)
    start = data[:100].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith(b"\x80") or path.suffix.lower() in (".pkl", ".pickle"):
        return read_notebook(data, symmetry_of)
    if start.startswith((b"{", b"[")):
        return read_json(data)
    return read_csv(data)
