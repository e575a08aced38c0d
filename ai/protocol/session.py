"""One conversation with another program: a board, a search on a thread of its own, options.

A stopped search answers with its result so far. Anything that is not a command is answered by an
error and changes nothing.
"""

import gc
import logging
import os
import reprlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from ai.dispatch.thinker import Budget, Ply, Thinker
from ai.protocol.events import Event, best_move, info
from engine.formats.board_text import read_board
from engine.platform.errors import AppError
from engine.platform.language import mark, tr

MAX_NODES = 10**12
MAX_MS = 3_600_000
MAX_THREADS = 64
_LONE = ("stop", "options", "isready", "quit")  # commands without words
_logger = logging.getLogger(__name__)


class CommandError(AppError):
    """A line is not a command, or not one that can be executed now."""


class _Search:
    """A requested search, and whether it is still to go on."""

    def __init__(self, cells: Sequence[int], budget: Budget, is_ponder: bool) -> None:
        self.cells, self.budget, self.is_ponder = cells, budget, is_ponder
        self.is_silent = False  # its answer is not to be emitted
        self.is_over = False
        self.stopped = threading.Event()


class ProtocolSession:
    """Executes lines, and emits events from the thread on which they occur: one of two."""

    def __init__(
        self, folders: Sequence[Path], send: Callable[[Event], None], version: str
    ) -> None:
        self._default_folders = tuple(folders)
        self._folders, self._threads, self._spawn4 = self._default_folders, 2, 0.1
        self._send, self._version = send, version
        self._cells: tuple[int, ...] | None = None
        self._thinker: Thinker | None = None
        self._search: _Search | None = None
        self._done: Future[None] | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="engine")
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "board": self._set_board,
            "go": self._go,
            "stop": self._stop,
            "ponder": self._ponder,
            "option": self._set_option,
            "options": self._send_options,
            "isready": self._is_ready,
        }

    def greet(self) -> None:
        self._send({"event": "id", "name": "endgame2048", "version": self._version})
        self._send_options([])
        self._send({"event": "ok"})

    def obey(self, line: str) -> bool:
        """Execute a line; return False for quit."""
        words = line.split()
        if not words:
            return True
        if words == ["quit"]:
            return False
        try:
            command = self._commands.get(words[0])
            if len(words) > 1 and words[0] in _LONE:
                text = tr("{command} takes no arguments: send it alone", command=words[0])
                raise CommandError(text)
            if command is None:
                text = tr(
                    "{word} is not a command; expected one of {commands}",
                    word=reprlib.repr(words[0]),
                    commands=", ".join([*self._commands, "quit"]),
                )
                raise CommandError(text)
            command(words[1:])
        except AppError as error:
            self.refuse(error)
        return True

    def refuse(self, error: AppError) -> None:
        self._send({"event": "error", "message": " ".join(str(error).split())})

    def finish(self) -> None:
        """Let a limited search finish and answer, stop an unlimited one, and end the threads."""
        if self._search and self._search.budget == Budget():  # without a limit
            self._cancel()
        self._worker.shutdown()
        if self._thinker:
            self._thinker.close()

    def quit(self) -> None:
        self._cancel()
        self.finish()

    def _set_board(self, words: list[str]) -> None:
        self._cells = read_board(" ".join(words)).cells
        self._end_search()

    def _go(self, words: list[str]) -> None:
        self._begin(_budget_of(words), is_ponder=False)

    def _ponder(self, words: list[str]) -> None:
        if words:
            text = tr("ponder takes no arguments: it searches the board until stop or go")
            raise CommandError(text)
        self._begin(Budget(), is_ponder=True)

    def _stop(self, _words: list[str]) -> None:
        search = self._running()
        if not search or search.stopped.is_set():
            raise CommandError(tr("there is no search to stop"))
        self._cancel()

    def _set_option(self, words: list[str]) -> None:
        if len(words) < 2:
            raise CommandError(
                "expected a name and a value, such as: option {example}", example="spawn4 0.1"
            )
        search = self._running()
        if search and not search.is_ponder and not search.stopped.is_set():
            raise CommandError(tr("options can't change during a search: stop it first"))
        name, value = words[0], " ".join(words[1:])
        match name:
            case "tables":
                self._folders = _folders_of(value, self._default_folders)
            case "threads":
                self._threads = int(_number(name, value, 1, MAX_THREADS, whole=True))
            case "spawn4":
                self._spawn4 = _number(name, value, 0.001, 0.999)
            case _:
                text = mark("no option is called {name}; expected tables, threads or spawn4")
                raise CommandError(text, name=reprlib.repr(name))
        self._end_search()  # only now: a refused line changes nothing
        self._worker.submit(self._release)

    def _send_options(self, _words: list[str]) -> None:
        folders = os.pathsep.join(map(str, self._folders)) or "none"
        values = {"tables": folders, "threads": self._threads, "spawn4": self._spawn4}
        for name, value in values.items():
            self._send({"event": "option", "name": name, "value": value})

    def _is_ready(self, _words: list[str]) -> None:
        if self._running():
            self._send({"event": "readyok"})
        else:
            self._worker.submit(self._get_ready)

    def _begin(self, budget: Budget, is_ponder: bool) -> None:
        if self._cells is None:
            raise CommandError(tr("there is no board yet: send board and 16 hex digits first"))
        self._end_search()
        if self._running():
            raise CommandError(tr("a search is under way: wait for its bestmove, or send stop"))
        self._search = _Search(self._cells, budget, is_ponder)
        self._done = self._worker.submit(self._run, self._search)

    def _running(self) -> _Search | None:
        return self._search if self._search and not self._search.is_over else None

    def _end_search(self) -> None:
        """End pondering without an answer; wait for the answer of a search that was stopped."""
        if not self._search or not self._done:
            return
        if self._search.is_ponder and self._running() and not self._search.stopped.is_set():
            self._search.is_silent = True
            self._cancel()
        if self._search.stopped.is_set():
            self._done.result()

    def _cancel(self) -> None:
        if self._search:
            self._search.stopped.set()
            if self._thinker:
                self._thinker.stop()

    def _run(self, search: _Search) -> None:
        answer, result, is_cancelled = None, None, search.stopped.is_set
        try:
            thinker = self._ready_thinker()
            for result in thinker.think(search.cells, search.budget, is_cancelled):
                direction = result.decision.direction
                variation: Sequence[Ply] = ()
                if direction is not None:
                    variation = thinker.variation(search.cells, direction, is_cancelled)
                if not search.is_silent:
                    self._send(info(result, variation))
            answer = best_move(result) if result else None
            if search.is_ponder:  # its move would be taken for that of the next go
                search.stopped.wait()
        except AppError as error:
            self.refuse(error)
        except Exception as error:  # a bug must not look like a long search
            _logger.exception("a bug in a search")
            self.refuse(CommandError(f"{type(error).__name__}: {error}"))
        search.is_over = True  # before the answer is emitted: the next command may come at once
        if answer and not search.is_silent:
            self._send(answer)

    def _get_ready(self) -> None:
        try:
            self._ready_thinker()
        except AppError as error:
            self.refuse(error)
            return
        self._send({"event": "readyok"})

    def _ready_thinker(self) -> Thinker:
        if self._thinker is None:
            self._thinker = Thinker(self._folders, self._spawn4, self._threads)
            gc.freeze()  # collecting the compiler's garbage would delay an answer
        return self._thinker

    def _release(self) -> None:
        if self._thinker:
            self._thinker.close()
            self._thinker = None


def _budget_of(words: Sequence[str]) -> Budget:
    """Return the budget of ``go``: ``nodes N``, ``ms T``, or nothing for no limit."""
    match list(words):
        case []:
            return Budget()
        case ["nodes", value]:
            return Budget(nodes=int(_number("nodes", value, 1, MAX_NODES, whole=True)))
        case ["ms", value]:
            return Budget(ms=_number("ms", value, 0.1, MAX_MS))
    text = mark("{words}: expected go nodes N, go ms T, or go alone for no limit")
    raise CommandError(text, words=reprlib.repr(" ".join(["go", *words])))


def _number(name: str, text: str, least: float, most: float, whole: bool = False) -> float:
    try:
        value = int(text[:20]) if whole else float(text)
    except ValueError:
        value = most + 1
    if len(text) > 20 or not least <= value <= most:
        message = mark("{name} is {value}; expected a number from {least:.12g} to {most:.12g}")
        raise CommandError(message, name=name, value=reprlib.repr(text), least=least, most=most)
    return value


def _folders_of(text: str, default: Sequence[Path]) -> tuple[Path, ...]:
    if text == "none":
        return ()
    if text == "default":
        return tuple(default)
    folders = tuple(Path(name) for name in text.split(os.pathsep) if name)
    for folder in folders:
        if not _is_folder(folder):
            message = mark(
                "{folder} is not a folder: expected one with tables, several joined by "
                "{sign!r}, none, or default"
            )
            raise CommandError(message, folder=reprlib.repr(str(folder)), sign=os.pathsep)
    return folders


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
