"""The machine code of kernels on disk, trusted only if this user's own program wrote it.

``kernels/`` beside the sources of a checkout, else in the user's cache folder, else in the folder
that ENDGAME2048_CACHE_DIR names. One file per kernel and argument types::

    8 bytes    b"kernel\\x01\\n"
    32 bytes   BLAKE2b, keyed with `kernel-key`, of the origin of the code and of the rest
    the rest   numba's pickle of the machine code

A pickle can run anything, so it is opened only after its keyed digest is verified. The key is 32
random bytes in the user's cache folder, which nobody else can read or guess: a file that is damaged
or comes from someone else is recompiled and replaced. A file's name is a keyed digest as well, so
files of two users never collide. No file is changed once it has its name. Who compiles a kernel
has a lock beside its file, and others wait: at a first start a window and the processes it starts
need the same kernels.
"""

import hmac
import inspect
import logging
import os
import pickle
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any
from uuid import uuid4

import llvmlite
import numba
from numba.core import caching, compiler, serialize

from engine.platform.files.atomic_file import write_file
from engine.platform.files.file_lock import FileLock
from engine.platform.project_files import (
    APP_NAME,
    CACHE_VARIABLE,
    PROJECT_ROOT,
    cache_folder,
    is_checkout,
    is_writable,
)

_HEAD = b"kernel\x01\n"
_DIGEST_BYTES = _KEY_BYTES = 32
_MAX_FOLDER_BYTES = 100 << 20  # ten times the size of all kernels
_DAY_S = 86_400
_MAX_UNUSED_S = 60 * _DAY_S
_MAX_WAIT_S, _WAIT_S = 60, 0.05  # for another process that compiles; a kernel takes up to 20 s
_OLD_FOLDER = re.compile(r"kernels-[0-9a-f]{12}")  # from versions that let numba keep the code
_IMPORT = re.compile(
    rb"^[ \t]*(?:from|import)[ \t]+([\w.]+)(?:[ \t]+import[ \t]+(\([^)]*\)|[^#\n]*))?", re.M
)
_SETTINGS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
# What a pickle of another numba, or a numba with changed internals, may raise.
_UNUSABLE = (
    pickle.PickleError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
_logger = logging.getLogger(__name__)


@cache
def missing_names() -> tuple[str, ...]:
    used = {
        "caching.NullCache": (caching, "NullCache"),
        "CompileResult._reduce": (compiler.CompileResult, "_reduce"),
        "CompileResult._rebuild": (compiler.CompileResult, "_rebuild"),
        "serialize.dumps": (serialize, "dumps"),
    }
    return tuple(name for name, (owner, attribute) in used.items() if not hasattr(owner, attribute))


class KernelFolder:
    """A folder of machine code written by one user, who alone knows the `key`; need not exist."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.path = path
        self._key = key
        self._is_tidy = False
        self._locks: dict[Path, FileLock] = {}  # of the kernels that this process compiles

    def wait(self, name: str, origin: bytes) -> bool:
        """Return whether another process has just compiled the kernel; others wait for this one."""
        path = self._path_of(name, origin).with_suffix(".lock")
        lock = self._locks.setdefault(path, FileLock(path))
        n_waits = 0
        with suppress(OSError):  # without locks both compile
            self.path.mkdir(parents=True, exist_ok=True)
            while not lock.take() and n_waits * _WAIT_S < _MAX_WAIT_S:
                time.sleep(_WAIT_S)
                n_waits += 1
        return n_waits > 0

    def release(self, name: str, origin: bytes) -> None:
        path = self._path_of(name, origin).with_suffix(".lock")
        if path in self._locks:
            self._locks.pop(path).remove()

    def read(self, name: str, origin: bytes) -> bytes | None:
        """Return the payload for `origin`, all that the code depends on, if we wrote it."""
        path = self._path_of(name, origin)
        try:
            content = _read_regular(path, 64 << 20)
        except FileNotFoundError:
            return None
        except OSError as error:
            _logger.info("%s cannot be read (%s): compiling it again", path, error)
            return None
        start = len(_HEAD) + _DIGEST_BYTES
        payload = memoryview(content)[start:]
        digest = content[len(_HEAD) : start]
        if content[: len(_HEAD)] != _HEAD or not hmac.compare_digest(
            digest, self._digest(origin, payload)
        ):
            _logger.info("%s is damaged or from somebody else: compiling it again", path)
            return None
        with suppress(OSError):  # in a read-only folder
            if time.time() - path.stat().st_mtime > _DAY_S:
                os.utime(path)
        return bytes(payload)

    def write(self, name: str, origin: bytes, payload: bytes) -> None:
        """Keep `payload` for `origin`; if that fails, the program goes on without."""
        path = self._path_of(name, origin)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_file(path, [_HEAD, self._digest(origin, payload), payload], durable=False)
        except OSError as error:
            _logger.info("%s cannot be written (%s): it will be compiled again", path, error)
        if not self._is_tidy:
            self._is_tidy = True
            self.tidy()

    def tidy(self, now: float | None = None) -> None:
        """Other running programs have read their files already, or compile them again."""
        now = time.time() if now is None else now
        n_bytes = 0
        for path, status in sorted(_files(self.path), key=lambda file: -file[1].st_mtime):
            unused_s = now - status.st_mtime
            if path.suffix == ".kernel":
                n_bytes += status.st_size
                is_old = unused_s > _MAX_UNUSED_S or n_bytes > _MAX_FOLDER_BYTES
            else:
                is_old = path.suffix in (".part", ".lock") and unused_s > _DAY_S
            if is_old:
                with suppress(OSError):  # another program removed it, or (Windows) reads it
                    path.unlink()
        for path in self.path.parent.glob("kernels-*"):
            if _OLD_FOLDER.fullmatch(path.name) and not path.is_symlink():
                with suppress(OSError):
                    if now - path.stat().st_mtime > _DAY_S:
                        shutil.rmtree(path, ignore_errors=True)

    def _path_of(self, name: str, origin: bytes) -> Path:
        short = blake2b(origin, key=self._key, digest_size=16, person=b"name").hexdigest()
        return self.path / f"{re.sub(r'[^.0-9A-Za-z_]', '', name)[-80:]}-{short}.kernel"

    def _digest(self, origin: bytes, payload: bytes | memoryview) -> bytes:
        digest = blake2b(key=self._key, digest_size=_DIGEST_BYTES, person=b"content")
        digest.update(len(origin).to_bytes(8, "little"))
        digest.update(origin)
        digest.update(payload)
        return digest.digest()


class KernelCache(getattr(caching, "NullCache", object)):  # type: ignore[misc]
    """The cache that numba asks for a kernel's machine code before compiling, and fills afterwards.

    Unlike numba's own cache, it does not set up numba's library of everything that machine code may
    call before it loads some: this saves 0.1 s of every start. Compiling sets it up itself.
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._waited_for: list[bytes] = []  # origins of what is being compiled

    @property
    def cache_path(self) -> str:
        folder = kernel_folder()
        return str(folder.path) if folder else ""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        folder = kernel_folder()
        if folder is None:
            return None
        try:
            origin = self._origin(sig, target_context.codegen())
            if not origin:
                return None
            payload = folder.read(self._name, origin)
            if payload is None:
                self._waited_for.append(origin)
                if folder.wait(self._name, origin):
                    payload = folder.read(self._name, origin)
            if payload is None:
                return None
            overload = compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))
        except _UNUSABLE as error:
            _logger.info("%s cannot be loaded (%r): compiling it again", self._name, error)
            return None
        return overload if overload.signature.args == tuple(getattr(sig, "args", sig)) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        folder = kernel_folder()
        if folder is None:
            return
        try:
            if data.library.has_dynamic_globals or not all(x.can_cache for x in data.lifted):
                return
            origin = self._origin(sig, data.codegen)
            if origin:
                folder.write(self._name, origin, serialize.dumps(data._reduce()))
        except _UNUSABLE as error:
            _logger.info("%s cannot be kept (%r)", self._name, error)

    def release(self) -> None:
        folder = kernel_folder()
        while self._waited_for:
            origin = self._waited_for.pop()
            if folder:
                folder.release(self._name, origin)

    def _origin(self, sig: Any, codegen: Any) -> bytes | None:
        # In a frozen program, a function's file is relative to the root, where the source is.
        sources = _sources_digest(str(PROJECT_ROOT / inspect.getfile(self._function)))
        if not sources:
            return None
        code = self._function.__code__
        cells = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        bytecode = blake2b(code.co_code + (serialize.dumps(cells) if cells else b"")).hexdigest()
        line = str(code.co_firstlineno)
        parts = (codegen.magic_tuple(), self._name, line, bytecode, sources, sig)
        return "\n".join((*_compiler_names(), *map(str, parts))).encode()


@cache
def kernel_folder() -> KernelFolder | None:
    """Return the folder for the machine code of this process, None if there is none.

    There is none if the user's cache folder cannot be written, or numba lacks a name that we rely
    on. Then every start compiles the kernels it needs.
    """
    missing = missing_names()
    if missing:
        _logger.info("kernels are compiled at each start: numba lacks %s", ", ".join(missing))
        return None
    own = cache_folder()
    key = own_key(own)
    if key is None:
        _logger.info(
            "kernels are compiled at each start: %s cannot hold a key of ours; name another folder "
            "in %s",
            own,
            CACHE_VARIABLE,
        )
        return None
    beside = PROJECT_ROOT / "engine" / "__pycache__"
    is_named = bool(os.environ.get(CACHE_VARIABLE))
    place = beside if not is_named and is_checkout() and is_writable(beside) else own
    return KernelFolder(place / "kernels", key)


def own_key(folder: Path) -> bytes | None:
    """Return the key of this user in `folder`, created if missing; None if that fails."""
    path = folder / "kernel-key"
    was_there = os.path.lexists(path)  # checked first: a key that appears later is good
    key = _read_key(path)
    if key is not None:
        return key
    part = folder / f"{uuid4().hex}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_KEY_BYTES))
            if was_there:  # damaged
                os.replace(part, path)
            else:
                os.link(part, path)  # unlike replacing, keeps a key that another process put there
        except FileExistsError:
            pass
        except (OSError, NotImplementedError):  # a drive without links
            if not path.exists():
                os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError:
        return None
    return _read_key(path)


def _read_key(path: Path) -> bytes | None:
    try:
        status = os.lstat(path)
        content = _read_regular(path, _KEY_BYTES)
    except OSError:
        return None
    if os.name == "posix" and (status.st_uid != os.geteuid() or status.st_mode & 0o077):
        return None
    return content if len(content) == _KEY_BYTES else None


def _read_regular(path: Path, max_bytes: int) -> bytes:
    """Return the content of a file; links, pipes, devices and more than `max_bytes` are errors."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe would block
    with open(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
            raise OSError(f"{path} is no file of at most {max_bytes} bytes")  # no text
        return file.read(max_bytes + 1)


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # removed meanwhile
                if entry.is_file(follow_symlinks=False):
                    yield Path(entry.path), entry.stat(follow_symlinks=False)


@cache
def _compiler_names() -> tuple[str, ...]:
    """Return the compiler's identity: versions, and the settings of numba that change its code."""
    versions = (numba.__version__, llvmlite.__version__, sys.version, getattr(sys, "abiflags", ""))
    return (*versions, *(str(getattr(numba.config, name, None)) for name in _SETTINGS))


class _Source:
    """A source file of ours: its digest, and the files that it imports from us."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_bytes()

    @cached_property
    def digest(self) -> bytes:
        return blake2b(self.text).digest()

    @cached_property
    def imported(self) -> list[Path]:
        files: list[Path] = []
        for module, names in _IMPORT.findall(self.text):
            files += _module_files(module.decode(), names.decode(errors="replace"))
        return files


@cache
def _source(path: Path) -> _Source:
    return _Source(path)


@cache
def _module_files(module: str, names: str) -> tuple[Path, ...]:
    """Return our files that ``from module import names`` reads; () if it is not ours."""
    parts = module.removeprefix(f"{APP_NAME}.").split(".")
    path = PROJECT_ROOT.joinpath(*parts)
    if path.with_suffix(".py").is_file():
        return (path.with_suffix(".py"),)
    if not (path / "__init__.py").is_file():
        return ()
    within = [path / f"{name}.py" for name in re.findall(r"\w+", names)]
    return (path / "__init__.py", *(file for file in within if file.is_file()))


@cache
def _sources_digest(path: str) -> str:
    """numba checks only a kernel's own file, yet compiles the functions it calls into it."""
    start = Path(path)
    if not start.is_file():
        return ""
    seen, waiting = {start}, [start]
    while waiting:
        new = {file for file in _source(waiting.pop()).imported if file not in seen}
        seen |= new
        waiting += new
    digests = sorted(_source(file).digest for file in seen)
    return blake2b(b"".join(digests)).hexdigest()
