"""How far long work is: JSON lines for programs, one line that rewrites itself for people."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engine.language import listed, mark, tr
from engine.wording import bytes_text, count_text, span_text
from tablebase.cli.console import Output, write_message
from tablebase.cli.control import CancelSwitch

if TYPE_CHECKING:
    from tablebase.build.progress import Progress

_JSON_S, _BAR_S, _LINE_S = 0.5, 0.1, 5.0
_BAR_CELLS = 24
_DOING = {
    "expand": mark("expanding"),
    "solve": mark("solving"),
    "thin": mark("thinning"),
    "finish": mark("finishing"),
    "convert": mark("converting"),
    "relocate": mark("moving"),
    "import": mark("importing"),
}


class Ticker:
    """Says when it is time again: at every new phase, and then once in `interval_s`."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._phase: str | None = None
        self._last_s = 0.0

    def is_due(self, phase: str, now_s: float) -> bool:
        """Tell whether to write something; a yes starts the interval anew."""
        if phase == self._phase and now_s - self._last_s < self._interval_s:
            return False
        self._phase, self._last_s = phase, now_s
        return True


class StatusLine:
    """One line on stderr: rewritten in place on a terminal, now and then a line elsewhere."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._ticker = Ticker(_BAR_S if self._is_terminal else _LINE_S)
        self._is_open = False

    def show(self, phase: str, text: str) -> None:
        """Show `text` if it is time."""
        if not self._ticker.is_due(phase, time.monotonic()):
            return
        if self._is_terminal:
            write_message(f"\r\x1b[2K{text}")
            self._is_open = True
        else:
            write_message(f"{text}\n")

    def clear(self) -> None:
        """Remove the line, so that others can be written."""
        if self._is_open:
            write_message("\r\x1b[2K")
            self._is_open = False


class BuildReport:
    """Tells how far a build is, as ``build`` promises in ``--json`` and as people like it."""

    def __init__(self, output: Output, title: str) -> None:
        self._output, self._title = output, title
        self._ticker = Ticker(_JSON_S)
        self._line = StatusLine()

    def show(self, progress: "Progress") -> None:
        """Take what the builder says; write it when it is time."""
        if not self._output.is_json:
            self._line.show(progress.phase, self._text(progress))
        elif self._ticker.is_due(progress.phase, progress.elapsed_s):
            self._output.emit(progress_event(progress))

    def clear(self) -> None:
        """Remove the progress line."""
        self._line.clear()

    def _text(self, progress: "Progress") -> str:
        doing = tr(_DOING.get(progress.phase, progress.phase))
        parts = [
            tr("layer {layer}/{layers}", layer=progress.layer, layers=progress.layers),
            tr("{count} boards", count=count_text(progress.boards)),
            bytes_text(progress.bytes),
        ]
        if progress.eta_s is not None and progress.fraction < 1:
            parts.append(tr("{time} left", time=span_text(progress.eta_s)))
        head = f"{self._title}  {bar(progress.fraction)}  {doing}"
        return listed([head, *parts])


@contextmanager
def reported(
    output: Output, title: str, switch: CancelSwitch
) -> "Iterator[Callable[[Progress], None]]":
    """Yield what long work calls to tell how far it is; the progress line goes in the end.

    It turns the switch when its reader is gone: the work takes an OSError for a trouble of its own
    disk, so none may come from here.
    """
    report = BuildReport(output, title)

    def show_or_cancel(progress: "Progress") -> None:
        try:
            report.show(progress)
        except OSError:
            switch.cancel()

    try:
        yield show_or_cancel
    finally:
        report.clear()


def progress_event(progress: "Progress") -> dict[str, Any]:
    """Return the JSON object of a build's progress."""
    return {"event": "progress", **rounded(asdict(progress))}


def rounded(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields whose numbers are cut to four decimals."""
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in fields.items()
    }


def bar(share: float) -> str:
    """Return a bar and a percentage.

    Examples
    --------
    >>> bar(0.5)
    '[############............]  50%'
    """
    share = min(max(share, 0.0), 1.0)
    full = int(share * _BAR_CELLS)
    return f"[{'#' * full}{'.' * (_BAR_CELLS - full)}] {int(share * 100):3d}%"
