"""Working arrays in mapped files: the same numbers, the same tables, and clear words when full."""

import errno
import mmap
import os
import platform
import subprocess
import sys
import threading
import weakref
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
from child import contents
from makers import count_maps

import tablebase.memory.arrays as arrays_module
import tablebase.memory.limits as memory
import tablebase.memory.trimmer as trimmer
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildRefusedError, DiskFullError
from tablebase.memory.arrays import Arrays, reserve, room_in_memory
from tablebase.memory.trimmer import CodePages, ResidentMemory
from tablebase.store.options import TableOptions

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="maps the page file there")


@pytest.fixture
def everything_mapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that every process is beyond, and no array too small to be mapped."""
    monkeypatch.setattr(arrays_module, "_ALWAYS_IN_MEMORY", 0)
    monkeypatch.setattr(arrays_module, "room_in_memory", lambda *_: 0)
    monkeypatch.setattr(trimmer, "_MIN_SHARE", 400)  # 200 KB are handed back


@pytest.mark.usefixtures("everything_mapped")
def test_what_is_written_stays_while_pages_are_handed_back(tmp_path, monkeypatch):
    handed_back = threading.Semaphore(0)

    class Watched(mmap.mmap):
        def madvise(self, *options: int) -> None:
            super().madvise(*options)
            handed_back.release()

    monkeypatch.setattr(mmap, "mmap", Watched)
    monkeypatch.setattr(trimmer, "_MIN_SHARE", 1 << 40)  # however little is there
    with Arrays(tmp_path, 1 << 20) as arrays:
        values = arrays.empty(300_000, np.float64)
        zeros = arrays.zeros(1000, np.uint64)
        for part in arrays.steps(values.size, 10_000):
            values[part] = np.arange(part.start, part.stop)
        if sys.platform != "win32":
            for _ in range(12):
                assert handed_back.acquire(timeout=600)
        assert np.array_equal(values, np.arange(300_000.0))
        assert not zeros.any()
    assert values[-1] == 299_999, "an array outlives its maker"


@posix_only
@pytest.mark.usefixtures("everything_mapped")
def test_mapped_files_have_no_name(tmp_path):
    with Arrays(tmp_path, 1 << 20) as arrays:
        kept = arrays.zeros(100_000, np.uint64)
        assert kept.flags.writeable
        assert list(tmp_path.iterdir()) == []


def test_without_a_limit_arrays_are_ordinary_ones(tmp_path):
    with Arrays(tmp_path, None) as arrays:
        assert arrays.empty(10, np.uint8).flags.owndata
        assert arrays.zeros(1 << 20, np.uint64).flags.owndata


@pytest.mark.thorough
@pytest.mark.usefixtures("everything_mapped")
@pytest.mark.parametrize(
    "name",
    ["tinymirror", "tinyshift", *(pytest.param(n, marks=pytest.mark.slow) for n in ("2x4", "L1"))],
)
def test_a_limited_build_writes_the_same_bytes(formations, table, tmp_path, monkeypatch, name):
    wanted = contents(table(name, 64))  # and so everything is compiled
    monkeypatch.setattr(memory, "MIN_BYTES", 0)
    made = count_maps(monkeypatch)
    folder = tmp_path / f"{name}_64"
    build(BuildPlan(formations[name], 64, folder, threads=2, memory_bytes=64 << 20))
    assert len(made) > 100, "its arrays were mapped"
    assert contents(folder) == wanted


@pytest.mark.thorough
@pytest.mark.usefixtures("everything_mapped")
def test_a_limited_build_of_optimal_play_writes_the_same_bytes(formations, tmp_path, monkeypatch):
    options = TableOptions(optimal_only=True)
    plan = BuildPlan(formations["tinyangle"], 64, tmp_path / "free", options, threads=1)
    build(plan)
    monkeypatch.setattr(memory, "MIN_BYTES", 0)
    made = count_maps(monkeypatch)
    build(replace(plan, folder=tmp_path / "limited", threads=2, memory_bytes=64 << 20))
    assert len(made) > 100, "its arrays were mapped"
    assert contents(tmp_path / "limited") == contents(tmp_path / "free")


@posix_only
def test_small_arrays_are_mapped_too_once_they_are_many(tmp_path, monkeypatch):
    made = count_maps(monkeypatch)
    with Arrays(tmp_path, 240 << 20) as arrays:  # a twelfth of it is 20 MiB
        kept = [arrays.zeros(5 << 20, np.uint8) for _ in range(6)]
        assert len(made) == 2
        view = kept[0][:10]
        del kept
        arrays.zeros(16 << 20, np.uint8)
        assert made[2:] == [16 << 20], "a view of an array counts, and no array is that large"
        del view
        again = [arrays.zeros(5 << 20, np.uint8) for _ in range(4)]
        assert len(made) == 3
        assert not any(array.any() for array in again)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it does nothing")
def test_code_that_was_handed_back_runs_on():
    """In a process of its own: a mistake here would be the end of it."""
    code = """
import re, sqlite3, sys
from dataclasses import replace
from pathlib import Path
import numpy as np
from llvmlite import binding
from tablebase.memory.trimmer import CodePages
from tablebase.store.options import TableOptions

def files():
    return int(re.search(r"RssFile:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

before = files()
CodePages().forget()
after = files()
np.linalg.inv(np.eye(50) * 2)
binding.parse_assembly("define i32 @one() {\\n ret i32 1\\n}").verify()
print(before > after + 10_000)
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False
    )
    assert (result.stdout, result.stderr) == ("True\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it does nothing")
def test_addresses_that_another_owner_has_now_are_left_alone(tmp_path):
    first = "7f0000000000-7f0000200000 r-xp 00001000 fe:00 77   /usr/lib/libone.so"
    second = "7f1000000000-7f1000400000 r--p 00000000 fe:00 78   /home/the user/ü/libtwo.so.6"
    smaps = f"{first}\nSize: 2048 kB\nAnonymous: 0 kB\n{second}\nSize: 4096 kB\nAnonymous: 0 kB\n"
    (tmp_path / "smaps").write_text(smaps)
    (tmp_path / "maps").write_text(f"{first}\n{second}\n")
    pages = CodePages(tmp_path)
    assert pages.there() == [(0x7F00_0000_0000, 2 << 20), (0x7F10_0000_0000, 4 << 20)]
    (tmp_path / "maps").write_text(
        f"{first}\n7f1000000000-7f1000400000 rw-p 00000000 00:00 0\n"  # numbers of somebody
    )
    assert pages.there() == [(0x7F00_0000_0000, 2 << 20)]
    (tmp_path / "maps").unlink()
    assert pages.there() == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it does nothing")
@pytest.mark.parametrize("missing", [OSError, AttributeError])
def test_where_the_system_does_not_take_code_back_there_is_none(monkeypatch, missing):
    """As with a C library that does not know the call."""

    def library(_name: object) -> object:
        raise missing

    monkeypatch.setattr("ctypes.PyDLL", library)
    pages = CodePages()
    pages.forget()
    assert pages.there() == []


@pytest.mark.parametrize("is_told_by_the_system", [True, False])
def test_how_much_memory_the_process_has(monkeypatch, is_told_by_the_system):
    if not is_told_by_the_system:
        monkeypatch.setattr(sys, "platform", "darwin")
    with closing(ResidentMemory()) as resident:
        before = resident.n_bytes
        held = mmap.mmap(-1, 64 << 20)
        np.frombuffer(held, np.uint8)[:] = 1
        assert (50 << 20) < resident.n_bytes - before < (100 << 20)


def test_memory_is_used_again_once_nobody_looks_at_it(tmp_path):
    n = 1 << 20
    with Arrays(tmp_path, 1 << 30) as arrays:
        first = arrays.empty(n, np.float64)
        where, part = first.ctypes.data, first[5:]
        del first
        assert not np.shares_memory(arrays.empty(n, np.float64), part)
        del part
        assert arrays.empty(n + n // 8, np.float64).ctypes.data == where  # the next is larger
        assert arrays.empty(n - n // 8, np.float64).ctypes.data == where
        assert arrays.empty(n // 2, np.float64).ctypes.data != where  # most of it would be unused
        assert arrays.empty(n * 2, np.float64).ctypes.data != where


@pytest.mark.parametrize("how", ["zeros", "empty", "lent"])
def test_memory_that_is_put_aside_makes_room(tmp_path, monkeypatch, how):
    limit, aside, rest = 1 << 30, 512 << 20, 300 << 20
    assert rest < room_in_memory(limit) < rest + aside
    made: list[weakref.ref[np.ndarray]] = []

    def new_memory(n_bytes: int) -> np.ndarray:
        memory = np.empty(n_bytes, np.uint8)
        made.append(weakref.ref(memory))
        return memory

    monkeypatch.setattr(arrays_module, "_new_memory", new_memory)
    with Arrays(tmp_path, limit) as arrays:
        assert arrays.empty(aside, np.uint8).size == aside
        assert made[0]() is not None  # put aside
        if how == "lent":
            with arrays.lent():
                assert made[0]() is None
        else:
            held = getattr(arrays, how)(rest, np.uint8)
            assert made[0]() is None
            assert not isinstance(getattr(held.base, "obj", None), mmap.mmap)  # nor in a file


@posix_only
def test_code_is_handed_back_when_arrays_are_not_enough(tmp_path, monkeypatch):
    """The process stays at its limit, although it has no mapped array at all."""
    limit, forgotten = 1 << 30, threading.Semaphore(0)
    monkeypatch.setattr(ResidentMemory, "n_bytes", limit)
    monkeypatch.setattr(CodePages, "forget", lambda _self: forgotten.release())
    with Arrays(tmp_path, limit):
        assert forgotten.acquire(timeout=600)


def test_less_memory_than_the_program_itself_takes_is_refused(formations, tmp_path):
    with pytest.raises(BuildRefusedError, match=r"44 64 needs at least .* allowed"):
        build(BuildPlan(formations["44"], 64, tmp_path / "44_64", memory_bytes=100 << 20))


@pytest.mark.parametrize(
    ("total", "available", "limit"), [(1000, 950, 800), (1000, 500, 450), (1000, 20, 300)]
)
def test_unless_told_otherwise_work_takes_what_other_programs_leave(
    monkeypatch, total, available, limit
):
    """Four fifths of the machine, nine tenths of what is free, and never less than it must have."""
    there = SimpleNamespace(total=total, available=available)
    monkeypatch.setattr("psutil.virtual_memory", lambda: there)
    assert memory.allowed_memory("442 64", None, 300) == limit
    assert memory.allowed_memory("442 64", 350, 300) == 350
    with pytest.raises(BuildRefusedError, match="442 64 needs at least"):
        memory.allowed_memory("442 64", None, 900)


@posix_only
@pytest.mark.usefixtures("everything_mapped")
def test_no_room_for_an_array_is_a_full_drive(tmp_path, monkeypatch):
    full = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with Arrays(tmp_path, 1 << 20) as arrays, pytest.raises(DiskFullError, match="drive is full"):
        arrays.zeros(1000, np.uint64)


@posix_only
@pytest.mark.parametrize("why", ["no such call", "not on this file system"])
def test_room_is_taken_at_once_where_it_cannot_be_reserved(tmp_path, monkeypatch, why):
    """As on macOS: a page of a file with holes that finds no room later kills the process."""
    unsupported = Mock(side_effect=OSError(errno.EINVAL, "Invalid argument"))
    if why == "no such call":
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    else:
        monkeypatch.setattr(os, "posix_fallocate", unsupported, raising=False)
    path, size = tmp_path / "array", (3 << 20) + 5
    with path.open("w+b") as file:
        for wanted in (size, 1 << 20, size + 7):  # a file that is used again
            reserve(file.fileno(), wanted)
            assert path.stat().st_size == max(size, wanted)
    found, size = path.stat(), size + 7
    assert found.st_size == size
    assert found.st_blocks * 512 >= size
    assert not any(path.read_bytes())


_FAULTS = """
import resource, sys
from dataclasses import replace
from pathlib import Path
import numpy as np
from tablebase.memory.arrays import Arrays

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

with Arrays(Path(sys.argv[1]), None) as arrays:
    for k in range(5):
        arrays.empty(3 << 20, np.uint8)[:] = 1
    before = faults()
    for k in range(20):
        arrays.empty((3 << 20) - 4096 * k, np.uint8)[:] = 1
    print(faults() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="no other library is told")
def test_the_memory_of_arrays_is_kept_for_the_next_ones(tmp_path):
    command = [sys.executable, "-c", _FAULTS, str(tmp_path)]
    root = Path(__file__).parents[2]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout
    assert int(output) < 2 * 3 * 256, "not every array's pages were made anew"
