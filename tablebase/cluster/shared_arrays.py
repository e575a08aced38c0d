"""Arrays in memory shared by all processes of a machine, which must not be written to."""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def writable(array: _Array) -> _Array:
    """Mark an array as writable, though it isn't: kernels need not be compiled once more."""
    if array.flags.writeable or not array.size:
        return array.copy() if not array.flags.writeable else array
    view = _View(array)
    same: _Array = np.asarray(view)  # type: ignore[assignment]
    return same


class _View:
    """An array's memory without the read-only flag."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array  # lives as long as arrays made from it
        place, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (place, False)}
