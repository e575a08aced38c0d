"""Loading what is large without the window standing still. No Qt.

Python's collector of garbage looks through all objects there are while every thread waits. With the
compiler loaded that takes a quarter of a second, several times while it loads and now and then ever
after.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Load something large that stays: nothing is collected meanwhile, nor looked through again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
