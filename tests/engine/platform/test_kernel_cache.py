"""Machine code on disk: believed only as this user's program wrote it, replaced otherwise."""

import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from engine.platform.kernel_cache import (
    CACHE_VARIABLE,
    KernelFolder,
    kernel_folder,
    missing_names,
    own_key,
)
from engine.platform.prepared_mark import PreparedMark
from engine.platform.project_files import PROJECT_ROOT

KERNEL = """
from engine.platform.jit import kernel

def plain(x):
    return x * x + 1
"""
DAY_S = 86_400
FULL = 100 << 20


def moment_of(path: Path) -> float:
    """When a file was written, by the clock of its drive."""
    return path.stat().st_mtime


@pytest.fixture
def cache_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in which this process keeps its machine code during the test."""
    place = tmp_path / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(place))
    kernel_folder.cache_clear()
    yield place
    kernel_folder.cache_clear()


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path = tmp_path / "some_kernel.py"
    path.write_text(KERNEL, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("some_kernel", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "some_kernel", found)  # numba looks for it there
    spec.loader.exec_module(found)
    return found


def was_loaded(module: ModuleType) -> bool:
    """Call the kernel as at the first call of a process; return whether it was not compiled."""
    square = module.kernel(module.plain)
    assert square(np.uint64(5)) == 26
    return bool(square.stats.cache_hits)


def kernel_files(place: Path) -> list[Path]:
    return sorted((place / "kernels").glob("*.kernel"))


def test_numba_has_the_private_names_that_we_use():
    assert missing_names() == ()


class Evil:
    """Makes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (str(self.mark), "w")


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "cut in its head": lambda content: content[:20],
    "longer": lambda content: content + b"\0",
    "one bit": lambda content: content[:1000] + bytes([content[1000] ^ 1]) + content[1001:],
    "zeros": lambda content: bytes(len(content)),
}


def test_code_that_names_its_file_from_the_root_is_kept_wherever_one_starts(
    module, cache_place, monkeypatch, tmp_path
):
    """As code of a frozen program does."""
    module.plain.__code__ = module.plain.__code__.replace(co_filename="engine/platform/jit.py")
    assert not was_loaded(module)
    monkeypatch.chdir(tmp_path)
    assert was_loaded(module)
    assert len(kernel_files(cache_place)) == 1


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_compiled_again_and_replaced(damage, module, cache_place):
    assert not was_loaded(module)
    assert was_loaded(module)
    (path,) = kernel_files(cache_place)
    whole = path.read_bytes()
    path.write_bytes(DAMAGE[damage](whole))
    assert not was_loaded(module)
    assert was_loaded(module)
    assert kernel_files(cache_place) == [path]


def test_what_somebody_else_wrote_is_not_unpickled(module, cache_place, tmp_path):
    was_loaded(module)
    (path,) = kernel_files(cache_place)
    mark = tmp_path / "unpickled"
    path.write_bytes(path.read_bytes()[:40] + pickle.dumps(Evil(mark)))
    assert not was_loaded(module)
    assert not mark.exists()


def test_the_files_of_two_users_never_meet(module, cache_place):
    was_loaded(module)
    (cache_place / "kernel-key").unlink()
    kernel_folder.cache_clear()
    assert not was_loaded(module), "another key: another user"
    assert was_loaded(module)
    assert len(kernel_files(cache_place)) == 2


@pytest.mark.skipif(os.name == "nt", reason="no owners and pipes there")
@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_what_is_no_file_hinders_nothing(kind, module, cache_place):
    was_loaded(module)
    (path,) = kernel_files(cache_place)
    elsewhere = path.rename(cache_place / "elsewhere")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(elsewhere)
    else:
        path.mkdir()
    assert not was_loaded(module)


@pytest.mark.parametrize("content", [b"", b"short", bytes(33)])
def test_a_damaged_key_is_replaced(content, tmp_path):
    (tmp_path / "kernel-key").write_bytes(content)
    key = own_key(tmp_path)
    assert key is not None
    assert len(key) == 32
    assert own_key(tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == ["kernel-key"]


@pytest.mark.skipif(os.name == "nt", reason="no such permissions there")
def test_a_key_that_others_can_read_is_replaced(tmp_path):
    key = own_key(tmp_path)
    path = tmp_path / "kernel-key"
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    assert own_key(tmp_path) not in (key, None)
    assert path.stat().st_mode & 0o777 == 0o600


def test_all_who_start_at_once_have_the_same_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(own_key, [tmp_path] * 64))
    assert len(keys) == 1
    assert None not in keys


def test_without_a_place_for_the_key_kernels_are_compiled(module, cache_place):
    cache_place.write_text("in the way")
    assert not was_loaded(module)
    assert not was_loaded(module)


@pytest.mark.usefixtures("cache_place")
def test_a_folder_of_an_unknown_user_is_one_of_that_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CACHE_VARIABLE, "~nosuchuser/cache")
    assert kernel_folder() is not None
    assert (tmp_path / "~nosuchuser" / "cache").is_dir()
    assert not PreparedMark.of_user().is_set


def test_a_folder_that_cannot_be_written_hinders_nothing(module, cache_place):
    cache_place.mkdir()
    (cache_place / "kernels").write_text("in the way")
    assert not was_loaded(module)
    assert not was_loaded(module)


@pytest.mark.skipif(os.name == "nt", reason="no limit of that kind there")
def test_a_full_drive_hinders_nothing(module, cache_place):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    assert kernel_folder() is not None
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))  # each write fails half-way
    try:
        assert not was_loaded(module)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list((cache_place / "kernels").iterdir()), "no half files"
    assert not was_loaded(module)
    assert was_loaded(module)


def test_what_was_not_used_for_long_is_removed(tmp_path):
    folder = KernelFolder(tmp_path / "kernels", bytes(32))
    folder.write("old", b"old", b"1")
    folder.write("new", b"new", b"2")
    part, lock = folder.path / "crashed.part", folder.path / "crashed.lock"
    other = folder.path / "of somebody.txt"
    old_folder = tmp_path / "kernels-0123456789ab"
    (old_folder / "solve_0123").mkdir(parents=True)
    for path in (part, lock, other):
        path.touch()
    now = moment_of(part)
    for path in (part, lock, other, old_folder, *folder.path.glob("old-*")):
        os.utime(path, (now - 61 * DAY_S,) * 2)
    assert folder.read("new", b"new") == b"2"
    folder.tidy(now)
    names = {path.name.split("-")[0] for path in folder.path.iterdir()}
    assert names == {"new", "of somebody.txt"}
    assert not old_folder.exists()


def test_reading_counts_as_use(tmp_path):
    folder = KernelFolder(tmp_path / "kernels", bytes(32))
    folder.write("a", b"a", b"1")
    (path,) = folder.path.iterdir()
    now = moment_of(path)
    os.utime(path, (now - 61 * DAY_S,) * 2)
    assert folder.read("a", b"a") == b"1"
    folder.tidy(now)
    assert folder.read("a", b"a") == b"1"


def test_the_folder_stays_small_by_what_was_used_last(tmp_path):
    folder = KernelFolder(tmp_path / "kernels", bytes(32))
    names = [f"k{i}" for i in range(5)]
    now = moment_of(tmp_path)
    for age, name in enumerate(names):
        folder.write(name, b"", b"")
        (path,) = folder.path.glob(f"{name}-*")
        os.truncate(path, FULL // 3)  # takes no room on most drives
        os.utime(path, (now - age,) * 2)
    folder.tidy(now)
    assert {path.name.split("-")[0] for path in folder.path.iterdir()} == {"k0", "k1", "k2"}


def test_a_kernel_that_another_process_compiles_is_waited_for(tmp_path, monkeypatch):
    ours, theirs = (KernelFolder(tmp_path / "kernels", bytes(32)) for _ in range(2))
    assert not theirs.wait("a", b"a")
    assert not ours.wait("b", b"b"), "others are not waited for"

    def finish(_: float) -> None:
        theirs.write("a", b"a", b"1")
        theirs.release("a", b"a")

    monkeypatch.setattr("time.sleep", finish)
    assert ours.wait("a", b"a")
    assert ours.read("a", b"a") == b"1"
    for name in (b"a", b"b"):
        ours.release(name.decode(), name)
    assert [path.suffix for path in ours.path.iterdir()] == [".kernel"]


def test_a_process_that_never_ends_compiling_is_not_waited_for(tmp_path, monkeypatch):
    ours, theirs = (KernelFolder(tmp_path / "kernels", bytes(32)) for _ in range(2))
    theirs.wait("a", b"a")
    waited_s: list[float] = []
    monkeypatch.setattr("time.sleep", waited_s.append)
    assert ours.wait("a", b"a")
    assert sum(waited_s) == pytest.approx(60)


def test_a_kernel_is_locked_while_it_is_compiled(module, cache_place, monkeypatch):
    locks: list[list[Path]] = []
    write = KernelFolder.write

    def look(folder: KernelFolder, *args: Any) -> None:
        locks.append(list(folder.path.glob("*.lock")))
        write(folder, *args)

    monkeypatch.setattr(KernelFolder, "write", look)
    assert not was_loaded(module)
    assert [len(some) for some in locks] == [1]
    assert [path.suffix for path in (cache_place / "kernels").iterdir()] == [".kernel"]


def test_a_kernel_that_cannot_be_compiled_is_not_waited_for(module, cache_place):
    """As after an interrupt, which may come at any moment."""
    plain = module.kernel(module.plain)
    with pytest.raises(TypingError):
        plain("text")
    assert list((cache_place / "kernels").iterdir()) == []


def run(tree: Path, script: str, **variables: str) -> subprocess.Popen[str]:
    """Start Python, with its machine code in the home among the variables, or where they say."""
    own = {name: value for name, value in os.environ.items() if name != CACHE_VARIABLE}
    return subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tree,
        env={**own, "PYTHONPATH": str(tree), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output(process: subprocess.Popen[str]) -> str:
    out, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return out.strip()


TREE = {
    "pyproject.toml": "",
    "tablebase/__init__.py": '"""Tables."""\n',
    "tablebase/near.py": "from tablebase import (\n    far,\n)\n\nSTEP = far.STEP\n",
    "tablebase/far.py": "STEP = 1\n",
    "tablebase/other.py": "import tablebase.near\n",
    "tablebase/kernels.py": """
from engine.platform.jit import kernel
from tablebase.near import STEP

@kernel
def step(x):
    return x + STEP
""",
}
STEP = """
from tablebase.kernels import step
print(step(1), sum(step.stats.cache_hits.values()))
"""


@pytest.mark.thorough
def test_an_edit_compiles_again_what_depends_on_it(tmp_path):
    """numba itself would look at the kernel's own file only."""
    shutil.copytree(PROJECT_ROOT / "engine", tmp_path / "engine", ignore=lambda *_: ["__pycache__"])
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "home").mkdir()
    homes = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"), str(tmp_path / "home"))
    assert output(run(tmp_path, STEP, **homes)) == "2 0"
    beside = tmp_path / "engine" / "__pycache__" / "kernels"
    assert len(list(beside.iterdir())) == 1, "a checkout keeps its machine code beside the sources"
    (tmp_path / "tablebase" / "other.py").write_text("# edited\n", encoding="utf-8")
    assert output(run(tmp_path, STEP, **homes)) == "2 1"
    (tmp_path / "tablebase" / "far.py").write_text("STEP = 10\n", encoding="utf-8")
    assert output(run(tmp_path, STEP, **homes)) == "11 0"
    (tmp_path / "tablebase" / "far.py").write_text("STEP = 1\n", encoding="utf-8")
    assert output(run(tmp_path, STEP, **homes)) == "2 1", "what was before the edit is still there"


SQUARE = (
    KERNEL
    + """
square = kernel(plain)
print(square(5), sum(square.stats.cache_hits.values()))
"""
)


@pytest.mark.thorough
def test_processes_that_start_at_once_are_all_right(tmp_path):
    module = tmp_path / "square.py"
    module.write_text(SQUARE, encoding="utf-8")
    script = f"import runpy, sys; runpy.run_path({str(module)!r}, run_name='square')"
    places = {CACHE_VARIABLE: str(tmp_path / "cache")}
    for outputs in ({"26 0", "26 1"}, {"26 1"}):
        at_once = [run(PROJECT_ROOT, script, **places) for _ in range(3)]
        assert {output(one) for one in at_once} <= outputs
    names = {path.suffix for path in (tmp_path / "cache").rglob("*") if path.is_file()}
    assert names == {"", ".kernel"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "missing",
    [
        "del numba.core.compiler.CompileResult._rebuild",
        "del numba.core.compiler.CompileResult._reduce",
        "numba.core.compiler.CompileResult._rebuild = lambda other_arguments: None",
    ],
)
def test_a_numba_that_lacks_what_we_use_compiles_at_each_start(missing, tmp_path):
    module = tmp_path / "square.py"
    module.write_text(SQUARE, encoding="utf-8")
    script = f"import numba.core.cpu, runpy; {missing}; "
    script += f"runpy.run_path({str(module)!r}, run_name='square')"
    for _ in range(2):
        told = output(run(PROJECT_ROOT, script, **{CACHE_VARIABLE: str(tmp_path / "cache")}))
        assert told.startswith("26 ")
