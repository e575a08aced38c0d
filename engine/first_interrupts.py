"""Ctrl+C before there is anything to end: no traceback, and what a shell calls status 130.

What `engine.interrupts` imports takes a hundredth of a second. `_signal` is a part of the
interpreter that is loaded with it, so this takes no time; nothing else may be imported here.
"""

import _signal  # type: ignore[import-not-found]


def end_at_once() -> None:
    """Let Ctrl+C end the program as it ends those that know nothing of it, unless it is ignored."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
