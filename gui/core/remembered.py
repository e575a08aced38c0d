"""A value that a page remembers as an attribute of the page's memory: read, checked, written."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar, overload

from gui.core.kept_values import KeptValues
from gui.core.settings import Settings

T = TypeVar("T")


class Memory(Protocol):
    """What knows where the values are kept."""

    settings: Settings


class Remembered(Generic[T]):
    """An attribute whose value is a setting, or a part of the state.

    Parameters
    ----------
    name : str
        Of the setting, or of the part of the state.
    read : callable
        Makes the attribute's value of the kept one.
    write : callable, optional
        Makes the kept value of the attribute's; the same value without it.
    in_state : bool
        Whether it is part of the state: what nobody chose.
    """

    def __init__(
        self,
        name: str,
        read: Callable[[Any], T],
        write: Callable[[T], Any] = lambda value: value,
        in_state: bool = False,
    ) -> None:
        self._name, self._read, self._write, self._in_state = name, read, write, in_state

    @overload
    def __get__(self, memory: None, owner: type) -> Self: ...
    @overload
    def __get__(self, memory: Memory, owner: type) -> T: ...
    def __get__(self, memory: Memory | None, owner: type) -> Self | T:
        if memory is None:
            return self
        return self._read(self._where(memory).get(self._name))

    def __set__(self, memory: Memory, value: T) -> None:
        self._where(memory).set(self._name, self._write(value))

    def _where(self, memory: Memory) -> KeptValues:
        return memory.settings.state if self._in_state else memory.settings
