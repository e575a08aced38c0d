"""Tables on several drives: folders stand for the drives, and are taken away by renaming them."""

import builtins
import errno
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablebase.maintain.relocate import RelocatePlan, RelocateResult, relocate
from tablebase.probe.reader import Tablebase


def layers_in(folder: Path) -> list[int]:
    return sorted(int(path.stem.removeprefix("layer-")) for path in folder.glob("layer-*.tbl"))


def split_by_hand(original: Path, home: Path, part: Path, layers: range) -> None:
    """Copy a table so that some layers lie in `part`, which nothing refers to yet."""
    shutil.copytree(original, home)
    part.mkdir(parents=True, exist_ok=True)
    for layer in layers:
        name = f"layer-{layer:04d}.tbl"
        os.replace(home / name, part / name)


@contextmanager
def detached(drive: Path) -> Iterator[None]:
    """Take a drive away and bring it back."""
    away = drive.with_name(drive.name + ".away")
    drive.rename(away)
    try:
        yield
    finally:
        away.rename(drive)


@contextmanager
def read_only(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> Iterator[list[str]]:
    """Let everything below `folders` be on read-only drives; yields what was tried to write there.

    Permissions would not stop root, under whom tests may run.
    """
    tried: list[str] = []

    def refuse(path: Any) -> None:
        text = os.path.abspath(os.fsdecode(path))
        if any(text.startswith(str(folder)) for folder in folders):
            tried.append(text)
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), text)

    real_open, real_os_open = io.open, os.open

    def guarded_open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if not isinstance(file, int) and set(mode) & set("wax+"):
            refuse(file)
        return real_open(file, mode, *args, **kwargs)

    def guarded_os_open(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            refuse(path)
        return real_os_open(path, flags, *args, **kwargs)

    def guarded(name: str) -> Any:
        real = getattr(os, name)

        def call(path: Any, *args: Any, **kwargs: Any) -> Any:
            refuse(path)
            return real(path, *args, **kwargs)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(builtins, "open", guarded_open)
        patch.setattr(io, "open", guarded_open)  # pathlib's
        patch.setattr(os, "open", guarded_os_open)
        for name in ("replace", "rename", "mkdir", "unlink", "remove", "rmdir", "utime", "chmod"):
            patch.setattr(os, name, guarded(name))
        yield tried


def move(home: Path, to: Path, layers: range | None = None, **more: Any) -> RelocateResult:
    return relocate(RelocatePlan([home], to, layers, **more))


def assert_whole(home: Path, original: Path) -> None:
    """Every layer is found once, with its own bytes."""
    with Tablebase.open(home) as table:
        assert table.locations.warning == ""
        for layer, path in table.locations.layers.items():
            assert path.read_bytes() == (original / path.name).read_bytes()
            assert layer in table.manifest.layers
        assert len(table.locations.layers) == table.n_layers
