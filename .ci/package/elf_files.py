"""Which shared libraries of Linux need which others, as binutils reads it."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

# Libraries that the system's own drivers of screens, fonts and desktops are linked with as well:
# an older copy of ours, loaded first, would break those. Every desktop has them.
OF_SYSTEM = (
    *("libX11", "libX11-xcb", "libXau", "libXdmcp", "libXext", "libXrender", "libxcb"),
    *("libdbus-1", "libdrm", "libexpat", "libfontconfig", "libfreetype", "libgbm", "libsystemd"),
    *("libgcc_s", "libgio-2.0", "libglib-2.0", "libgmodule-2.0", "libgobject-2.0"),
    *("libgthread-2.0", "libstdc++", "libwayland-client", "libwayland-cursor", "libwayland-egl"),
    *("libxkbcommon", "libxkbcommon-x11", "libz"),
)
_NEEDED = re.compile(r"\(NEEDED\)\s+Shared library: \[([^\]]+)\]")
_GLIBC = re.compile(r"Name: GLIBC_(\d+)\.(\d+)")


def elf_files_in(folder: Path) -> list[Path]:
    """Return the programs and libraries in a folder, without links."""
    paths = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    paths.append(path)
    return paths


def needs(folder: Path) -> Mapping[Path, set[str]]:
    """Return the file names of the libraries that each file in a folder is linked with."""
    return {
        path: set(_NEEDED.findall(_readelf("--dynamic", path))) for path in elf_files_in(folder)
    }


def oldest_glibc(folder: Path) -> str:
    """Return the oldest version of glibc that all files in a folder work with."""
    versions = "".join(_readelf("--version-info", path) for path in elf_files_in(folder))
    newest = max((int(major), int(minor)) for major, minor in _GLIBC.findall(versions))
    return ".".join(map(str, newest))


def plain_name(library: str) -> str:
    """Return a library's name without its version: ``libz`` for ``libz.so.1``."""
    return library.partition(".so")[0]


def prune(folder: Path) -> None:
    """Delete copies of system libraries that get in the way, and libraries nothing is linked with.

    The latter came with plugins that were left out. Libraries in folders of packages stay.
    """
    for path in folder.glob("lib*.so*"):
        if plain_name(path.name) in OF_SYSTEM:
            path.unlink()
    while True:
        needed = set().union(*needs(folder.parent).values())
        there = [path for path in folder.glob("lib*.so*") if not path.name.startswith("libpython")]
        orphans = [path for path in there if path.name not in needed]
        for path in orphans:
            path.unlink()
        if not orphans:
            return


def _readelf(what: str, path: Path) -> str:
    words = ["readelf", what, "--wide", str(path)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout
