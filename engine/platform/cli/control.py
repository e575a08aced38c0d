"""Stopping long work from outside: Ctrl+C, a termination request, or a line on stdin."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from engine.platform.language import tr

_STDIN = 0


def add_stdin_control(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdin-control",
        action="store_true",
        help=tr("cancel when a line 'cancel' arrives on stdin, or when stdin closes"),
    )


class CancelSwitch:
    """A switch to cancel work, from any thread; cancelling twice does no harm."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    def is_cancelled(self) -> bool:
        return self._event.is_set()


@contextmanager
def cancellable(listen_to_stdin: bool = False) -> Iterator[CancelSwitch]:
    """Enter it before slow imports: a KeyboardInterrupt inside numba's may be lost."""
    switch = CancelSwitch()
    before = _handle_signals(switch)
    if listen_to_stdin:
        threading.Thread(target=_listen, args=(switch,), daemon=True, name="stdin").start()
    try:
        yield switch
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _handle_signals(switch: CancelSwitch) -> dict[int, Any]:
    if threading.current_thread() is not threading.main_thread():
        return {}  # only the main thread may set handlers; other threads have other means

    def cancel(number: int, frame: FrameType | None) -> None:
        if switch.is_cancelled():
            signal.default_int_handler(number, frame)
        switch.cancel()

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    return {number: signal.signal(number, cancel) for number in numbers}


def _listen(switch: CancelSwitch) -> None:
    """Reads without Python's buffer: holding its lock while the program ends would abort it."""
    pending = b""
    while not switch.is_cancelled():
        try:
            data = os.read(_STDIN, 4096)
        except OSError:
            data = b""
        *lines, pending = (pending + data).split(b"\n")
        if not data or any(line.strip() == b"cancel" for line in lines):
            switch.cancel()
