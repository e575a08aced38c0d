"""``profile`` as people type it."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.coach.conftest import Command
from tests.coach.made_sessions import played, write_session


@pytest.fixture
def run(tmp_path: Path, command: Command) -> partial[tuple[int, str, str]]:
    return partial(command, tmp_path, "profile")


def test_nothing_is_made_and_a_remedy_is_named_where_there_is_no_game(run, tmp_path):
    status, out, err = run()
    assert (status, out) == (2, "")
    assert "take a test" in err
    assert not list(tmp_path.glob("*.db"))
    (tmp_path / "tests").mkdir()
    assert run()[0] == 2


def test_text_and_json_tell_the_same(run, tmp_path):
    for i in range(8):
        write_session(tmp_path / "tests" / f"{i}.json", played(60, by=i))
    status, out, _ = run()
    assert status == 0
    found = json.loads(run("--json")[1])
    assert f"{found['whole']['moves']:,} moves with a choice in 8 games" in out
    assert found["games"] == 8
    for shares in found["cuts"].values():
        assert sum(one["moves"] for one in shares) == found["whole"]["moves"]
    assert found["whole"]["enough"]
    assert f"lost per move: {0.1 * found['whole']['lost_per_1000']:.0f} " in out
    assert [one["key"] for one in found["cuts"]["formation"]] == ["L3"]
    assert "What the best move was for:" in out
    assert found["session"] == {"seconds": 0, "due": 0, "worst": 0, "puzzles": 0}


def test_how_many_the_ai_is_asked_about_is_a_number(run):
    with pytest.raises(SystemExit) as ended:
        run("--ai", "many")
    assert ended.value.code == 2
