"""Whether all kernels are compiled, without importing the compiler, which takes long.

``prepared`` in the user's cache folder, or in the one that ENDGAME2048_CACHE_DIR names, holds a
digest of the kernels' sources and compiler. It only saves time; whether machine code is trusted is
decided by `kernel_cache` alone, file by file.
"""

import os
import platform
import sys
from contextlib import suppress
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from engine.platform.errors import AppError
from engine.platform.files.atomic_file import write_file
from engine.platform.project_files import PROJECT_ROOT, cache_folder

_PACKAGES = ("engine", "tablebase", "ai")  # those with kernels


class PreparedMark:
    """The file ``prepared`` in the user's cache folder."""

    def __init__(self, folder: Path, sources: Path = PROJECT_ROOT) -> None:
        self._path, self._sources = folder / "prepared", sources
        self._digest = ""

    @classmethod
    def of_user(cls) -> "PreparedMark":
        return cls(cache_folder())

    @property
    def is_set(self) -> bool:
        try:
            return self._path.read_text("ascii") == self._digest_now()
        except (OSError, ValueError):
            return False

    def begin(self) -> None:
        """Remember the present sources before compiling: later changes count as not compiled."""
        self._digest = self._digest_now()

    def set(self) -> None:
        """Record that all kernels present at `begin` are compiled."""
        with suppress(OSError, AppError):  # checked again at the next start
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, [self._digest.encode("ascii")], durable=False)

    def _digest_now(self) -> str:
        files = [path for name in _PACKAGES for path in (self._sources / name).rglob("*.py")]
        facts = []
        for path in sorted(files):
            with suppress(OSError):
                status = path.stat()
                facts.append(f"{path} {status.st_size} {status.st_mtime_ns}")
        for library in ("numba", "llvmlite"):
            spec = find_spec(library)
            if spec and spec.origin:
                with suppress(OSError):
                    facts.append(f"{spec.origin} {os.stat(spec.origin).st_mtime_ns}")
        facts += [sys.version, platform.machine(), _processor()]
        return blake2b("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line
    return platform.processor()
