"""Why a move is a mistake: every figure against brute force, every fact where it just holds."""

import json
import random
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace

import oracle
import pytest
from brute_force import board_of, cells_of
from small_formations import rules_of

from ai.chances.goal import goal_of
from coach.explanations.course import begin, chances, extended, paired_tile, play
from coach.explanations.explanation import (
    IN_SIGHT,
    MAX_REFUTATION_LENGTH,
    NothingKnownError,
    explain,
)
from coach.explanations.lines import costliest, follow
from coach.explanations.mistake_facts import Costliest, Delayed, Everywhere, LeavesPlace, Spoilers
from coach.explanations.outcomes import (
    AfterMove,
    ExplanationCancelledError,
    IllegalMoveError,
    Outcome,
)
from coach.explanations.source import SearchSource, TableSource
from coach.explanations.words import fact_text, headline, refutation_text, sentences_of, split_text
from coach.grading.grade import Tolerance
from coach.grading.rated import Rated
from coach.reasons.reason import KeepsCorner, LeavesFree, MayEnd
from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.trace import slide_cells
from tablebase.errors import ProbeError
from tablebase.probe.reader import Tablebase
from tests.child import run
from tests.coach.slow_explanation import SlowMove, best_of, fewest_spoilers, merges
from tests.tablebase.exact_rates import Exact
from tests.test_main import assert_told

NEAR = 1e-6  # rates are stored as uint32


@pytest.fixture(scope="module", params=["2x4", pytest.param("3x3", marks=pytest.mark.thorough)])
def exact(request, solution, formations):
    name = request.param
    return name, Exact(solution(name, 64), rules_of(formations[name], 64))


@pytest.fixture(scope="module")
def opened(exact, table):
    with Tablebase.open(table(exact[0], 64)) as found:
        yield found


@pytest.fixture(scope="module")
def explained(exact, opened):
    """Return many moves explained, with their slow twins: (explanation, played, best)."""
    source, found = TableSource(opened), []
    rng = random.Random(2053)
    for board, layer in exact[1].positions(rng, 1500):
        rates = exact[1].rates(board, layer)
        known = [one for one, rate in enumerate(rates) if rate is not None]
        top = best_of(rates)
        worse = [one for one in known if rates[one] < top - 0.005]
        if not worse or opened.probe(board, True).unknown:
            continue
        played = rng.choice(worse)
        look = source.look(cells_of(board), True)
        if look.certain_best is None:
            continue
        explanation = explain(source, cells_of(board), played, look.certain_best, follows=True)
        moves = [SlowMove(exact[1], board, layer, one) for one in (played, look.certain_best)]
        found.append((explanation, *moves))
        if len(found) == 150:
            break
    assert len(found) > 100
    return found


def facts_of(explanation, kind):
    return [one.fact for one in explanation.facts if isinstance(one.fact, kind)]


@pytest.mark.thorough
def test_every_tile_leaves_what_brute_force_says(explained):
    n_tiles = 0
    for explanation, *slow in explained:
        for move, twin in zip((explanation.pair.played, explanation.pair.best), slow, strict=True):
            assert list(move.cells) == twin.after
            assert move.n_free == twin.after.count(0)
            assert move.rate == pytest.approx(twin.rate, abs=NEAR)
            assert {(one.cell, one.exponent) for one in move.outcomes} == set(twin.tiles)
            for one in move.outcomes:
                probability, left = twin.tiles[one.cell, one.exponent]
                assert one.probability == pytest.approx(probability)
                if one.rate is not None:
                    assert one.rate == pytest.approx(left, abs=NEAR)
                    n_tiles += 1
            if move.mean is not None:
                assert move.mean == pytest.approx(twin.mean, abs=NEAR)
                assert move.worst.rate == pytest.approx(twin.worst, abs=NEAR)
    assert n_tiles > 500


def chance_of_costliest(played, best, n):
    """Return the probability that one of the n costliest tiles comes."""
    bad = [tile for tile, (_, left) in played.tiles.items() if left < best.worst]
    bad.sort(key=lambda tile: -played.cost(tile, best.mean))
    return sum(played.tiles[tile][0] for tile in bad[:n])


@pytest.mark.thorough
def test_spoilers_are_the_fewest_tiles_that_make_up_most_of_the_loss(explained):
    n_told = n_none = 0
    for explanation, played, best in explained:
        pair = explanation.pair
        if pair.played.mean is None or pair.best.mean is None or not pair.played.mean:
            continue
        told = facts_of(explanation, Spoilers)
        fewest = fewest_spoilers(played, best, 0.8)
        if not told:
            assert fewest != 1
            assert fewest is None or chance_of_costliest(played, best, fewest) > 0.5
            n_none += 1
            continue
        (fact,) = told
        assert fact.n == fewest
        assert fact.n_all == len(played.tiles)
        assert fact.n == 1 or fact.probability <= 0.5
        assert fact.least == pytest.approx(best.worst, abs=NEAR)
        assert fact.worst.rate < fact.least
        assert fact.share >= 0.8
        n_told += 1
    assert n_told > 20
    assert n_none > 5


@pytest.mark.thorough
def test_shares_are_parts_of_the_loss(explained):
    n = 0
    for explanation, played, best in explained:
        loss = best.mean - played.mean
        for fact in facts_of(explanation, Costliest):
            tile = fact.outcome.cell, fact.outcome.exponent
            costs = {one: played.cost(one, best.mean) for one in played.tiles}
            assert costs[tile] == pytest.approx(max(costs.values()), abs=NEAR)
            assert fact.share == pytest.approx(costs[tile] / loss, rel=1e-3, abs=1e-3)
            n += 1
        for fact in facts_of(explanation, Everywhere):
            assert all(left < best.mean for _, left in played.tiles.values())
            assert fact.most == pytest.approx(max(x for _, x in played.tiles.values()), abs=NEAR)
    assert n > 10


@pytest.mark.thorough
def test_a_tile_that_leaves_as_much_as_the_best_move_is_not_said_to_leave_less(exact, opened):
    """A 4 in the right cell leaves 0.09, and the sum for the best move is 0.09000000000000001."""
    cells, best = {
        "2x4": ((15, 15, 15, 15, 1, 3, 5, 4, 5, 4, 1, 1, 15, 15, 15, 15), 1),
        "3x3": ((1, 2, 4, 15, 4, 1, 2, 15, 2, 4, 4, 15, 15, 15, 15, 15), 0),
    }[exact[0]]
    found = explain(TableSource(opened), cells, 1 - best, best, follows=True)
    most = max(outcome.rate for outcome in found.pair.played.outcomes)
    assert found.pair.chance_by_tiles == pytest.approx(most, abs=1e-8)
    assert not facts_of(found, Everywhere)


@pytest.mark.thorough
def test_facts_come_in_the_order_of_their_shares(explained):
    for explanation, *_ in explained:
        shares = [one.share for one in explanation.facts]
        known = [share for share in shares if share is not None]
        assert known == sorted(known, reverse=True)
        assert shares[: len(known)] == known, "those without a share come last"
        assert all(0 < share <= 1 for share in known)


def follow_slowly(exact, line, layer):
    """Walk a line by the rules, and yield (its step, rates before, the slow move)."""
    for at, step in enumerate(line.steps):
        board = board_of(list(step.cells))
        move = SlowMove(exact, board, layer, step.direction)
        yield at, step, exact.rates(board, layer), move
        if step.tile is None:
            assert at == len(line.steps) - 1
            assert list(line.end) == move.after
            return
        after = line.steps[at + 1].cells if at + 1 < len(line.steps) else line.end
        assert board_of(list(after)) == move.with_tile(*step.tile)
        layer += step.tile[1]


def layer_of(exact, cells):
    tiles = sum(1 << one for one in cells if 0 < one < 15)
    first = sum(1 << one for one in cells_of(exact.moves.rules.seeds[0]) if 0 < one < 15)
    return (tiles - first) // 2


def test_the_refuting_line_takes_the_costliest_tiles_and_best_replies(exact, explained):
    n_steps = 0
    for explanation, played, best in explained:
        for line, first in ((explanation.refutation, played), (explanation.answer, best)):
            assert 1 <= len(line.steps) <= MAX_REFUTATION_LENGTH
            layer = layer_of(exact[1], line.steps[0].cells)
            for at, step, rates, move in follow_slowly(exact[1], line, layer):
                assert step.rate == pytest.approx(move.rate, abs=NEAR)
                if at == 0:
                    assert step.direction == first.direction
                else:
                    assert rates[step.direction] == pytest.approx(best_of(rates), abs=NEAR)
                if step.tile:
                    costs = {one: move.cost(one, move.rate) for one in move.tiles}
                    assert costs[step.tile] == pytest.approx(max(costs.values()), abs=NEAR)
                    assert step.left == pytest.approx(move.tiles[step.tile][1], abs=NEAR)
                n_steps += 1
    assert n_steps > 300


def test_the_refutation_ends_when_the_difference_has_shown(exact, explained, opened):
    source, n_shown, n_never = TableSource(opened), 0, 0
    for explanation, *_ in explained:
        pair, here = explanation.pair, source.look(explanation.pair.cells, True)
        lost, kept = (
            follow(source, pair.cells, one.direction, costliest, MAX_REFUTATION_LENGTH, here).steps
            for one in (pair.played, pair.best)
        )
        gaps, ends = [], None
        for at in range(max(len(lost), len(kept))):
            left, other = (line[min(at, len(line) - 1)].left for line in (lost, kept))
            gaps.append(other - left)
            if ends is None and (left <= other / 2 or gaps[-1] >= 3 * pair.loss):
                ends = at + 1
        n_shown += ends is not None
        n_never += ends is None
        n = gaps.index(max(gaps)) + 1 if ends is None else ends
        assert explanation.refutation.steps == lost[:n]
        assert explanation.answer.steps == kept[:n]
    assert n_shown > 50
    assert n_never or exact[0] == "3x3", "it comes to that in 2x4"


def test_a_fatal_tile_is_told_once(explained):
    for explanation, *_ in explained:
        tiles = [one.worst for one in facts_of(explanation, Spoilers)]
        tiles += [one.outcome for one in facts_of(explanation, Costliest)]
        fatal = {(one.cell, one.exponent) for one in tiles if not one.rate}
        assert not fatal & {(one.cell, one.exponent) for one in facts_of(explanation, MayEnd)}


def test_merges_are_delayed_as_the_lines_show(exact, explained):
    walls = exact[1].moves.rules.walls
    n_told = 0
    for explanation, *_ in explained:
        pair = explanation.pair
        lines = (pair.played_line, pair.best_line)
        for line in lines:
            assert len(line.steps) <= IN_SIGHT
            layer = layer_of(exact[1], line.steps[0].cells)
            for at, step, _, move in follow_slowly(exact[1], line, layer):
                assert list(step.merged) == merges(list(step.cells), step.direction, walls)
                if not step.tile:
                    continue
                tiles = {tile: left for tile, (_, left) in move.tiles.items() if tile[1] == 1}
                nearest = min(abs(left - move.rate) for left in tiles.values())
                is_typical = abs(tiles.get(step.tile, 9) - move.rate) <= nearest + NEAR
                best_steps = pair.best_line.steps
                as_best = best_steps[at].tile if at < len(best_steps) else None
                assert is_typical or step.tile == as_best
        for fact in facts_of(explanation, Delayed):
            moves = []
            for line in lines:
                made = [at for at, one in enumerate(line.steps, 1) if fact.exponent in one.merged]
                moves.append(min(made, default=None))
            assert moves == [fact.n_moves, fact.n_best_moves]
            assert fact.n_moves is None or fact.n_moves > fact.n_best_moves
            n_told += 1
    assert n_told > 2


def test_facts_of_the_board_hold_by_the_rules(exact, explained):
    walls = exact[1].moves.rules.walls
    told = Counter()
    for explanation, played, best in explained:
        before = list(explanation.pair.cells)
        for fact in [one.fact for one in explanation.facts]:
            told[type(fact).__name__] += 1
            if isinstance(fact, LeavesFree):
                assert fact.n == best.after.count(0) > played.after.count(0) == fact.rival_n
            elif isinstance(fact, MayEnd):
                board = list(played.after)
                board[fact.cell] = fact.exponent
                assert oracle.is_over(board, walls)
                assert before != board
    assert told["LeavesFree"] > 5
    assert told["MayEnd"] > 2


SAME = Tolerance(0.0)


@dataclass
class Sure:
    """Chances that a function tells; everything is known."""

    chance: object
    name: str = "made up"
    is_estimate: bool = False
    is_bound: bool = False
    spawn4: float = 0.1
    tolerance: Tolerance = SAME

    def slide(self, cells, direction):
        return slide_cells(cells, direction, merge_32768=True)

    def look(self, cells, follows=False):
        del follows
        rates = []
        for direction in range(4):
            after = self.slide(cells, direction).cells
            rates.append(None if after == tuple(cells) else self.chance(tuple(cells), direction))
        known = [(rate, -d) for d, rate in enumerate(rates) if rate is not None]
        best = -max(known)[1] if known else None
        return Rated(tuple(rates), best)


def board(text):
    return tuple(int(digit, 16) for digit in text.replace(" ", ""))


CORNERED_DIGITS = "8310211000000000"
CORNERED = board("8310 2110 0000 0000")  # 256 in its corner


def test_a_large_tile_that_leaves_its_corner_is_told_with_the_tiles_that_keep_it_away():
    cells = board("8310 2110 0000 0000")

    def chance(now, direction):
        if now == cells:
            return {LEFT: 0.9, RIGHT: 0.6}.get(direction, 0.8)
        if slide_cells(now, direction).cells[0] != 8:
            return 0.5
        return 0.9 if now[0] == 8 else 0.8  # back again, and something lost

    found = explain(Sure(chance), cells, RIGHT)
    (fact,) = facts_of(found, KeepsCorner)
    assert (fact.move, fact.rival, fact.largest) == (LEFT, RIGHT, 8)
    # After Right the 256 comes back by Left unless the new tile takes the corner.
    away = [one for one in found.pair.played.outcomes if one.cell == 0]
    share = next(one.share for one in found.facts if one.fact is fact)
    lost = sum(one.probability * (found.pair.best.mean - one.rate) for one in away)
    assert share == pytest.approx(lost / (found.pair.best.mean - found.pair.played.mean))


def test_of_two_large_tiles_that_move_the_one_in_the_corner_is_told():
    cells = board("9310 8110 0000 0000")

    def chance(now, direction):
        if now == cells:
            return {LEFT: 0.9, UP: 0.85, RIGHT: 0.6}.get(direction, 0.5)
        return 0.9 if slide_cells(now, direction).cells[4] == 8 else 0.5

    found = explain(Sure(chance), cells, DOWN, LEFT)
    assert facts_of(found, KeepsCorner), "the 512 leaves its corner: that is enough"
    assert not facts_of(found, LeavesPlace)


def test_the_place_that_a_tile_leaves_is_named():
    cells = board("0000 0830 0000 0000")
    found = explain(Sure(lambda _n, d: 0.9 if d == UP else 0.5), cells, LEFT, RIGHT)
    assert not facts_of(found, LeavesPlace), "both take it away"
    cells = board("1000 8300 0000 0000")
    found = explain(Sure(lambda now, d: 0.9 if d == UP and now == cells else 0.5), cells, RIGHT, UP)
    (fact,) = facts_of(found, LeavesPlace) or [None]
    assert (fact.move, fact.best, fact.exponent, fact.cell) == (RIGHT, UP, 8, 4)


def test_a_move_as_good_as_the_best_is_no_mistake():
    found = explain(Sure(lambda *_: 0.75), CORNERED, RIGHT)
    assert not found.is_mistake
    assert not found.is_better
    assert headline(found) == "Right and Left are equally good."
    assert sentences_of(found) == []
    assert refutation_text(found) == ""


def test_the_best_move_is_compared_with_the_next_best():
    def chance(now, direction):
        return {LEFT: 0.9, DOWN: 0.8}.get(direction, 0.5) if now == CORNERED else 0.85

    found = explain(Sure(chance), CORNERED, LEFT)
    assert found.pair.best.direction == DOWN

    def certain(now, direction):
        return 1.0 if (now, direction) == (CORNERED, LEFT) else 0.5

    found = explain(Sure(certain), CORNERED, LEFT)
    assert found.is_better
    assert headline(found) == "Left: 100 %; Right would lose 50 points."


def test_a_move_of_which_the_source_knows_nothing_is_told_so():
    found = explain(Sure(lambda _n, d: None if d == RIGHT else 0.9), CORNERED, RIGHT)
    assert found.is_mistake
    assert "doesn't rate it" in headline(found)
    assert found.facts == () or all(one.share is None for one in found.facts)


def test_wrong_questions_are_refused():
    sure = Sure(lambda *_: 0.5)
    with pytest.raises(IllegalMoveError, match="not possible"):
        explain(sure, board("1234 0000 0000 0000"), UP)
    with pytest.raises(NothingKnownError, match="no other move"):
        explain(sure, board("1230 2340 3450 4560"), RIGHT)
    with pytest.raises(NothingKnownError, match="with itself"):
        explain(sure, CORNERED, LEFT, LEFT)
    with pytest.raises(NothingKnownError, match="nobody knows"):
        explain(Sure(lambda *_: None), CORNERED, LEFT)
    with pytest.raises(ExplanationCancelledError):
        explain(sure, CORNERED, LEFT, cancelled=lambda: True)


def test_chances_that_differ_never_read_the_same():
    tile = Outcome(4, 2, 0.02, 0.999684, LEFT)
    for fact in (
        Spoilers(DOWN, LEFT, 1, 22, 0.02, tile, 0.999687, 0.9),
        Everywhere(DOWN, LEFT, 0.999684, 0.999687),
    ):
        text = fact_text(fact)
        assert "99.968 %" in text
        assert "99.969 %" in text
    motion = slide_cells(CORNERED, LEFT)
    after = AfterMove(LEFT, motion, 0.999687, (tile, Outcome(5, 1, 0.18, 0.99963, LEFT)))
    figures = [one for one in split_text(after).split() if one[:2] == "99"]
    assert figures == ["99.97", "99.96"], "a tile as good as the average is no worst tile"
    worse = AfterMove(
        LEFT, motion, 0.9, (Outcome(5, 1, 0.9, 0.88, LEFT), Outcome(4, 1, 0.1, 1.0, LEFT))
    )
    assert "100 %" not in split_text(worse), "nor a better one"


LOST = SimpleNamespace(rates=(None,) * 4, unknown=(), best=None)


class Doubtful:
    """A table that knows some of the moves of one board, and notes how it is asked."""

    name, spawn4, rate = "L3_512", 0.1, "uint32"
    is_thinned = is_limited = False
    formation = SimpleNamespace(walls=False)

    def __init__(self, rates, unknown, best):
        self.answer = SimpleNamespace(rates=rates, unknown=unknown, best=best)
        self.asked = []

    def probe(self, board, comes_up=False):
        self.asked.append(comes_up)
        if board == 0x1111_0000_0000_0000:
            raise ProbeError("not here")
        return LOST if len(self.asked) > 1 else self.answer


def test_what_a_table_does_not_know_is_not_taken_for_nothing():
    start = board("3210 0000 0000 0000")
    whole = TableSource(Doubtful((0.5, None, 0.4, None), (), 0)).look(start)
    assert whole == Rated((0.5, None, 0.4, None), LEFT)
    assert (whole.certain_rate, whole.is_whole) == (0.5, True)
    doubt = TableSource(Doubtful((0.5, None, None, None), (2,), None)).look(start)
    assert (doubt.certain_best, doubt.certain_rate, doubt.is_whole) == (None, None, False)
    known = TableSource(Doubtful((0.5, None, None, None), (2,), 0)).look(start)
    assert (known.certain_best, known.certain_rate, known.is_whole) == (LEFT, 0.5, False)
    nothing = TableSource(Doubtful((None,) * 4, (2,), None)).look(start)
    assert nothing.certain_rate is None
    lost = TableSource(Doubtful((None,) * 4, (), None)).look(start)
    assert (lost.certain_rate, lost.is_whole) == (0.0, True)
    away = TableSource(Doubtful((0.5, None, None, None), (), 0)).look(board("1111" + 12 * "0"))
    assert (away.certain_rate, away.is_whole) == (None, False)


def test_what_follows_a_known_position_is_known_to_come_up():
    cells = board("0210 0300 0000 0000")  # every move is possible
    for follows in (True, False):
        table = Doubtful((0.5, 0.4, 0.3, 0.2), (), 0)
        explain(TableSource(table), cells, RIGHT, follows=follows)
        assert table.asked[0] is follows
        assert all(table.asked[1:])
        table = Doubtful((0.5, 0.4, 0.3, None), (3,), 0)
        explain(TableSource(table), cells, RIGHT, follows=follows)
        assert not any(table.asked[1:])


class Found:
    def __init__(self, chances, direction):
        self.chances, self.direction = chances, direction


def test_search_is_asked_once_for_each_board_and_for_one_goal():
    asked = Counter()
    goals = set()

    def estimate(cells, nodes, goal):
        asked[cells] += 1
        goals.add(goal)
        legal = [slide_cells(cells, d, merge_32768=True).cells != cells for d in range(4)]
        kept = 0.9 if cells[0] == 11 else 0.5  # the 2048 in its corner
        values = tuple(kept - 0.1 * d if can else None for d, can in enumerate(legal))
        best = next((d for d, can in enumerate(legal) if can), None)
        assert nodes == 77
        return Found(values, best)

    cells = board("b310 2110 0000 0000")
    found = explain(SearchSource(estimate, cells, nodes=77), cells, RIGHT)
    assert found.is_estimate
    assert found.source == ""
    assert goals == {goal_of(cells)}
    assert set(asked.values()) == {1}
    assert headline(found).startswith("Left: about")


SAID = (0.858, 0.845, None, 0.84)


def deeper(played: float):
    """Return search that finds other chances one tile further on: 0.6 after Right, else 0.5."""

    def estimate(cells, _nodes, _goal):
        legal = [slide_cells(cells, d, merge_32768=True).cells != cells for d in range(4)]
        chance = 0.7 if cells[0] == 8 else played
        values = tuple(chance if can else None for can in legal)
        return Found(values, next((d for d, can in enumerate(legal) if can), None))

    return SearchSource(estimate, CORNERED, known=SAID)


def test_what_was_said_of_the_position_stays_what_is_said():
    source = deeper(0.5)
    assert source.look(CORNERED) == Rated(SAID, LEFT)
    found = explain(source, CORNERED, RIGHT)
    assert found.is_mistake
    assert (found.pair.best.rate, found.pair.played.rate) == (0.858, 0.845)
    assert (found.pair.best.mean, found.pair.played.mean) == (
        pytest.approx(0.7),
        pytest.approx(0.5, abs=0.05),
    )
    assert headline(found) == "Left: about 85.8 %; Right would lose 1.3 points."
    assert found.pair.loss == pytest.approx(0.013)
    deeper_look, *facts = sentences_of(found)
    assert deeper_look.startswith("One tile further on, search finds 70.0 % for Left and 5")
    assert deeper_look.endswith("the rest goes by that deeper look.")
    assert facts
    for after, kept in ((found.pair.best, "85.8 %"), (found.pair.played, "84.5 %")):
        text = split_text(after, is_estimate=True)
        assert f"keeps {kept}" in text
        assert f"One tile further on: {100 * after.mean:.1f} % on average." in text


def test_a_deeper_look_that_sees_no_loss_says_so():
    found = explain(deeper(0.8), CORNERED, RIGHT)
    assert found.is_mistake, "as it is told everywhere else"
    deeper_look, *facts = sentences_of(found)
    assert "looking deeper doesn't confirm the difference" in deeper_look
    assert not any("of the loss" in one for one in facts)


def test_a_table_says_one_thing_however_deep_one_looks(explained):
    for explanation, *_ in explained:
        pair = explanation.pair
        if pair.best.mean is not None and pair.played.mean is not None:
            assert pair.chance_by_tiles == pytest.approx(pair.chance, abs=NEAR)
            assert pair.loss_by_tiles == pytest.approx(pair.loss, abs=2 * NEAR)
        assert "further on" not in " ".join(sentences_of(explanation))


def test_tiles_are_the_same_on_two_boards_unless_their_cell_is_taken():
    rng = random.Random(2053)
    n_same = n_other = 0
    for n_moves in range(300):
        one, other = ([rng.choice((0, 0, 3)) for _ in range(16)] for _ in range(2))
        if 0 not in one or 0 not in other:
            continue
        (cell, exponent), (cell_2, exponent_2) = (
            paired_tile(cells, 5, n_moves, 0.1) for cells in (one, other)
        )
        assert exponent == exponent_2
        assert one[cell] == other[cell_2] == 0
        if cell != cell_2:
            assert other[cell] or one[cell_2], "one of the two cells is taken on the other board"
            n_other += 1
        else:
            n_same += 1
    assert min(n_same, n_other) > 30


def test_the_tiles_of_each_board_are_fair():
    cells = board("0123 4012 3401 2340")
    empty = [cell for cell in range(16) if not cells[cell]]
    n = 8000
    found = Counter(paired_tile(cells, 11, move, 0.1) for move in range(n))
    for cell in empty:
        there = found[cell, 1] + found[cell, 2]
        assert there / n == pytest.approx(1 / len(empty), abs=0.02)
    fours = sum(count for (_, exponent), count in found.items() if exponent == 2)
    assert fours / n == pytest.approx(0.1, abs=0.015)


@pytest.mark.sample(1)
def test_a_course_follows_the_rules_and_the_best_moves(exact, opened):
    source, walls = TableSource(opened), exact[1].moves.rules.walls
    n_moves = 0
    for start, _ in exact[1].positions(random.Random(3), 400):
        course = extended(source, begin(source, cells_of(start), True), 6, seed=9)
        if len(course) == 1:
            continue
        for at, (before, after) in enumerate(pairwise(course)):
            slid, _ = oracle.move(list(before.cells), after.direction, walls=walls)
            assert before.look.rates[after.direction] == before.chance == after.kept
            assert (after.tile is None) == (after.kept == 1.0)
            if after.tile is None:
                assert list(after.cells) == slid
                assert at == len(course) - 2
                continue
            assert after.tile == paired_tile(slid, 9, at, 0.1)
            slid[after.tile[0]] = after.tile[1]
            assert list(after.cells) == slid
            n_moves += 1
        assert len(course) == 7 or course[-1].is_over
        assert chances(course) == [course[1].kept, *(one.chance for one in course[1:])]
    assert n_moves > 60
    with pytest.raises(IllegalMoveError):
        play(source, begin(source, board("1234 0000 0000 0000")), UP, 1)


def test_the_command_tells_all_that_was_measured(table, explained, exact):
    explanation = next(one for one, *_ in explained if facts_of(one, Spoilers))
    digits = f"{board_of(list(explanation.pair.cells)):016x}"
    move = ("left", "right", "up", "down")[explanation.pair.played.direction]
    asked = ("explain", digits, move, "--table", table(exact[0], 64))
    told = json.loads(run(*asked, "--json").stdout)
    assert told["played"]["move"] == move
    assert told["source"] == f"{exact[0]}_64"
    assert told["loss"] == pytest.approx(explanation.pair.loss)
    assert told["by_tiles"]["loss"] == pytest.approx(told["loss"], abs=2 * NEAR)
    tiles = told["played"]["tiles"]
    assert sum(one["probability"] for one in tiles) == pytest.approx(1.0)
    assert told["sentences"] == sentences_of(explanation)[:3]
    assert told["headline"] == headline(explanation)
    out = run(*asked).stdout
    assert headline(explanation) in out
    assert all(sentence in out for sentence in sentences_of(explanation))


def test_the_loss_of_a_move_without_a_rate_is_unknown(table):
    asked = ("explain", "1020000021ffffff", "up", "--table", table("442", 64), "--json")
    told = json.loads(run(*asked).stdout)
    assert told["played"]["rate"] is None
    assert told["best"]["rate"] is not None
    assert (told["loss"], told["mistake"], told["by_tiles"]["loss"]) == (None, None, None)


@pytest.mark.thorough
def test_the_command_refuses_what_it_cannot_explain():
    assert_told(run("explain", "1234000000000000", "up"), "the move is not possible")
    assert_told(run("explain", "1234000000000000", "aside"), "aside")
    assert_told(run("explain", "12340000000", "up"), "12340000000")
    assert_told(run("explain", CORNERED_DIGITS, "left", "--table", "nowhere_64"), "nowhere_64")
    both = ("--table", "nowhere_64", "--ms", 1)
    assert_told(run("explain", CORNERED_DIGITS, "left", *both), "leave out one of them")
