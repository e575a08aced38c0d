"""Finished tests that were never taken."""

from datetime import datetime, timedelta, timezone

from coach.exam.history import FinishedTest

NOON = datetime(2026, 3, 5, 12, tzinfo=timezone.utc)


def finished(
    table: str, match_rate: float, ago: timedelta = timedelta(days=3), n_perfect: int = 18
) -> FinishedTest:
    """Return a test of twenty moves that ended some time before noon."""
    return FinishedTest(
        name=f"{table}-{ago}.json",
        started=NOON - ago,
        ended=NOON - ago,
        table=table,
        spawn4=0.1,
        n_moves=20,
        match_rate=match_rate,
        counts=(n_perfect, 20 - n_perfect, 0, 0, 0, 0, 0),
        n_forced=0,
        longest_combo=5,
        largest_loss=0.01,
        n_undos=0,
        played_ms=1000,
        seconds_per_move=0,
        seed=1,
        start=2,
        outcome="reached",
    )
