"""Analyses of games in a child process: the command `analyze`, file after file.

Looking up rates runs in Python; in a thread of the window it would make the window stutter.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.platform.project_files import own_command
from gui.work.tasks import CommandProcess

if TYPE_CHECKING:
    from coach.analysis.events import AnalysisEvent

_FILES_A_CHILD = 40  # a command line has a limited length
_DONE, _REFUSED, _CANCELLED = 0, 2, 3


@dataclass(frozen=True)
class AnalysisRequest:
    """Games to analyze."""

    files: tuple[Path, ...]
    tables: tuple[Path, ...]  # the tables to query; () for all that are found
    folders: tuple[Path, ...]  # folders to search for tables besides the data folder
    out: Path  # where the reports go
    ms: float | None = None  # search time for each move that no table rates; None for no search
    # For the user's own games: moves that keep less than this share of the chance become drills;
    # None for games of others.
    mine_below: float | None = None

    def command(self) -> list[str]:
        words = [str(path.absolute()) for path in self.files]
        words += [word for table in self.tables for word in ("--table", str(table))]
        if self.folders and not self.tables:
            there = [str(folder) for folder in self.folders if os.path.isdir(folder)]
            words += ["--tables", *there] if there else []
        if self.ms is not None:
            words += ["--engine", "--ms", f"{self.ms:g}"]
        if self.mine_below is not None:
            words += ["--mine", "--threshold", repr(self.mine_below)]
        return own_command("analyze", *words, "--out", str(self.out), "--json", "--stdin-control")


class AnalysisRuns(QObject):
    """All analyses of this window: one file at a time, the others wait."""

    changed = Signal()  # files were added, one began, or all ended
    progressed = Signal(object, float)  # Path, float: a file and the share of it that is done
    analyzed = Signal(object)  # AnalyzedGame: a game that is analyzed
    kept = Signal(object)  # StoredGame: the mistakes and moves stored from the user's own game
    failed = Signal(object, str)  # Path, str: a file that could not be analyzed, and why
    ended = Signal(str)  # nothing is left to do; the error of the whole run, "" if none

    def __init__(
        self,
        command_of: Callable[[AnalysisRequest], Sequence[str]] = AnalysisRequest.command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._command_of = command_of
        self._process: CommandProcess | None = None
        self._requests: list[AnalysisRequest] = []
        self._waiting: list[Path] = []  # files without any event yet
        self._n_added = 0
        self.current: Path | None = None
        self.fraction = 0.0

    @property
    def is_running(self) -> bool:
        return self._process is not None

    @property
    def is_cancelling(self) -> bool:
        return self._process is not None and self._process.is_cancelling

    @property
    def waiting(self) -> tuple[Path, ...]:
        return tuple(path for path in self._waiting if path != self.current)

    @property
    def under_way(self) -> tuple[Path, ...]:
        return tuple(self._waiting)

    @property
    def done_and_all(self) -> tuple[int, int]:
        """The numbers of finished files and of all files since it was last idle."""
        return self._n_added - len(self._waiting), self._n_added

    def add(self, request: AnalysisRequest) -> None:
        files = [path for path in request.files if path not in self._waiting]
        if not files:
            return
        if not self.is_running:
            self._n_added = 0
        self._n_added += len(files)
        self._waiting += files
        for at in range(0, len(files), _FILES_A_CHILD):
            part = tuple(files[at : at + _FILES_A_CHILD])
            self._requests.append(replace(request, files=part))
        self._start_next()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop; the finished part of the current file is kept, the others are left alone."""
        self._requests.clear()
        if self._process:
            self._process.cancel()
            self.changed.emit()

    def close(self) -> None:
        self._requests.clear()
        if self._process:
            self._process.kill(2000)

    def _start_next(self) -> None:
        if self._process or not self._requests:
            return
        request = self._requests.pop(0)
        from coach.analysis.events import AnalysisEvent

        self._process = CommandProcess.started(
            self._command_of(request),
            AnalysisEvent,
            self._on_event,
            lambda status, why: self._on_end(request, status, why),
            self,
        )

    def _on_event(self, event: "AnalysisEvent") -> None:
        from coach.analysis import events

        match event:
            case events.AnalysisProgress(file=path, done=done, total=total) if total > 0:
                self.current, self.fraction = path, min(1.0, done / total)
                self.progressed.emit(path, self.fraction)
            case events.AnalyzedGame(file=path):
                self._leave(path)
                self.analyzed.emit(event)
                self.changed.emit()
            case events.StoredGame():
                self.kept.emit(event)
            case events.AnalysisFailure(file=path, message=message):
                self._leave(path)
                self.failed.emit(path, message)
                self.changed.emit()

    def _leave(self, path: Path) -> None:
        if path in self._waiting:
            self._waiting.remove(path)
        if path == self.current:
            self.current, self.fraction = None, 0.0

    def _on_end(self, request: AnalysisRequest, status: int, why: str) -> None:
        process, self._process = self._process, None
        if process:
            process.deleteLater()
        unheard = [path for path in request.files if path in self._waiting]
        for path in unheard:
            self._leave(path)
        # An error that concerns all files, such as no table, would be the same for the next ones.
        is_hopeless = status == _REFUSED and len(unheard) == len(request.files)
        if status == _CANCELLED or is_hopeless:
            self._requests.clear()
            self._waiting.clear()
        self._start_next()
        self.changed.emit()
        if not self.is_running:
            # Errors in single files have been reported with them.
            is_reported = status in (_DONE, _CANCELLED) or (status == _REFUSED and not unheard)
            self.ended.emit("" if is_reported else why)
        elif status not in (_DONE, _REFUSED):
            for path in unheard:
                self.failed.emit(path, why)
