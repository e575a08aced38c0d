"""Ctrl+C and a request to end, from the program's first moment on: no traceback, status 3.

While the program is loading they end it at once. From then on they raise KeyboardInterrupt, which a
command turns into the same message and status; `engine.platform.cli.control` handles commands
whose work can be stopped halfway.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_CANCELLED = 3
_NUMBERS = (signal.SIGINT, signal.SIGTERM)
_USUAL = (signal.SIG_DFL, signal.default_int_handler)


def end_while_loading() -> None:
    """Let a signal end the program quietly until `raising_interrupts`, except ignored signals."""
    for number in _NUMBERS:
        if signal.getsignal(number) in _USUAL:
            signal.signal(number, _end)


@contextmanager
def raising_interrupts() -> Iterator[None]:
    """Let the signals raise KeyboardInterrupt in the main thread; ignored ones stay ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers
        return
    before = {number: signal.getsignal(number) for number in _NUMBERS}
    try:
        for number, handler in before.items():
            if handler in (*_USUAL, _end):
                signal.signal(number, signal.default_int_handler)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError):  # nobody reads stderr
        os.write(2, b"canceled\n")  # not translated: nothing is loaded yet
    os._exit(_CANCELLED)
