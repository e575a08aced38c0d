"""Sparing the garbage collector what lives as long as the program.

A full collection looks at every object there is: with all libraries loaded that takes longer than
three frames, in the middle of typing. What was loaded by the time the first table is open stays, so
it need never be looked at again.
"""

import gc
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
K = TypeVar("K")


class FreezeOnce(Generic[K, T]):
    """Calls another function; after its first success all objects count as long-lived.

    Parameters
    ----------
    function : callable
        May run on any thread.
    collect, freeze : callable
        What is done then: throw away what is garbage, then set the rest apart.
    """

    def __init__(
        self,
        function: Callable[[K], T],
        collect: Callable[[], object] = gc.collect,
        freeze: Callable[[], object] = gc.freeze,
    ) -> None:
        self._function, self._collect, self._freeze = function, collect, freeze
        self._is_done = False

    def __call__(self, argument: K) -> T:
        """Call the function."""
        result = self._function(argument)
        if not self._is_done:
            self._is_done = True
            self._collect()
            self._freeze()
        return result
