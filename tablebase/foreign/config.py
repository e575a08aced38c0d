"""Text files about such a table: ``<name>_config.txt`` and ``<name>_stats.txt``.

Both are text for people, rewritten by every run, and may be missing. The config has ``key: value``
lines; formation, target cells, seeds and number of layers are not included. The stats have one line
of comma-separated values for every solved layer: its number, the boards generated, and more.
"""

import errno
import re
from dataclasses import dataclass
from pathlib import Path

from engine.platform.files.input_file import read_limited
from engine.platform.language import tr
from tablebase.errors import MissingTableError, TableFormatError, cannot_read
from tablebase.foreign.rates import STORED_RATES

_MAX_BYTES = 1 << 20  # a config has a dozen lines, the stats a few thousand
_TRUE, _FALSE = {"true", "1", "yes", "on"}, {"false", "0", "no", "off", ""}


@dataclass(frozen=True)
class TableConfig:
    """The content of the config; None for missing values."""

    spawn4: float | None = None
    rate: str | None = None  # a name of ``STORED_RATES``
    # Boards with at most this rate may be missing; 0 if all are there.
    deletion_threshold: float = 0.0
    optimal_branch_only: bool = False  # whether only boards that follow from best moves are there

    @property
    def is_thinned(self) -> bool:
        """Return whether boards with a rate above zero may be missing."""
        return self.deletion_threshold > 0 or self.optimal_branch_only


def load_config(path: Path) -> TableConfig:
    fields = {}
    for line in _lines(path):
        key, colon, value = line.partition(":")
        if colon:
            fields[key.strip().lower()] = value.strip().strip("'\"").lower()
    spawn4 = _number(path, fields, "4_spawn_rate")
    rate = fields.get("success_rate_dtype")
    if rate is not None and rate not in STORED_RATES:
        raise _wrong(
            path, "success_rate_dtype", rate, tr("one of {values}", values=", ".join(STORED_RATES))
        )
    return TableConfig(
        spawn4=spawn4,
        rate=rate,
        deletion_threshold=_number(path, fields, "deletion_threshold") or 0.0,
        optimal_branch_only=_truth(path, fields, "optimal_branch_only"),
    )


def load_generated(path: Path) -> dict[int, int]:
    generated = {}
    for line in _lines(path):
        match = re.match(r"\s*(\d{1,6})\s*,\s*(\d{1,18})\s*(,|$)", line, re.ASCII)
        if match:
            generated[int(match[1])] = int(match[2])  # of several lines for a layer the last counts
    return generated


def _lines(path: Path) -> list[str]:
    try:
        text = read_limited(path, _MAX_BYTES)
    except FileNotFoundError:
        return []
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise TableFormatError(
                "{path} is larger than {count} bytes: expected a short text",
                path=path,
                count=_MAX_BYTES,
            ) from error
        raise MissingTableError(cannot_read(path, error)) from error
    return text.decode("utf-8-sig", errors="replace").splitlines()


def _number(path: Path, fields: dict[str, str], key: str) -> float | None:
    if key not in fields:
        return None
    try:
        value = float(fields[key])
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise _wrong(path, key, fields[key], tr("a number from 0 to 1"))
    return value


def _truth(path: Path, fields: dict[str, str], key: str) -> bool:
    value = fields.get(key, "")
    if value not in _TRUE | _FALSE:
        raise _wrong(path, key, value, tr("True or False"))
    return value in _TRUE


def _wrong(path: Path, key: str, value: str, expected: str) -> TableFormatError:
    return TableFormatError(
        "{path}: {key} is {value!r}, expected {expected}: correct that line, or delete it",
        path=path,
        key=key,
        value=value[:40],
        expected=expected,
    )
