"""docs/service.md: its examples run as they are written, and its tables are right."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.formats.rpl import write_rpl
from tests.web.served import TOKEN, Served, service
from tests.web.test_game_jobs import any_game
from tests.web.test_service import best_game

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs/service.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```sh\n(.*?)^```\n(?:\n```json\n(.*?)^```)?", TEXT, re.M | re.S)

pytestmark = pytest.mark.skipif(
    not shutil.which("curl") or not shutil.which("bash"), reason="there is no curl"
)


@pytest.fixture(scope="module")
def folder(tables_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    (data / "game.rpl").write_bytes(write_rpl(best_game(tables_folder / "442_64")))
    (data / "game.vrs").write_bytes(any_game())
    return data


@pytest.fixture(scope="module")
def allowing(tables_folder: Path, folder: Path) -> Iterator[Served]:
    with service([tables_folder, folder / "tables"], folder, allow_builds=True) as served:
        yield served


def objects(text: str) -> list[Any]:
    decoder, found = json.JSONDecoder(), []
    text = text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].strip()
    return found


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return round(value, 4) if isinstance(value, float) else value


@pytest.mark.sample(1)
@pytest.mark.parametrize(("commands", "said"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_runs(allowing, folder, commands, said):
    variables = {
        "URL": f"http://127.0.0.1:{allowing.port}",
        "TOKEN": TOKEN,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env={**os.environ, **variables, "no_proxy": "*"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    found = objects(done.stdout)
    assert found
    assert not [one for one in found if "error" in one]
    if said:
        assert rounded(found[0]) == json.loads(said)


def test_there_are_examples():
    assert len(EXAMPLES) > 6


def test_every_path_is_in_the_table(allowing):
    paths = allowing.get("/openapi.json").json["paths"]
    table = "\n".join(line for line in TEXT.splitlines() if line.startswith("| `"))
    for path in paths:
        parts = path.replace("{name}", "ID")
        is_there = parts in table or parts.rpartition("/")[0] in table
        assert is_there, path
