"""Letting time pass in a test of the window."""

from PySide6.QtCore import QEventLoop, QTimer


def rest(ms: int) -> None:
    """Let the window and its workers go on for a while.

    Unlike `QTest.qWait`, which keeps Python's lock: workers get it between two calls only, and what
    takes a second then takes a minute.
    """
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()
