"""One window per data folder: a second start shows the existing window.

DATA/window.lock is held by the process of the window for as long as it lives. It also listens on a
socket, which only its own user may connect to: a second start sends its request as one line of
JSON, and ends once it gets the answer ``ok``.
"""

import hashlib
import json
import logging
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from engine.platform.errors import AppError
from engine.platform.files.file_lock import FileLock
from engine.platform.language import mark, tr
from engine.platform.user_folders import WINDOW_LOCK

LOCK_NAME = WINDOW_LOCK
_VERSION = 1
_OK = b"ok\n"
_MAX_BYTES = 1 << 16
_POLL_S = 0.1
_MAX_SOCKET_LENGTH = 100  # bytes of a path; systems allow 104 or 108
_OUT_OF_REACH = mark(
    "{window} has {folder} open and cannot be reached: close it, or end that process, "
    "and start again"
)
_SILENT = mark(
    "{window} has {folder} open and does not answer: close it, or end that process, and start again"
)
_log = logging.getLogger(__name__)


class WindowBusyError(AppError):
    """The window that owns the data folder does not answer."""


@dataclass(frozen=True)
class OpenRequest:
    """A request to show something in the window."""

    table: Path | None = None  # a table to open in Practice
    parts: tuple[Path, ...] = ()  # further folders with layers of it
    page: str = ""  # the title of a page; "" for the current one
    file: Path | None = None  # a recorded game to open in Review

    def to_line(self, token: str = "") -> bytes:
        """Return the request as a line of JSON, with the desktop's activation token."""
        data = {
            "version": _VERSION,
            "table": str(self.table.absolute()) if self.table else "",
            "parts": [str(part.absolute()) for part in self.parts],
            "page": self.page,
            "file": str(self.file.absolute()) if self.file else "",
            "activation_token": token,
        }
        return json.dumps(data).encode("ascii") + b"\n"


def _request_of(line: bytes) -> tuple[OpenRequest, str]:
    """Return the request in a line, and the token; raise ValueError if it is invalid."""
    data = json.loads(line)
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        raise ValueError("expected version 1")  # no text
    parts = data.get("parts")
    texts = [data.get("table"), data.get("page"), data.get("activation_token")]
    texts.append(data.get("file", ""))  # unknown to versions before
    texts += parts if isinstance(parts, list) else [None]
    if not all(isinstance(text, str) and "\0" not in text for text in texts):
        raise ValueError("expected texts")  # no text
    table, page, token, file, *others = map(str, texts)
    table_path, file_path = (Path(text) if text else None for text in (table, file))
    return OpenRequest(table_path, tuple(map(Path, others)), page, file_path), token


class SingleWindow(QObject):
    """The claim of this process to be the window of a data folder; needs a QApplication.

    An existing window may take `answer_s` to answer, and not be listening for `quiet_s`, while
    starting or ending.
    """

    asked = Signal(object)

    def __init__(self, data_dir: Path, answer_s: float = 5.0, quiet_s: float = 30.0) -> None:
        super().__init__()
        self._data_dir, self._answer_s, self._quiet_s = data_dir, answer_s, quiet_s
        self._lock = FileLock(data_dir / LOCK_NAME)
        self._has_locks = True
        self._server: QLocalServer | None = None

    def claim(self, request: OpenRequest) -> bool:
        """Return whether this process is the window now; if not, another one got the request.

        Raises WindowBusyError if another process is the window and does not answer.
        """
        until = time.monotonic() + self._quiet_s
        while not self._takes_lock():
            if self._can_hand_over(request):
                return False
            if not self._has_locks:
                break  # and nobody listens: there is no other window that we could know of
            if time.monotonic() > until:
                raise self._busy(_OUT_OF_REACH)
            time.sleep(_POLL_S)
        return True

    def listen(self) -> None:
        """Accept requests from now on: the window can show them."""
        name = _socket_names(self._data_dir)[0]
        QLocalServer.removeServer(name)  # of a process that was killed: the lock is ours
        self._server = server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._welcome)
        if not server.listen(name):
            _log.warning("cannot listen on %s: %s", name, server.errorString())

    def stop_listening(self) -> None:
        """Stop accepting requests: the window is closing, and another start may wait for that."""
        if self._server:
            self._server.close()
        self._server = None

    def release(self) -> None:
        """Let another process be the window; safe to call twice."""
        self.stop_listening()
        self._lock.release()

    def _takes_lock(self) -> bool:
        try:
            self._data_dir.mkdir(parents=True, exist_ok=True)
            return self._lock.take()
        except OSError as error:  # read-only, or a drive without locks
            _log.warning("no lock on %s: %s", self._data_dir, error)
            self._has_locks = False
            return False

    def _welcome(self) -> None:
        while self._server and (connection := self._server.nextPendingConnection()):
            connection.setReadBufferSize(_MAX_BYTES)
            connection.disconnected.connect(connection.deleteLater)
            connection.readyRead.connect(partial(self._read, connection))
            self._read(connection)

    def _read(self, connection: QLocalSocket) -> None:
        if not connection.canReadLine():
            if connection.bytesAvailable() >= _MAX_BYTES:
                connection.abort()
            return
        try:
            request, token = _request_of(bytes(connection.readLine().data()))
        except (ValueError, RecursionError) as error:
            _log.warning("not a request: %s", error)
            connection.abort()
            return
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt shows it when it raises the window
        self.asked.emit(request)
        connection.write(_OK)
        connection.disconnectFromServer()  # once all is written

    def _can_hand_over(self, request: OpenRequest) -> bool:
        """Send a request to the existing window, and return whether it was listening."""
        connection = QLocalSocket()
        for name in filter(_is_ours, _socket_names(self._data_dir)):
            connection.connectToServer(name)
            if connection.waitForConnected(int(self._answer_s * 1000)):
                return self._is_taken(connection, request)
        return False

    def _is_taken(self, connection: QLocalSocket, request: OpenRequest) -> bool:
        _allow_to_come_forward()
        connection.write(request.to_line(os.environ.get("XDG_ACTIVATION_TOKEN", "")))
        connection.flush()
        until, answer = time.monotonic() + self._answer_s, b""
        while not answer.endswith(b"\n"):
            left_ms = int((until - time.monotonic()) * 1000)
            if left_ms <= 0:
                raise self._busy(_SILENT)
            if not connection.waitForReadyRead(left_ms) and not connection.bytesAvailable():
                if connection.state() == QLocalSocket.LocalSocketState.UnconnectedState:
                    return False  # it has just closed
                continue
            answer += connection.readAll().data()
        return answer == _OK

    def _busy(self, what: str) -> WindowBusyError:
        owner = ""
        with suppress(OSError), self._lock.path.open("rb") as file:
            text = file.read(20).strip()
            owner = str(int(text)) if text.isdigit() else ""
        window = tr("a window (process {process})", process=owner) if owner else tr("a window")
        return WindowBusyError(what, window=window, folder=self._data_dir)


def _socket_names(data_dir: Path) -> list[str]:
    """Return the possible socket names of a data folder, independent of the path to it.

    A window listens at the first of them. A start from another environment, such as a remote
    connection, may know fewer folders and find it at a later one.
    """
    where: tuple[Any, ...] = (str(data_dir.resolve()),)
    with suppress(OSError):
        found = data_dir.stat()
        where = found.st_dev, found.st_ino
    user = _user()
    digest = hashlib.sha256(repr((*where, user)).encode()).hexdigest()[:20]
    name = f"endgame2048-{digest}"
    if os.name == "nt":
        return [name]  # a pipe has no folder
    run = f"/run/user/{user}"  # no text
    folders = (os.environ.get("XDG_RUNTIME_DIR", ""), run, tempfile.gettempdir())
    paths = [os.path.join(folder, name) for folder in folders if os.access(folder, os.W_OK)]
    return [path for path in paths if len(os.fsencode(path)) <= _MAX_SOCKET_LENGTH] or [name]


def _is_ours(name: str) -> bool:
    """Return whether a socket exists that no other user can have created."""
    if os.name == "nt":
        return True  # checked by connecting, which Windows only allows to its user
    try:
        return os.stat(name).st_uid == _user()
    except OSError:
        return False


def _user() -> int | str:
    ask: Callable[[], int] | None = getattr(os, "getuid", None)
    return ask() if ask else os.environ.get("USERNAME", "")


def _allow_to_come_forward() -> None:
    """Allow the other process to raise its window, as Windows requires."""
    import ctypes

    if library := getattr(ctypes, "windll", None):
        any_process = -1
        library.user32.AllowSetForegroundWindow(any_process)
