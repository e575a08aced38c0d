"""Wrong moves of recordings with large tiles as F: filed like those with real tiles."""

from dataclasses import replace
from datetime import UTC, datetime

from coach.analysis.analyze import analyze
from coach.mistakes.mistakes import Mistakes
from coach.profile.filing import file_parts
from coach.profile.judged_moves import judged_moves
from coach.record.user_database import UserDatabase
from coach.recordings.many_tables import rate_by
from coach.recordings.recording import recording_of
from engine.formats.replay_rules import cut
from tablebase.probe.reader import Tablebase
from tests.coach.played_games import played_game

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
TARGET_EXPONENT = 6


def test_wrong_moves_beside_f_and_real_large_tiles_are_filed(table, formations, tmp_path):
    mistakes, n = Mistakes(UserDatabase(tmp_path), threshold=1.0), 0
    with Tablebase.open(table("442", 64)) as opened:
        for seed in range(6):
            real = played_game(opened, seed, n_moves=60)
            large = sorted(exponent for exponent in real.start if exponent >= TARGET_EXPONENT)
            f = set(large[1:])  # the smallest keeps its value
            start = tuple(15 if exponent in f else exponent for exponent in real.start)
            recorded = cut(replace(real, start=start, merge_32768=False))
            report = analyze(recorded, [opened], least_moves=1)
            ids = file_parts(mistakes, report, formations, f"game {seed}", NOON)
            for one in mistakes.get(ids).values():
                assert f"{one.board:x}".count("f") == opened.n_large
                n += 1
            boards, of_real = (
                {move.number: move.position.board for move in judged_moves(rated, formations)}
                for rated in (rate_by(opened, recording_of(one)) for one in (recorded, real))
            )
            for number, board in boards.items():
                masked = of_real.get(number, 0)
                assert f"{masked:x}".count("f") < opened.n_large or board == masked
    mistakes.close()
    assert n > 5
