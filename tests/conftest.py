"""What all tests share: import paths, no display, the project's root."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
for folder in (ROOT, ROOT / "tests"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


settings.register_profile("any machine", deadline=None)  # the first call may compile
settings.load_profile("any machine")


SLOW_S = 1800


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow tests the time they take."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_S))


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder of the checkout."""
    return ROOT
