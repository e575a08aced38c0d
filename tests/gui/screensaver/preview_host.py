"""A program that lends a window to the preview of the screen saver, as the settings of a system do.

    python -m tests.gui.screensaver.preview_host DATA

makes a window, starts the screen saver in it, makes the window larger, takes it away; prints the
sizes of both and how the screen saver ended, as one JSON object. Needs an X server.
"""

import json
import re
import subprocess
import sys
import time

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget

from engine.platform.project_files import own_command
from tests.gui.waiting import rest

_SIZE = re.compile(r'"Screen saver".* (\d+)x(\d+)\+')
_PATIENCE_S = 40


def size_of_saver(number: int) -> list[int]:
    """Return the size of the screen saver in a window, by the X server; [] when there is none."""
    command = ["xwininfo", "-id", str(number), "-tree"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = _SIZE.search(told)
    return [int(side) for side in found.groups()] if found else []


def wait_for(number: int, size: QSize) -> list[int]:
    """Wait until the screen saver has a size, and return the one it has in the end."""
    end = time.monotonic() + _PATIENCE_S
    while size_of_saver(number) != [size.width(), size.height()] and time.monotonic() < end:
        rest(200)
    return size_of_saver(number)


def main() -> None:
    app = QApplication(sys.argv)
    app.setQuitOnLastWindowClosed(False)
    host = QWidget()
    host.resize(500, 400)
    host.show()
    number = int(host.winId())
    arguments = ["--screensaver", "--preview", str(number), "--data-dir", sys.argv[1]]
    saver = subprocess.Popen(own_command(*arguments))
    found = {"at first": wait_for(number, host.size())}
    host.resize(700, 450)
    found["enlarged"] = wait_for(number, host.size())
    host.destroy()
    end = time.monotonic() + _PATIENCE_S
    while saver.poll() is None and time.monotonic() < end:
        rest(200)
    found["status"] = saver.poll()
    if saver.poll() is None:
        saver.kill()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
