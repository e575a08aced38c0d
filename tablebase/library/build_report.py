"""The progress of a build: JSON lines for programs, one line that rewrites itself for people."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.cli.console import Output
from engine.platform.cli.control import CancelSwitch
from engine.platform.cli.status_line import StatusLine, Ticker, bar
from engine.platform.language import listed, mark, tr
from engine.platform.quantities import bytes_text, count_text, span_text

if TYPE_CHECKING:
    from tablebase.build.progress import Progress
    from tablebase.events import LayerProgress

_SCRATCH_S = 5.0  # there may be thousands of working files to look at
_DOING = {
    "expand": mark("expanding"),
    "solve": mark("solving"),
    "thin": mark("thinning"),
    "finish": mark("finishing"),
    "convert": mark("converting"),
    "relocate": mark("moving"),
    "import": mark("importing"),
}


class BuildReport:
    """Reports the progress of a build: `tablebase.events.LayerProgress`, or a line for people."""

    def __init__(self, output: Output, title: str, table: Path | None = None) -> None:
        self._output, self._title, self._table = output, title, table
        self._ticker, self._scratch_ticker = Ticker(0.5), Ticker(_SCRATCH_S)
        self._line = StatusLine()
        self._n_known = self._scratch_bytes = 0

    def show(self, progress: "Progress") -> None:
        if not self._output.is_json:
            self._line.show(progress.phase, self._text(progress))
        elif self._ticker.is_due(progress.phase, progress.elapsed_s):
            self._output.emit(self._event(progress))

    def _event(self, progress: "Progress") -> "LayerProgress":
        import psutil

        from tablebase.build.progress import peak_rss_bytes
        from tablebase.events import LayerProgress
        from tablebase.store.work_folder import work_bytes

        if self._table and self._scratch_ticker.is_due(progress.phase, progress.elapsed_s):
            self._scratch_bytes = work_bytes(self._table)
        fields = rounded(vars(progress))
        del fields["layer_boards"]  # it grows; a line only has the new part
        first, new = self._n_known, progress.layer_boards[self._n_known :]
        self._n_known += len(new)
        return LayerProgress(
            **fields,
            rss_bytes=psutil.Process().memory_info().rss,
            peak_rss_bytes=peak_rss_bytes(),
            scratch_bytes=self._scratch_bytes,
            layer_boards=(first, *new) if new else (),
        )

    def clear(self) -> None:
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


@contextmanager
def counted(
    output: Output, switch: CancelSwitch, text: str, table: str, interval_s: float
) -> "Iterator[Callable[[int, int], None]]":
    """Yield a callback that shows `text` with a bar; like `reported`, it may cancel the work."""
    from engine.platform.events import Progress

    ticker, line = Ticker(interval_s), StatusLine()

    def show(done: int, total: int) -> None:
        try:
            if not output.is_json:
                line.show("", tr(text, table=table, bar=bar(done / max(total, 1))))
            elif ticker.is_due("", time.monotonic()):
                output.emit(Progress(done, total))
        except OSError:
            switch.cancel()

    try:
        yield show
    finally:
        line.clear()


def rounded(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in fields.items()
    }
