"""Progress of long work for people: one line that rewrites itself, and when it is due."""

import sys
import time

from engine.platform.cli.console import write_message
from engine.platform.surrogates import without_controls

_BAR_S, _LINE_S = 0.1, 5.0
_BAR_CELLS = 24


class Ticker:
    """Decides when a report is due: at every new phase, and then once every `interval_s`."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._phase: str | None = None
        self._last_s = 0.0

    def is_due(self, phase: str, now_s: float) -> bool:
        if phase == self._phase and now_s - self._last_s < self._interval_s:
            return False
        self._phase, self._last_s = phase, now_s
        return True


class StatusLine:
    """One line on stderr, rewritten in place; elsewhere a line now and then, unless it is brief."""

    def __init__(self, is_brief: bool = False) -> None:
        self._is_brief = is_brief
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._ticker = Ticker(_BAR_S if self._is_terminal else _LINE_S)
        self._is_open = False

    def show(self, phase: str, text: str) -> None:
        if not self._ticker.is_due(phase, time.monotonic()):
            return
        text = without_controls(text)
        if self._is_terminal:
            write_message(f"\r\x1b[2K{text}")
            self._is_open = True
        elif not self._is_brief:
            write_message(f"{text}\n")

    def clear(self) -> None:
        if self._is_open:
            write_message("\r\x1b[2K")
            self._is_open = False


def bar(share: float) -> str:
    """Return a bar and a percentage.

    >>> bar(0.5)
    '[############............]  50%'
    """
    share = min(max(share, 0.0), 1.0)
    full = int(share * _BAR_CELLS)
    return f"[{'#' * full}{'.' * (_BAR_CELLS - full)}] {int(share * 100):3d}%"
