"""The preview in a window of another program, on a real X server where one can be had."""

import json
import os
import shutil
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("xvfb-run") and shutil.which("xwininfo")),
        reason="needs xvfb-run and xwininfo",
    ),
]


def test_the_preview_fills_the_window_lent_follows_its_size_and_goes_with_it(
    tmp_path, project_root
):
    screen = ["xvfb-run", "-a", "-s", "-screen 0 1000x700x24"]
    host = [sys.executable, "-m", "tests.gui.screensaver.preview_host", str(tmp_path)]
    done = subprocess.run(
        [*screen, *host],
        cwd=project_root,
        env=os.environ | {"QT_QPA_PLATFORM": "xcb"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if "Could not load the Qt platform plugin" in done.stderr:
        pytest.skip("Qt's libraries for X are not there")
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == {"at first": [500, 400], "enlarged": [700, 450], "status": 0}
