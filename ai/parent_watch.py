"""Ending worker processes with the process that started them, however that ended."""

import os
import threading

CANCELLED = 3  # the exit status


def end_with_parent() -> None:
    """End this process as soon as its parent is gone, for example killed without notice.

    For processes started by `multiprocessing`; others are left alone.
    """
    import multiprocessing.connection  # slow to import, and --help needs the rest of this module

    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        multiprocessing.connection.wait([sentinel])
        os._exit(CANCELLED)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
