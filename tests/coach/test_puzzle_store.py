"""The database of puzzles: what is kept, which comes next, and what an answer changes."""

import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.days import today_of
from coach.mistakes.mistake import TableKey
from coach.mistakes.record import Imported
from coach.puzzles.puzzle import Puzzle, puzzle_of
from coach.puzzles.puzzles import FROM_TABLE, FROM_TEXT, Course, DailyPuzzle, Puzzles
from coach.puzzles.rating import Rating, after_answer, expected_score, first_rating
from coach.record.database import DamagedDatabaseError, NewerDatabaseError
from coach.record.user_database import UserDatabase
from engine.platform.errors import AppError
from engine.spawn import Rng

KEY, OTHER = TableKey("L3_512", 0.1), TableKey("L3_512", 0.2)
NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
DAY = timedelta(days=1)


def made(i: int = 0, key: TableKey = KEY) -> Puzzle:
    """Return a puzzle; those with other numbers are harder or easier."""
    board = 0x1000_0001_0005_0128 + (i % 4 << 40) + (i // 4 << 24)
    second = 0.85 - 0.008 * i
    found = puzzle_of(key, board, "full", (0.9, second, None, None))
    assert found
    return found


@pytest.fixture
def puzzles(tmp_path: Path) -> Iterator[Puzzles]:
    with closing(Puzzles(UserDatabase(tmp_path))) as found:
        yield found


def add(puzzles: Puzzles, *which: Puzzle) -> list[int]:
    before = set(puzzles.ids())
    puzzles.add(which, FROM_TABLE, NOON)
    return [one for one in puzzles.ids() if one not in before]


def test_puzzles_are_kept_once_with_all_that_is_known(puzzles, tmp_path):
    assert puzzles.add([made(1), made(2)], FROM_TABLE, NOON) == Imported(2, 0)
    more = [made(2), made(3), made(3), made(2, OTHER)]
    assert puzzles.add(more, FROM_TEXT, NOON) == Imported(2, 2)
    assert puzzles.tables() == [KEY, OTHER]
    assert len(puzzles.ids()) == 4
    assert len(puzzles.ids(KEY)) == 3
    assert puzzles.has(made(3))
    assert not puzzles.has(made(4))
    puzzles.close()
    with closing(Puzzles(UserDatabase(tmp_path))) as again:
        found = list(again.get(again.ids()).values())
        assert [one.puzzle for one in found] == [made(1), made(2), made(3), made(2, OTHER)]
        assert [one.origin for one in found] == ["table", "table", "import", "import"]
        assert [one.rating for one in found] == [first_rating(one.puzzle) for one in found]
        assert {(one.n_right, one.n_wrong, one.last_seen) for one in found} == {(0, 0, None)}


def test_an_answer_moves_both_ratings(puzzles):
    (one,) = add(puzzles, made())
    first = first_rating(made())
    wrong = next(d for d in made().moves if d != made().best)
    outcome = puzzles.answer(one, wrong, NOON, 3.0)
    person, harder = after_answer(Rating(), first, False)
    assert (outcome.is_right, outcome.is_rated) == (False, True)
    assert (outcome.before, outcome.person, outcome.stored.rating) == (Rating(), person, harder)
    assert (outcome.stored.n_right, outcome.stored.n_wrong) == (0, 1)
    assert outcome.stored.last_seen == NOON
    assert puzzles.person(NOON) == person
    later = puzzles.person(NOON + 30 * DAY)
    assert later.value == person.value
    assert later.deviation > person.deviation, "less is known of somebody who was away"


def test_a_clock_that_was_set_back_takes_no_answer_away(puzzles):
    first, second = add(puzzles, made(1), made(2))
    puzzles.answer(first, made(1).best, NOON, 3.0)
    outcome = puzzles.answer(second, made(2).best, NOON - DAY, 3.0)
    assert outcome.is_rated
    assert puzzles.person(NOON - DAY) == outcome.person


def test_what_was_seen_lately_changes_no_rating(puzzles):
    (one,) = add(puzzles, made())
    puzzles.answer(one, made().moves[1], NOON, 3.0)
    before = puzzles.get([one])[one].rating
    again = puzzles.answer(one, made().best, NOON + 6 * DAY, 3.0)
    assert (again.is_right, again.is_rated) == (True, False)
    assert again.person == again.before
    assert again.stored.rating == before
    assert (again.stored.n_right, again.stored.n_wrong) == (1, 1)
    assert puzzles.answer(one, made().best, NOON + 13 * DAY, 3.0).is_rated


def test_the_next_one_is_near_the_rating_and_not_seen_lately(puzzles):
    ids = add(puzzles, *(made(i) for i in range(15)))
    ratings = {one: puzzles.get([one])[one].rating.value for one in ids}
    nearest = sorted(ids, key=lambda one: (abs(ratings[one] - 1500), one))
    drawn = {puzzles.next(NOON, Rng(seed)).id for seed in range(80)}  # type: ignore[union-attr]
    assert drawn == set(nearest[:10]), "one of those nearest to 1500"
    for one in nearest[:5]:
        puzzles.answer(one, made().best, NOON, 3.0)
    seen = set(nearest[:5])
    after = {puzzles.next(NOON + DAY, Rng(s)).id for s in range(80)}  # type: ignore[union-attr]
    assert not after & seen
    weeks_later = NOON + 8 * DAY
    back = {puzzles.next(weeks_later, Rng(s)).id for s in range(80)}  # type: ignore[union-attr]
    assert back & seen, "a week later they may come again"


def test_where_all_were_seen_the_one_seen_longest_ago_comes(puzzles):
    first, second, third = add(puzzles, made(1), made(2), made(3))
    for hours, one in enumerate((second, first, third)):
        puzzles.answer(one, 0, NOON + timedelta(hours=hours), 3.0)
    now = NOON + DAY
    assert puzzles.next(now, Rng(1)).id == second  # type: ignore[union-attr]
    assert puzzles.next(now, Rng(1), without=second).id == first  # type: ignore[union-attr]


def test_of_a_table_only_its_own_come(puzzles):
    assert puzzles.next(NOON, Rng(1)) is None
    (one,) = add(puzzles, made(1, OTHER))
    assert puzzles.next(NOON, Rng(1), KEY) is None
    assert puzzles.next(NOON, Rng(1), OTHER).id == one  # type: ignore[union-attr]
    assert puzzles.next(NOON, Rng(1), OTHER, without=one).id == one, (  # type: ignore[union-attr]
        "the only one there is"
    )


def test_the_puzzle_of_a_day_stays_all_day(puzzles):
    today, later = today_of(NOON, 0), today_of(NOON + timedelta(days=1), 0)
    assert puzzles.daily(today) == DailyPuzzle()
    kept = puzzles.keep_daily(today.day, made(4), NOON)
    assert kept.puzzle == made(4)
    assert puzzles.daily(today) == DailyPuzzle(kept)
    assert puzzles.daily(later) == DailyPuzzle()
    assert puzzles.keep_daily(today.day, made(4), NOON) == kept, "asked for again"
    other = puzzles.keep_daily(today.day, made(5, OTHER), NOON)
    assert puzzles.daily(today) == DailyPuzzle(kept), "another table makes no other one"
    puzzles.answer(other.id, 0, NOON, 1.0)
    assert puzzles.daily(today).stored.id == other.id  # type: ignore[union-attr]


def test_the_first_answer_of_the_day_is_the_one_that_counts(puzzles):
    today = today_of(NOON, 0)
    kept = puzzles.keep_daily(today.day, made(4), NOON)
    wrong = next(d for d in range(4) if d != kept.puzzle.best)
    puzzles.answer(kept.id, kept.puzzle.best, today.began - timedelta(minutes=1), 1.0)
    assert puzzles.daily(today).is_right is None, "that was yesterday"
    for n, direction in enumerate((wrong, kept.puzzle.best)):
        puzzles.answer(kept.id, direction, NOON + timedelta(minutes=n), 1.0)
        assert puzzles.daily(today).is_right is False


def test_a_puzzle_that_is_gone_is_told(puzzles):
    with pytest.raises(AppError, match="deleted meanwhile"):
        puzzles.answer(77, 0, NOON, 1.0)


def test_a_later_version_and_a_foreign_file_are_refused(tmp_path):
    database = UserDatabase(tmp_path)
    Puzzles(database).close()
    with closing(sqlite3.connect(database.path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerDatabaseError):
        Puzzles(database)
    database.path.write_bytes(b"this is not a database" * 100)
    with pytest.raises(DamagedDatabaseError):
        Puzzles(database)


def test_a_change_is_made_wholly_or_not_at_all(puzzles):
    broken = replace(made(2), rates=(0.9, "x", None, None))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        puzzles.add([made(1), broken], FROM_TABLE, NOON)
    assert puzzles.ids() == []


def test_rates_at_the_ends_of_the_scale_are_rates(puzzles):
    sure = puzzle_of(KEY, 0x1000_0001_0005_0128, "full", (1.0, 0.0, None, None))
    assert sure
    (one,) = add(puzzles, sure)
    assert puzzles.get([one])[one].puzzle == sure


def test_a_removed_puzzle_is_asked_no_more_and_comes_back_as_it_was(puzzles):
    one, other = add(puzzles, made(1), made(2))
    puzzles.answer(one, made(1).best, NOON, 3.0)
    before, person = puzzles.get([one])[one], puzzles.person(NOON)
    assert puzzles.remove([one, 999], NOON) == [one]
    assert puzzles.remove([one], NOON) == []
    assert puzzles.ids() == [other]
    assert not puzzles.has(made(1))
    assert puzzles.near(NOON + 30 * DAY, 9) == [other]
    asked = puzzles.next(NOON + 30 * DAY, Rng(1))
    assert asked
    assert asked.id == other
    assert puzzles.person(NOON) == person, "what was answered was answered"
    puzzles.restore([one])
    assert puzzles.ids() == [one, other]
    assert puzzles.get([one])[one] == before


def test_without_puzzles_there_is_no_table_and_none_to_ask(puzzles):
    puzzles.remove(add(puzzles, made(1)), NOON)
    assert puzzles.tables() == []
    assert puzzles.next(NOON, Rng(1)) is None


def test_what_was_removed_is_not_found_again_but_may_be_sent(puzzles):
    (one,) = add(puzzles, made(1))
    puzzles.remove([one], NOON)
    assert puzzles.boards(KEY) == {made(1).board}
    assert puzzles.add([made(1)], FROM_TABLE, NOON) == Imported(0, 1)
    assert puzzles.ids() == []
    assert puzzles.add([made(1)], FROM_TEXT, NOON) == Imported(1, 0)
    assert puzzles.ids() == [one]


def test_when_it_was_kept_is_known(puzzles):
    (one,) = add(puzzles, made(1))
    assert puzzles.get([one])[one].found == NOON


def test_streak_and_days_in_a_row(puzzles):
    assert puzzles.course(today_of(NOON, 4)) == Course()
    ids = add(puzzles, *(made(i) for i in range(6)))
    for i, (days, is_right) in enumerate(((4, True), (2, False), (1, True), (1, True))):
        best = puzzles.get(ids)[ids[i]].puzzle.best
        puzzles.answer(ids[i], best if is_right else 1 - best, NOON - days * DAY, 5)
    course = puzzles.course(today_of(NOON, 4))
    assert (len(course.ratings), course.streak, course.n_days) == (4, 2, 2)
    assert course.ratings[-1] == puzzles.person(NOON - DAY).value
    assert puzzles.course(today_of(NOON + DAY, 4)).n_days == 0, "a day was missed"


def test_only_wanted_ones_are_chosen(puzzles):
    ids = add(puzzles, *(made(i) for i in range(20)))
    wanted = puzzles.get(ids)[ids[17]].puzzle
    for seed in range(3):
        chosen = puzzles.next(NOON, Rng(seed), wanted=wanted.__eq__)
        assert chosen
        assert chosen.puzzle == wanted
    puzzles.answer(ids[17], 0, NOON, 5)
    again = puzzles.next(NOON + timedelta(hours=1), Rng(1), wanted=wanted.__eq__)
    assert again, "the one that was seen longest ago"
    assert again.puzzle == wanted
    assert puzzles.next(NOON, Rng(1), wanted=lambda _: False) is None


def slow_glicko(value, deviation, games):
    """Return rating and deviation after games, as steps 1 and 2 of the paper say it."""
    q = math.log(10) / 400

    def g(rd):
        return 1 / math.sqrt(1 + 3 * q * q * rd * rd / math.pi**2)

    def e(rj, rdj):
        return 1 / (1 + math.pow(10, -g(rdj) * (value - rj) / 400))

    d_squared = 1 / (q * q * sum(g(rd) ** 2 * e(r, rd) * (1 - e(r, rd)) for r, rd, _ in games))
    together = 1 / (1 / deviation**2 + 1 / d_squared)
    gained = sum(g(rd) * (score - e(r, rd)) for r, rd, score in games)
    return value + q * together * gained, math.sqrt(together)


def test_the_worked_example_of_the_paper():
    """Glickman, The Glicko system, "Example": 1500 with 200 beats 1400, loses to 1550 and 1700."""
    player = Rating(1500, 200)
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    expected = [expected_score(player, other) for other, _ in games]
    assert expected == pytest.approx([0.639, 0.432, 0.303], abs=0.0005)
    after = player.after(games)
    assert after.value == pytest.approx(1464, abs=0.5)
    assert after.deviation == pytest.approx(151.4, abs=0.05)


ratings = st.tuples(st.floats(1000, 2500), st.floats(40, 350))


@given(ratings, st.lists(st.tuples(ratings, st.sampled_from([0.0, 1.0])), min_size=1, max_size=8))
def test_any_games_as_the_formulas_have_them(own, games):
    after = Rating(*own).after([(Rating(*other), score) for other, score in games])
    value, deviation = slow_glicko(*own, [(*other, score) for other, score in games])
    assert after.value == pytest.approx(min(4000, max(0, value)))
    assert after.deviation == pytest.approx(max(30, deviation))


def test_a_right_answer_raises_the_person_and_lowers_the_puzzle():
    person, puzzle = Rating(1500, 100), Rating(1700, 250)
    better, easier = after_answer(person, puzzle, True)
    worse, harder = after_answer(person, puzzle, False)
    assert (better.value, better.deviation) == pytest.approx(
        slow_glicko(1500, 100, [(1700, 250, 1)])
    )
    assert (harder.value, harder.deviation) == pytest.approx(
        slow_glicko(1700, 250, [(1500, 100, 1)])
    )
    assert worse.value < 1500 < better.value
    assert easier.value < 1700 < harder.value
    assert abs(1700 - easier.value) > abs(better.value - 1500), "less is known of the puzzle"


def test_nobody_stands_still_and_nobody_leaves_the_scale():
    assert Rating(1500, 30).after([(Rating(1500, 30), 1.0)]).deviation == 30
    assert Rating(3999, 350).after([(Rating(3999, 30), 1.0)]).value == 4000
    assert Rating(1, 350).after([(Rating(1, 30), 0.0)]).value == 0


def test_what_is_not_heard_of_for_a_year_is_unknown_again():
    assert Rating(1800, 50).aged(365) == Rating(1800, pytest.approx(350))
    assert Rating(1800, 50).aged(0) == Rating(1800, 50)
    assert Rating(1800, 50).aged(-3) == Rating(1800, 50), "a clock that was set back"
    assert Rating(1800, 50).aged(4000).deviation == 350
    half = Rating(1800, 50).aged(182.5).deviation
    assert half == pytest.approx(math.sqrt(50**2 + (350**2 - 50**2) / 2))
