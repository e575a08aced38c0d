"""Contents of the frozen program: our modules and files, and the parts of libraries we use."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

ROOT_FILES = ("patterns_config.json", "color_schemes.txt")
# Modules that libraries import for features that we never use.
NOT_OURS = [
    *("IPython", "PIL", "_pytest", "babel", "gi", "hypothesis", "jinja2", "matplotlib", "mypy"),
    *("pip", "pkg_resources", "pygments", "pytest", "scipy", "setuptools", "tkinter", "yaml"),
    *("readline", "rlcompleter"),  # the library is under the GPL, and nothing is typed
    "uvloop",  # 14 MB for an event loop that is a tenth faster
    *("gymnasium", "ipykernel", "nbclient", "nbformat", "pandas", "ray", "tornado", "zmq"),
    *("ensurepip", "idlelib", "lib2to3", "pydoc_data", "turtle", "turtledemo", "venv"),
    *("zstandard._cffi", "zstandard.backend_cffi", "_cffi_backend", "cffi"),
    *("numba.np.ufunc.tbbpool", "numba.np.ufunc.omppool"),  # no kernel has threads of numba's
    *("numba.testing._runtests", "numba.tests", "numpy.f2py", "numpy.distutils", "tests"),
    *(f"PySide6.{name}" for name in ("QtQml", "QtQuick", "QtOpenGL", "QtPdf", "QtPrintSupport")),
]
_NO_SUFFIXES = {".py", ".pyc", ".po", ".part"}
# Of Qt. A plugin missing here is not needed, or would bring along libraries of this machine's
# desktop.
_QT_LIBRARIES = (
    *("Core", "DBus", "Gui", "Network", "Svg", "Widgets"),
    *("WaylandClient", "WaylandEglClientHwIntegration", "WlShellIntegration", "XcbQpa"),
)
_INPUT = ("compose", "ibus")
_QT_PLUGINS = {
    "iconengines": ("svgicon",),
    "imageformats": ("icns", "ico", "jpeg", "svg"),
    "platforminputcontexts": (
        "composeplatforminputcontextplugin",
        "ibusplatforminputcontextplugin",
    ),
    "platforms": ("cocoa", "offscreen", "wayland", "windows", "xcb"),
    "platformthemes": ("xdgdesktopportal",),
    "styles": ("macstyle", "modernwindowsstyle"),
    "wayland-decoration-client": ("adwaita", "bradient"),
    "wayland-shell-integration": ("fullscreen-shell-v1", "xdg-shell"),
}
_QT_LANGUAGES = ("qtbase_en.qm", "qtbase_zh_CN.qm")
_PLUGIN = re.compile(r"(?:.*/)?plugins/([\w-]+)/(?:lib)?q?([\w-]+)\.(?:so|dll|dylib)$")
_LIBRARY = re.compile(
    r"(?:.*/)?(?:lib)?Qt6?([A-Z]\w+?)(?:\.so(?:\.\d+)*|\.dll|\.abi3\.\w+|\.pyd)?$"
)


def modules(root: Path, names: Iterable[str]) -> list[str]:
    """Return all modules of the packages `names`."""
    found = []
    for name in names:
        for path in sorted((root / name).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def own_files(root: Path, names: Iterable[str]) -> Iterator[Path]:
    """Yield the files that the program reads while it runs."""
    yield from (root / name for name in ROOT_FILES)
    for name in names:
        for path in sorted((root / name).rglob("*")):
            within = path.relative_to(root)
            if (
                path.is_file()
                and path.suffix not in _NO_SUFFIXES
                and not any(part.startswith((".", "__pycache__")) for part in within.parts)
            ):
                yield path


def is_included(destination: str) -> bool:
    """Return whether we use a file that PyInstaller would take.

    Parameters
    ----------
    destination : str
        Where in the folder it would lie.
    """
    path = PurePosixPath(destination.replace("\\", "/"))
    text = str(path)
    if path.suffix == ".qm":
        return path.name in _QT_LANGUAGES
    if text.startswith(("numba/cuda/", "numpy/tests/", "numba/tests/")) and path.suffix != ".so":
        return False
    if "PySide6" not in path.parts and not path.name.startswith(("libQt6", "Qt6")):
        return True
    if plugin := _PLUGIN.fullmatch(text):
        kind, name = plugin.groups()
        return name in _QT_PLUGINS.get(kind, ())
    if "plugins" in path.parts or "qml" in path.parts:
        return False
    if library := _LIBRARY.fullmatch(path.name):
        return library[1] in _QT_LIBRARIES
    return "opengl32sw" not in path.name
