"""What is due, on which day, what an answer changes, and what is to drill."""

import json
import sqlite3
import time
from collections import Counter
from datetime import date, datetime, timedelta, timezone

import fsrs
import numpy as np
import pytest

from coach.backup.settings_file import day_begins
from coach.days import DAY_BEGINS, Today, day_of, today_of
from coach.grading.grade import GRADES, Grade, Tolerance, judge
from coach.mistakes.drill import Drill, Progress, Weighting, rating_of
from coach.mistakes.mistake import DRILL, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.to_drill import LIMITS, count_to_drill, first_filed, is_to_drill
from engine.platform.errors import AppError
from tests.coach.mistake_stage import DOWN, LEFT, RIGHT, UP, after, noted

# In the one form of BOARD left and right, up and down change places: see test_mistakes.
BEST, SECOND, WORST, IMPOSSIBLE = RIGHT, LEFT, DOWN, UP
L3 = TableKey("L3_256", 0.1)
MINUTE = 1 / 1440


@pytest.fixture
def drill(mistakes: Mistakes) -> Drill:
    return Drill(mistakes, retire_after=3, new_per_day=2)


def at(days: float) -> Today:
    """Return a time of day and midnight before it; START is noon."""
    return Today(after(days), after(np.floor(days + 0.5) - 0.5))


def boards(n: int) -> list[int]:
    """Return positions that are no images of each other."""
    return [(a << 60) + (b << 56) for a in range(1, 14) for b in range(a, 14)][:n]


def many(mistakes: Mistakes, n: int, **fields: object) -> list[int]:
    return [noted(mistakes, board=board, **fields) for board in boards(n)]


def test_twenty_new_ones_come_up_on_a_day_unless_told_otherwise(mistakes):
    many(mistakes, 23)
    assert Drill(mistakes).count_due(at(0)) == 20
    assert Drill(mistakes).count_due(at(0), more_new=2) == 22
    assert Drill(mistakes, new_per_day=3).count_due(at(0)) == 3


def test_a_right_answer_puts_it_off_and_a_wrong_one_brings_it_back(mistakes, drill):
    one = noted(mistakes)
    assert drill.next_due(at(0)) == one
    found = drill.answer(one, BEST, after(0), 3.0)
    assert (found.is_right, found.loss, found.grade) == (True, 0.0, Grade.PERFECT)
    assert not found.has_retired
    # The learning steps of fsrs: a new one that was right comes again after ten minutes.
    assert found.mistake.due == after(0) + timedelta(minutes=10)
    assert (found.mistake.n_right, found.mistake.run, found.mistake.count) == (1, 1, 1)
    assert drill.next_due(at(9 * MINUTE)) is None
    assert drill.next_review(at(9 * MINUTE)) == found.mistake.due
    assert drill.next_due(at(10 * MINUTE)) == one
    again = drill.answer(one, BEST, after(10 * MINUTE), 3.0).mistake
    assert again.due is not None
    assert timedelta(days=1) <= again.due - after(10 * MINUTE) <= timedelta(days=7)
    wrong = drill.answer(one, WORST, again.due, 3.0)
    assert (wrong.is_right, wrong.grade) == (False, Grade.DISASTER)
    assert wrong.loss == pytest.approx(0.5)
    assert wrong.mistake.due == again.due + timedelta(minutes=10)
    assert (wrong.mistake.run, wrong.mistake.n_wrong) == (0, 1)


def test_a_wrong_answer_is_one_more_attempt(mistakes, drill):
    one = noted(mistakes)
    found = drill.answer(one, SECOND, after(1), 2.0)
    assert (found.mistake.count, found.mistake.last) == (2, after(1))
    assert found.mistake.total_loss == pytest.approx(0.2)
    attempt = mistakes.attempts(one)[0]
    assert (attempt.source, attempt.direction) == (DRILL, SECOND)
    unknown = drill.answer(one, IMPOSSIBLE, after(2), 2.0)
    assert (unknown.is_right, unknown.loss, unknown.grade) == (False, None, None)
    assert unknown.mistake.count == 3
    assert unknown.mistake.total_loss == pytest.approx(0.2)


def test_an_excellent_answer_is_right_unless_the_mistake_was_no_worse(mistakes, drill):
    rates = (0.9, 0.8995, 0.45, None)
    one = noted(mistakes, rates=rates, direction=UP)
    found = drill.answer(one, SECOND, after(0), 2.0)
    assert (found.is_right, found.grade) == (True, Grade.EXCELLENT)
    mistakes.threshold = 1.0
    other = noted(mistakes, rates=rates, direction=RIGHT, board=boards(1)[0])
    assert mistakes.get([other])[other].grade is Grade.EXCELLENT
    right = mistakes.get([other])[other].right
    assert right == mistakes.get([other])[other].best


def test_intervals_grow_as_long_as_answers_are_right(mistakes):
    drill = Drill(mistakes, retire_after=0)
    one, now, waits = noted(mistakes), after(0), []
    for _ in range(8):
        due = drill.answer(one, BEST, now, 2.0).mistake.due
        assert due is not None
        waits.append(due - now)
        now = due
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=100)
    assert max(waits) <= timedelta(days=365)


def test_hasty_answers_are_good_and_slow_ones_hard():
    assert rating_of(False, 1.0) == "Again"
    assert rating_of(True, 0.2) == rating_of(True, 20.0) == "Good"
    assert rating_of(True, 20.1) == "Hard"


def test_the_time_zone_of_an_answer_does_not_matter(mistakes, drill):
    one = noted(mistakes)
    there = timezone(timedelta(hours=8))
    found = drill.answer(one, BEST, after(0).astimezone(there), 3.0)
    assert found.mistake.due == after(0) + timedelta(minutes=10)


def test_what_is_overdue_comes_before_what_is_new_and_new_ones_are_few(mistakes, drill):
    cheap = noted(mistakes, board=boards(4)[0], rates=(0.9, 0.89, None, None))
    dear, middle, old = (
        noted(mistakes, board=board, rates=(0.9, rate, None, None))
        for board, rate in zip(boards(4)[1:], (0.1, 0.5, 0.6), strict=True)
    )
    best = {one: mistakes.get([one])[one].best[0] for one in (cheap, dear, middle, old)}
    drill.answer(old, best[old], after(-1), 3.0)
    assert drill.count_due(at(0)) == 3
    order = []
    for i in range(3):
        now = at(i * MINUTE)
        found = drill.next_due(now)
        assert found is not None
        assert drill.count_due(now) == 3 - i
        order.append(found)
        drill.answer(found, best[found], now.now, 3.0)
    assert order == [old, dear, middle]  # new ones by what they cost
    evening = at(4 * MINUTE)
    assert drill.next_due(evening) is None  # two new ones a day
    assert drill.count_due(evening) == 0
    assert drill.next_due(evening, more_new=1) == cheap
    assert drill.count_due(evening, more_new=5) == 1
    assert drill.next_due(Today(after(1), after(0.5)), key=TableKey("442_64", 0.1)) is None
    # Next day: what is due by then, and the last new one.
    assert drill.count_due(at(1)) == 4 - sum(
        (mistakes.get([one])[one].due or after(0)) > after(1) for one in (old, dear, middle)
    )


def test_a_wrong_answer_comes_again_when_nothing_else_is_left(mistakes, drill):
    wrong, right = many(mistakes, 2)
    best = {one: mistakes.get([one])[one].best[0] for one in (wrong, right)}
    other = next(d for d in range(4) if d != best[wrong])
    drill.answer(wrong, other, after(0), 3.0)
    assert drill.next_due(at(0)) == right, "what is new comes first"
    drill.answer(right, best[right], after(0), 3.0)
    assert drill.next_due(at(0)) == wrong, "it would be due in a minute"
    assert drill.count_due(at(0)) == sum(one.n_due for one in drill.progress(at(0))) == 1
    assert drill.next_due(at(0), without=[wrong]) is None, "a right answer waits for its time"
    assert drill.next_review(at(0)) == after(0) + timedelta(minutes=10)
    assert Drill(mistakes).next_review(at(30)) is None, "everything is due by then"


def test_skipped_ones_are_passed_over(mistakes, drill):
    ids = set(many(mistakes, 2))
    first = drill.next_due(at(0))
    second = drill.next_due(at(0), without=[first or 0])
    assert {first, second} == ids
    assert drill.next_due(at(0), without=ids) is None


def test_a_run_of_right_answers_retires_and_a_wrong_one_revives(mistakes, drill):
    one = noted(mistakes)
    for i in range(3):
        found = drill.answer(one, BEST, after(i), 3.0)
        assert found.has_retired == (i == 2)
    assert found.mistake.retired == after(2)
    assert drill.next_due(at(400)) is None
    assert drill.queue(Weighting.COUNT, np.random.default_rng(1)) == []
    back = drill.answer(one, SECOND, after(3), 3.0)  # asked by hand
    assert back.mistake.retired is None
    assert drill.next_due(at(4)) == one


def test_the_same_mistake_in_a_game_revives(mistakes, drill):
    one = noted(mistakes)
    drill.answer(one, BEST, after(0), 3.0)
    drill.retire([one], after(1))
    assert mistakes.get([one])[one].retired == after(1)
    assert drill.next_due(at(300)) is None
    assert noted(mistakes, days=2, source="another game") == one
    found = mistakes.get([one])[one]
    assert (found.retired, found.run) == (None, 0)
    assert drill.next_due(at(2)) == one


def test_the_same_game_filed_again_changes_nothing_in_the_drills(mistakes, drill):
    one = noted(mistakes, source="analysis of a.txt", move=5)
    for day in (1, 2, 3):
        before = drill.answer(one, BEST, after(day), 3.0).mistake
    assert before.retired
    assert noted(mistakes, source="analysis of a.txt", move=5) == one
    assert mistakes.get([one])[one] == before
    noted(mistakes, source="analysis of a.txt", move=99)
    again = mistakes.get([one])[one]
    assert (again.retired, again.run, again.due) == (None, 0, after(0))


def test_retired_ones_are_revived_by_hand(mistakes, drill):
    one, two = many(mistakes, 2)
    drill.retire([one], after(1))
    drill.retire([one], after(2))
    assert mistakes.get([one])[one].retired == after(1)
    before = mistakes.get([two])[two]
    drill.revive([one, two], after(5))
    found = mistakes.get([one, two])
    assert (found[one].retired, found[one].due) == (None, after(5))
    assert found[two] == before


def test_an_extra_drill_leaves_the_schedule_alone_unless_the_answer_is_wrong(mistakes, drill):
    one = noted(mistakes)
    found = drill.answer(one, BEST, after(1), 3.0, is_scheduled=False).mistake
    assert (found.due, found.n_right, found.run) == (after(0), 1, 1)
    wrong = drill.answer(one, WORST, after(2), 3.0, is_scheduled=False).mistake
    assert wrong.due == after(2) + timedelta(minutes=1)


def test_an_extra_drill_uses_up_a_new_one_of_the_day_only_if_it_is_scheduled_then(mistakes, drill):
    first, *_ = many(mistakes, 3)
    for minute in range(2):
        drill.answer(first, BEST, after(minute * MINUTE), 3.0, is_scheduled=False)
    assert drill.count_due(at(0.1)) == drill.new_per_day == 2
    drill.answer(first, WORST, after(3 * MINUTE), 3.0, is_scheduled=False)
    assert drill.count_due(at(3.5 * MINUTE)) == 2, "the other new one, and the wrong one again"


def test_a_deleted_mistake_cannot_be_answered(mistakes, drill):
    one = noted(mistakes)
    mistakes.delete([one])
    with pytest.raises(AppError, match="was deleted"):
        drill.answer(one, BEST, after(0), 1.0)


def test_a_spoilt_card_begins_anew(mistakes, drill):
    one = noted(mistakes)
    card = fsrs.Card(1, due=after(0), stability=2.0, difficulty=5.0, last_review=after(0)).to_dict()
    unusable = [{"stability": None}, {"stability": -1.0}, {"last_review": "2026-05-01T12:00:00"}]
    texts = [json.dumps({**card, "state": 2, **change}) for change in unusable]
    for text in ("{", "{}", '{"card_id": "x"}', "[]", "null", *texts):
        mistakes.connection.execute("UPDATE mistake SET card = ?", (text,))
        found = drill.answer(one, BEST, after(0), 1.0).mistake
        assert found.due == after(0) + timedelta(minutes=10)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="no zone can be set here")
@pytest.mark.parametrize(
    ("now", "began"),
    [
        ("2026-03-29T08:00:00+00:00", "2026-03-28T23:00:00+00:00"),  # put forward at 2 o'clock
        ("2026-10-25T08:00:00+00:00", "2026-10-24T22:00:00+00:00"),  # put back at 3 o'clock
        ("2026-11-28T08:00:00+00:00", "2026-11-27T23:00:00+00:00"),
    ],
)
def test_a_day_begins_at_midnight_also_when_the_clocks_are_changed(monkeypatch, now, began):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        found = today_of(datetime.fromisoformat(now), 0)
    time.tzset()
    assert found.began == datetime.fromisoformat(began)


def test_progress_per_table(mistakes, drill):
    ids = many(mistakes, 5)
    noted(mistakes, table="442_128")
    best = mistakes.get(ids)
    drill.answer(ids[0], best[ids[0]].best[0], after(0), 1.0)
    drill.answer(ids[1], 3 - best[ids[1]].best[0], after(0), 1.0)
    drill.retire([ids[2]], after(0))
    assert drill.progress(at(0.5)) == [
        Progress(TableKey("442_128", 0.1), 1, 0, 1, 0, 0, 0),
        Progress(L3, 5, 2, 2, 1, 1, 1),
    ]


def test_what_has_retired_is_not_due_however_long_ago_it_was_drilled(mistakes, drill):
    one, other = many(mistakes, 2)
    for mistake in (one, other):
        drill.answer(mistake, mistakes.get([mistake])[mistake].best[0], after(0), 1.0)
    drill.retire([one], after(0))
    assert drill.progress(at(300)) == [Progress(L3, 2, 1, 0, 1, 2, 0)]
    assert drill.count_due(at(300)) == 1


def weigh(mistakes: Mistakes, counts_and_losses: list[tuple[int, float]]) -> list[int]:
    ids = many(mistakes, len(counts_and_losses))
    for one, (count, loss) in zip(ids, counts_and_losses, strict=True):
        sql = "UPDATE mistake SET count = ?, total_loss = ? WHERE id = ?"
        mistakes.connection.execute(sql, (count, loss, one))
    return ids


@pytest.mark.parametrize(
    ("weighting", "weights"),
    [
        (Weighting.COUNT, (1, 4, 9)),
        (Weighting.LOSS, (0.36, 0.01, 0.04)),
        (Weighting.BOTH, (0.6, 0.2, 0.6)),
    ],
)
def test_the_first_drawn_is_drawn_in_proportion_to_its_weight(mistakes, drill, weighting, weights):
    ids = weigh(mistakes, [(1, 0.6), (2, 0.1), (3, 0.2)])
    rng, n = np.random.default_rng(5), 1500
    pairs = Counter(tuple(drill.queue(weighting, rng)[:2]) for _ in range(n))
    total = sum(weights)
    for i in range(3):
        for j in set(range(3)) - {i}:  # one after the other, without putting back
            share = weights[i] / total * weights[j] / (total - weights[i])
            spread = (share * (1 - share) / n) ** 0.5
            assert abs(pairs[ids[i], ids[j]] / n - share) < 4.5 * spread


def test_a_queue_has_no_repeats_and_an_end(mistakes, drill):
    ids = weigh(mistakes, [(i + 1, 0.0) for i in range(60)])
    rng = np.random.default_rng(1)
    for weighting in Weighting:  # losses of 0 alone: all alike
        assert sorted(drill.queue(weighting, rng)) == sorted(ids)
    few = drill.queue(Weighting.COUNT, rng, longest=10)
    assert len(set(few)) == 10
    assert drill.queue(Weighting.COUNT, rng, key=TableKey("442_128", 0.1)) == []
    assert len(drill.queue(Weighting.COUNT, rng, key=L3)) == 60


def test_weight_zero_comes_last_and_seeds_repeat(mistakes, drill):
    ids = weigh(mistakes, [(1, 0.0), (1, 0.5), (1, 0.0), (1, 1e-9)])
    first = drill.queue(Weighting.LOSS, np.random.default_rng(3))
    assert set(first[:2]) == {ids[1], ids[3]}
    assert drill.queue(Weighting.LOSS, np.random.default_rng(3)) == first
    others = {tuple(drill.queue(Weighting.LOSS, np.random.default_rng(s))) for s in range(20)}
    assert len(others) > 1


def test_the_next_one_is_found_by_an_index(mistakes, drill):
    """However many there are: no plan may scan or sort the table."""
    many(mistakes, 3)
    asked: list[str] = []
    mistakes.connection.set_trace_callback(asked.append)
    drill.next_due(at(0))
    drill.count_due(at(0))
    mistakes.connection.set_trace_callback(None)
    plans = [
        plan for sql in asked for plan in explain(mistakes.connection, sql) if "FROM mist" in sql
    ]
    assert len(plans) >= 4
    for plan in plans:
        assert "TEMP B-TREE" not in plan
        assert not plan.startswith("SCAN mistake") or "INDEX" in plan
    assert sum("SEARCH mistake USING" in plan for plan in plans) >= 4


def explain(connection: sqlite3.Connection, sql: str) -> list[str]:
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")]


EXACT = Tolerance(1e-12)


@pytest.mark.parametrize("first", GRADES[1:])
def test_what_is_counted_is_what_is_filed(first):
    counts = [0] * len(GRADES)
    n_filed = 0
    for kept in range(0, 100_001, 7):
        judgement = judge((1.0, kept / 100_000, None, None), 1, EXACT)
        assert judgement
        counts[GRADES.index(judgement.grade)] += 1
        n_filed += is_to_drill(judgement, LIMITS[first])
        is_bad_enough = GRADES.index(judgement.grade) >= GRADES.index(first)
        assert is_to_drill(judgement, LIMITS[first]) is is_bad_enough, kept
    assert count_to_drill(counts, LIMITS[first]) == n_filed
    assert first_filed(LIMITS[first]) is first


def test_a_good_move_is_none_to_drill_unless_one_says_so():
    good = judge((1.0, 0.99, None, None), 1, EXACT)
    assert good
    assert good.grade is Grade.GOOD
    assert not is_to_drill(good)
    assert is_to_drill(good, LIMITS[Grade.GOOD])


def test_throwing_everything_away_is_always_one_to_drill():
    lost = judge((1.0, 0.0, None, None), 1, EXACT)
    assert lost
    assert is_to_drill(lost, 0.0)


MARCH_1, MARCH_2 = date(2026, 3, 1), date(2026, 3, 2)


@pytest.mark.parametrize(
    ("clock", "begins", "expected"),
    [
        ("03:59", 4, MARCH_1),
        ("04:00", 4, MARCH_2),
        ("23:59", 4, MARCH_2),
        ("00:00", 0, MARCH_2),
        ("00:00", 6, MARCH_1),
    ],
)
@pytest.mark.parametrize("hours", [0, 5.75, -3.5])
def test_until_the_hour_it_is_the_day_before(clock, begins, expected, hours):
    zone = timezone(timedelta(hours=hours))
    when = datetime.fromisoformat(f"2026-03-02T{clock}:00").replace(tzinfo=zone)
    assert day_of(when.astimezone(timezone.utc), begins, zone) == expected


@pytest.mark.parametrize(
    ("now", "began", "day"),
    [
        ("2026-03-29T02:05:00+00:00", "2026-03-29T02:00:00+00:00", "2026-03-29"),  # 4:05, was 3:05
        ("2026-03-29T01:55:00+00:00", "2026-03-28T03:00:00+00:00", "2026-03-28"),
        ("2026-10-25T02:55:00+00:00", "2026-10-24T02:00:00+00:00", "2026-10-24"),
        ("2026-10-25T03:05:00+00:00", "2026-10-25T03:00:00+00:00", "2026-10-25"),  # put back
    ],
)
def test_today_began_at_the_hour_of_the_clock_also_when_the_clocks_are_changed(
    monkeypatch, now, began, day
):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        found = today_of(datetime.fromisoformat(now), 4)
        told = found.day.isoformat()
    time.tzset()
    assert (found.began, told) == (datetime.fromisoformat(began), day)


@pytest.mark.parametrize("begins", range(7))
def test_today_began_before_now_at_every_hour_of_a_year(monkeypatch, begins):
    """Whatever hour the clocks leave out or show twice."""
    first = datetime(2026, 1, 1, 0, 30, tzinfo=timezone.utc)
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        for days in (*range(80, 100), *range(290, 310)):
            for hour in range(24):
                now = first + timedelta(days=days, hours=hour)
                today = today_of(now, begins)
                assert today.began <= now < today.began + timedelta(hours=25)
                assert today.day == day_of(now, begins)
    time.tzset()


def test_days_are_counted_and_begin_from_the_day_that_still_goes_on():
    evening = datetime(2026, 3, 1, 23).astimezone()
    today = today_of(evening + timedelta(hours=3), 4)
    hours = (0, 2, 10, -18, -20)
    assert [today.days_since(evening + timedelta(hours=n)) for n in hours] == [0, 0, -1, 0, 1]
    assert [today.start(n).astimezone().isoformat()[:16] for n in (0, 1)] == [
        "2026-03-01T04:00",
        "2026-02-28T04:00",
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [({}, DAY_BEGINS), ({"day.begins": 0}, 0), ({"day.begins": 7}, 4), ({"day.begins": "2"}, 4)],
)
def test_commands_follow_the_setting_of_the_window(tmp_path, values, expected):
    assert day_begins(tmp_path) == DAY_BEGINS
    (tmp_path / "settings.json").write_text(json.dumps({"version": 1, "values": values}))
    assert day_begins(tmp_path) == expected
    (tmp_path / "settings.json").write_text("{")
    assert day_begins(tmp_path) == DAY_BEGINS
