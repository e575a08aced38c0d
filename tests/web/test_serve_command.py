"""The command `serve`: what it prints, whom it refuses, how it ends."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from child import assert_refused, environment, json_lines, run, run_apart

from tests.child import python
from tests.web.served import TOKEN, Served, command, port_of

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.thorough
def test_it_prints_an_address_that_opens(tables_folder, tmp_path):
    with command(tmp_path, "--tables", tables_folder) as process:
        assert process.stdout
        url = process.stdout.readline().split()[-1]
        base, _, token = url.partition("#token=")
        served = Served(int(base.rstrip("/").rpartition(":")[2]))
        assert token == TOKEN
        assert served.ask("GET", "/", token=None).status == 200
        assert served.ask("GET", "/v1", token=None).status == 401
        names = [one["name"] for one in served.get("/v1/tables").json["tables"]]
        assert names == ["2x4_64", "442_64"]
    assert process.returncode == 0


@pytest.mark.thorough
def test_the_address_keeps_signs_of_a_token_that_have_a_meaning_there(tmp_path):
    token = "a+b/c&d=%41#+ending=="
    with command(tmp_path, "--json", token=token) as process:
        assert process.stdout
        event = json.loads(process.stdout.readline())
    assert event["token"] == token
    fragment = event["url"].partition("#")[2]
    assert parse_qs(fragment) == {"token": [token]}  # as the page reads it


@pytest.mark.thorough
def test_each_start_has_a_token_of_its_own(tmp_path):
    tokens = set()
    variables = {
        name: value for name, value in environment().items() if name != "ENDGAME2048_TOKEN"
    }
    for _ in range(2):
        words = ["--data-dir", tmp_path, "serve", "--port", "0", "--json", "--stdin-control"]
        done = subprocess.run(
            [sys.executable, ROOT / "main.py", *words],
            input="",
            capture_output=True,
            text=True,
            env=variables,
            check=True,
        )
        tokens.add(json_lines(done.stdout)[0]["token"])
    assert len(tokens) == 2
    assert all(len(token) >= 32 for token in tokens)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_it_is_asked_to(tmp_path, number):
    with command(tmp_path, "--json") as process:
        port_of(process)
        process.send_signal(number)
        process.wait(100)
    assert process.returncode == 0


@pytest.mark.thorough
def test_a_port_that_is_taken_is_told(tmp_path):
    with command(tmp_path, "--json") as process:
        port = port_of(process)
        refused = run("--data-dir", tmp_path, "serve", "--port", port)
        assert_refused(refused, "cannot listen", str(port), "--port")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "70000"], "70000"),
        (["--port", "-1"], "-1"),
        (["--host", "no such host"], "cannot listen"),
        (["--host", "192.0.2.1"], "cannot listen"),
        (["--host", "0.0.0.0", "--no-token"], "--no-token"),
        (["--rate", "0"], "'0'"),
    ],
)
def test_options_that_will_not_do_are_refused(tmp_path, words, said):
    assert said in run_apart("--data-dir", tmp_path, "serve", "--stdin-control", *words).stderr


@pytest.mark.thorough
def test_the_network_is_warned_of(tmp_path):
    options = ("--host", "0.0.0.0", "--port", 0, "--stdin-control")
    done = run_apart("--data-dir", tmp_path, "serve", *options)
    assert done.returncode == 0
    assert "warning" in done.stderr
    assert "encrypted" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("token", ["short", "with spaces in it and all", "ünïcödeünïcödeünïcöde"])
def test_a_weak_token_is_refused(tmp_path, token):
    with command(tmp_path, token=token) as process:
        _, errors = process.communicate()
    assert process.returncode == 2
    assert "ENDGAME2048_TOKEN" in errors


WITHOUT = """
import sys
sys.path.insert(0, {root!r})
sys.modules.update(segno=None, starlette=None, uvicorn=None)  # as if they were not there
import main
sys.exit(main.main(["--data-dir", {data!r}, "serve", "--port", "0"]))
"""


def test_without_the_extra_it_says_what_to_install(tmp_path):
    code = WITHOUT.format(root=str(ROOT), data=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "endgame2048[web]" in done.stderr


def test_help_needs_none_of_it():
    code = (
        "import sys, main\n"
        "try:\n    main.main(['serve', '--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'segno', 'uvicorn', 'starlette', 'numba', 'msgspec'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    assert "--allow-builds" in python(code)


def test_addresses_that_do_not_go_are_refused(tmp_path):
    assert_refused(run("serve", "--host", "", "--data-dir", tmp_path), "is not an address")
    both = ("serve", "--lan", "--host", "127.0.0.1", "--data-dir", tmp_path)
    assert_refused(run(*both), "leave it or --host out")
