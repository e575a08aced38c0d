"""Ctrl+C before the program has started: no traceback, and exit status 130 in a shell.

The imports of `engine.platform.interrupts` take 10 ms. `_signal` is a built-in part of the
interpreter, so importing it takes no time; nothing else may be imported here.
"""

import _signal  # type: ignore[import-not-found]


def end_at_once() -> None:
    """Let Ctrl+C end the program by the system's default action, unless it is ignored."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
