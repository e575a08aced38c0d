"""The modules of the page run by node: a copy of them, and a script's answer to each question."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "web/page"


def copy_modules(folder: Path) -> Path:
    for path in PAGE.glob("*.js"):
        shutil.copy(path, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def answers(script: str, modules: Path, questions: Sequence[Any]) -> list[Any]:
    done = subprocess.run(
        ["node", HERE / script, modules],
        input="".join(json.dumps(one) + "\n" for one in questions),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
