"""Progress of long work: JSON lines for programs, one line that rewrites itself for people."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.encodable import without_controls
from engine.language import listed, mark, tr
from engine.wording import bytes_text, count_text, span_text
from tablebase.cli.console import Output, write_message
from tablebase.cli.control import CancelSwitch

if TYPE_CHECKING:
    from tablebase.build.progress import Progress

_JSON_S, _BAR_S, _LINE_S = 0.5, 0.1, 5.0
_SCRATCH_S = 5.0  # there may be thousands of working files to look at
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
    """Decides when a report is due: at every new phase, and then once every `interval_s`."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._phase: str | None = None
        self._last_s = 0.0

    def is_due(self, phase: str, now_s: float) -> bool:
        """Return whether a report is due; if it is, the interval starts again."""
        if phase == self._phase and now_s - self._last_s < self._interval_s:
            return False
        self._phase, self._last_s = phase, now_s
        return True


class StatusLine:
    """One line on stderr: rewritten in place on a terminal, a line now and then elsewhere.

    Parameters
    ----------
    is_brief : bool
        Whether the work takes seconds: then nothing is written except on a terminal.
    """

    def __init__(self, is_brief: bool = False) -> None:
        self._is_brief = is_brief
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._ticker = Ticker(_BAR_S if self._is_terminal else _LINE_S)
        self._is_open = False

    def show(self, phase: str, text: str) -> None:
        """Show `text` if a report is due."""
        if not self._ticker.is_due(phase, time.monotonic()):
            return
        text = without_controls(text)
        if self._is_terminal:
            write_message(f"\r\x1b[2K{text}")
            self._is_open = True
        elif not self._is_brief:
            write_message(f"{text}\n")

    def clear(self) -> None:
        """Remove the line, so that others can be written."""
        if self._is_open:
            write_message("\r\x1b[2K")
            self._is_open = False


class BuildReport:
    """Reports the progress of a build, in the ``--json`` format of ``build`` and for people.

    In addition to the fields of `Progress`, ``layer_boards`` apart, a JSON line has:

    * ``rss_bytes``, ``peak_rss_bytes``: memory of this process, now and at its peak;
    * ``scratch_bytes``: size of the working files, measured every few seconds;
    * ``layer_boards``: the number of a layer, then its after-states and those of the layers that
      follow, as far as no earlier line had them; absent if there are none.
    """

    def __init__(self, output: Output, title: str, table: Path | None = None) -> None:
        self._output, self._title, self._table = output, title, table
        self._ticker, self._scratch_ticker = Ticker(_JSON_S), Ticker(_SCRATCH_S)
        self._line = StatusLine()
        self._n_told = self._scratch_bytes = 0

    def show(self, progress: "Progress") -> None:
        """Take a report of the builder; write it if one is due."""
        if not self._output.is_json:
            self._line.show(progress.phase, self._text(progress))
        elif self._ticker.is_due(progress.phase, progress.elapsed_s):
            self._output.emit({**progress_event(progress), **self._more(progress)})

    def _more(self, progress: "Progress") -> dict[str, Any]:
        """Return the additional fields of a line."""
        import psutil

        from tablebase.build.progress import peak_rss_bytes
        from tablebase.store.work_folder import work_bytes

        if self._table and self._scratch_ticker.is_due(progress.phase, progress.elapsed_s):
            self._scratch_bytes = work_bytes(self._table)
        told: dict[str, Any] = {
            "rss_bytes": psutil.Process().memory_info().rss,
            "peak_rss_bytes": peak_rss_bytes(),
            "scratch_bytes": self._scratch_bytes,
        }
        if new := progress.layer_boards[self._n_told :]:
            told["layer_boards"] = [self._n_told, *new]
            self._n_told += len(new)
        return told

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
    output: Output, title: str, switch: CancelSwitch, table: Path | None = None
) -> "Iterator[Callable[[Progress], None]]":
    """Yield a callback for the progress of long work; the progress line is removed at the end.

    It cancels the work if nobody reads the output any more: an OSError raised here would be taken
    for a problem of the builder's disk. `table` is the folder of a table with working files.
    """
    report = BuildReport(output, title, table)

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
    told = {field.name: getattr(progress, field.name) for field in fields(progress)}
    del told["layer_boards"]  # it grows; a line only has the new part
    return {"event": "progress", **rounded(told)}


def rounded(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with numbers rounded to four decimals."""
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
