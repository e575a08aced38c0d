"""Defects of Qt for Python that we have to live with, each with the versions that have it."""

import ctypes
import sys

import PySide6

_PLENTY = 1 << 30


def keep_true_alive() -> None:
    """Keep the program from being aborted after a few hundred signals.

    In PySide6 6.12.0 each `Signal.emit()` drops a reference to `True` that it does not own. Before
    Python 3.12 made `True` immortal, the last one goes after about 570 signals, and the
    interpreter stops with "deallocating True or False". 6.11.3 does not have the defect. So
    references are added that nobody needs; calling this again does no harm.
    """
    if PySide6.__version_info__[:3] != (6, 12, 0) or sys.version_info >= (3, 12):
        return
    count = ctypes.c_ssize_t.from_address(id(True))  # the first field of an object
    if 0 <= count.value - sys.getrefcount(True) + 2 <= 4 and count.value < _PLENTY:
        count.value += _PLENTY
