"""Where the files that come with the program are: data, not code, beside the packages.

In a checkout they lie in its root. An installed program keeps them in ``share/endgame2048`` of
the place that pip installs data to, which depends on how pip was called.
"""

import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

APP_NAME = "endgame2048"
PROJECT_ROOT = Path(__file__).parent.parent


def is_checkout() -> bool:
    """Tell whether the program runs from its source folder rather than installed."""
    return (PROJECT_ROOT / "pyproject.toml").is_file()


def project_file(name: str) -> Path:
    """Return the path of a file of the project, such as ``patterns_config.json``.

    When there is no such file anywhere, the path is where a checkout would have it, so that the
    message of whoever opens it names a sensible place.
    """
    beside = PROJECT_ROOT / name
    return next((path for path in (beside, *_installed(name)) if path.is_file()), beside)


def _installed(name: str) -> Iterator[Path]:
    """Yield the places for pip install, pip install --target and pip install --user."""
    roots = [sysconfig.get_path("data"), sys.prefix, PROJECT_ROOT, site.getuserbase()]
    for root in dict.fromkeys(map(str, roots)):
        yield Path(root) / "share" / APP_NAME / name
