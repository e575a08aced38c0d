"""Which positions are puzzles, and that the finder finds them: against brute force and by hand."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from itertools import islice, pairwise, product
from pathlib import Path

import brute_force
import oracle
import pytest
from small_formations import rules_of

from coach.analysis.analyses import Analyses
from coach.grading.grade import Grade
from coach.grading.position import canonical_turn
from coach.mistakes.mistake import Mistake, TableKey
from coach.puzzles.finder import (
    NoPuzzlesError,
    among_games,
    among_mistakes,
    analyzed_parts,
    as_the_table_says,
    confirmed,
    daily_puzzle,
    find_puzzles,
)
from coach.puzzles.puzzle import Puzzle, lean, natural_move, puzzle_of, roomiest_move, why_best
from coach.puzzles.rating import first_rating
from coach.puzzles.solution import MAX_STEPS, solution
from coach.reasons.reason import LeavesFree, LeavesPairs, MayEnd, Merges
from coach.record.user_database import UserDatabase
from engine.bitboard import cells, parse_board
from engine.formats.replay import Replay, ReplayMove
from engine.formats.rpl import write_rpl
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.library.opening import open_table
from tablebase.probe.reader import Tablebase
from tests.coach.test_analyses import EVENT, NOON, SEGMENT, analysis_of
from tests.makers import Solver, TableMaker

LEFT, RIGHT, UP, DOWN = range(4)
KEY = TableKey("L3_512", 0.1)
EVERY = range(4)


def slow_natural(board: list[int], walls: bool, choices: list[int]) -> int:
    """Return the natural move as the docstring defines it, on plain lists."""

    def leaning(direction: int) -> float:
        places = [at for at in range(16) if not (walls and board[at] == 15)]
        rows, columns = [at // 4 for at in places], [at % 4 for at in places]
        middle_row, middle_column = sum(rows) / len(rows), sum(columns) / len(columns)
        total = 0.0
        for at in places:
            down, right = at // 4 - middle_row, at % 4 - middle_column
            if board[at]:
                total += (
                    2 ** board[at] * {LEFT: -right, RIGHT: right, UP: -down, DOWN: down}[direction]
                )
        return round(total, 6)

    best = choices[0]
    for one in choices[1:]:
        points = [oracle.move(board, d, walls)[1] for d in (one, best)]
        if points[0] > points[1] or (points[0] == points[1] and leaning(one) > leaning(best)):
            best = one
    return best


def slow_roomiest(board: list[int], walls: bool, choices: list[int]) -> list[int]:
    """Return the moves that leave most free cells on average one tile later."""
    means = []
    for one in choices:
        after = oracle.move(board, one, walls)[0]
        mean = 0.0
        for spawned, probability in oracle.spawns(after):
            replies = [oracle.move(spawned, d, walls)[0] for d in EVERY]
            free = [reply.count(0) for reply in replies if reply != spawned]
            mean += probability * max(free, default=0)
        means.append(mean)
    return [one for one, mean in zip(choices, means, strict=True) if mean >= max(means) - 1e-9]


def random_boards(n: int) -> Iterator[list[int]]:
    rng = Rng(5)
    for _ in range(n):
        yield [max(0, rng.below(9) - 2) if rng.below(8) else 15 for _ in range(16)]


@pytest.mark.thorough
@pytest.mark.parametrize("walls", [False, True])
def test_natural_and_roomiest_moves_agree_with_plain_lists(walls):
    n_told = 0
    for board in random_boards(300):
        legal = [d for d in EVERY if oracle.move(board, d, walls)[0] != board]
        if len(legal) < 2:
            continue
        number = brute_force.board_of(board)
        assert natural_move(number, walls, legal) == slow_natural(board, walls, legal)
        assert natural_move(number, walls, legal[1:]) == slow_natural(board, walls, legal[1:])
        roomiest = slow_roomiest(board, walls, legal)
        assert roomiest_move(number, walls, 0.1, legal) == slow_natural(board, walls, roomiest)
        n_told += 1
    assert n_told > 200


def test_the_natural_move_merges_most_and_else_goes_where_the_weight_is():
    merging = parse_board("3300 0000 0000 1100")
    assert natural_move(merging, False, EVERY) == LEFT, "left and right merge alike"
    heavy_right = HEAVY_RIGHT
    assert lean(heavy_right, RIGHT, False) > lean(heavy_right, LEFT, False)
    assert natural_move(heavy_right, False, [LEFT, UP, RIGHT]) == RIGHT
    assert natural_move(heavy_right, False, [LEFT, UP]) == UP, "not away from it"
    walled = parse_board("000f 000f 120f ffff")
    assert lean(walled, RIGHT, True) == -9 * 2, "walls weigh nothing, and the middle is theirs"
    even = parse_board("303f 000f 303f ffff")
    assert {lean(even, direction, True) for direction in EVERY} == {0}


def position(**rates: float) -> tuple[float | None, ...]:
    return tuple(rates.get(name) for name in ("left", "right", "up", "down"))


HEAVY_RIGHT = parse_board("1000 0001 0005 0128")  # right is natural there


def found(rates: tuple[float | None, ...]) -> Puzzle | None:
    return puzzle_of(KEY, HEAVY_RIGHT, "full", rates)


def test_a_puzzle_has_one_right_move_by_far_and_the_natural_one_is_wrong():
    assert found(position(left=0.9, up=0.7, right=0.5))
    assert found(position(left=0.9, right=0.9 * 0.974))
    assert not found(position(left=0.9, right=0.9 * 0.976)), "an inaccuracy"
    assert not found(position(left=0.9, up=0.89, right=0.5)), "two are good"
    assert not found(position(left=0.5, right=0.9)), "the natural one is right"
    assert not found(position(left=0.9)), "no choice"
    assert not found(position(left=0.01, right=0.001)), "nothing left to win"
    assert found(position(left=0.02, right=0.0))
    assert not found(position(left=0.0, right=0.0))
    assert not found(())


def test_all_images_of_a_position_are_one_puzzle():
    rates = position(left=0.9, up=0.7, right=0.5)
    first = found(rates)
    assert first
    names = {name: oracle.SYMMETRIES[name] for name in oracle.SYMMETRIES}
    for name in names:
        image = oracle.transform(cells(HEAVY_RIGHT), name)
        turned = [None] * 4
        for direction, rate in enumerate(rates):
            after = oracle.transform(oracle.move(cells(HEAVY_RIGHT), direction)[0], name)
            to = next(d for d in EVERY if oracle.move(image, d)[0] == after)
            if after != image:
                turned[to] = rate
        assert puzzle_of(KEY, brute_force.board_of(image), "full", turned) == first, name


TABLES = ("tinyangle", "tinypair", "tinyends", "2x4")


@pytest.fixture(params=TABLES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Exact:
    """The rates of a formation's positions by the definition."""

    def __init__(self, solved: brute_force.Solution, rules: brute_force.Rules) -> None:
        self.solved, self.rules = solved, rules
        self.moves = brute_force.Moves(rules)
        self.first = self._half_sum(rules.seeds[0])
        self.symmetry = rules.symmetry if rules.walls else "full"

    def _half_sum(self, board: int) -> int:
        return sum(2**tile for tile in cells(board) if tile not in (0, 15)) // 2

    def rate_of(self, after: int) -> float:
        layer = self._half_sum(after) - self.first
        if not 0 <= layer < len(self.solved.rates):
            return 0.0
        return self.solved.rates[layer].get(self.moves.canonical(after), 0.0)

    def rates(self, board: int) -> list[float | None]:
        """Return the rates of a board that stands as the formation is written."""
        return [
            None if after == board or not self.moves.is_inside(after) else self.rate_of(after)
            for after in self.moves.slides(board)
        ]

    def images(self, board: int) -> Iterator[list[float | None]]:
        """Yield the rates in the board's own orientation, for each way to fit the formation."""
        names, window = oracle.MODES[self.symmetry]
        for name in names:
            image = brute_force.board_of(oracle.transform(cells(board), name, window))
            if not self.moves.is_inside(image):
                continue
            rates: list[float | None] = []
            for direction in EVERY:
                after = oracle.move(cells(board), direction, self.rules.walls)[0]
                turned = brute_force.board_of(oracle.transform(after, name, window))
                moves = after != cells(board) and self.moves.is_inside(turned)
                rates.append(self.rate_of(turned) if moves else None)
            yield rates


@pytest.fixture
def exact(name: str, solution: Solver, formations) -> Exact:
    return Exact(solution(name, 64), rules_of(formations[name], 64))


@pytest.fixture
def opened(name: str, table: TableMaker) -> Iterator[Tablebase]:
    with closing(open_table(table(name, 64))) as found:
        yield found


@pytest.mark.sample(1)
def test_what_is_found_in_a_table_are_puzzles_by_brute_force(opened, exact):
    puzzles = list(islice(find_puzzles(opened, 1, lambda n: n < 6000), 40))
    assert len(puzzles) >= 3
    assert len({puzzle.board for puzzle in puzzles}) == len(puzzles), "each once"
    for puzzle in puzzles:
        assert puzzle.key == (opened.name, 0.1)
        assert puzzle.board == brute_force.board_of(
            oracle.canonical(cells(puzzle.board), exact.symmetry)
        ), "in the one form of all images"
        by_definition = list(exact.images(puzzle.board))
        assert by_definition
        for rates in by_definition:
            assert puzzle.rates == pytest.approx(rates, abs=1e-7)
            known = sorted(((rate, d) for d, rate in enumerate(rates) if rate is not None))[::-1]
            (best_rate, best), (second, _) = known[:2]
            assert puzzle.best == best
            assert second / best_rate < 0.975
            assert puzzle.gap == pytest.approx(1 - second / best_rate, abs=1e-6)
            moves = sorted(d for _, d in known)
            assert (
                slow_natural(cells(puzzle.board), exact.rules.walls, moves)
                == puzzle.natural
                != best
            )


@pytest.mark.sample(1)
def test_every_position_is_told_as_the_definition_has_it(exact):
    """All that the seeds of a tiny formation lead to, not only what games come through."""
    n_puzzles = n_others = 0
    for layer in exact.solved.rates[::4]:
        for after in list(layer)[::7]:
            for board in brute_force.spawned_boards(after, 1)[:2]:
                rates = exact.rates(board)
                known = sorted((rate for rate in rates if rate is not None), reverse=True)
                if len(known) < 2 or known[0] <= 0 or abs(known[1] / known[0] - 0.975) < 1e-9:
                    continue
                turn = canonical_turn(board, exact.symmetry)
                turned = list(turn.moved(rates))
                legal = [d for d in EVERY if turned[d] is not None]
                natural = slow_natural(cells(turn.board), exact.rules.walls, legal)
                is_one = (
                    known[0] >= 0.02 and known[1] / known[0] < 0.975 and turned[natural] != known[0]
                )
                assert (puzzle_of(KEY, board, exact.symmetry, rates) is not None) == is_one
                n_puzzles += is_one
                n_others += not is_one
    assert n_puzzles > 5
    assert n_others > 50


@pytest.mark.sample(1)
def test_the_same_seed_and_the_same_day_give_the_same_puzzles(opened):
    def some(seed: int) -> list[Puzzle]:
        return list(islice(find_puzzles(opened, seed, lambda n: n < 3000), 5))

    assert some(1) == some(1)
    assert some(1) != some(2)
    days = [date(2026, 11, day) for day in range(1, 15)]
    of_days = [daily_puzzle(opened, day) for day in days]
    assert of_days == [daily_puzzle(opened, day) for day in days]
    assert all(of_days)
    assert len(set(map(str, of_days))) > 3


@pytest.mark.thorough
def test_a_search_ends_when_it_is_told_to(opened):
    looked: list[int] = []

    def goes_on(n: int) -> bool:
        looked.append(n)
        return n < 25

    list(find_puzzles(opened, 1, goes_on))
    assert looked == list(range(26))


@pytest.mark.sample(1)
def test_a_solution_plays_best_moves_with_the_same_tiles_until_there_is_a_choice(opened, exact):
    n_long = 0
    for puzzle in islice(find_puzzles(opened, 3, lambda n: n < 6000), 12):
        steps = solution(opened, puzzle)
        assert steps == solution(opened, puzzle), "the same tiles for everybody"
        assert (steps[0].board, steps[0].best) == (puzzle.board, puzzle.best)
        assert len(steps) <= MAX_STEPS
        for step, after in pairwise(steps):
            slid = oracle.move(cells(step.board), step.best, exact.rules.walls)[0]
            new = [i for i in range(16) if cells(after.board)[i] != slid[i]]
            assert len(new) == 1, "one new tile"
            assert cells(after.board)[new[0]] in (1, 2)
            for rates in exact.images(after.board):
                assert after.rates == pytest.approx(rates, abs=1e-7)
                assert rates[after.best] == max(rate for rate in rates if rate is not None)
            known = sorted((rate for rate in step.rates if rate is not None), reverse=True)
            assert known[1] / known[0] < 0.975, "it ends where two moves are good"
        n_long += len(steps) > 1
    assert n_long


def test_a_table_of_lower_bounds_has_no_puzzles():
    class Limited:
        is_limited, name = True, "L3_512"

    with pytest.raises(NoPuzzlesError, match="lower bounds"):
        next(find_puzzles(Limited(), 1))  # type: ignore[arg-type]


def test_a_table_puts_its_own_rates_in_the_place_of_others(opened):
    puzzle = next(find_puzzles(opened, 1))
    swapped = replace(puzzle, rates=tuple(r and r / 2 for r in puzzle.rates))
    assert as_the_table_says(opened, swapped) == puzzle


def test_mistakes_that_qualify_are_puzzles():
    def mistake(*rates: float | None) -> Mistake:
        return Mistake(
            *(1, KEY, HEAVY_RIGHT, "full", rates, (LEFT,), 1, 0.1, 0.1, Grade.BLUNDER),
            *(None, None, 0, 0, 0, None, None, ()),
        )

    good, equal, unknown = mistake(0.9, 0.5), mistake(0.9, 0.89), mistake(None, None)
    padded = [replace(m, rates=(*m.rates, None, None)) for m in (good, equal, unknown)]
    assert list(among_mistakes(padded)) == [found(position(left=0.9, right=0.5))]


def test_a_mistake_is_one_only_by_the_rates_of_its_table(opened):
    puzzle, other = islice(find_puzzles(opened, 1), 2)
    elsewhere = replace(puzzle, key=TableKey(opened.name, 0.2))
    outside = replace(puzzle, board=parse_board("1234 5678 9abc dedc"))
    equal = next(
        one
        for one in (replace(other, board=board) for board in boards_of_games(opened))
        if as_the_table_says(opened, one) is None
    )
    assert list(confirmed(opened, [elsewhere, outside, equal, other])) == [other]


def boards_of_games(table: Tablebase) -> Iterator[int]:
    """Yield positions that the table knows all of."""
    rng = Rng(1)
    while True:
        board = table.start_board(rng)
        for _ in range(12):
            answer = table.probe(board)
            if answer.best is None or answer.unknown:
                break
            yield board
            board = spawn(move(board, answer.best, table.formation.walls), rng)[0]


def test_the_first_rating_rises_with_what_makes_a_puzzle_hard():
    def rating(**rates: float) -> float:
        puzzle = found(position(**rates))
        assert puzzle
        return first_rating(puzzle).value

    easy = rating(left=0.9, right=0.0009)
    assert rating(left=0.9, right=0.09) > easy, "the natural move loses less"
    assert rating(left=0.9, right=0.85) > rating(left=0.9, right=0.09)
    more = rating(left=0.9, right=0.09, up=0.09)
    assert more > rating(left=0.9, right=0.09), "there is more to choose from"
    assert rating(left=0.9, right=0.09, up=0.85) > more, "a wrong move that isn't a blunder"


def test_a_natural_move_that_loses_nothing_has_a_first_rating():
    """Only a damaged database holds such a puzzle."""
    puzzle = found(position(left=0.9, right=0.09))
    assert puzzle
    even = replace(puzzle, rates=tuple(rate and 0.9 for rate in puzzle.rates))
    assert first_rating(even).value > first_rating(puzzle).value


def test_the_first_rating_rises_where_a_search_goes_wrong_too():
    ratings: dict[bool, set[float]] = {True: set(), False: set()}
    for board, best in product(random_boards(200), EVERY):
        legal = [d for d in EVERY if oracle.move(board, d)[0] != board]
        if len(legal) != 4:
            continue
        rates = [0.9 if d == best else 0.45 for d in EVERY]
        puzzle = puzzle_of(KEY, brute_force.board_of(board), "full", rates)
        if puzzle:
            is_fooled = puzzle.best != puzzle.roomiest
            ratings[is_fooled].add(round(first_rating(puzzle).value, 6))
    assert len(ratings[True]) == len(ratings[False]) == 1, "all else is equal"
    assert ratings[True].pop() - ratings[False].pop() == pytest.approx(300)


def played(puzzle: Puzzle, direction: int, path: Path) -> Path:
    """Write a game of one move, with real large tiles in the place of F."""
    start, largest = cells(puzzle.board), 15
    for at in range(16):
        if start[at] == 15:
            start[at], largest = largest, largest - 1
    after = oracle.move(start, direction)[0]
    move = ReplayMove(direction, after.index(0), 1, puzzle.rates)  # type: ignore[arg-type]
    path.write_bytes(write_rpl(Replay(tuple(start), (move,))))
    return path


def test_wrong_moves_in_analyzed_games_are_puzzles(table, tmp_path):
    with closing(open_table(table("44", 64))) as opened:
        puzzles = list(islice(find_puzzles(opened, 1), 3))
        good, bad, other = puzzles
        parts = [
            played(good, good.best, tmp_path / "44_64_good.rpl"),
            played(bad, bad.natural, tmp_path / "44_64_bad.rpl"),
            tmp_path / "deleted.rpl",
        ]
        foreign = played(other, other.natural, tmp_path / "44_128_other.rpl")
        database = UserDatabase(tmp_path)
        assert analyzed_parts(database, "44_64") == []
        assert not database.path.exists(), "none is made by looking"
        segments = [{**SEGMENT, "table": "44_64", "rpl": str(path)} for path in parts]
        segments += [{**SEGMENT, "table": "44_128", "rpl": str(foreign)}]
        segments += [{**SEGMENT, "table": "44_64", "rpl": None}]
        with closing(Analyses(database)) as analyses:
            analyses.keep(analysis_of({**EVENT, "segments": segments}, NOON))
        assert analyzed_parts(database, "44_64") == parts
        assert list(among_games(opened, parts)) == [bad]


def test_what_the_board_shows_is_said_of_the_best_move():
    board = parse_board("1021 3232 56ff ffff")
    reason = why_best(board, position(left=1.0, right=0.9), LEFT, False, 0.1)
    assert reason == MayEnd(LEFT, RIGHT, 0, 2)
    # By the rules: after right a 4 in the first cell leaves nothing to move, large tiles apart.
    after = oracle.move(cells(board), RIGHT)[0]
    after[0] = 2
    large = [at for at in range(16) if after[at] == 15]
    for i, at in enumerate(large):
        after[at] = 15 + i
    assert oracle.is_over(after)


def test_nothing_is_said_that_would_depend_on_what_large_tiles_are():
    told = set()
    for board, best in product(random_boards(150), EVERY):
        legal = [d for d in EVERY if oracle.move(board, d)[0] != board]
        rates = tuple((0.9 if d == best else 0.5) if d in legal else None for d in EVERY)
        number = brute_force.board_of(board)
        if best in legal and len(legal) > 1:
            assert why_best(number, rates, best, True, 0.1) is None, "walls"
            told.add(type(why_best(number, rates, best, False, 0.1)))
    assert told <= {MayEnd, Merges, LeavesFree, LeavesPairs, type(None)}
    assert {Merges, LeavesFree} <= told


def test_two_large_tiles_side_by_side_do_not_count_as_a_merge():
    board = parse_board("ff00 1200 3000 0000")
    rates = position(left=0.9, right=0.5, up=0.4, down=0.3)
    assert not isinstance(why_best(board, rates, LEFT, False, 0.1), (Merges, LeavesFree))
