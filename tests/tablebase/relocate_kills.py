"""A relocation killed at every single write, each in its own process.

Run as ``python relocate_kills.py ORIGINAL SCRATCH STRIDE``, where forking is safe: no test runner,
no threads. Kills at every STRIDE-th write, and writes one JSON line a kill: at which write, and
what is wrong with the table afterwards.
"""

import builtins
import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablebase.maintain.relocate import RelocatePlan, relocate
from tablebase.store.layer_locations import locate
from tablebase.store.manifest import load_manifest

KILLED = 86
WRITES = ("replace", "rename", "fsync", "unlink", "remove", "rmdir", "mkdir", "ftruncate")


def die_at(write: int) -> list[str]:
    """Kill this process just before its `write`-th change of the disk; return those before it."""
    done: list[str] = []

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if len(done) == write:
                os._exit(KILLED)
            done.append(name)
            return function(*args, **kwargs)

        return call

    real_open = io.open

    def guarded_open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if isinstance(file, int) or not set(mode) & set("wax+"):
            return real_open(file, mode, *args, **kwargs)
        opened = counted("open", real_open)(file, mode, *args, **kwargs)
        return _Counting(opened, counted) if "b" in mode else opened

    for name in WRITES:
        setattr(os, name, counted(name, getattr(os, name)))
    builtins.open = guarded_open  # type: ignore[assignment]
    io.open = guarded_open  # type: ignore[assignment]
    return done


class _Counting:
    """A file whose writes count, and are half done when the process dies in one."""

    def __init__(self, file: Any, counted: Callable[..., Any]) -> None:
        self._file, self._counted = file, counted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> "_Counting":
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def write(self, data: Any) -> int:
        half = len(data) // 2
        self._file.write(data[:half])
        self._file.flush()
        self._counted("write", self._file.write)(data[half:])
        return len(data)


def in_child(work: Callable[[], None]) -> int:
    """Do something in a forked process; return its exit status."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException as error:  # noqa: BLE001
            print(type(error).__name__, error, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def fault(original: Path, home: Path) -> str:
    """Return the fault of a table left behind, "" if none; every byte is compared."""
    try:
        manifest = load_manifest(home)
        found = locate([home], manifest)
        found.check()
        for layer in manifest.layers.values():
            whole = original / layer.file
            path = found.path(layer.layer)
            if not path.samefile(whole) and path.read_bytes() != whole.read_bytes():
                return f"{layer.file} is another"
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"
    return ""


def tree(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def kills(
    original: Path, scratch: Path, stride: int, prepare: Callable[..., None], to: str, layers: range
) -> None:
    """Kill a relocation at one write after another; print what each kill left."""
    expected: dict[str, bytes] | None = None
    # First undisturbed, to know how the end looks: same paths, so same bytes in the records.
    for write in (-1, *range(0, 10_000, stride)):
        shutil.rmtree(scratch, ignore_errors=True)
        home = scratch / "tables" / original.name
        shutil.copytree(original, home, copy_function=os.link)  # no file is written to in place
        (scratch / "drive").mkdir()
        (scratch / "third").mkdir()
        prepare(home, scratch)
        target = home if to == "home" else scratch / to

        def work(write: int = write, home: Path = home, target: Path = target) -> None:
            die_at(write)
            relocate(RelocatePlan([home], target, layers))

        status = in_child(work)
        wrong = fault(original, home)
        relocate(RelocatePlan([home], target, layers))
        end = tree(scratch)
        if expected is None:
            expected = end
        if end != expected:
            names = sorted(set(end) ^ set(expected)) or "other bytes"
            wrong = wrong or f"another end after the next run: {names}"
        wrong = wrong or fault(original, home)
        print(json.dumps({"to": to, "write": write, "status": status, "wrong": wrong}), flush=True)
        if status == 0 and write >= 0:
            return


def _nothing(_home: Path, _scratch: Path) -> None:
    pass


def _some_elsewhere(home: Path, scratch: Path) -> None:
    relocate(RelocatePlan([home], scratch / "drive", range(10, 13)))


def main() -> None:
    original, scratch, stride = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    os.fsync = lambda _: None  # killed processes lose nothing that was written
    kills(original, scratch, stride, _nothing, "drive", range(10, 12))
    kills(original, scratch, stride, _some_elsewhere, "home", range(80))
    kills(original, scratch, stride, _some_elsewhere, "third", range(11, 14))


if __name__ == "__main__":
    main()
