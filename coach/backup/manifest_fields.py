"""The fields of ``backup.json``; apart from `manifest`, because msgspec takes 10 ms to load."""

from typing import Annotated

from msgspec import Meta, Struct

from engine.platform.language import mark

_Path = Annotated[str, Meta(max_length=1000)]
_Text = Annotated[str, Meta(max_length=10_000)]
_Size = Annotated[int, Meta(ge=0, le=1 << 62)]
_Digest = Annotated[
    str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description=mark("64 hexadecimal digits"))
]


class FileFields(Struct, frozen=True):
    """A file."""

    path: _Path
    size: _Size
    blake2b: _Digest


class TableFields(Struct, frozen=True):
    """A table that existed."""

    name: _Text
    folder: _Text
    state: _Text
    bytes: _Size


class ManifestFields(Struct, frozen=True):
    """The whole manifest; see `manifest.Manifest` for the fields."""

    made: Annotated[str, Meta(max_length=40)]
    program: Annotated[str, Meta(max_length=100)]
    covers: Annotated[list[_Path], Meta(max_length=1000)]
    files: Annotated[list[FileFields], Meta(max_length=200_000)]
    tables: Annotated[list[TableFields], Meta(max_length=100_000)] = []
