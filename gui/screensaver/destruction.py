"""Notices on an X server that a window of ours was taken away together with the one it is in."""

import ctypes
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter

_DESTROY_NOTIFY, _TYPE_BITS = 17, 0x7F


class DestructionWatch(QAbstractNativeEventFilter):
    """Looks through the events of the X server, which Qt keeps to itself.

    Parameters
    ----------
    window : int
        The number of a window of this program.
    gone : callable
        Called when it is gone.
    """

    def __init__(self, window: int, gone: Callable[[], object]) -> None:
        super().__init__()
        self._window, self._gone = window, gone

    def nativeEventFilter(self, kind: Any, message: Any) -> tuple[bool, int]:  # noqa: N802
        """Look at an event and let it pass: type, sequence; where it is told; which window."""
        if bytes(kind) == b"xcb_generic_event_t":
            event = (ctypes.c_uint32 * 3).from_address(int(message))
            if event[0] & _TYPE_BITS == _DESTROY_NOTIFY and event[2] == self._window:
                self._gone()
        return False, 0
