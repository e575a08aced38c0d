"""From one picture to the next: nothing jumps, nothing is shown that the views do not show."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui.minigames.board import bursts_of, is_thing, phases_of
from minigames.registry import GAMES, rules_of
from minigames.state import Event, move
from minigames.view import CellView


def number(exponent: int) -> CellView:
    return CellView("number", exponent)


EMPTY = CellView("empty")


def things(cells) -> Counter:
    return Counter((c.face, c.exponent, c.object) for c in cells if is_thing(c))


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 60), hard=st.booleans())
def test_phases_lead_from_what_was_seen_to_what_is_seen(name, seed, n, hard):
    rules = rules_of(name, hard=hard)
    state = rules.start(seed)
    for i in range(n):
        if state.over:
            break
        legal = rules.legal(state)
        before = rules.view(state).cells
        state, events = rules.play(state, move(legal[(seed >> i) % len(legal)]))
        after = rules.view(state).cells
        phases = phases_of(before, after, events)
        assert phases[0].before == before
        assert phases[-1].after == after
        for first, second in pairwise(phases):
            assert first.after == second.before
            assert first.end_ms <= second.start_ms
        for phase in phases[1:]:  # what falls or swaps is neither lost nor made
            if not phase.joined:
                assert things(phase.before) == things(phase.after)


def test_a_swap_after_a_slide_shows_the_slide_first():
    before = (EMPTY, number(1), EMPTY, EMPTY)
    after = (EMPTY, EMPTY, number(2), number(1))
    events = [
        Event("slide", (), ((1, 0),)),
        Event("spawn", (1,)),
        Event("permute", (), ((0, 3), (3, 0), (1, 2), (2, 1))),
    ]
    slide, swap = phases_of(before, after, events)
    assert slide.after == swap.before == (number(1), number(2), EMPTY, EMPTY)
    assert slide.coming == {1}
    assert swap.coming == swap.leaving == frozenset()


def test_a_fall_that_merges_begins_with_both_halves():
    before = (number(1), EMPTY, EMPTY, EMPTY)
    after = (EMPTY, EMPTY, EMPTY, number(2))
    events = [
        Event("slide", (), ((0, 1),)),
        Event("spawn", (3,)),
        Event("fall", (3,), ((1, 3), (3, 3)), 4),
    ]
    slide, fall = phases_of(before, after, events)
    assert fall.before == (EMPTY, number(1), EMPTY, number(1))
    assert fall.joined == {3}
    assert slide.coming == {3}


def test_what_an_object_hits_fades_where_it_was():
    before = (number(5), number(1), CellView("empty", object="bomb"), EMPTY)
    after = (number(5), EMPTY, EMPTY, EMPTY)
    (phase,) = phases_of(before, after, [Event("hit", (2, 1)), Event("slide", (), ((0, 0),))])
    assert phase.leaving == {1, 2}


def test_a_missed_strike_bursts_nowhere():
    hit, miss = Event("strike", (3,), amount=1), Event("strike", (3,), amount=0)
    assert [burst.cell for burst in bursts_of([hit], [])] == [3]
    assert bursts_of([miss], []) == []


def test_boards_of_other_shapes_are_not_animated():
    assert phases_of((EMPTY,) * 4, (EMPTY,) * 6, [Event("slide")]) == []
