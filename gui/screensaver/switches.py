"""The arguments that Windows passes to a screen saver: ``/s``, ``/p HWND``, ``/c``. No Qt.

See "Handling Screen Savers" in the Windows documentation. The switches come as upper or lower case,
after a slash or a hyphen, the window's number after a space or a colon; a file that ends in
``.scr`` and is opened without any should show its settings.
"""

import re
from collections.abc import Sequence

_SWITCH = re.compile(r"[/-]([scp])(?::([0-9]+))?", re.IGNORECASE)
_SAVER, _PREVIEW, _SETTINGS = "--screensaver", "--preview", "--settings"


def plain_arguments(arguments: Sequence[str], program: str = "") -> list[str]:
    """Return the arguments with the switches of Windows replaced by ours; others are unchanged.

    >>> plain_arguments(["/p:1234"])
    ['--screensaver', '--preview', '1234']
    """
    if not arguments:
        return [_SETTINGS] if program.lower().endswith(".scr") else []
    first, *rest = arguments
    match = _SWITCH.fullmatch(first)
    if match is None:
        return list(arguments)
    letter, window = match[1].lower(), match[2]
    if letter == "s":
        return [_SAVER, *rest]
    if letter == "p":
        return [_SAVER, _PREVIEW, *([window] if window else []), *rest]
    # The number after /c is the parent window: ours is independent.
    return [_SETTINGS, *(rest if window else [word for word in rest if not word.isdecimal()])]
