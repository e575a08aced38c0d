"""Windows in processes of their own, all ended after the test."""

from collections.abc import Callable, Iterator

import pytest

from tests.gui.single.window_process import WindowProcess


@pytest.fixture
def start() -> Iterator[Callable[..., WindowProcess]]:
    windows = []

    def begin(*args: object, **more: object) -> WindowProcess:
        windows.append(WindowProcess(*args, **more))  # type: ignore[arg-type]
        return windows[-1]

    yield begin
    for window in windows:
        window.stop()
