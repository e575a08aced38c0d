"""A descriptor for values that a page remembers: read, checked and written."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar, overload

from gui.settings_model.json_values import JsonValues
from gui.settings_model.settings import Settings

T = TypeVar("T")


class Memory(Protocol):
    """An owner of the stores for the values."""

    settings: Settings


class Remembered(Generic[T]):
    """An attribute stored as a setting or as part of the state."""

    def __init__(
        self,
        name: str,  # name of the setting, or of the part of the state
        read: Callable[[Any], T],  # converts the stored value to the attribute's
        write: Callable[[T], Any] = lambda value: value,
        in_state: bool = False,  # whether it is part of the state, which is not chosen by the user
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

    def _where(self, memory: Memory) -> JsonValues:
        return memory.settings.state if self._in_state else memory.settings
