"""What facts add up to: any cut is the whole, figures are the textbook's, limits are kept."""

import math
import statistics
from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.profile.advice import n_moves_missing, what_to_train
from coach.profile.facts import Fact
from coach.profile.position import MoveKind, Phase
from coach.profile.profile import Cut, Profile, Share, profile_of
from coach.profile.words import advice_text, rate_text, share_name

TODAY = date(2026, 11, 25)  # a Wednesday
NOON = datetime(2026, 11, 24, 12, tzinfo=timezone.utc)


def fact(lost: float = 0.0, **changes: object) -> Fact:
    usual = Fact(1, NOON, "442", Phase.FIRST_HALF, MoveKind.DEEP, lost, None, None, None)
    return usual._replace(**changes)  # type: ignore[arg-type]


losses = st.one_of(st.just(0.0), st.floats(1e-9, 1))
facts = st.builds(
    Fact,
    st.integers(1, 4),
    st.integers(0, 200).map(lambda days: NOON - timedelta(days=days)),
    st.sampled_from(["442", "L3", "search"]),
    st.sampled_from(Phase),
    st.sampled_from(MoveKind),
    losses,
    st.one_of(st.none(), st.integers(1, 9000)),
    st.one_of(st.none(), st.floats(-3, 0)),
    st.one_of(st.none(), losses),
)


def profile(*some: Fact) -> Profile:
    return profile_of(some, TODAY, 0, timezone.utc)


@given(st.lists(facts, max_size=60))
def test_every_cut_adds_up_to_the_whole(some):
    found = profile(*some)
    assert found.whole.n == len(some)
    assert found.whole.lost == pytest.approx(math.fsum(one.lost for one in some))
    assert found.n_games == len({one.game for one in some})
    for shares in found.cuts.values():
        assert sum(one.n for one in shares) == found.whole.n
        assert sum(one.n_wrong for one in shares) == found.whole.n_wrong
        assert math.fsum(one.lost for one in shares) == pytest.approx(found.whole.lost)
        assert math.fsum(one.squares for one in shares) == pytest.approx(found.whole.squares)
        assert len({one.key for one in shares}) == len(shares)
        assert all(one.n for one in shares)
        for one in shares:
            rest = found.whole.less(one)
            assert rest.n + one.n == found.whole.n
            assert rest.lost + one.lost == pytest.approx(found.whole.lost)
    first = found.weeks[0].begins
    lately = [one for one in some if one.played.date() >= first]
    assert sum(week.share.n for week in found.weeks) == len(lately)


@given(st.lists(losses, min_size=2, max_size=60))
def test_figures_are_those_of_the_textbook(lost):
    whole = profile(*map(fact, lost)).whole
    assert whole.rate == pytest.approx(1000 * statistics.fmean(lost))
    error = math.sqrt(statistics.variance(lost) / len(lost))
    assert whole.margin == pytest.approx(1960 * error, rel=1e-4, abs=1e-4)


def test_a_figure_is_told_from_a_hundred_moves_and_five_losses_on():
    def told(n: int, n_wrong: int) -> bool:
        return profile(*[fact(0.1)] * n_wrong, *[fact()] * (n - n_wrong)).whole.has_enough

    assert told(100, 5)
    assert not told(99, 5)
    assert not told(100, 4)
    few = Share("", 99, 50, 3.0, 1.0)
    assert rate_text(few) == "too few moves to tell"


def test_moves_are_quick_and_slow_by_the_persons_own_thirds():
    times = [900, 100, 500, 200, 600, 700, None]
    found = profile(*(fact(ms=ms) for ms in times))
    assert (found.quick_ms, found.slow_ms) == (500, 700)
    counts = {one.key: one.n for one in found.cuts[Cut.PACE]}
    assert counts == {"quick": 2, "middling": 2, "slow": 2, "unknown": 1}
    assert profile(fact()).quick_ms is None


def test_bad_luck_is_a_tile_that_took_a_twentieth():
    lucks = (math.log(0.949), math.log(0.95), math.log(0.951), 0.0, None)
    found = profile(*(fact(luck=one) for one in lucks))
    counts = {one.key: one.n for one in found.cuts[Cut.LUCK]}
    assert counts == {"after bad luck": 2, "otherwise": 2, "unknown": 1}


@pytest.mark.parametrize(
    ("n", "n_parts", "size"), [(100, 4, 25), (150, 4, 75), (264, 7, 100), (650, 23, 100)]
)
def test_the_curve_has_a_mean_of_the_last_moves_every_25_moves(n, n_parts, size):
    some = [fact(i / 1000, played=NOON - timedelta(hours=i)) for i in range(n)]
    assert profile(*some[:29]).parts == ()
    assert [part.first for part in profile(*some[:60]).parts] == [1, 16, 31, 46], "a rough one"
    parts = profile(*some).parts
    assert [part.share.n for part in parts] == [size] * n_parts
    lasts = [part.first + size - 1 for part in parts]
    assert lasts == [n - 25 * i for i in reversed(range(n_parts))]
    rates = [part.share.rate for part in parts]
    assert rates == sorted(rates, reverse=True), "the first moves are the oldest"
    assert rates[-1] == pytest.approx((size - 1) / 2)
    assert parts[-1].begins == (NOON - timedelta(hours=size - 1)).date()


def test_the_curve_of_very_many_moves_leaves_none_out():
    parts = profile(*[fact(0.1)] * 9_000).parts
    assert 40 <= len(parts) <= 61
    ends = [part.first + part.share.n for part in parts]
    assert ends[-1] == 9_001
    assert all(part.first <= end for part, end in zip(parts[1:], ends, strict=False))


def test_weeks_begin_on_monday_where_the_person_is():
    sunday_night = datetime(2026, 11, 22, 23, 30, tzinfo=timezone.utc)
    some = [fact(0.5, played=sunday_night), fact(played=NOON)]
    found = profile_of(some, TODAY, 0, timezone.utc)
    assert len(found.weeks) == 12
    assert [week.begins.isoformat() for week in found.weeks][-2:] == ["2026-11-16", "2026-11-23"]
    assert [week.share.n for week in found.weeks][-3:] == [0, 1, 1]
    further_east = profile_of(some, TODAY, 0, timezone(timedelta(hours=1)))
    assert [week.share.n for week in further_east.weeks][-2:] == [0, 2]


def test_a_week_lasts_until_its_last_day_ends():
    monday_night = datetime(2026, 11, 23, 3, 59, tzinfo=timezone.utc)
    some = [fact(0.5, played=monday_night), fact(played=NOON)]
    found = profile_of(some, TODAY, 4, timezone.utc)
    assert [week.share.n for week in found.weeks][-2:] == [1, 1]


def test_the_ai_is_compared_on_the_moves_that_it_was_asked_about():
    found = profile(fact(0.3, ai_lost=0.1), fact(0.1, ai_lost=0.0), fact(0.9)).beside_ai
    assert (found.own.n, found.own.lost) == (2, pytest.approx(0.4))
    assert (found.ai.n, found.ai.lost) == (2, pytest.approx(0.1))


def spread(n: int, lost: float, n_wrong: int, **changes: object) -> list[Fact]:
    """Return n moves of which some lose as much."""
    return [fact(lost if i < n_wrong else 0.0, **changes) for i in range(n)]


def test_what_loses_more_than_the_rest_is_named_the_costliest_first():
    found = profile(
        *spread(400, 0.01, 40, phase=Phase.FIRST_HALF, kind=MoveKind.DEEP),
        *spread(300, 0.2, 60, phase=Phase.LAST_QUARTER, kind=MoveKind.ROOM),
        *spread(300, 0.01, 30, phase=Phase.THIRD_QUARTER, kind=MoveKind.MERGE),
    )
    first, second, *others = what_to_train(found)
    assert {first.share.key, second.share.key} == {"last quarter", "room"}
    assert not others
    assert first.cost == pytest.approx(1000 * 60 * 0.2 / 1000)
    assert first.is_sure
    text = "Near the goal. You lose 4.0 points per move here, 0.10 in other moves."
    assert advice_text(first) == text


def test_a_small_sample_a_better_one_and_the_only_one_are_not_named():
    found = profile(*spread(500, 0.1, 50, formation="L3"), *spread(99, 0.9, 50, formation="442"))
    assert what_to_train(found) == ()
    assert what_to_train(profile(*spread(500, 0.1, 50))) == ()
    assert what_to_train(profile()) == ()


def test_a_difference_that_may_be_chance_comes_last_and_says_so():
    found = profile(
        *spread(1000, 0.5, 10, formation="442", kind=MoveKind.DEEP),
        *spread(1000, 0.5, 11, formation="L3", kind=MoveKind.DEEP),
        *spread(100, 0.05, 80, formation="442", kind=MoveKind.MERGE),
    )
    advice = what_to_train(found)
    assert [(one.share.key, one.is_sure) for one in advice] == [("merge", True), ("442", False)]
    assert advice_text(advice[-1]).endswith("The difference may be chance.")


def test_parts_have_names():
    for cut, members in ((Cut.PHASE, Phase), (Cut.KIND, MoveKind)):
        assert all(share_name(cut, one.value) != one.value for one in members)
    assert share_name(Cut.FORMATION, "442") == "442"
    assert share_name(Cut.FORMATION, "search") == "Outside of your tables"


def test_the_goal_stays_where_it_is_until_enough_is_known():
    def missing(n: int, n_wrong: int) -> int:
        some = [fact(0.1 if i < n_wrong else 0.0) for i in range(n)]
        return n_moves_missing(profile(*some, *some, *[fact(phase=Phase.LAST_QUARTER)] * n))

    for n in (10, 30, 40):
        assert 3 * n + missing(n, 0) == 300
        assert 3 * n + missing(n, 3) == 300
    assert missing(60, 30) == 0, "one kind of moves is enough"
    assert missing(150, 0) == 0, "it is only losses that are lacking"
