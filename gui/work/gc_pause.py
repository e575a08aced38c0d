"""Loading large modules without freezing the window. No Qt.

Python's garbage collector scans all objects while every thread waits. With the compiler loaded that
takes a quarter of a second, several times during loading and now and then afterward.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause garbage collection while loading something permanent, and exempt it afterward."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
