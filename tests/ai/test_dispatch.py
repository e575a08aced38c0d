"""Tables that decide moves: which are asked, how their answers compare, and what is left open."""

import random
from types import SimpleNamespace

import pytest

from ai.dispatch.cached_table import CachedTable
from ai.dispatch.dispatcher import MIN_RATE, SLIGHT_LOSS, Dispatcher
from ai.dispatch.open_tables import OpenTables
from ai.dispatch.scale import chance_of_half, continuation
from ai.dispatch.tile_profile import MIN_GOAL, TileProfile
from engine.bitboard import cells, from_cells, parse_board
from engine.geometry import destinations, permute
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import DamagedTableError
from tablebase.formation.patterns_file import load_formations
from tablebase.probe.reader import Tablebase
from tablebase.store.options import TableOptions

LARGE = [15, 14, 13, 12, 11, 10, 9, 8]  # for the eight locked cells of 44
ORIENTATIONS = destinations("full")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two tables of eight large tiles."""
    path = tmp_path_factory.mktemp("tables")
    for target in (64, 128):
        make_table(path, target)
    return path


def make_table(path, target, spawn4=0.1):
    options = TableOptions(spawn4=spawn4)
    build(BuildPlan(load_formations()["44"], target, path / f"44_{target}", options, threads=1))


def positions(table, n, seed):
    """Positions of a game that a table plays badly, their locked cells holding large tiles."""
    rng, choice, found = Rng(seed), random.Random(seed), []
    board = table.start_board(rng)
    while len(found) < n:
        moves = [(d, move(board, d)) for d in range(4)]
        legal = [after for _, after in moves if after != board and table.formation.is_inside(after)]
        if not legal or any(6 <= tile < 15 for tile in cells(board)):
            board = table.start_board(rng)
            continue
        large = iter(choice.sample(LARGE, 8))
        found.append([next(large) if tile == 15 else tile for tile in cells(board)])
        board = spawn(choice.choice(legal), rng)[0]
    return found


def view(exponents, destination):
    return [tile for _, tile in sorted(zip(destination, exponents, strict=True))]


class FakeTable:
    """A table of two large tiles in the first two cells; its rates are given."""

    is_quick = True
    is_limited = False

    def __init__(self, name, target, rates, n_large=2):
        self.pattern = name.partition("_")[0]
        self.name, self.target, self.n_large, self._rates = name, target, n_large, rates
        self.n_asked, self.is_closed, self.error = 0, False, None

    def turns(self, masked):
        identity, mirror = ORIENTATIONS[0], ORIENTATIONS[1]
        return [one for one in (identity, mirror) if permute(masked, one) >> 56 == 0xFF]

    def held_rates(self, _board):
        self.n_asked += 1
        if self.error:
            raise self.error
        return self._rates

    def close(self):
        self.is_closed = True


class FakeShelf:
    def __init__(self, *tables):
        self._tables = [CachedTable(table) for table in tables]

    def tables(self):
        return self._tables

    def drop(self, table, _error):
        self._tables.remove(table)
        table.close()


class SearchGoals:
    """What a search looks for, beside one board."""

    def __init__(self, board, goal=0, sees_whole_game=False, sees_late_game=False):
        self._board, self._goal, self._sees_whole_game = list(board), goal, sees_whole_game
        self._sees_late_game = sees_late_game

    def goal(self, cells):
        return self._goal * (list(cells) == self._board)

    def sees_late_game(self, cells):
        return self._sees_late_game and list(cells) == self._board

    def sees_whole_game(self, cells):
        return self._sees_whole_game and list(cells) == self._board


def never(_cells, _known):
    raise AssertionError("search was asked")


def answer(*values):
    best = max((d for d in range(4) if values[d] is not None), key=lambda d: values[d])
    kind = {"is_chance": False, "are_points": False}
    return SimpleNamespace(direction=best, values=values, depth=5, nodes=99, **kind)


BOARD = [10, 9, 1, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("large_sum", "goal", "want"),
    [
        (0b111111 << 9, 0b111111 << 9, 1.0),
        ((0b111111 << 9) + 256, 0b1000000 << 9, 0.85),  # 256 in nine cells
        ((0b111111 << 9) + 128, 0b1000000 << 9, 0.85 * 0.85),  # 256 in nine, then 128 in eight
        (0b11111 << 10, 0b100000 << 10, 0.85),  # 1024 in eleven cells
        (0b111111 << 10, 0b111111 << 10 | 512, 0.85),  # 512 in ten, beside 1024
    ],
)
def test_a_sum_is_worth_the_chance_to_come_to_the_goal(large_sum, goal, want):
    assert continuation(large_sum, goal) == pytest.approx(want)


@pytest.mark.parametrize(("far_rate", "best"), [(0.9, "far"), (0.88, "far"), (0.7, "near")])
def test_a_larger_target_counts_more(far_rate, best):
    """256 for 0.99 leaves another 256 to be made in nine cells: together about 0.84."""
    near = FakeTable("near", 256, (0.99, 0.8, None, None), 6)
    far = FakeTable("far", 512, (0.6, far_rate, None, None), 6)
    board = [14, 13, 12, 11, 10, 9, 1, 2, *[0] * 8]
    verdict = Dispatcher(FakeShelf(near, far)).ask(board)
    assert verdict.table == best
    assert verdict.best == (1 if best == "far" else 0)
    near_value = {"near": pytest.approx(0.99 * 0.85)} if best == "near" else {}
    assert verdict.asked == {"far": far_rate} | near_value  # 0.85 is the most that it can be worth


def best_of_all(tables, board):
    """Ask all tables; return the worth and the rates of the best, None where none answers."""
    profile, answers = TileProfile(board), []
    for table in tables:
        exponent = table.target.bit_length() - 1
        goal, rates = profile.goal(table.n_large, exponent), table.held_rates(0)
        rate = max((rate for rate in rates if rate is not None), default=0.0)
        if goal and rate > 0:
            answers.append((table.pattern, (goal, -exponent), table.n_large, rate, rates))
    followed = [one for one in answers if one[3] >= MIN_RATE]
    answers = [
        one for one in answers if all(one[0] != two[0] or one[1] >= two[1] for two in followed)
    ]
    sums = [profile.large_sum(one[2]) + (1 << one[1][0]) for one in answers]
    found = [
        (chance_of_half(rate, -merit[1] - merit[0]) * continuation(total, max(sums)), rates)
        for total, (_, merit, _, rate, rates) in zip(sums, answers, strict=True)
    ]
    return max(found, default=None)


def test_what_is_not_asked_would_not_have_been_followed():
    rng = random.Random(5)
    n_asked = n_fitting = 0
    for _ in range(2000):
        board = [14, 13, *sorted(rng.sample(range(7, 13), 4), reverse=True), 1, 2, *[0] * 8]
        pairs = rng.sample([(n, t) for n in range(3, 7) for t in range(7, 12)], rng.randint(1, 8))
        tables = []
        for n, target in pairs:  # a formation has a number of large tiles
            rates = tuple(rng.choice((rng.random(), 0.99 + rng.random() / 100)) for _ in range(4))
            pattern = f"{'abc'[rng.randrange(2)]}{n}"
            tables.append(FakeTable(f"{pattern}_{1 << target}", 1 << target, rates, n))
        want = best_of_all(tables, board)
        for table in tables:
            table.n_asked = 0
        verdict = Dispatcher(FakeShelf(*tables)).ask(board)
        assert (verdict and (verdict.value, verdict.rates)) == want
        fitting = [
            t for t in tables if TileProfile(board).goal(t.n_large, t.target.bit_length() - 1)
        ]
        n_asked += sum(table.n_asked for table in tables)
        n_fitting += len(fitting)
    assert 0.3 * n_fitting < n_asked < 0.8 * n_fitting


@pytest.mark.parametrize(("far_rate", "best"), [(0.2, "L3_512"), (0.09, "L3_256")])
def test_a_larger_target_of_the_same_formation_knows_better(far_rate, best):
    """Unless it is as good as lost."""
    near = FakeTable("L3_256", 256, (0.99, 0.8, None, None), 6)
    far = FakeTable("L3_512", 512, (0.1 * far_rate, far_rate, None, None), 6)
    board = [14, 13, 12, 11, 10, 9, 1, 2, *[0] * 8]
    for open_tables in (FakeShelf(near, far), FakeShelf(far, near)):
        assert Dispatcher(open_tables).ask(board).table == best


def test_of_equal_values_the_larger_target_counts():
    """With two large tiles, the smaller one is as good as made."""
    near, far = FakeTable("near", 128, (0.9,) * 4), FakeTable("far", 256, (0.9,) * 4)
    assert Dispatcher(FakeShelf(near, far)).ask(BOARD).table == "far"


def test_of_tables_of_one_target_the_higher_rate_counts_whatever_their_order():
    good, bad = FakeTable("good", 128, (0.9,) * 4), FakeTable("bad", 128, (0.7,) * 4)
    for open_tables in (FakeShelf(good, bad), FakeShelf(bad, good)):
        verdict = Dispatcher(open_tables).ask(BOARD)
        assert (verdict.table, verdict.value) == ("good", pytest.approx(0.9))


@pytest.mark.parametrize(
    ("tiles", "fits"),
    [
        ((10, 9, 1), True),
        ((10, 7, 1), True),  # the second largest is the target
        ((10, 6, 1), False),
        ((10, 10, 1), False),  # those merge
        ((10, 9, 7), False),  # one exists already
        ((10, 9, 8), False),  # more than two large ones
        ((10, 9, 6), True),
        ((17, 16, 6), True),
    ],
)
def test_tables_are_asked_about_boards_of_the_right_tiles_only(tiles, fits):
    table = FakeTable("table", 128, (0.5,) * 4)
    found = Dispatcher(FakeShelf(table)).ask([*tiles, *[0] * 13])
    assert (found is not None, table.n_asked) == (fits, int(fits))


@pytest.mark.parametrize(
    ("tiles", "goal"),
    [
        ((10, 9, 1), 9),  # more is never needed
        ((10, 8, 1), 8),
        ((10, 8, 7), 8),
        ((10, 8, 8), 0),  # one exists already and should merge
        ((10, 7, 6), 7),
        ((10, 6, 1), 0),  # search does it as well
        ((10, 10, 1), 0),
    ],
)
def test_a_table_also_helps_to_a_second_one_of_the_smallest_large_tile(tiles, goal):
    cells_of = [*tiles, *[0] * 13]
    assert TileProfile(cells_of).goal(2, 9) == goal
    table = FakeTable("table", 512, (0.5, 0.6, 0.5, 0.5))
    verdict = Dispatcher(FakeShelf(table)).ask(cells_of)
    assert (verdict.best if verdict else None) == (1 if goal else None)


def test_where_search_sees_chances_tables_are_asked_about_their_own_target_only():
    table = FakeTable("table", 512, (0.5, 0.6, 0.5, 0.5))
    for tiles, fits in (((10, 9, 1), True), ((10, 8, 1), False)):
        board = [*tiles, *[0] * 13]
        seen = Dispatcher(FakeShelf(table), SearchGoals(board, 11))
        assert (seen.ask(board) is not None) == seen.may_apply(board) == fits
        unseen = Dispatcher(FakeShelf(table), SearchGoals(board))
        assert unseen.ask(board) is not None


@pytest.mark.parametrize(
    ("n_large", "smallest", "rate", "is_followed"),
    [
        (6, 9, 0.4, True),
        (6, 8, 0.5, True),
        (6, 8, 0.49, False),  # it may well fail its own target
        (5, 9, 0.99, False),  # 512 in eleven cells is easy: the network sees further
    ],
)
def test_where_a_network_sees_the_whole_game_tables_decide_what_is_hard(
    n_large, smallest, rate, is_followed
):
    board = [*range(15, 16 - n_large, -1), smallest, 1, 2, *[0] * (14 - n_large)]
    table = FakeTable("table", 512, (rate / 2, rate, None, None), n_large)
    seen = Dispatcher(FakeShelf(table), SearchGoals(board, sees_whole_game=True))
    assert (seen.ask(board) is not None) == is_followed
    assert seen.may_apply(board) == (n_large == 6)
    assert Dispatcher(FakeShelf(table), SearchGoals(board)).ask(board).best == 1


@pytest.mark.parametrize(
    ("smallest", "small_tiles", "best", "n_among", "want"),
    [
        (10, (9, 8, 7), 0.98, 2, 0),  # of two moves as good as each other search chooses
        (10, (9, 8, 7), 0.98, 1, 1),
        (10, (9, 8, 7), 0.49, 2, 3),  # nearly lost: the table may not know what still helps
        (10, (9, 8, 7, 1), 0.98, 2, 3),  # nearly made, and it matters where
        (11, (9, 8, 7), 0.98, 2, 3),  # the first 1024 beside a 2048: it matters where it stands
        (9, (8, 7), 0.98, 2, 3),  # a second 512
    ],
)
def test_beside_a_network_an_easy_table_only_keeps_search_from_losing_what_merges(
    smallest, small_tiles, best, n_among, want
):
    """Search likes moves 3, 0, 1, in this order; moves 1 and 0 are the table's best."""
    board = [15, 14, 13, smallest, *small_tiles, *[0] * (12 - len(small_tiles))]
    slightly = best - SLIGHT_LOSS / 2 if n_among == 2 else best - 2 * SLIGHT_LOSS
    table = FakeTable("table", 1024, (slightly, best, None, best - 2 * SLIGHT_LOSS), 4)
    seen = Dispatcher(FakeShelf(table), SearchGoals(board, sees_whole_game=True))
    search = never if (want, n_among) == (1, 1) else lambda _cells, _known: answer(3, 2, None, 5)
    decision = seen.choose(board, search)
    assert decision.direction == want
    source = {0: "table+search", 1: "table", 3: "search"}
    assert decision.source == source[want]


@pytest.mark.parametrize(("is_late", "want"), [(True, 1), (False, 3)])
def test_the_network_for_late_games_is_kept_from_losses_until_the_tile_stands(is_late, want):
    board = [15, 14, 13, 10, 9, 9, *[0] * 10]
    table = FakeTable("table", 1024, (0.1, 1.0, None, 0.9), 4)
    goals = SearchGoals(board, sees_whole_game=True, sees_late_game=is_late)
    search = lambda _cells, _known: answer(3, 2, None, 5)  # noqa: E731
    assert Dispatcher(FakeShelf(table), goals).choose(board, search).direction == want


def test_an_easy_table_is_asked_as_soon_as_its_tile_stands():
    """Games go on for some moves without asking whether it does: before it stands, they ask."""
    for smallest, may_apply in ((11, False), (10, True), (9, True), (8, False)):
        board = [15, 14, 13, smallest, 1, 2, *[0] * 10]
        table = FakeTable("table", 1024, (0.9,) * 4, 4)
        seen = Dispatcher(FakeShelf(table), SearchGoals(board, sees_whole_game=True))
        assert seen.may_apply(board) == may_apply


def test_tables_of_small_targets_are_asked_about_these():
    assert TileProfile([10, 6, 1, *[0] * 13]).goal(2, 6) == 6


def test_a_profile_says_of_any_board_what_its_tiles_say():
    rng = random.Random(3)
    n_goals = n_ahead = 0
    for _ in range(3000):
        board = [rng.choice((0, 0, 1, 2, rng.randint(5, 15))) for _ in range(16)]
        n_large, exponent = rng.randint(0, 6), rng.randint(5, 10)
        tiles = sorted(board, reverse=True)
        large, small = tiles[:n_large], tiles[n_large:]
        goal = min(large[-1], exponent) if large else exponent
        fits = len(set(large)) == n_large and max(small) < goal >= min(MIN_GOAL, exponent)
        profile = TileProfile(board)
        assert profile.goal(n_large, exponent) == (goal if fits else 0)
        kept, others = tiles[: max(n_large - 1, 0)], tiles[max(n_large - 1, 0) :]
        can_make = sum(1 << one for one in others if one) >= 1 << exponent
        ahead = can_make and all(one >= exponent for one in kept)
        assert profile.may_fit_ahead(n_large, exponent) == ahead
        n_goals, n_ahead = n_goals + fits, n_ahead + ahead
    assert n_goals > 100
    assert n_ahead > 100


def test_the_table_of_the_goal_itself_knows_best():
    """L3 512 helps to 256 where L3 256 is not there, or says next to nothing."""
    exact = FakeTable("L3_256", 256, (0.97, 0.98, None, None))
    larger = FakeTable("L3_512", 512, (0.9, 0.8, None, None))
    board = [10, 8, 1, *[0] * 13]
    for open_tables in (FakeShelf(exact, larger), FakeShelf(larger, exact)):
        assert Dispatcher(open_tables).ask(board).table == "L3_256"
    assert Dispatcher(FakeShelf(larger)).ask(board).best == 0
    exact = FakeTable("L3_256", 256, (MIN_RATE / 2, None, None, None))
    assert Dispatcher(FakeShelf(exact, larger)).ask(board).table == "L3_512"


def test_half_a_tile_fails_seldom():
    """Rates of a whole table and of one with half its target, from their first positions."""
    for whole, half in ((0.834, 0.9938), (0.724, 0.9879), (0.866, 0.998)):
        assert chance_of_half(whole, 1) == pytest.approx(half, abs=0.004)
        assert chance_of_half(whole, 0) == whole


def test_a_table_in_no_orientation_is_not_asked():
    table = FakeTable("table", 128, (0.5,) * 4)
    assert Dispatcher(FakeShelf(table)).ask([10, 1, 9, *[0] * 13]) is None
    assert table.n_asked == 0


def test_an_answer_is_remembered_and_mirrored():
    table = FakeTable("table", 128, (0.1, 0.2, 0.3, None))
    dispatcher = Dispatcher(FakeShelf(table))
    first = dispatcher.ask(BOARD)
    mirrored = dispatcher.ask(view(BOARD, ORIENTATIONS[1]))
    assert first.rates == (0.1, 0.2, 0.3, None)
    assert mirrored.rates == (0.2, 0.1, 0.3, None)
    assert table.n_asked == 1


def test_a_clear_answer_needs_no_search():
    choice = Dispatcher(FakeShelf(FakeTable("t", 128, (0.5, 0.7, None, 0.7)))).choose(BOARD, never)
    assert (choice.direction, choice.source, choice.depth) == (1, "t", 0)
    assert choice.values == (0.5, 0.7, None, 0.7)


def test_near_certainty_leaves_search_the_choice_among_equals():
    table = FakeTable("t", 128, (1 - 1e-7, 1.0, 0.99, None))
    choice = Dispatcher(FakeShelf(table)).choose(BOARD, lambda *_: answer(7.0, 5.0, 9.0, 8.0))
    assert (choice.direction, choice.source, choice.depth, choice.nodes) == (0, "t+search", 5, 99)
    assert choice.among == (0, 1)
    only = FakeTable("t", 128, (0.9, 1.0, 0.99, None))
    assert Dispatcher(FakeShelf(only)).choose(BOARD, never).direction == 1


@pytest.mark.parametrize("rates", [None, (0.0, 0.0, None, None), (0.05, 0.0, None, None)])
def test_what_promises_next_to_nothing_is_left_to_search(rates):
    dispatcher = Dispatcher(FakeShelf(FakeTable("t", 128, rates)))
    choice = dispatcher.choose(BOARD, lambda *_: answer(1.0, None, 3.0, 2.0))
    assert (choice.direction, choice.source) == (2, "search")


def test_a_table_that_cannot_be_read_is_dropped_and_the_game_goes_on():
    broken, good = FakeTable("broken", 128, (0.9,) * 4), FakeTable("good", 128, (0.8,) * 4)
    broken.error = DamagedTableError("damaged")
    dispatcher = Dispatcher(FakeShelf(broken, good))
    assert dispatcher.ask(BOARD).table == "good"
    assert dispatcher.ask(BOARD).table == "good"
    assert (broken.n_asked, broken.is_closed) == (1, True)


def test_no_table_can_apply_soon_without_large_tiles():
    dispatcher = Dispatcher(FakeShelf(FakeTable("t", 128, None)))
    assert not dispatcher.may_apply([10, 6, 6, *[0] * 13])
    assert dispatcher.may_apply([10, 10, 9, *[0] * 13])


def test_masking_is_that_of_the_table():
    assert TileProfile(cells(parse_board("a9b1_2000_0000_0001"))).masked(3) == 0xFFF1_2000_0000_0001


@pytest.mark.thorough
def test_every_view_of_a_position_is_answered_as_the_table_answers(folder):
    """44 is kept by a mirror image, so of some views the table says another, equal, best move."""
    with Tablebase.open(folder / "44_64") as table, Tablebase.open(folder / "44_64") as other:
        asked = CachedTable(other)
        for exponents in positions(table, 120, 5):
            want = table.probe(from_cells(exponents))
            for destination in ORIENTATIONS:
                turned = view(exponents, destination)
                rates = asked.rates(TileProfile(turned).masked(8))
                again = table.probe(from_cells(turned))
                assert max(r for r in rates if r is not None) == again.best_rate == want.best_rate
                held = [rate or None for rate in again.rates]  # 0 may count as unknown
                assert sorted(map(str, rates)) == sorted(map(str, held))


def test_how_a_table_lies_is_worked_out_once_while_the_large_tiles_stay():
    class Counting(FakeTable):
        asked = ()

        def turns(self, masked):
            self.asked += (masked,)
            return super().turns(masked)

    table = Counting("t", 128, (0.5, 0.6, 0.7, 0.8))
    asked, small = CachedTable(table), (0x12_3456, 0x66_6021, 0x30_0003)
    in_front = [asked.rates(0xFF << 56 | board) for board in small]
    mirrored = [asked.rates(0x00FF << 48 | board) for board in small]
    assert len(table.asked) == 2
    assert in_front == [(0.5, 0.6, 0.7, 0.8)] * 3
    assert mirrored == [(0.6, 0.5, 0.7, 0.8)] * 3


@pytest.mark.thorough
def test_all_tables_of_a_folder_are_asked(folder):
    open_tables = OpenTables([folder])
    dispatcher = Dispatcher(open_tables)
    with Tablebase.open(folder / "44_64") as small, Tablebase.open(folder / "44_128") as large:
        for exponents in positions(small, 60, 6):
            verdict = dispatcher.ask(exponents)
            rates = {"44_64": small.probe(from_cells(exponents)).best_rate}
            if min(exponents[i] for i in range(16) if exponents[i] in LARGE) >= 7:
                probe = large.get(from_cells(exponents))
                rates["44_128"] = probe.best_rate if probe else 0.0
            rates = {name: rate for name, rate in rates.items() if rate > 0}
            if rates.get("44_128", 0) >= MIN_RATE:
                del rates["44_64"]
            assert set(verdict.asked if verdict else ()) == set(rates)
            if "44_128" in rates:  # the larger promise is worth its rate
                assert verdict.asked["44_128"] == rates["44_128"]
            if rates.get("44_128", 0) >= MIN_RATE:  # and knows of the smaller target too
                assert verdict.table == "44_128"
    open_tables.close()


@pytest.mark.thorough
def test_tables_come_and_go_while_games_are_played(tmp_path):
    now = [0.0]
    open_tables = OpenTables([tmp_path], clock=lambda: now[0])
    assert not open_tables.tables()
    make_table(tmp_path, 64)
    make_table(tmp_path / "of another game", 64, spawn4=0.2)
    assert not open_tables.tables()  # looked at a moment ago
    now[0] += 1
    (table,) = open_tables.tables()
    assert table.name == "44_64"
    now[0] += 1
    make_table(tmp_path, 128)
    names = [one.name for one in open_tables.tables()]
    assert names == ["44_64", "44_128"]
    assert open_tables.tables()[0] is table  # with all it remembers
    (tmp_path / "44_64" / "manifest.json").unlink()
    now[0] += 1
    assert [one.name for one in open_tables.tables()] == ["44_128"]


def test_a_drive_that_is_not_there_has_no_tables(tmp_path):
    now = [0.0]
    open_tables = OpenTables([tmp_path / "drive"], clock=lambda: now[0])
    assert not open_tables.tables()
    (tmp_path / "drive").mkdir()
    make_table(tmp_path / "drive", 64)
    now[0] += 1
    assert [one.name for one in open_tables.tables()] == ["44_64"]
    open_tables.close()


def test_a_damaged_table_is_told_and_left_out(tmp_path):
    make_table(tmp_path, 64)
    file = max((tmp_path / "44_64").glob("layer-*.tbl"), key=lambda path: path.stat().st_size)
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    open_tables = OpenTables([tmp_path])
    assert not open_tables.tables()
    (warning,) = open_tables.warnings
    assert file.name in warning
