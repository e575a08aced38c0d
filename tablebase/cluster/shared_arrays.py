"""Arrays in the memory that all processes of a machine share, which nobody may write to."""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def writable(array: _Array) -> _Array:
    """Return an array in shared memory as one that could be written to, which nobody does.

    Kernels would be compiled once more for arrays of the other kind.
    """
    if array.flags.writeable or not array.size:
        return array.copy() if not array.flags.writeable else array
    view = _View(array)
    found: _Array = np.asarray(view)  # type: ignore[assignment]
    return found


class _View:
    """An array's memory without the mark that it must not be written to."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array  # lives as long as what is made of this
        place, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (place, False)}
