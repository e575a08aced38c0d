"""Filing, merging, finding, deleting and putting back; sums by grade and by day."""

import threading
from datetime import date, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coach.grading.grade import GRADES, Grade
from coach.mistakes.drill import Drill
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import Query
from coach.mistakes.statistics import Day, statistics
from coach.record.user_database import UserDatabase
from engine.platform.errors import InvalidBoardError
from engine.symmetry import images, transform
from tests.coach.mistake_stage import BOARD, DOWN, LEFT, RIGHT, UP, after, dump, note, noted

OTHER = 0x1234_0000_0000_0000
THIRD = 0x1235_0000_0000_0000
L3 = TableKey("L3_256", 0.1)


def test_a_mistake_is_filed_in_the_form_of_its_position(mistakes):
    found = mistakes.get([noted(mistakes, source="test 7", move=12)]).popitem()[1]
    # The least image of 2 4 8 . in the first row is 8 4 2 at the end of the last: mirrored and
    # flipped, so that left is right and up is down.
    assert found.board == 0x0000_0000_0000_0321
    assert found.rates == (0.81, 0.9, None, 0.45)
    assert found.best == (RIGHT,)
    assert (found.key, found.symmetry, found.count) == (L3, "full", 1)
    assert found.total_loss == found.worst_loss == pytest.approx(0.1)
    assert found.grade is Grade.MISTAKE
    assert found.first == found.last == found.due == after(0)
    assert found.retired is None
    assert found.is_new
    (attempt,) = mistakes.attempts(found.id)
    assert (attempt.direction, attempt.source, attempt.move) == (LEFT, "test 7", 12)
    assert (attempt.when, attempt.grade) == (after(0), Grade.MISTAKE)
    assert attempt.loss == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("rates", "threshold", "is_filed"),
    [
        ((1.0, 1.0, None, None), 0.999, False),  # as good as the best
        ((1.0, 0.9995, None, None), 0.999, False),
        ((1.0, 0.999, None, None), 0.999, False),  # it keeps just as much
        ((1.0, 0.9989, None, None), 0.999, True),
        ((1.0, 0.5, None, None), 0.4, False),
        ((1.0, 0.0, None, None), 0.0, True),  # everything thrown away
        ((1.0, 0.0, None, None), 0.4, True),
        ((1.0, 0.9999, None, None), 1.0, True),
        ((1.0, 0.9999999, None, None), 1.0, False),  # as good
    ],
)
def test_what_is_worth_filing(mistakes, rates, threshold, is_filed):
    mistakes.threshold = threshold
    assert (note(mistakes, rates=rates) is not None) == is_filed
    assert mistakes.count() == int(is_filed)


def test_images_of_a_position_are_one_mistake(mistakes):
    first = noted(mistakes)
    # Mirrored: what was right is left.
    mirrored = transform(BOARD, "mirror")
    second = noted(mistakes, board=mirrored, direction=LEFT, rates=(0.81, 0.9, 0.45, None), days=2)
    third = noted(mistakes, direction=UP, days=1, move=3)
    assert first == second == third
    found = mistakes.get([first])[first]
    assert (found.count, found.grade) == (3, Grade.DISASTER)
    assert found.total_loss == pytest.approx(0.1 + 0.1 + 0.5)
    assert found.worst_loss == pytest.approx(0.5)
    assert (found.first, found.last) == (after(0), after(2))
    # In the one form: right was left, up is down; the latest first.
    assert [one.direction for one in mistakes.attempts(first)] == [LEFT, DOWN, LEFT]


def test_walls_turn_only_as_the_formation_allows(mistakes):
    board = 0x123F_000F_000F_FFFF
    for image in images(board, "square3x3"):
        noted(mistakes, board=image, table="3x3_256", symmetry="square3x3", rates=(0.5, 0.4, 0, 0))
    assert mistakes.count() == 1
    elsewhere = transform(board, "rotate_left")  # the walls are at other sides
    noted(mistakes, board=elsewhere, table="3x3_256", symmetry="square3x3", rates=(0.5, 0.4, 0, 0))
    assert mistakes.count() == 2


def test_tables_are_kept_apart(mistakes):
    noted(mistakes)
    noted(mistakes, spawn4=0.2)
    noted(mistakes, table="442_128")
    assert mistakes.tables() == [TableKey("442_128", 0.1), L3, TableKey("L3_256", 0.2)]


def test_the_same_move_of_the_same_game_is_filed_once(mistakes):
    first = noted(mistakes)
    assert noted(mistakes) == first
    assert mistakes.get([first])[first].count == 1
    noted(mistakes, source="another game")
    assert mistakes.get([first])[first].count == 2


def test_writers_of_two_threads_wait_for_each_other(mistakes):
    def work(number: int) -> None:
        for i in range(25):
            noted(mistakes, source=f"thread {number}", move=i, days=i)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (mistake_id,) = mistakes.ids()
    assert mistakes.get([mistake_id])[mistake_id].count == 100


def test_mistakes_are_found_again_in_a_new_session(tmp_path):
    first = Mistakes(UserDatabase(tmp_path))
    noted(first)
    before = dump(first)
    first.close()
    second = Mistakes(UserDatabase(tmp_path))
    assert dump(second) == before
    second.close()


@pytest.fixture
def three(mistakes: Mistakes) -> tuple[int, int, int]:
    """Three positions: an old disaster made twice, a mistake of another table, a fresh trifle."""
    first = noted(mistakes, direction=UP)
    noted(mistakes, direction=UP, days=1, move=2)
    second = noted(mistakes, board=OTHER, table="442_128", days=5)
    third = noted(mistakes, board=THIRD, days=9, rates=(0.9, 0.885, None, None))
    return first, second, third


def test_everything_is_listed_latest_first(mistakes, three):
    assert mistakes.ids() == [*reversed(three)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(sort="last", descending=False), (0, 1, 2)),
        (Query(sort="count", descending=True), (0, 2, 1)),
        (Query(sort="loss", descending=False), (2, 1, 0)),
        (Query(sort="grade", descending=True), (0, 1, 2)),
        (Query(sort="table", descending=False), (1, 0, 2)),
        (Query(sort="board", descending=False), (0, 1, 2)),
        (Query(sort="due", descending=True), (2, 1, 0)),
        (Query(key=L3, sort="last", descending=False), (0, 2)),
        (Query(key=TableKey("L3_256", 0.5)), ()),
        (Query(since=after(1), sort="last", descending=False), (0, 1, 2)),
        (Query(since=after(1.1), until=after(9)), (1,)),
        (Query(min_loss=0.3), (0,)),
        (Query(grades=frozenset({Grade.MISTAKE, Grade.INACCURATE}), sort="last"), (2, 1)),
        (Query(state="due", now=after(6), sort="last"), (1, 0)),
        (Query(state="retired"), ()),
        (Query(board="1234000000000000"), (1,)),
        (Query(board=" 0000_0000_0000_4321 "), (1,)),
        (Query(board="0x0004000300020001"), (1,)),
        (Query(board="1236000000000000"), ()),
        (Query(board="1234"), (1,)),
        (Query(board="23", sort="board", descending=False), (1, 2)),
    ],
)
def test_what_a_query_selects(mistakes, three, query, expected):
    assert mistakes.ids(query) == [three[i] for i in expected]


@pytest.mark.parametrize("text", ["12g4", "L3", "1234 0000 0000 0000 1", "0000000000000%"])
def test_what_is_no_board_is_refused(mistakes, text):
    with pytest.raises(InvalidBoardError):
        mistakes.ids(Query(board=text))


def test_tags_are_given_taken_and_looked_for(mistakes, three):
    first, second, _ = three
    mistakes.set_tags(first, ["corner", " hard ", "", "corner"])
    mistakes.set_tags(second, ["hard"])
    assert mistakes.get([first])[first].tags == ("corner", "hard")
    assert mistakes.tags() == ["corner", "hard"]
    assert mistakes.ids(Query(tag="hard")) == [second, first]
    mistakes.set_tags(first, [])
    assert mistakes.ids(Query(tag="hard")) == [second]


def test_undo_puts_everything_back(mistakes, three):
    first, second, third = three
    mistakes.set_tags(first, ["corner"])
    before = dump(mistakes)
    deleted = mistakes.delete([first, third, 999])
    assert deleted.n_mistakes == 2
    assert mistakes.ids() == [second]
    assert mistakes.get([first]) == {}
    assert mistakes.connection.execute("SELECT count(*) FROM mistake_attempt").fetchone()[0] == 1
    mistakes.restore(deleted)
    assert without_ids(dump(mistakes)) == without_ids(before)


def without_ids(rows: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """Leave out the numbers of attempts and answers, which say nothing, and sort."""
    numbered = ("mistake_attempt", "mistake_answer")
    return {name: sorted(row[name in numbered :] for row in rows[name]) for name in rows}


def test_undo_keeps_what_was_done_meanwhile(mistakes):
    first = noted(mistakes)
    mistakes.set_tags(first, ["corner"])
    deleted = mistakes.delete([first])
    noted(mistakes, direction=UP, days=3, source="later")
    mistakes.restore(deleted)
    assert mistakes.ids() == [first]
    found = mistakes.get([first])[first]
    assert (found.count, found.tags, found.last) == (2, ("corner",), after(3))
    assert [one.source for one in mistakes.attempts(first)] == ["later", "game"]
    mistakes.restore(deleted)  # pressing twice does no harm
    assert mistakes.get([first])[first].count == 2


def test_undo_keeps_answers_and_tags_given_meanwhile(mistakes):
    first = noted(mistakes)
    mistakes.set_tags(first, ["corner"])
    deleted = mistakes.delete([first])
    again = noted(mistakes, direction=UP, days=3, source="later")
    best = mistakes.get([again])[again].best[0]
    Drill(mistakes).answer(again, best, after(4), 2.0)
    mistakes.set_tags(again, ["hard"])
    mistakes.restore(deleted)
    found = mistakes.get([first])[first]
    assert (found.count, found.n_right, found.tags) == (2, 1, ("corner", "hard"))


def test_undo_after_the_id_was_given_to_another_mistake_keeps_both(mistakes):
    kept, gone = noted(mistakes), noted(mistakes, board=OTHER, source="old")
    Drill(mistakes).answer(gone, mistakes.get([gone])[gone].best[0], after(1), 2.0)
    mistakes.set_tags(gone, ["corner"])
    deleted = mistakes.delete([gone])
    newer = noted(mistakes, board=THIRD, source="new")
    assert newer == gone, "SQLite gives the largest id again"
    mistakes.restore(deleted)
    (restored,) = set(mistakes.ids()) - {kept, newer}
    assert mistakes.get([restored])[restored].board != mistakes.get([newer])[newer].board
    assert [one.source for one in mistakes.attempts(restored)] == ["old"]
    assert [one.source for one in mistakes.attempts(newer)] == ["new"]
    assert mistakes.get([restored])[restored].tags == ("corner",)
    assert mistakes.get([restored])[restored].n_right == 1
    assert mistakes.get([newer])[newer].n_right == 0


@settings(max_examples=25, deadline=None)
@given(
    moves=st.lists(
        st.tuples(st.integers(1, 4), st.sampled_from([RIGHT, UP]), st.integers(0, 30)), max_size=30
    )
)
def test_sums_are_those_of_a_plain_list(moves, tmp_path_factory):
    mistakes = Mistakes(UserDatabase(tmp_path_factory.mktemp("book")))
    kept: dict[int, list[tuple[int, int]]] = {}
    for number, (tile, direction, days) in enumerate(moves):
        board = tile << 60  # another tile is another position
        mistake_id = noted(mistakes, board=board, direction=direction, days=days, move=number)
        kept.setdefault(mistake_id, []).append((direction, days))
    found = mistakes.get(mistakes.ids())
    assert len(kept) == len({tile for tile, _, _ in moves})
    assert sorted(found) == sorted(kept)
    for one in found.values():
        mine = kept[one.id]
        assert one.count == len(mine)
        assert one.total_loss == pytest.approx(sum(0.1 if d == RIGHT else 0.5 for d, _ in mine))
        assert (one.first, one.last) == tuple(
            after(f(days for _, days in mine)) for f in (min, max)
        )
    mistakes.close()


MARCH_1, MARCH_2, MARCH_3 = (date(2026, 3, day) for day in (1, 2, 3))


def test_an_empty_book_adds_up_to_nothing(mistakes):
    found = statistics(mistakes, timezone.utc, 0)
    assert (found.n_mistakes, found.total_loss) == (0, 0)
    assert (found.by_grade, found.days, found.n_answers) == ((0,) * len(GRADES), (), 0)


def test_what_a_few_mistakes_add_up_to(mistakes):
    one = noted(mistakes)  # noon of March 1: 10 %
    noted(mistakes, direction=UP, days=0.25)  # 50 %
    other = noted(mistakes, board=0x1234 << 48, days=1, table="442_128")
    drill = Drill(mistakes)
    drill.answer(one, RIGHT, after(1), 2)
    drill.answer(one, LEFT, after(1.1), 2)  # wrong: an attempt too, but not in a game
    drill.answer(one, RIGHT, after(2), 2)
    drill.retire([other], after(2))
    found = statistics(mistakes, timezone.utc, 0)
    assert (found.n_mistakes, found.n_retired) == (2, 1)
    assert found.total_loss == pytest.approx(0.1 + 0.5 + 0.1 + 0.1)
    assert found.by_grade[GRADES.index(Grade.DISASTER)] == 1
    assert found.by_grade[GRADES.index(Grade.MISTAKE)] == 1
    assert sum(found.by_grade) == 2
    assert [(d.date, d.n_mistakes, d.n_right, d.n_wrong) for d in found.days] == [
        (MARCH_1, 2, 0, 0),
        (MARCH_2, 1, 1, 1),
        (MARCH_3, 0, 1, 0),
    ]
    assert [day.loss for day in found.days] == pytest.approx([0.6, 0.1, 0])
    assert (found.n_answers, found.n_right) == (3, 2)
    later = statistics(mistakes, timezone.utc, 0, since=after(0.5))
    assert [day.date for day in later.days] == [MARCH_2, MARCH_3]
    assert later.n_answers == 3
    of_table = statistics(mistakes, timezone.utc, 0, TableKey("442_128", 0.1))
    assert (of_table.n_mistakes, of_table.n_answers) == (1, 0)
    assert [day.date for day in of_table.days] == [MARCH_2]


@pytest.mark.parametrize(
    ("hours", "expected"),
    [(0, MARCH_1), (11.75, MARCH_1), (12, MARCH_2), (-12.25, date(2026, 2, 28))],
)
def test_days_begin_where_the_person_is(mistakes, hours, expected):
    noted(mistakes, days=5 / 1440)  # five minutes past noon
    zone = timezone(timedelta(hours=hours))
    assert [day.date for day in statistics(mistakes, zone, 0).days] == [expected]


@pytest.mark.parametrize("hours", [0, 5.75, 8.5, -3.5, 12.75])
def test_a_minute_before_midnight_is_the_day_before(mistakes, hours):
    """In zones that are whole hours, halves or quarters apart from UTC."""
    zone = timezone(timedelta(hours=hours))
    midnight = 0.5 - hours / 24  # days from noon of March 1, UTC, to March 2 there
    for minutes, board in ((-1, 0x1230 << 48), (0, 0x1240 << 48), (1, 0x1250 << 48)):
        noted(mistakes, board=board, days=midnight + minutes / 1440)
    found = statistics(mistakes, zone, 0).days
    assert [(day.date, day.n_mistakes) for day in found] == [(MARCH_1, 1), (MARCH_2, 2)]


def test_a_day_ends_at_the_hour_that_the_user_chose(mistakes):
    four = 2 / 3  # days from noon of March 1 to 4 in the morning of March 2
    for minutes, board in ((-1, 0x1230 << 48), (0, 0x1240 << 48)):
        noted(mistakes, board=board, days=four + minutes / 1440)
    found = statistics(mistakes, timezone.utc, 4).days
    assert [(day.date, day.n_mistakes) for day in found] == [(MARCH_1, 1), (MARCH_2, 1)]


def test_the_last_days_have_no_gaps(mistakes):
    noted(mistakes)
    found = statistics(mistakes, timezone.utc, 0).last_days(MARCH_3, 4)
    assert [day.date for day in found] == [date(2026, 2, 28), MARCH_1, MARCH_2, MARCH_3]
    assert [day.n_mistakes for day in found] == [0, 1, 0, 0]
    assert found[-1] == Day(MARCH_3)
