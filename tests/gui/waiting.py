"""Letting time pass in a test of the window."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

PATIENCE_MS = 300_000


class PatientBot(QtBot):
    """Waits longer than for five seconds, which a busy machine may need to compile a kernel."""

    def waitUntil(self, callback: Callable[[], bool | None], **options: Any) -> None:  # noqa: N802
        super().waitUntil(callback, **{"timeout": PATIENCE_MS, **options})

    def waitSignal(self, signal: Any, **options: Any) -> Any:  # noqa: N802
        return super().waitSignal(signal, **{"timeout": PATIENCE_MS, **options})

    def waitSignals(self, signals: list[Any], **options: Any) -> Any:  # noqa: N802
        return super().waitSignals(signals, **{"timeout": PATIENCE_MS, **options})

    def waitExposed(self, widget: QWidget, **options: Any) -> Any:  # noqa: N802
        return super().waitExposed(widget, **{"timeout": PATIENCE_MS, **options})


def rest(ms: int) -> None:
    """Let the window and its workers run for a while.

    Unlike `QTest.qWait`, which keeps Python's lock: workers get it only between two calls, and a
    second of work then takes a minute.
    """
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()
