"""The game behind the Game page: saved with every move, restored, counted when it is over."""

import errno
import itertools
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from engine.game import Game
from engine.game_data import game_to_dict
from engine.game_log import read_log
from engine.platform.errors import InvalidBoardError
from gui.game.records import GameRecord, append_record, read_records, summarize
from gui.game.session import GameSession

_OPENED: list[GameSession] = []


@pytest.fixture(autouse=True)
def _closed_in_the_end() -> Iterator[None]:
    """Let go of the files of sessions that a test leaves open, as a program that was killed."""
    yield
    while _OPENED:
        _OPENED.pop().close()


def session_in(folder: Path, first_seed: int = 1) -> GameSession:
    seeds = itertools.count(first_seed)
    ticks = itertools.count()  # a quarter of a second passes between two looks at the clock
    session = GameSession(
        folder, lambda: next(seeds), lambda: datetime(2030, 1, 2, 3, 4, 5), lambda: next(ticks) / 4
    )
    _OPENED.append(session)
    session.load()
    return session


def play(session: GameSession, n: int) -> None:
    for _ in range(n):
        session.move(session.game.legal_moves()[0])


def play_out(session: GameSession, helper: str = "") -> None:
    while legal := session.game.legal_moves():
        session.move(legal[0], helper)


def test_a_game_goes_on_after_the_program_was_killed(tmp_path):
    session = session_in(tmp_path)
    play(session, 30)
    session.undo()
    session.undo()
    session.redo()
    again = session_in(tmp_path)  # the first one was never closed
    assert game_to_dict(again.game) == game_to_dict(session.game)
    assert again.best == session.best > 0
    assert (again.game.can_undo, again.game.can_redo) == (True, True)


def test_undo_does_not_take_the_best_score_and_a_new_game_keeps_it(tmp_path):
    session = session_in(tmp_path)
    play(session, 30)
    best = session.best
    while session.undo():
        pass
    assert (session.game.score, session.best) == (0, best)
    session.new_game()
    assert session_in(tmp_path).best == best


def test_a_new_game_loses_only_a_game_that_goes_on(tmp_path):
    session = session_in(tmp_path)
    assert not session.would_lose
    play(session, 1)
    assert session.would_lose
    play_out(session)
    assert not session.would_lose


def test_the_game_before_is_kept_whole(tmp_path):
    session = session_in(tmp_path)
    play_out(session)
    before = game_to_dict(session.game)
    session.new_game()
    session.new_game()  # nothing was played: this is not a game to keep
    assert game_to_dict(read_log(tmp_path / "last.log").game) == before
    assert game_to_dict(session_in(tmp_path).game) == game_to_dict(session.game)


def test_a_finished_game_counts_once_however_often_it_ends(tmp_path):
    session = session_in(tmp_path)
    play_out(session, helper="search")
    session.undo()
    session.undo()
    play_out(session)
    game = session.game
    assert (session.summary.games, session.summary.best, session.best) == (1, 0, 0)
    again = session_in(tmp_path)
    assert again.summary == session.summary
    (record,) = read_records(tmp_path / "games.csv")
    assert record == GameRecord(
        1, "2030-01-02T03:04:05", game.score, game.n_moves, game.max_exponent, 0, "search",
        sum(game.times()), sum(tile[1] == 2 for _, tile in game.played()[1]), 0.1,
    )  # fmt: skip
    session.new_game()
    play_out(session)
    assert session.summary.games == session_in(tmp_path).summary.games == 2


def test_a_game_of_the_ai_leaves_the_best_score_to_the_person(tmp_path):
    session = session_in(tmp_path)
    play(session, 30)
    best = session.best
    play_out(session, helper="search")
    assert session.game.score > session.best == best > 0
    assert session_in(tmp_path).best == best
    session.new_game()
    log = tmp_path / "current.log"
    (record,) = read_records(tmp_path / "games.csv")
    log.write_text(log.read_text().replace(f'"best": {best}', f'"best": {record.score}'))
    assert session_in(tmp_path).best == 0, "an older version counted it"


def test_what_is_scored_from_a_set_position_does_not_count(tmp_path):
    session = session_in(tmp_path)
    session.set_board("gg00 0000 0000 0000")
    assert session.game.cells[:2] == (16, 16)
    session.move(0)
    assert session.game.score == 1 << 17
    assert session.best == 0
    again = session_in(tmp_path)
    assert (again.best, again.game.score) == (0, 1 << 17)
    again.undo()
    again.undo()
    assert not again.game.is_from_set_board


def test_setting_a_board_is_undone_like_a_move(tmp_path):
    session = session_in(tmp_path)
    play(session, 5)
    before = session.game.cells
    session.set_board("0x1234_0000_0000_0000")
    assert session.game.bitboard == 0x1234_0000_0000_0000
    assert session.game.score == 0
    session.undo()
    assert session.game.cells == before


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no text"),
        ("123", "3 of 16"),
        ("1" * 17, "more than 16"),
        ("z" + "1" * 15, "'z'"),
        ("0" * 16, "at least one tile"),
        ("\u0661" * 16, "hexadecimal"),
    ],
)
def test_a_bad_board_is_refused_with_the_reason(text, why, tmp_path):
    session = session_in(tmp_path)
    before = session.game.cells
    with pytest.raises(InvalidBoardError, match=why):
        session.set_board(text)
    assert session.game.cells == before
    assert not session.game.can_undo


def test_a_damaged_game_is_set_aside_and_told(tmp_path):
    session = session_in(tmp_path)
    play(session, 20)
    session.close()
    path = tmp_path / "current.log"
    path.write_bytes(path.read_bytes() + b"l9")  # torn by a crash: no word about it
    again = session_in(tmp_path)
    assert again.problem == ""
    assert again.game.n_moves == 20
    again.close()
    path.write_bytes(path.read_bytes() + b"nonsense\nu\n")
    again = session_in(tmp_path)
    assert "damaged" in again.problem
    assert (tmp_path / "current.damaged-20300102-030405.log").exists()
    assert again.game.n_moves == 20
    play(again, 1)
    again.close()
    path.write_bytes(b"garbage")
    again = session_in(tmp_path, first_seed=9)
    assert "cannot be used" in again.problem
    assert again.game.cells == Game.new(9).cells


def test_a_game_that_cannot_be_read_for_a_moment_is_there_at_the_next_start(tmp_path, monkeypatch):
    session = session_in(tmp_path)
    play(session, 20)
    session.close()
    before = (tmp_path / "current.log").read_bytes()
    away = Mock(side_effect=OSError(errno.EIO, "Input/output error"))
    with monkeypatch.context() as patch:
        patch.setattr("engine.game_log.read_limited", away)
        other = session_in(tmp_path, first_seed=9)
    assert "stays as it is (Input/output error)" in other.problem
    play_out(other)  # which counts all the same
    other.new_game()
    play(other, 3)
    other.close()
    assert (tmp_path / "current.log").read_bytes() == before
    again = session_in(tmp_path)
    assert again.game.n_moves == 20
    assert again.summary.games == 1


def test_a_damaged_game_that_cannot_be_set_aside_is_not_overwritten(tmp_path, monkeypatch):
    (tmp_path / "current.log").write_bytes(b"garbage")
    away = Mock(side_effect=OSError(errno.EIO, "Input/output error"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", away)
        patch.setattr(os, "replace", away)
        session = session_in(tmp_path)
    assert "not saved until the next start" in session.problem
    play(session, 3)
    session.close()
    assert (tmp_path / "current.log").read_bytes() == b"garbage"


def test_a_folder_that_cannot_be_written_is_told_and_play_goes_on(tmp_path):
    (tmp_path / "game").write_text("a file where the folder should be")
    session = session_in(tmp_path / "game")
    play(session, 3)
    assert "cannot be saved" in session.problem or "cannot be used" in session.problem
    assert session.game.n_moves == 3


@pytest.mark.parametrize(("difficulty", "hard"), [(0, False), (100, True)])
def test_the_adversary_chooses_as_many_tiles_as_the_slider_says(difficulty, hard, tmp_path):
    asked = []

    def adversary(after):
        asked.append(after)
        return next(cell for cell in range(15, -1, -1) if not after[cell]), 2

    session = session_in(tmp_path)
    session.set_board("1000 0000 0000 0000")
    session.difficulty, session.adversary = difficulty, adversary
    for _ in range(40):
        legal = session.game.legal_moves()
        result = session.move(legal[0]) if legal else session.undo()
        if legal and hard:
            after = list(asked[-1])
            assert after[result.spawned[0]] == 0
            assert result.spawned[1] == 2
    assert len(asked) >= 10 if hard else not asked


def test_half_hard_is_about_half_and_the_same_after_undo(tmp_path):
    def adversary(after):
        return after.index(0), 2

    session = session_in(tmp_path)
    session.difficulty, session.adversary = 50, adversary
    play(session, 20)
    spawned = [spawn for _, spawn in session.game.played()[1]]
    directions = [direction for direction, _ in session.game.played()[1]]
    while session.undo():
        pass
    for direction in directions:
        session.move(direction)
    assert [spawn for _, spawn in session.game.played()[1]] == spawned
    assert game_to_dict(session_in(tmp_path).game) == game_to_dict(session.game)


def test_saving_a_move_adds_a_line_and_writes_nothing_anew(tmp_path):
    session, path = session_in(tmp_path), tmp_path / "current.log"
    before = path.read_bytes()
    for _ in range(30):
        session.move(session.game.legal_moves()[0])
        now = path.read_bytes()
        assert now.startswith(before)
        assert 0 < len(now) - len(before) < 32
        before = now


def test_records_survive_lines_that_are_none(tmp_path):
    path = tmp_path / "games.csv"
    records = [GameRecord(i, "2030", 100 * i, 10, 5 + i) for i in range(1, 4)]
    for record in records[:2]:
        append_record(path, record)
    path.write_bytes(path.read_bytes() + b"7,\xff,torn")
    append_record(path, records[2])
    assert read_records(path) == records
    assert read_records(tmp_path / "none.csv") == []


def test_a_summary_tells_best_mean_and_how_often_each_tile_was_reached():
    games = [GameRecord(i, "", s, 1, t) for i, (s, t) in enumerate([(10, 7), (30, 9), (20, 9)])]
    found = summarize(games, n_tiles=3)
    assert (found.games, found.best, found.mean) == (3, 30, 20)
    assert found.tile_rates == ((9, 2 / 3), (8, 2 / 3), (7, 1.0))
    assert found.scores == (10, 30, 20)
    assert summarize([]).games == 0


def test_a_summary_adds_up_moves_times_and_fours_where_they_were_counted():
    games = [
        GameRecord(1, "", 10, 100, 5, 0, "search", 60_000, 9),
        GameRecord(2, "", 10, 300, 5, 0, "", None, 41),
        GameRecord(3, "", 10, 1000, 5),
    ]
    found = summarize(games)
    assert (found.helped, found.moves, found.ms) == (1, 1400, 60_000)
    assert found.four_share == pytest.approx(50 / 400)
    assert summarize(games[2:]).four_share is None


def test_a_file_of_before_times_were_kept_is_read_and_goes_on_with_all_columns(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(
        "seed,ended,score,moves,largest,difficulty,helper\n4,2029,100,10,6,0,search\n5,20"
    )
    old = GameRecord(4, "2029", 100, 10, 6, 0, "search")
    assert read_records(path) == [old]
    new = GameRecord(6, "2030", 200, 20, 7, 0, "", 5000, 2, 0.25)
    append_record(path, new)
    assert read_records(path) == [old, new]
    assert path.read_text().splitlines()[0].endswith("helper,ms,fours,spawn4")


def test_moves_are_timed_and_a_watch_that_stands_still_does_not_count(tmp_path):
    now = [100.0]
    session = GameSession(tmp_path, lambda: 1, clock=lambda: now[0])
    _OPENED.append(session)
    session.load()
    now[0] += 1.5
    play(session, 1)
    session.watch.pause()
    now[0] += 3600
    session.watch.resume()
    session.watch.resume()
    now[0] += 0.25
    for illegal in set(range(4)) - set(session.game.legal_moves()):
        assert session.move(illegal) is None
    play(session, 1)
    assert session.game.times() == [1500, 250]
    session.undo()
    now[0] += 5
    session.redo()
    now[0] += 0.1
    play(session, 1)
    assert session.game.times() == [1500, 250, 100]
    again = session_in(tmp_path)
    assert again.game.times() == [1500, 250, 100]
    assert again.game.played_ms == 1850


def test_another_share_of_fours_counts_from_the_next_game_on(tmp_path):
    session = session_in(tmp_path)
    session.set_spawn4(1.0)  # nothing was played: this game may restart
    assert session.game.spawn4 == 1.0
    assert sorted(session.game.cells)[-3:] == [0, 2, 2]
    play(session, 3)
    session.set_spawn4(0.0)
    assert session.game.spawn4 == 1.0
    play(session, 3)
    assert session.game.n_fours == 6
    again = session_in(tmp_path)
    assert again.game.spawn4 == 1.0
    again.set_spawn4(0.0)
    again.new_game()
    play(again, 6)
    assert (again.game.spawn4, again.game.n_fours) == (0.0, 0)


class FullDrive:
    """Lets no file of this process grow beyond a size, as a full drive does; posix only."""

    def __init__(self, n_bytes: int) -> None:
        self.resource = pytest.importorskip("resource")
        self.before = self.resource.getrlimit(self.resource.RLIMIT_FSIZE)
        self.n_bytes = n_bytes

    def __enter__(self) -> None:
        self.resource.setrlimit(self.resource.RLIMIT_FSIZE, (self.n_bytes, self.before[1]))

    def __exit__(self, *_: object) -> None:
        self.resource.setrlimit(self.resource.RLIMIT_FSIZE, self.before)


def size_of_game(folder: Path) -> int:
    return (folder / "current.log").stat().st_size


@pytest.mark.parametrize("n_bytes", range(8))
def test_a_full_drive_costs_none_of_the_moves_that_come_after(tmp_path, n_bytes):
    session = session_in(tmp_path)
    play(session, 20)
    with FullDrive(size_of_game(tmp_path) + n_bytes):
        session.move(session.game.legal_moves()[0], "search")
        play(session, 19)
        assert "cannot be saved" in session.problem
        session.problem = ""
        play(session, 10)
        assert session.problem == "", "it is told once"
    play(session, 15)
    assert "saved again" in session.relief
    session.relief = ""
    play(session, 1)
    assert (session.relief, session.problem) == ("", "")
    again = session_in(tmp_path)  # the first one was never closed
    assert again.game.n_moves == 66
    assert game_to_dict(again.game) == game_to_dict(session.game)
    assert again.helper == "search"


def test_a_full_drive_until_the_end_leaves_what_it_took(tmp_path):
    session = session_in(tmp_path)
    play(session, 20)
    with FullDrive(size_of_game(tmp_path) + 2):
        play(session, 5)
        session.close()
    assert session_in(tmp_path).game.n_moves == 20


def test_a_game_that_could_not_be_begun_is_saved_whole_when_there_is_room(tmp_path):
    session = session_in(tmp_path)
    play(session, 12)
    with FullDrive(10):
        session.new_game()
        play(session, 4)
        assert "cannot be saved" in session.problem
    session.move(session.game.legal_moves()[0], "search")
    session.undo()
    again = session_in(tmp_path)
    assert game_to_dict(again.game) == game_to_dict(session.game)
    assert again.helper == "search"
    assert read_log(tmp_path / "last.log").game.n_moves == 12


def test_a_finished_game_is_counted_as_soon_as_there_is_room(tmp_path):
    session = session_in(tmp_path)
    with FullDrive(0):
        play_out(session)
    session.new_game()
    assert [record.seed for record in read_records(tmp_path / "games.csv")] == [1]
    assert session_in(tmp_path).summary == session.summary
    assert read_log(tmp_path / "last.log").game.is_over
