"""How pip builds the program: setuptools, on a copy of the tree that has one top-level package.

See nesting.py. An sdist is a copy of the checkout, so a wheel made from it is the same. With
``--editable``, the checkout is used as it is.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from catalogues import compile_all
from nesting import PACKAGE, ROOT, copy_sources, nest
from setuptools import build_meta
from setuptools.build_meta import (  # what pip asks of us for --editable
    get_requires_for_build_editable,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """Build a wheel with one top-level package into `wheel_directory`; return its name."""
    del metadata_directory  # it is the same, and setuptools makes it again
    compile_all()
    target = str(Path(wheel_directory).absolute())
    with _staged(nest):
        return build_meta.build_wheel(target, config_settings)


def build_editable(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """Make the checkout importable, with its translations; return the name of the wheel for it."""
    compile_all()
    return build_meta.build_editable(wheel_directory, config_settings, metadata_directory)


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    """Write the metadata of the wheel into `metadata_directory`; return the name of its folder."""
    target = str(Path(metadata_directory).absolute())
    with _staged(nest):
        return build_meta.prepare_metadata_for_build_wheel(target, config_settings)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Build an archive of the sources into `sdist_directory`; return its name."""
    target = str(Path(sdist_directory).absolute())
    compile_all()
    with _staged(copy_sources):
        return build_meta.build_sdist(target, config_settings)


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return the requirements of a wheel besides setuptools: none."""
    del config_settings
    return []


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    """Return the requirements of an sdist besides setuptools: none."""
    del config_settings
    return []


@contextmanager
def _staged(write: Callable[[Path, Path], None]) -> Iterator[None]:
    """Let `write` fill a new folder from the checkout, and work in it meanwhile."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder) / PACKAGE
        stage.mkdir()
        write(ROOT, stage)
        os.chdir(stage)
        try:
            yield
        finally:
            os.chdir(before)
