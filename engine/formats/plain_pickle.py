"""Pickles that hold plain data, read without running anything that they name.

An ordinary unpickler runs any code that a pickle names. This is the only file of the program that
may import `pickle` for data from outside, and its unpickler knows no code at all: the few names
that numpy's numbers need are mapped to functions of this file, any other name is refused, and so
are all instructions that make objects in other ways.

It is based on Python's unpickler in Python, not the one in C: a few bytes make that fill all memory
with an empty index, or build a tuple so deep that taking its hash ends the process.
"""

import io
import pickle
import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn

from engine.platform.language import mark, tr

_STRUCTS = {"u8": "Q", "i8": "q", "u4": "I", "i4": "i", "f8": "d", "f4": "f", "b1": "?"}
_ALLOWED = (
    *("PROTO", "FRAME", "STOP", "MARK", "POP", "POP_MARK", "DUP", "NONE", "NEWTRUE", "NEWFALSE"),
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
    *("STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
    *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
    *("EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "EMPTY_LIST", "LIST", "APPEND"),
    *("APPENDS", "EMPTY_DICT", "DICT", "SETITEM", "SETITEMS"),
    *("GET", "BINGET", "LONG_BINGET", "PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"),
    *("GLOBAL", "STACK_GLOBAL", "REDUCE", "BUILD"),
)
# Huge numbers can have equal hashes, and the hash of a tuple recurses into it.
_LOOKED_AT = {"LONG", "LONG1", "LONG4", "INT", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3"}


class PlainPickleError(ValueError):
    """A pickle is damaged or holds more than plain data; the message is the reason alone."""


class UnreadArray:
    """A placeholder for an array, which is not plain data but harmless: its data are dropped."""

    def __setstate__(self, _state: object) -> None:
        """Drop the data of the array."""


def load_plain(data: bytes) -> object:
    """Return the content of a pickle: numbers, texts, bytes, tuples, lists, dicts, `UnreadArray`.

    The caller bounds the size of the data: the result is larger, at most about fifty times.
    PlainPickleError: it is damaged, or names something else.
    """
    try:
        return _PlainUnpickler(io.BytesIO(data)).load()
    except Exception as error:  # damaged instructions may raise anything
        raise PlainPickleError(str(error) or type(error).__name__) from error


def kind_text(value: object) -> str:
    return tr(_KINDS.get(type(value), _OTHER))


_KINDS: Mapping[type, str] = MappingProxyType(
    {
        int: mark("a number"),
        float: mark("a number"),
        bool: mark("yes or no"),
        str: mark("a text"),
        list: mark("a list"),
        tuple: mark("a tuple"),
        dict: mark("a dictionary"),
        bytes: mark("bytes"),
        UnreadArray: mark("an array"),
    }
)
_OTHER = mark("something else")


class _Dtype:
    """A stand-in for numpy.dtype that remembers the kind of number."""

    def __init__(self, code: object, *_flags: object) -> None:
        self.code = str(code)
        self.order = "<"

    def __setstate__(self, state: object) -> None:
        if isinstance(state, tuple) and len(state) > 1 and state[1] == ">":
            self.order = ">"


class _Named:
    """A stand-in for a function that a pickle may name; unlike a function it is immutable."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function

    def __call__(self, *arguments: object) -> object:
        return self._function(*arguments)

    def __setstate__(self, _state: object) -> NoReturn:
        raise pickle.UnpicklingError(tr("it changes what it names"))


def _scalar(dtype: object, data: object) -> int | float:
    if not isinstance(dtype, _Dtype) or dtype.code not in _STRUCTS or not isinstance(data, bytes):
        raise pickle.UnpicklingError(tr("it holds a number of an unknown kind"))
    value: int | float = struct.unpack(dtype.order + _STRUCTS[dtype.code], data)[0]
    return value


def _encode(text: object, encoding: object) -> bytes:
    if not isinstance(text, str) or encoding != "latin1":
        raise pickle.UnpicklingError(tr("it holds bytes of an unknown kind"))
    return text.encode("latin1")


def _array(*_parts: object) -> UnreadArray:
    return UnreadArray()


def _dictionary(*_parts: object) -> dict[object, object]:
    return {}


_KNOWN = MappingProxyType(
    {
        ("_codecs", "encode"): _Named(_encode),
        ("collections", "OrderedDict"): _Named(_dictionary),
        ("numpy", "dtype"): _Named(_Dtype),
        ("numpy", "ndarray"): _Named(_array),
        **{
            (module, name): _Named(function)
            for module in ("numpy.core.multiarray", "numpy._core.multiarray")
            for name, function in (("scalar", _scalar), ("_reconstruct", _array))
        },
    }
)


class _PlainUnpickler(pickle._Unpickler):
    """Makes numbers, texts, tuples, lists and dictionaries, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        plain_class = _KNOWN.get((module, name))
        if plain_class is None:
            text = mark("it names {module}.{name}, which is not plain data")
            raise pickle.UnpicklingError(tr(text, module=module, name=name))
        return plain_class


def _checked(instruction: str) -> "_Instruction":
    done: _Instruction = pickle._Unpickler.dispatch[getattr(pickle, instruction)[0]]

    def do(unpickler: Any) -> None:
        done(unpickler)
        made = unpickler.stack[-1]
        is_plain = abs(made) <= 1 << 64 if isinstance(made, int) else _depth(made) <= 4
        if not is_plain:
            raise pickle.UnpicklingError(tr("it holds something that no program writes"))

    return do if instruction in _LOOKED_AT else done


def _depth(value: object) -> int:
    """The inner ones were checked before."""
    return 1 + max(map(_depth, value), default=0) if isinstance(value, tuple) else 0


_Instruction = Callable[[Any], None]
_PlainUnpickler.dispatch = {getattr(pickle, name)[0]: _checked(name) for name in _ALLOWED}
