"""A table that remembers: the same answers, each asked for once, in whatever words."""

import pytest

from coach.analysis.analyze import analyze
from coach.recordings.recording import recording_of
from coach.whole_game.file_analysis import MemoizedTable
from coach.whole_game.rating import rate_by_tables
from tablebase.errors import ProbeError
from tablebase.probe.reader import Tablebase
from tests.coach.played_games import played_game


class Counting:
    """A table that records its lookups and otherwise acts as the table."""

    def __init__(self, table):
        self.table, self.asked = table, []

    def __getattr__(self, name):
        return getattr(self.table, name)

    def probe(self, board, comes_up=False):
        self.asked.append((board, comes_up))
        return self.table.probe(board, comes_up)


def test_it_answers_as_the_table_does_and_asks_once(table):
    with Tablebase.open(table("44", 64)) as opened:
        n_twice = 0
        for seed in range(4):
            replay = played_game(opened, seed)
            recording = recording_of(replay, "game")
            plain, counted = Counting(opened), Counting(opened)
            once = MemoizedTable(counted)
            wanted = analyze(replay, [plain]), rate_by_tables([plain], recording)
            found = analyze(replay, [once]), rate_by_tables([once], recording)
            assert found == wanted
            assert len(counted.asked) == len(set(counted.asked))
            n_twice += len(plain.asked) - len(counted.asked)
        assert n_twice > 100


def test_what_lies_outside_is_remembered_too(table):
    with Tablebase.open(table("44", 64)) as opened:
        counted = Counting(opened)
        once = MemoizedTable(counted)
        for _ in range(2):
            with pytest.raises(ProbeError):
                once.probe(0x1110)
        assert len(counted.asked) == 1
