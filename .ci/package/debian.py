"""A Debian package from the folder that PyInstaller made; only dpkg-deb is needed."""

import gzip
import os
import shutil
import stat
import subprocess
import tempfile
from email.utils import formatdate
from pathlib import Path

from elf_files import needs, oldest_glibc, plain_name
from nesting import PACKAGE, ROOT

from endgame2048 import __version__
from gui.shell.desktop_files import desktop_files

_WHO = "The endgame2048 developers <endgame2048@localhost>"
_CONTROL = """Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {who}
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: fonts-dejavu-core | fonts-noto-core, fonts-noto-cjk | fonts-wqy-zenhei
Section: games
Priority: optional
Description: trainer for endgames of the game 2048
 Computes perfect play for endgames of 2048, lets people practice and be tested
 against it, reviews and analyzes recorded games, and plays by itself. It has a
 window, in English and Chinese, and a command line. Python and all libraries
 that it needs are inside.
"""
_COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {name}
Comment: The folder /usr/lib/{name} has the program, frozen by PyInstaller, and the
 libraries that it uses. What those are is in /usr/lib/{name}/VERSION, their
 licenses are in /usr/lib/{name}/licenses. Qt and PySide6 are under LGPL-3: their
 files there may be replaced by other builds of the same version.

Files: *
Copyright: The endgame2048 developers
License: MIT
{license}
Files: usr/lib/{name}/_internal/PySide6/* usr/lib/{name}/_internal/shiboken6/*
Copyright: The Qt Company Ltd. and other contributors
License: LGPL-3
 On Debian systems the text is in /usr/share/common-licenses/LGPL-3.
"""
# The packages with the libraries that are left to the system; with a |, those renamed in Debian 13
# and Ubuntu 24.04.
_DEPENDS = {
    "libc6 (>= {glibc})": (
        "libc",
        "libm",
        "libdl",
        "librt",
        "libpthread",
        "libresolv",
        "ld-linux-x86-64",
    ),
    "libegl1": ("libEGL",),
    "libgl1": ("libGL", "libGLX", "libOpenGL"),
    "libfontconfig1": ("libfontconfig",),
    "libfreetype6": ("libfreetype",),
    "libdbus-1-3": ("libdbus-1",),
    "libx11-6": ("libX11",),
    "libxcb1": ("libxcb",),
    "libx11-xcb1": ("libX11-xcb",),
    "libwayland-client0": ("libwayland-client",),
    "libwayland-cursor0": ("libwayland-cursor",),
    "libglib2.0-0t64 | libglib2.0-0": ("libglib-2.0", "libgthread-2.0", "libgobject-2.0"),
    "libxkbcommon-x11-0": ("libxkbcommon-x11",),
    "libxkbcommon0": ("libxkbcommon",),
    "libstdc++6": ("libstdc++",),
    "libgcc-s1": ("libgcc_s",),
    "zlib1g": ("libz",),
}


def make_deb(dist: Path, folder: Path) -> Path:
    """Write a Debian package into `dist` from the frozen `folder`; return its path."""
    architecture = _output_of("dpkg", "--print-architecture").strip()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        home = root / "usr" / "lib" / PACKAGE
        shutil.copytree(folder, home, symlinks=True)
        _write(root / "usr/bin" / PACKAGE, link=f"../lib/{PACKAGE}/{PACKAGE}")
        for name, content in desktop_files([PACKAGE]).items():
            _write(root / "usr/share" / name, content)
        _write_documents(root / "usr/share/doc" / PACKAGE)
        kilobytes = sum(path.lstat().st_size for path in root.rglob("*")) // 1024
        control = _CONTROL.format(
            name=PACKAGE,
            version=__version__,
            architecture=architecture,
            who=_WHO,
            kilobytes=kilobytes,
            depends=", ".join(depends_of(home)),
        )
        _write(root / "DEBIAN/control", control.encode())
        _set_rights(root)
        target = dist / f"{PACKAGE}_{__version__}_{architecture}.deb"
        words = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", str(root), str(target)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return target


def depends_of(folder: Path) -> list[str]:
    """Return the packages with the libraries that files in `folder` need but that it lacks.

    Raises SystemExit: no known package has one of them.
    """
    needed = set().union(*needs(folder).values())
    here = {path.name for path in folder.rglob("*.so*")}
    missing = {plain_name(name) for name in needed - here}
    packages = []
    for package, libraries in _DEPENDS.items():
        if missing & set(libraries):
            packages.append(package.format(glibc=oldest_glibc(folder)))
            missing -= set(libraries)
    if missing:
        raise SystemExit(f"no package is known for {', '.join(sorted(missing))}")
    return packages


def _write_documents(folder: Path) -> None:
    mit = (ROOT / "LICENSE").read_text(encoding="utf-8")
    mit = "".join(f" {line or '.'}\n" for line in mit.splitlines())
    _write(folder / "copyright", _COPYRIGHT.format(name=PACKAGE, license=mit).encode())
    log = f"{PACKAGE} ({__version__}) unstable; urgency=low\n\n  * See CHANGELOG.md.\n\n"
    log += f" -- {_WHO}  {formatdate(_made_at())}\n"
    _write(folder / "changelog.gz", gzip.compress(log.encode(), mtime=0))
    _write(folder / "README.md", (ROOT / "README.md").read_bytes())


def _made_at() -> float:
    """Return the time of the version, so that the same sources give the same package."""
    return float(os.environ.get("SOURCE_DATE_EPOCH") or (ROOT / "CHANGELOG.md").stat().st_mtime)


def _set_rights(root: Path) -> None:
    for path in root.rglob("*"):
        if not path.is_symlink():
            is_program = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            path.chmod(0o755 if is_program and ".so" not in path.name else 0o644)


def _write(path: Path, content: bytes = b"", link: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if link:
        path.symlink_to(link)
    else:
        path.write_bytes(content)


def _output_of(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout
