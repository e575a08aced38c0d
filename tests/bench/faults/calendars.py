"""Days and years that go back and forth: drills, mistakes, tests and what they add up to."""

import math
import random
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path

from coach.days import Today
from coach.exam.history import History
from coach.exam.session_file import read_session
from coach.mistakes.drill import Drill
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.statistics import statistics
from coach.play.rules import End
from coach.record.user_database import UserDatabase
from tests.coach.made_sessions import STARTED, played, write_session
from tests.coach.mistake_stage import BOARD, note

from .campaign import Campaign
from .tally import Tally

_FIRST = datetime(1971, 1, 1, tzinfo=timezone.utc)
_JUMPS_S = (0.0, 1.0, 3600.0, 86400.0, 40 * 86400.0, 3e7, 9e8)


def calendars(campaign: Campaign, tally: Tally) -> None:
    """Drill, file mistakes and take tests under a clock that jumps by up to thirty years."""
    for i in range(max(campaign.steps // 10, 1)):
        rng = campaign.rng(f"calendar {i}")
        with campaign.room() as room:
            try:
                _drills(tally, rng, UserDatabase(room / "drills"))
                _tests(tally, rng, room)
            except Exception as error:  # noqa: BLE001  no date may be a bug
                tally.wrong(f"calendar {i}: {type(error).__name__}: {error}")


def _jump(rng: random.Random, now: datetime) -> datetime:
    seconds = rng.choice(_JUMPS_S) * rng.choice((1, 1, -1)) * rng.random()
    then = now + timedelta(seconds=seconds)
    return then if _FIRST < then < _FIRST.replace(year=2400) else STARTED


def _drills(tally: Tally, rng: random.Random, file: UserDatabase) -> None:
    with closing(Mistakes(file)) as mistakes:
        drill, now = Drill(mistakes), STARTED
        for move in range(20):
            note(mistakes, board=BOARD + move, days=rng.uniform(-9000, 9000), move=move)
        filed = mistakes.count()
        for _ in range(60):
            now = _jump(rng, now)
            today = Today(now, now - timedelta(seconds=rng.uniform(0, 86400)))
            due = drill.next_due(today)
            n_due = drill.count_due(today)
            tally.expect((due is None) == (n_due == 0), f"{n_due} due, but {due} is next")
            if due is not None:
                drill.answer(due, rng.randrange(4), now, rng.choice((-5.0, 0.0, 3.0, 1e9)))
                tally.count("answers")
            found = statistics(mistakes, timezone.utc, 0)
            tally.expect(found.n_right >= 0 and found.n_wrong >= 0, "negative counts")
            tally.expect(math.isfinite(found.total_loss), "a loss without bounds")
        # When the clock is right again, nothing is lost for ever.
        later = Today(_FIRST.replace(year=2600), _FIRST.replace(year=2600))
        retired = sum(one.retired is not None for one in mistakes.get(mistakes.ids()).values())
        left = drill.count_due(later, more_new=1000) + retired
        tally.expect(left == filed == mistakes.count(), f"{left} of {filed} mistakes ever due")


def _tests(tally: Tally, rng: random.Random, room: Path) -> None:
    with closing(History(UserDatabase(room))) as history:
        for number in range(5):
            session = played(20, by=number)
            session.finish(End.LOST, _jump(rng, STARTED))  # perhaps before it began
            path = room / f"{number}.json"
            write_session(path, session)
            tally.expect(read_session(path).n_moves == session.n_moves, "another test came back")
            history.add_file(path.name, session, session.ended or STARTED)
            tally.count("tests")
        tally.expect(len(history.tests()) == 5, "a test is missing in the list")
