"""``main.py build`` word for word: output, exit status, refusals, cancelling."""

import json
import os
import signal
from itertools import pairwise
from pathlib import Path

import pytest
from child import assert_refused, contents, json_lines, run, start, written_at
from makers import TableMaker

from tablebase.store.build_lock import folder_lock

PROGRESS_KEYS = {"event", "phase", "layer", "layers", "boards", "bytes", "elapsed_s", "eta_s"}
DONE_KEYS = {
    *("event", "table", "layers", "boards", "stored", "bytes"),
    *("elapsed_s", "cpu_s", "peak_rss_bytes"),
}


@pytest.fixture(scope="module")
def finished(table: TableMaker) -> dict[str, bytes]:
    return contents(table("44", 64))


def test_json_is_progress_and_then_done(tmp_path, finished):
    result = run("build", "44", 64, "--out", tmp_path, "--json")
    assert result.returncode == 0, result.stderr
    *progress, done = json_lines(result.stdout)
    assert {line["event"] for line in progress} == {"progress"}
    assert all(set(line) >= PROGRESS_KEYS for line in progress)
    assert list(dict.fromkeys(p["phase"] for p in progress)) == ["expand", "solve", "finish"]
    told = [p["layer_boards"] for p in progress if "layer_boards" in p]
    assert [one[0] for one in told] == [sum(len(o) - 1 for o in told[:i]) for i in range(len(told))]
    assert sum(len(one) - 1 for one in told) == progress[-1]["layers"], "each layer once"
    assert 0 < progress[-1]["rss_bytes"] <= 2 * progress[-1]["peak_rss_bytes"]
    assert done["event"] == "done"
    assert set(done) >= DONE_KEYS
    assert Path(done["table"]) == tmp_path / "44_64"
    assert done["layers"] == 80
    assert done["bytes"] == sum(map(len, finished.values())) - len(finished["manifest.json"])
    assert 0 < done["stored"] < done["boards"]
    assert contents(tmp_path / "44_64") == finished


@pytest.mark.thorough
def test_progress_comes_twice_a_second_at_most(tmp_path):
    result = run("build", "3x3", 128, "--out", tmp_path, "--json")
    progress = json_lines(result.stdout)[:-1]
    times = [(p["phase"], p["elapsed_s"]) for p in progress]
    for (phase, before), (next_phase, after) in pairwise(times):
        assert next_phase != phase or after - before > 0.45


def test_without_json_stdout_stays_readable_and_the_table_is_the_same(tmp_path, finished):
    result = run("build", "44", 64, "--out", tmp_path, "--threads", 1)
    assert result.returncode == 0, result.stderr
    assert str(tmp_path / "44_64") in result.stdout + result.stderr
    assert contents(tmp_path / "44_64") == finished


def test_the_data_folder_is_the_default_place(tmp_path, finished):
    result = run("build", "44", 64, "--json", "--data-dir", tmp_path)
    assert result.returncode == 0, result.stderr
    assert contents(tmp_path / "tables" / "44_64") == finished


def test_building_again_reuses_the_table(tmp_path):
    first = json_lines(run("build", "44", 64, "--out", tmp_path, "--json").stdout)[-1]
    before = written_at(tmp_path / "44_64")
    again = json_lines(run("build", "44", 64, "--out", tmp_path, "--json").stdout)[-1]
    assert written_at(tmp_path / "44_64") == before
    for key in ("table", "layers", "boards", "stored", "bytes"):
        assert again[key] == first[key]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["44x", 64], ["'44x'", "44"]),
        (["44", 63], ["63", "64, 128"]),
        (["44", "many"], ["many"]),
        (["3x405", 64], ["3x405"]),
        (["44", 64, "--rate", "uint7"], ["uint7"]),
        (["44", 64, "--spawn4", "2"], ["2"]),
        (["44", 64, "--spawn4", "nan"], ["nan"]),
        (["44", 64, "--spawn4", "often"], ["often"]),
        (["44", 64, "--threads", "0"], ["0"]),
        (["44", 64, "--threshold", "1"], ["'1'", "0 to below 1"]),
        (["44", 64, "--sparse", "2"], ["'2'", "from 3 to 16"]),
        (["44", 64, "--sparse", "4", "--optimal-only"], ["a sparse table needs all boards"]),
        (["44", 64, "--level", "best"], ["best", "fast", "small"]),
        (["44"], ["TARGET"]),
        (["44", 64, "--quickly"], ["--quickly"]),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path, arguments, words):
    assert_refused(run("build", *arguments, "--out", tmp_path, "--json"), *words)
    assert not contents(tmp_path)


def test_other_parameters_are_refused(tmp_path):
    run("build", "44", 64, "--out", tmp_path)
    before = contents(tmp_path)
    refused = run("build", "44", 64, "--out", tmp_path, "--spawn4", 0.2)
    assert_refused(refused, "0.1", "0.2")
    refused = run("build", "44", 64, "--out", tmp_path, "--rate", "float32", "--json")
    assert_refused(refused, "uint32", "float32")
    assert contents(tmp_path) == before


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    assert_refused(run("build", "44", 64, "--out", tmp_path / "file" / "tables"), "file")


@pytest.mark.thorough
def test_what_is_cancelled_while_room_is_looked_for_begins_nothing(tmp_path):
    words = ("build", "L3", 2048, "--out", tmp_path, "--json", "--stdin-control")
    with start(*words) as process:
        output, _ = process.communicate("cancel\n", timeout=600)
        assert process.returncode == 3
    assert "done" not in [line["event"] for line in json_lines(output)]
    assert not list(tmp_path.rglob("layer*"))


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["cancel", "close"])
def test_cancelling_by_stdin_is_status_3_and_resumable(tmp_path, table, how):
    """The window sends a line; when the window dies its end of the pipe closes."""
    words = ("build", "3x3", 256, "--out", tmp_path, "--json", "--stdin-control")
    with start(*words) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert first["event"] == "progress"
        if how == "cancel":
            process.stdin.write("cancel\n")
            process.stdin.flush()
        else:
            process.stdin.close()
        output = process.stdout.read()
        assert process.wait(100) == 3
    assert "done" not in [line["event"] for line in json_lines(output)]
    assert not list(tmp_path.rglob("*.part"))
    assert run("build", "3x3", 256, "--out", tmp_path).returncode == 0
    assert contents(tmp_path / "3x3_256") == contents(table("3x3", 256))


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_ctrl_c_is_a_cancel(tmp_path):
    process = start("build", "3x3", 256, "--out", tmp_path, "--json")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 3
    assert "Traceback" not in errors
    assert not list(tmp_path.rglob("*.part"))


def test_a_build_beside_another_one_of_the_same_table_is_refused(tmp_path):
    """As by command beside the window, which builds by the same command."""
    with folder_lock(tmp_path / "2x4_64"):
        result = run("build", "2x4", 64, "--out", tmp_path)
    assert_refused(result, f"another builder (process {os.getpid()}) is at work")
    assert not list(tmp_path.rglob("*.tbl"))
