"""Why an AI's move is good: each rule on boards where it just holds, and every claim by force."""

import json
import random
from collections import Counter
from itertools import pairwise

import pytest

from ai.choice import Choice, ValueKind
from coach.reasons.reason import (
    AtLeast,
    Earns,
    EquallyGood,
    Highest,
    Keeps,
    KeepsCorner,
    LeavesFree,
    LeavesOrder,
    LeavesPairs,
    MayEnd,
    MayUproot,
    Merges,
    OnlyKnown,
    OnlyMove,
    TablePrefers,
    find_reason,
)
from coach.reasons.words import reason_text
from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.saved_game import cells_from_text
from tests import oracle
from tests.child import run
from tests.engine.boards import random_boards
from tests.test_main import assert_told

ROOMY = "8301 2010 0000 0000"  # four moves, the 256 in its corner
NAMES = ("Left", "Right", "Up", "Down")


def reason_of(text, best, kind=ValueKind.VALUES, spawn4=0.1, among=(0, 1, 2, 3), **others):
    """Return the reason for the first of some moves, worth less from one to the next."""
    values = [None] * 4
    for at, direction in enumerate(best):
        values[direction] = others.get(NAMES[direction].lower(), 0.9 - 0.1 * at)
    board = cells_from_text(text.replace(" ", ""))
    return find_reason(board, Choice(best[0], tuple(values), "", kind, among), spawn4)


@pytest.mark.parametrize("kind", list(ValueKind))
def test_the_only_move_needs_no_other_reason(kind):
    assert reason_of("1230 2340 3450 4560", [RIGHT], kind) == OnlyMove(RIGHT)
    assert reason_of("1230 2340 3450 4566", [RIGHT], ValueKind.RATES) != OnlyMove(RIGHT), "or left"


def test_nothing_is_said_of_what_is_not_valued_not_best_or_not_legal():
    board = cells_from_text(ROOMY.replace(" ", ""))
    assert find_reason(board, Choice(LEFT, (None,) * 4, "")) is None
    assert find_reason(board, Choice(None, (None,) * 4, "")) is None
    assert reason_of(ROOMY, [DOWN, LEFT], down=0.1) is None, "it goes by something else"
    assert reason_of("8000 0000 0000 0000", [LEFT, DOWN]) is None


@pytest.mark.parametrize(
    ("kind", "lower", "is_equal", "is_exact"),
    [
        (ValueKind.RATES, 0.9, True, True),
        (ValueKind.RATES, 0.9 - 1e-10, True, True),  # a table cannot tell them apart
        (ValueKind.RATES, 0.9 - 9e-6, True, True),  # nor do people
        (ValueKind.RATES, 0.9 - 2e-5, False, True),
        (ValueKind.CHANCES, 0.9, True, True),
        (ValueKind.CHANCES, 0.8996, True, False),
        (ValueKind.CHANCES, 0.8994, False, False),
        (ValueKind.VALUES, 0.9, True, True),
        (ValueKind.VALUES, 0.8996, False, True),
        (ValueKind.POINTS, 0.9, True, True),
    ],
)
def test_moves_are_as_good_as_their_figures(kind, lower, is_equal, is_exact):
    found = reason_of(ROOMY, [RIGHT, DOWN, LEFT], kind, down=lower)
    assert (found == EquallyGood((RIGHT, DOWN), is_exact)) is is_equal
    assert isinstance(found, EquallyGood) is is_equal


@pytest.mark.parametrize("kind", [ValueKind.RATES, ValueKind.CHANCES])
def test_where_nothing_helps_no_move_is_the_best(kind):
    assert reason_of(ROOMY, [LEFT, DOWN], kind, left=0.0, down=0.0) is None


def test_a_rival_after_which_one_tile_ends_the_game_is_named_before_its_figures():
    board = "5254 4543 2431 4321"  # the last free cell: a 2 ends the game after Up, a 4 does not
    for kind in ValueKind:
        assert reason_of(board, [DOWN, UP], kind) == MayEnd(DOWN, UP, 15, 1)
    assert not isinstance(reason_of(board, [UP, DOWN]), MayEnd)
    assert not isinstance(reason_of(board, [DOWN, UP], spawn4=1.0), MayEnd), "no 2 comes there"
    with_four = "5254 4541 2431 4311"
    assert reason_of(with_four, [DOWN, UP]) == MayEnd(DOWN, UP, 15, 2)
    assert not isinstance(reason_of(with_four, [DOWN, UP], spawn4=0.0), MayEnd), "no 4 comes there"


def test_a_rival_after_which_one_tile_forces_the_corner_open_is_named():
    board = "8520 5100 1410 4120"
    assert reason_of(board, [UP, DOWN]) == MayUproot(UP, DOWN, 2, 1, 8)
    assert not isinstance(reason_of(board, [DOWN, UP]), MayUproot)


def test_a_small_tile_has_no_corner_to_keep():
    assert not isinstance(reason_of("6520 5100 1410 4120", [UP, DOWN]), MayUproot)
    assert reason_of("7301 2010 0000 0000", [UP, DOWN]) == KeepsCorner(UP, DOWN, 7)
    assert not isinstance(reason_of("6301 2010 0000 0000", [UP, DOWN]), KeepsCorner)


def test_figures_come_before_what_is_on_the_board():
    for kind, is_estimate in ((ValueKind.RATES, False), (ValueKind.CHANCES, True)):
        found = reason_of(ROOMY, [LEFT, DOWN, RIGHT], kind, down=0.75)
        assert found == Keeps(LEFT, 0.9, DOWN, 0.75, is_estimate)
    assert reason_of(ROOMY, [LEFT, DOWN], ValueKind.POINTS, left=50.5, down=20) == Earns(
        LEFT, DOWN, 30.5
    )
    near = reason_of(ROOMY, [LEFT, DOWN], ValueKind.POINTS, left=20.5, down=20)
    assert near == KeepsCorner(LEFT, DOWN, 8), "half a point is none"


def test_a_table_that_knows_one_move_alone_says_so():
    assert reason_of(ROOMY, [LEFT], ValueKind.RATES) == OnlyKnown(LEFT, 0.9)
    assert reason_of(ROOMY, [LEFT], ValueKind.VALUES) is None


def test_search_among_moves_that_a_table_holds_equal_is_told_as_that():
    found = reason_of(ROOMY, [DOWN, RIGHT, LEFT], among=(LEFT, RIGHT), down=1, right=0.2, left=0.3)
    assert found is None, "down is none of them"
    found = reason_of(ROOMY, [LEFT, DOWN, RIGHT], among=(LEFT, RIGHT), left=0.3, right=0.2)
    assert found == TablePrefers(LEFT, (LEFT, RIGHT)), "whatever search thinks of down"


@pytest.mark.parametrize(
    ("board", "moves", "reason"),
    [
        # Down would pull it out, and Left merges more: the corner comes first.
        ("8220 6600 0000 0000", [LEFT, DOWN], KeepsCorner(LEFT, DOWN, 8)),
        ("0820 6600 0000 0000", [LEFT, DOWN], Merges(LEFT, DOWN, 6)),  # in no corner
        ("8820 0000 0000 0000", [RIGHT, DOWN], Merges(RIGHT, DOWN, 8)),  # which of the two?
        ("0550 0000 1111 0000", [LEFT, RIGHT, DOWN], Highest(LEFT, RIGHT)),  # both merge them
        ("0440 2000 0200 0000", [LEFT, DOWN], LeavesFree(LEFT, 13, DOWN, 12)),  # too small
        ("1100 3000 0010 0000", [LEFT, UP], LeavesFree(LEFT, 13, UP, 12)),
        ("1000 0000 2000 0010", [UP, LEFT], LeavesOrder(UP, 8, LEFT, 7)),
        ("0000 0000 0100 0001", [RIGHT, DOWN], LeavesPairs(RIGHT, 1, DOWN, 0)),
        # Only the third move leaves the corner: better than nothing, and less than pairs.
        ("8000 0000 0100 0000", [UP, LEFT, RIGHT], KeepsCorner(UP, RIGHT, 8)),
    ],
)
def test_what_the_board_shows_comes_in_order(board, moves, reason):
    found = reason_of(board, moves)
    assert found == reason, (found, found and reason_text(found))


def slid(board, direction):
    return oracle.move(list(board), direction, merge_32768=True)[0]


def legal_moves(board):
    return [direction for direction in range(4) if slid(board, direction) != list(board)]


def spawned(after):
    """Yield each cell, each tile, and the board with it there."""
    for cell in range(16):
        for exponent in (1, 2):
            if not after[cell]:
                yield cell, exponent, [*after[:cell], exponent, *after[cell + 1 :]]


def forces_out(board, corner):
    """Whether one move is left, and it takes the tile out of its corner."""
    legal = legal_moves(board)
    return len(legal) == 1 and slid(board, legal[0])[corner] != board[corner]


def n_tiles(board, exponent):
    return sum(tile == exponent for tile in board)


def lines_of(board):
    return oracle.rows(board) + oracle.rows(oracle.transposed(board))


def n_in_order(board):
    steps = [
        {a < b for a, b in pairwise(line) if a != b}
        for line in ([tile for tile in one if tile] for one in lines_of(board))
    ]
    return sum(len(one) < 2 for one in steps)


def n_pairs(board):
    return sum(a == b and a > 0 for line in lines_of(board) for a, b in pairwise(line))


def largest_merge(board, direction):
    """The exponent of the largest two tiles that become one, found by counting tiles."""
    after, found = slid(board, direction), 0
    made = 0  # tiles of this exponent that arose from smaller ones
    for exponent in range(1, 20):
        made = (n_tiles(board, exponent) + made - n_tiles(after, exponent)) // 2
        found = exponent if made else found
    return found


def is_true(reason, board, choice):
    """Check all that a reason claims, without the program."""
    values, legal = choice.values, legal_moves(board)
    known = [d for d in legal if values[d] is not None]
    match reason:
        case OnlyMove(move):
            return legal == [move]
        case EquallyGood(moves):
            near = 0.0005 if choice.kind is ValueKind.CHANCES else 1e-9
            best = max(v for v in values if v is not None)
            return len(moves) > 1 and all(best - values[one] <= near for one in moves)
        case OnlyKnown(move, rate):
            return values[move] == rate and all(values[d] is None for d in legal if d != move)
        case Keeps(move, chance, rival, rival_chance):
            return (values[move], values[rival]) == (chance, rival_chance) and chance > rival_chance
        case Earns(move, rival, points):
            return values[move] - values[rival] == points >= 1
        case AtLeast(move, rate):
            return choice.kind is ValueKind.BOUNDS and values[move] == rate > 0
        case Highest(move, rival):
            return rival in legal and [d for d in known if values[d] > values[rival]] == [move]
    after, after_rival = slid(board, reason.move), slid(board, reason.rival)
    is_next = values[reason.rival] == max(values[d] for d in known if d != reason.move)
    largest = max(board)
    corners = [cell for cell in (0, 3, 12, 15) if board[cell] == largest]
    match reason:
        case MayEnd(cell=cell, exponent=exponent):
            hit = {(c, e) for c, e, b in spawned(after_rival) if not legal_moves(b)}
            none = not any(not legal_moves(b) for _, _, b in spawned(after))
            return is_next and none and (cell, exponent) in hit
        case MayUproot(cell=cell, exponent=exponent):
            (corner,) = corners
            hit = {(c, e) for c, e, b in spawned(after_rival) if forces_out(b, corner)}
            bad = [b for _, _, b in spawned(after) if forces_out(b, corner) or not legal_moves(b)]
            kept = after[corner] == after_rival[corner] == largest == reason.largest
            return is_next and kept and not bad and (cell, exponent) in hit
        case KeepsCorner():
            (corner,) = corners
            return reason.largest == largest == after[corner] != after_rival[corner]
        case Merges(exponent=exponent):
            found = largest_merge(board, reason.move)
            return is_next and found == exponent > largest_merge(board, reason.rival)
        case LeavesFree(n=free, rival_n=rival_free):
            found = n_tiles(after, 0), n_tiles(after_rival, 0)
            return is_next and found == (free, rival_free) and free > rival_free
        case LeavesOrder(n=lines, rival_n=rival_lines):
            found = n_in_order(after), n_in_order(after_rival)
            return is_next and found == (lines, rival_lines) and lines > rival_lines
        case LeavesPairs(n=pairs, rival_n=rival_pairs):
            found = n_pairs(after), n_pairs(after_rival)
            return is_next and found == (pairs, rival_pairs) and pairs > rival_pairs
    return False


def played_boards(n_games):
    """Boards of games towards a corner, to their ends: crowded ones among them."""
    rng = random.Random(8)
    for _ in range(n_games):
        board = [0] * 14 + [1, 1]
        while legal := legal_moves(board):
            yield board
            wished = [d for d in (LEFT, UP, RIGHT, DOWN) if d in legal]
            after = slid(board, wished[0] if rng.random() < 0.9 else rng.choice(legal))
            board = rng.choice([b for _, _, b in spawned(after)])


def test_no_line_is_false_and_none_fails():
    rng, seen = random.Random(3), Counter()
    boards = [*random_boards(6, 400, 17), *played_boards(4)]
    for board in boards:
        legal = legal_moves(board)
        kind = rng.choice(list(ValueKind))
        steps = rng.choice((2, 2000))  # few, so that some are equal; or many
        values = [rng.randint(0, steps) / steps if d in legal else None for d in range(4)]
        if kind is ValueKind.RATES and rng.random() < 0.3:  # moves that the table does not know
            values = [value if rng.random() < 0.5 else None for value in values]
        known = [d for d in range(4) if values[d] is not None]
        best = max(known, key=lambda d: values[d], default=None)
        choice = Choice(best, tuple(values), "", kind)
        reason = find_reason(board, choice)
        seen[type(reason)] += 1
        if reason is not None:
            assert is_true(reason, board, choice), (board, choice, reason)
            text = reason_text(reason)
            assert text.endswith(".")
            assert "All moves" in text or NAMES[best] in text
    kinds = {MayEnd, KeepsCorner, Merges, LeavesFree, LeavesOrder, LeavesPairs, Keeps, OnlyMove}
    assert all(seen[one] for one in kinds), seen


@pytest.mark.thorough
def test_the_command_says_the_move_and_why(tmp_path):
    board, over = "8520510014104120", "1212212112122121"
    told = run("hint", board, over, "--player", "one_move", "--tables", tmp_path)
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    answer, ended = map(json.loads, run("hint", board, over, "--json").stdout.splitlines())
    assert lines[0].startswith(f"{board}: ")
    assert answer["move"] in ("up", "down", "right", "left")
    assert answer["words"].endswith(".")
    assert (ended["move"], ended["words"]) == (None, "")
    assert lines[-1] == f"{over}: no moves left"
    assert_told(run("hint", "12"), "16")


@pytest.mark.thorough
def test_moves_that_merge_tiles_of_65536_have_values_as_others_do():
    """And where no other move is left, the AI makes one."""
    stuck = "gg34121221211212"
    one, all_alike, last = map(
        json.loads, run("hint", "gg" + "0" * 14, "g" * 16, stuck, "--json").stdout.splitlines()
    )
    assert None not in (one["values"]["left"], one["values"]["right"], one["values"]["down"])
    assert None not in all_alike["values"].values()
    assert last["move"] in ("left", "right")
    assert [last["values"][way] for way in ("up", "down")] == [None, None]
    told = json.loads(run("explain", "g" * 16, "left", "--json").stdout)
    assert told["played"]["rate"] is not None


def test_the_command_refuses_odd_words():
    board = "8520510014104120"
    assert_told(run("hint", board, "--ms", 0), "milliseconds")
