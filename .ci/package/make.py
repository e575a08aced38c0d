"""Packages for people without Python: ``python .ci/package/make.py [folder|archive|deb]``.

``folder`` (the default) makes dist/endgame2048/ with PyInstaller, which runs from wherever it is
copied; on macOS dist/endgame2048.app as well. ``archive`` packs that into one file, ``deb`` into a
Debian package. Each first makes the earlier ones it needs, unless they exist and ``--again`` is
not given. Needed: ``pip install .[package]``, for ``deb`` dpkg-deb.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT), str(HERE.parent)]

from catalogues import compile_all  # noqa: E402
from nesting import PACKAGE  # noqa: E402

from endgame2048 import __version__  # noqa: E402

# Other people's work in the package, besides what PyInstaller itself puts there.
_LIBRARIES = ("fsrs", "llvmlite", "markdown-it-py", "mdurl", "msgspec", "numba", "numpy")
_LIBRARIES += ("platformdirs", "psutil", "PySide6-Essentials", "shiboken6", "typing_extensions")
_LIBRARIES += ("zstandard", "pyinstaller")
_LIBRARIES += ("anyio", "click", "h11", "httptools", "idna", "segno", "starlette", "uvicorn")
_STRIPPED = ("libpython*.so*", "python3*/lib-dynload/*.so", "llvmlite/binding/*.so")
_STRIPPED += ("zstandard/*.so",)
_WINDOWS_VERSION = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3f, flags=0x0, OS=0x40004,
    fileType=0x1, subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("FileDescription", "2048 endgame trainer"),
      StringStruct("FileVersion", "{version}"),
      StringStruct("LegalCopyright", "MIT license; see the folder licenses"),
      StringStruct("ProductName", "{name}"),
      StringStruct("ProductVersion", "{version}")])]),
    VarFileInfo([VarStruct("Translation", [1033, 1200])])
  ])
"""


def make_folder(dist: Path) -> Path:
    """Freeze the program into a folder of `dist`; return it."""
    compile_all()
    with tempfile.TemporaryDirectory() as made:
        _write_icons(Path(made))
        numbers = tuple(int(part) for part in [*__version__.split(".")[:3], "0"])
        (Path(made) / "windows-version.txt").write_text(
            _WINDOWS_VERSION.format(numbers=numbers, version=__version__, name=PACKAGE),
            encoding="utf-8",
        )
        words = ["--distpath", dist, "--workpath", ROOT / "build" / "package", "--noconfirm"]
        words += ["--log-level", "WARN", HERE / f"{PACKAGE}.spec"]
        subprocess.run(
            [sys.executable, "-m", "PyInstaller", *map(str, words)],
            check=True,
            env={**os.environ, "ENDGAME2048_MADE": made},
        )
    folder = dist / PACKAGE
    if sys.platform.startswith("linux"):
        from elf_files import prune

        prune(folder / "_internal")
        _strip(folder / "_internal")
    _write_about(folder)
    if (app := dist / f"{PACKAGE}.app").exists():
        _write_about(app / "Contents" / "Resources")
    return folder


def make_archive(dist: Path, folder: Path) -> Path:
    """Pack the folder (or the application of macOS) into one file of `dist`; return it."""
    name = f"{PACKAGE}-{__version__}-{sys.platform}-{platform.machine().lower()}"
    if sys.platform == "darwin":  # as macOS does it: keeps links and permissions of the bundle
        target = dist / f"{name}.zip"
        app = dist / f"{PACKAGE}.app"
        subprocess.run(["ditto", "-c", "-k", "--keepParent", app, target], check=True)
        return target
    kind = "zip" if sys.platform == "win32" else "xztar"
    return Path(shutil.make_archive(str(dist / name), kind, folder.parent, folder.name))


def _strip(libraries: Path) -> None:
    """Remove what only debuggers read, from libraries known to work without it."""
    paths = [path for pattern in _STRIPPED for path in libraries.glob(pattern)]
    files = {path.resolve() for path in paths}
    subprocess.run(["strip", "--strip-unneeded", *map(str, sorted(files))], check=True)


def _write_icons(target: Path) -> None:
    from gui.shell.desktop_files import icon_png

    (target / "icon.png").write_bytes(icon_png(256))
    for kind in {"win32": ["ICO"], "darwin": ["ICNS"]}.get(sys.platform, []):
        from PySide6.QtGui import QImage

        side = 256 if kind == "ICO" else 512
        image = QImage.fromData(icon_png(side))
        if not image.save(str(target / f"icon.{kind.lower()}"), kind):
            raise SystemExit(f"Qt cannot write {kind}")


def _write_about(folder: Path) -> None:
    """Write the list of what the folder contains, with the licenses."""
    versions = {name: metadata.version(name) for name in _LIBRARIES}
    lines = [f"{PACKAGE} {__version__}", f"Python {platform.python_version()}"]
    lines += [f"{name} {version}" for name, version in versions.items()]
    lines += [f"{platform.system()} {platform.machine()}", ""]
    (folder / "VERSION").write_text("\n".join(lines), encoding="utf-8")
    shutil.copy2(ROOT / "LICENSE", folder / "LICENSE")
    licenses = folder / "licenses"
    shutil.copytree(HERE / "licenses", licenses, dirs_exist_ok=True)
    for name in versions:
        for path in metadata.files(name) or ():
            if "licen" in path.name.lower() and ".dist-info" in path.parts[0]:
                target = licenses / name / "-".join(path.parts[1:])
                target.parent.mkdir(exist_ok=True)
                shutil.copyfile(path.locate(), target)
    for place in (Path(sys.base_prefix), Path(os.__file__).parent):
        if (text := place / "LICENSE.txt").is_file():
            (licenses / "Python").mkdir(exist_ok=True)
            shutil.copyfile(text, licenses / "Python" / "LICENSE.txt")


def main() -> None:
    """Make what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="folder", choices=("folder", "archive", "deb"))
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", metavar="DIR")
    parser.add_argument("--again", action="store_true", help="freeze the program once more")
    args = parser.parse_args()
    dist = args.dist.resolve()
    folder = dist / PACKAGE
    if args.what == "folder" or args.again or not (folder / "VERSION").is_file():
        folder = make_folder(dist)
    made = folder
    if args.what == "archive":
        made = make_archive(dist, folder)
    elif args.what == "deb":
        from debian import make_deb

        made = make_deb(dist, folder)
    print(made)


if __name__ == "__main__":
    main()
