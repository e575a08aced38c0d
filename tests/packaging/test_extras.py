"""Each extra in a virtual environment of its own, and one real thing done with it: minutes.

python -m pytest -m slow tests/packaging/test_extras.py
"""

import json
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.packaging.installing import environment_of, new_environment, pip, python_in, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
TOKEN = "a-token-of-the-tests"


@pytest.fixture
def programs(wheel: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The folder of the programs of a new environment with the wheel and an extra."""
    found = new_environment(tmp_path / "environment")
    extra = f"[{request.param}]" if request.param else ""
    pip(python_in(found), "install", f"{wheel}{extra}", folder=tmp_path)
    return found


def has(programs: Path, name: str, folder: Path) -> bool:
    told = run(python_in(programs), "-c", FIND, name, folder=folder)
    return told.strip() == "True"


FIND = "import importlib.util, sys; print(importlib.util.find_spec(sys.argv[1]) is not None)"


@pytest.mark.parametrize("programs", [""], indirect=True)
def test_without_an_extra_it_builds_and_says_what_serve_needs(programs, tmp_path):
    program = programs / "endgame2048"
    run(program, "build", "2x4", "64", folder=tmp_path)
    said = run(program, "probe", "2x4_64", "--board", "ffff02044252ffff", folder=tmp_path)
    assert "best up" in said
    assert "endgame2048[web]" in run(program, "serve", folder=tmp_path, status=2)
    for name in ("starlette", "gymnasium", "mkdocs", "pandas"):
        assert not has(programs, name, tmp_path)


@pytest.mark.parametrize("programs", ["web"], indirect=True)
def test_web_serves(programs, tmp_path):
    run(programs / "endgame2048", "build", "2x4", "64", folder=tmp_path)
    assert has(programs, "httptools", tmp_path)
    assert has(programs, "uvloop", tmp_path) is (sys.platform != "win32")
    words = ("serve", "--port", "0", "--stdin-control", "--json")
    with subprocess.Popen(
        [str(programs / "endgame2048"), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment_of(tmp_path, ENDGAME2048_TOKEN=TOKEN),
    ) as process:
        assert process.stdout
        base = json.loads(process.stdout.readline())["base"]
        asked = urllib.request.Request(
            f"{base}v1/probe",
            json.dumps({"board": "ffff02044252ffff"}).encode(),
            {"Authorization": f"Bearer {TOKEN}"},
        )
        with urllib.request.urlopen(asked, timeout=600) as answer:
            assert json.load(answer)["best"] == "up"
        with urllib.request.urlopen(base, timeout=600) as page:
            assert b"page.js" in page.read()
        process.communicate(timeout=600)
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="Ray lacks some versions of Python")
@pytest.mark.parametrize("programs", ["cluster"], indirect=True)
def test_cluster_plays_and_builds(programs, tmp_path):
    program, over = programs / "endgame2048", ("--cluster", "auto", "--json")
    words = ("play", "--games", "2", "--nodes", "5", "--no-tables")
    told = run(program, *words, *over, folder=tmp_path)
    assert [json.loads(line)["seed"] for line in told.splitlines()] == [1, 2]
    told = run(program, "build", "2x4", "64", *over, folder=tmp_path)
    assert json.loads(told.splitlines()[-1])["event"] == "done"


GAME = """
import gymnasium
import endgame2048 as eg
import endgame2048.gymnasium_env

result = eg.build("2x4", 64, "a table")
env = gymnasium.make("Endgame2048-v0", table=result.table)
observation, info = env.reset(seed=1)
given_away, is_over = 0.0, False
while not is_over:
    observation, reward, is_over, _, info = env.step(info["best"])
    given_away -= reward
print(round(given_away, 9), info["is_success"])
"""


@pytest.mark.parametrize("programs", ["gym"], indirect=True)
def test_gym_plays_a_game_that_gives_nothing_away(programs, tmp_path):
    assert run(python_in(programs), "-c", GAME, folder=tmp_path).split() == ["0.0", "True"]


@pytest.mark.parametrize("programs", ["docs"], indirect=True)
def test_docs_makes_the_site(programs, project_root, tmp_path):
    for name in (".ci", "docs", "endgame2048", "engine", "tablebase"):
        shutil.copytree(project_root / name, tmp_path / "checkout" / name)
    config = tmp_path / "checkout" / ".ci" / "mkdocs.yml"
    words = ("-m", "mkdocs", "build", "--quiet", "--config-file", config)
    run(python_in(programs), *words, folder=tmp_path, NO_MKDOCS_2_WARNING="1")
    site = tmp_path / "checkout" / "build" / "site"
    assert "open_table" in (site / "reference.html").read_text(encoding="utf-8")
    assert (site / "tables-in-a-notebook.ipynb").is_file()


CELLS = """
import json, pathlib, sys

notebook = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
cells = ["".join(one["source"]) for one in notebook["cells"] if one["cell_type"] == "code"]
exec("\\n".join(cells), {})
"""


@pytest.mark.parametrize("programs", ["notebook"], indirect=True)
def test_notebook_has_what_the_notebook_takes(programs, project_root, tmp_path):
    notebook = project_root / "docs" / "tables-in-a-notebook.ipynb"
    said = run(python_in(programs), "-c", CELLS, notebook, folder=tmp_path, MPLBACKEND="agg")
    assert "most empty" in said
    assert "no chart" not in said
    assert has(programs, "ipykernel", tmp_path)
