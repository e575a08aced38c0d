"""Finished games in one file, whoever writes to it."""

import csv
import errno
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from ai.baselines.ladder_game import MoveStatistics
from ai.errors import PlayError
from ai.game_result import GameResult
from ai.match.match import Match
from ai.match.report import report
from ai.match.results_file import (
    COLUMNS,
    ResultsFile,
    move_log,
    row_of,
    settings_of,
    source_ms_of,
    sources_of,
)
from engine.platform.files import file_lock

MATCH = Match(nodes=1)
HEAD = ",".join(COLUMNS).encode() + b"\r\n"


def game(seed: int, score: int = 100) -> dict[str, str]:
    return dict.fromkeys(COLUMNS, "7") | settings_of(MATCH) | {
        "seed": str(seed), "score": str(score)
    }  # fmt: skip


def games_in(path: Path) -> list[tuple[int, int]]:
    with path.open(newline="") as file:
        return [(int(row["seed"]), int(row["score"])) for row in csv.DictReader(file)]


def test_games_are_added_line_by_line_and_read_again(tmp_path):
    path = tmp_path / "games.csv"
    file = ResultsFile(path, MATCH)
    assert path.read_bytes() == HEAD
    assert [file.add(game(seed)) for seed in (3, 1)] == [game(3), game(1)]
    assert games_in(path) == [(3, 100), (1, 100)]
    assert ResultsFile(path, MATCH).rows == file.rows == {3: game(3), 1: game(1)}


def test_a_game_that_another_process_has_finished_is_not_there_twice(tmp_path):
    path = tmp_path / "games.csv"
    one, other = ResultsFile(path, MATCH), ResultsFile(path, MATCH)
    one.add(game(1))
    assert other.add(game(1, 200)) == game(1), "the one that is in the file"
    other.add(game(2, 200))
    one.add(game(3))
    assert games_in(path) == [(1, 100), (2, 200), (3, 100)]
    assert one.rows == {1: game(1), 2: game(2, 200), 3: game(3)}


def test_many_writers_lose_nothing_and_count_nothing_twice(tmp_path):
    path = tmp_path / "games.csv"

    def play(first: int) -> None:
        file = ResultsFile(path, MATCH)
        for seed in range(first, first + 100):
            file.add(game(seed))

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(play, first) for first in (0, 30, 60, 90)]:
            done.result()
    assert sorted(games_in(path)) == [(seed, 100) for seed in range(190)]


def test_an_editor_may_have_changed_the_ends_of_lines(tmp_path):
    path = tmp_path / "games.csv"
    ResultsFile(path, MATCH).add(game(1))
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    ResultsFile(path, MATCH).add(game(2))
    assert games_in(path) == [(1, 100), (2, 100)]


def test_a_file_of_an_older_version_goes_on_as_it_began(tmp_path):
    """Without the time by source, which that version did not know."""
    path, old = tmp_path / "games.csv", COLUMNS[: COLUMNS.index("sources") + 1]
    lines = [old, [game(1)[name] for name in old]]
    path.write_bytes(b"".join(",".join(line).encode() + b"\r\n" for line in lines))
    file = ResultsFile(path, MATCH)
    assert file.rows == {1: game(1) | {"source_ms": ""}}
    file.add(game(2, 200))
    assert games_in(path) == [(1, 100), (2, 200)]
    assert {line.count(b",") for line in path.read_bytes().splitlines()} == {len(old) - 1}
    assert source_ms_of(ResultsFile(path, MATCH).rows[2]) == {}


def test_moves_and_milliseconds_are_told_by_source():
    result = GameResult(
        *(1, 100, 12, 5, "0" * 16, 0.1, 0, 0),
        {"L3_512": 8, "search": 4},
        {"L3_512": 0.002, "search": 0.01},
    )
    row = row_of(MATCH, result)
    assert sources_of(row) == {"L3_512": 8, "search": 4}
    assert source_ms_of(row) == {"L3_512": 0.25, "search": 2.5}
    other = row | {"seed": "2", "sources": "L3_512=4", "source_ms": "L3_512=1.0000", "moves": "4"}
    old = row | {"seed": "3", "sources": "L3_512=16", "source_ms": "", "moves": "16"}
    text = report([row, other, old], "title")
    assert re.search(r"L3_512 +87\.5 % +0\.500", text)  # 2 + 4 ms over 12 moves; who did not count
    assert re.search(r"search +12\.5 % +2\.500", text)


def test_games_without_a_move_are_reported():
    """A board may be stuck from the start; files of older versions name the source even so."""
    row = row_of(MATCH, GameResult(1, 0, 0, 2, "1212212112122121", 0.0, 0, 0, {}))
    old = row | {"seed": "2", "sources": "random=0"}
    assert "moves by" not in report([row, old], "title")
    other = row | {"seed": "3", "sources": "hand=4", "moves": "4"}
    text = report([old, other], "title")
    assert re.search(r"hand +100\.0 %", text)
    assert "random" not in text


def test_starts_are_told_apart_and_written_like_final_boards():
    starts = [(1, 0, *[0] * 14), (16, *[0] * 15), (15, 14, 13, *[0] * 13)]
    texts = [settings_of(replace(MATCH, start=start))["start"] for start in starts]
    assert texts == ["1" + "0" * 15, "g" + "0" * 15, "fed" + "0" * 13]


@pytest.mark.parametrize("torn", [HEAD[:9], HEAD + b"main,1 no"])
def test_a_torn_line_is_cut_off(tmp_path, torn):
    path = tmp_path / "games.csv"
    path.write_bytes(torn)
    ResultsFile(path, MATCH).add(game(1))
    assert games_in(path) == [(1, 100)]


@pytest.mark.parametrize(
    "text", [b"my notes", b"my notes\n", b"\0" * 200_000, HEAD + b"x" * 200_000]
)
def test_another_file_stays_as_it_is(tmp_path, text):
    path = tmp_path / "notes.csv"
    path.write_bytes(text)
    with pytest.raises(PlayError, match="not a list of games"):
        ResultsFile(path, MATCH)
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    "change",
    [
        *({"final": "1.2E+15"}, {"score": "1.5E3"}, {"sources": "search"}, {"cpu_s": "0,1"}),
        *({"cpu_s": "nan"}, {"ms_per_move": "inf"}, {"score": "-1"}, {"moves": "9" * 400}),
        {"sources": "search=" + "9" * 30},
    ],
)
def test_what_a_spreadsheet_has_changed_is_refused(tmp_path, change):
    path = tmp_path / "games.csv"
    ResultsFile(path, MATCH).add(game(1) | change)
    before = path.read_bytes()
    with pytest.raises(PlayError, match="not a list of games"):
        ResultsFile(path, MATCH)
    assert path.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
def test_a_pipe_is_no_file_of_games(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path):
        with pytest.raises(PlayError, match="is not a file"):
            ResultsFile(place, MATCH)


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
def test_a_line_for_which_there_is_no_room_is_not_there_at_all(tmp_path):
    import resource
    import signal

    path = tmp_path / "games.csv"
    file = ResultsFile(path, MATCH)
    file.add(game(1))
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 9, hard))
        with pytest.raises(PlayError, match=str(path)):
            file.add(game(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == before
    file.add(game(2))
    assert games_in(path) == [(1, 100), (2, 100)]


def test_a_file_that_stays_locked_is_told(tmp_path):
    path, waits = tmp_path / "games.csv", list[float]()
    file = ResultsFile(path, MATCH, waits.append)
    with path.open("a+b", buffering=0) as held:
        file_lock.lock(held)
        with pytest.raises(PlayError, match="locked"):
            file.add(game(1))
    assert 10 < sum(waits) < 120
    file.add(game(1))
    assert games_in(path) == [(1, 100)]


def test_a_drive_without_locks_will_do(tmp_path, monkeypatch):
    def unsupported(*_arguments: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("ai.match.results_file.lock", unsupported)
    ResultsFile(tmp_path / "games.csv", MATCH).add(game(1))
    assert games_in(tmp_path / "games.csv") == [(1, 100)]


def test_each_move_is_in_its_file_at_once(tmp_path):
    """A game may be noted as finished, and the program killed, before the file is closed."""
    path = tmp_path / "moves.csv"
    with move_log(path) as tell:
        assert tell is not None
        for number in (1, 2):
            tell(MoveStatistics(7, number, 0, 5, 0, 0.5))
            assert len(path.read_bytes().splitlines()) == 1 + number
    with move_log(path, {7}):
        assert len(path.read_bytes().splitlines()) == 3


def test_the_moves_of_finished_games_stay_behind_a_link(tmp_path):
    path, link = tmp_path / "moves.csv", tmp_path / "link.csv"
    with move_log(path) as tell:
        assert tell is not None
        for seed in (7, 77, 8):
            tell(MoveStatistics(seed, 1, 0, 5, 0, 0.5))
    link.symlink_to(path)
    with move_log(link, {7, 8}):
        pass
    assert link.is_symlink()
    assert path.read_bytes().splitlines()[1:] == [b"7,1,0,5,0,0.5", b"8,1,0,5,0,0.5"]


def test_moves_go_to_what_is_no_file_too(monkeypatch):
    monkeypatch.setattr("ai.match.results_file.write_file", None)  # it would replace the device
    for finished in ((), {7}):
        with move_log(Path(os.devnull), finished) as tell:
            assert tell is not None
            tell(MoveStatistics(7, 1, 0, 5, 0, 0.5))


@pytest.mark.parametrize("content", [b"a" * 200_000, b"seed,\0\xff\n1,2,3\n", b""])
def test_the_lines_of_another_file_are_no_moves(tmp_path, content):
    path = tmp_path / "moves.csv"
    path.write_bytes(content)
    with move_log(path, {1}):
        assert len(path.read_bytes().splitlines()) == 1
