"""What a table's zeros are worth: on real tables, with what a game from the start shows."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from coach.grading.grade import UINT32, judge
from coach.grading.rated import LOWER_BOUNDS, Rated, UnknownRates, read
from coach.recordings.many_tables import rate_by
from coach.recordings.recording import Recording, recording_of
from engine.bitboard import cells, from_cells
from engine.formats.replay import Replay, ReplayMove
from engine.geometry import SQUARE
from engine.spawn import Rng, spawn
from engine.symmetry import transform
from engine.trace import slide_cells
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import DamagedTableError, ProbeError
from tablebase.probe.reader import Tablebase
from tablebase.store.options import TableOptions

ELSEWHERE = 0xFFFFFF12_00201000  # does not come up from the start of 442 to 64
UP, DOWN = 2, 3


def slid(board: int, direction: int) -> int:
    return from_cells(slide_cells(cells(board), direction).cells)


def positions_of_a_game(table: Tablebase, seed: int, keeps_chance: bool) -> list[int]:
    """Return the positions of a game of random moves that keep a chance, or give it up soon."""
    rng, found = Rng(seed), []
    board = table.start_board(rng)
    while (answer := table.get(board)) is not None:
        found.append(board)
        legal = [one for one, rate in enumerate(answer.rates) if rate is not None]
        if keeps_chance:
            legal = [one for one in legal if answer.rates[one]]
        else:
            legal = [one for one in legal if answer.rates[one] == 0.0] or legal
        direction = legal[rng.below(len(legal))] if legal else None
        if direction is None or answer.rates[direction] == 1.0:
            break
        board = spawn(slid(board, direction), rng, table.spawn4)[0]
    return found


def test_a_zero_that_is_none_is_in_doubt(table):
    with Tablebase.open(table("442", 64)) as opened:
        assert opened.probe(ELSEWHERE).rates[UP] is None
        after = slid(ELSEWHERE, UP)
        empty = [shift for shift in range(0, 64, 4) if not after >> shift & 15]
        means = [
            (1 - opened.spawn4) * opened.probe(after | 1 << shift).best_rate
            + opened.spawn4 * opened.probe(after | 2 << shift).best_rate
            for shift in empty
        ]
        assert sum(means) / len(means) > 0.99, "what up is worth, at least"
        reading = read(opened, ELSEWHERE)
    assert reading.unknown_rates == UnknownRates(frozenset({UP}), is_best_known=False)
    assert reading.rates[UP] is None
    assert reading.best == 0
    assert judge(reading.rates, 0, UINT32, reading.unknown_rates) is None
    assert judge(reading.rates, UP, UINT32, reading.unknown_rates) is None


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["442", "44"])
def test_nothing_is_in_doubt_in_a_game_from_the_start(table, name):
    n_zeros = 0
    with Tablebase.open(table(name, 64)) as opened:
        for seed in range(60):
            for board in positions_of_a_game(opened, seed, keeps_chance=True):
                for way in SQUARE:
                    turned = transform(board, way)
                    reading = read(opened, turned)
                    n_zeros += 0.0 in reading.rates
                    assert reading.unknown_rates is None, f"{turned:016x}"
    assert n_zeros >= 8


@pytest.mark.thorough
def test_what_follows_a_known_position_is_known_even_when_all_is_lost(table):
    n_lost = 0
    with Tablebase.open(table("442", 64)) as opened:
        for seed in range(100):
            boards = positions_of_a_game(opened, seed, keeps_chance=False)
            for board in boards[1:]:
                reading = read(opened, board, follows=True)
                n_lost += not any(reading.rates)
                assert reading.unknown_rates is None
    assert n_lost


@pytest.mark.thorough
def test_a_table_that_keeps_only_the_best_moves_knows_the_best_move(formations, tmp_path):
    folder = tmp_path / "442_64"
    build(BuildPlan(formations["442"], 64, folder, TableOptions(optimal_only=True), threads=1))
    with Tablebase.open(folder) as opened:
        doubts = []
        for seed in range(10):
            rng, board = Rng(seed), opened.start_board(Rng(seed))
            while (answer := opened.get(board)) and answer.best is not None:
                if answer.best_rate in (0.0, 1.0):
                    break
                reading = read(opened, board)
                if reading.unknown_rates:
                    doubts.append(reading.unknown_rates)
                    assert 0.0 not in reading.rates
                    assert reading.best == answer.best
                    found = judge(reading.rates, answer.best, UINT32, reading.unknown_rates)
                    assert found is not None
                    assert found.is_perfect
                    assert not found.is_forced
                board = spawn(slid(board, answer.best), rng, opened.spawn4)[0]
    assert doubts
    assert all(one.is_best_known and one.is_thinned for one in doubts)


@pytest.mark.parametrize(
    ("best", "unknown", "is_thinned", "unknown_rates"),
    [
        (0, (), False, None),
        (None, (), False, None),
        (None, (1, 3), False, UnknownRates(frozenset({1, 3}))),
        (0, (1,), True, UnknownRates(frozenset({1}), is_best_known=True, is_thinned=True)),
    ],
)
def test_what_is_in_doubt(best, unknown, is_thinned, unknown_rates):  # type: ignore[no-untyped-def]
    said = SimpleNamespace(rates=(0.5, None, None, None), best=best, unknown=unknown)
    table = SimpleNamespace(probe=lambda *_: said, is_thinned=is_thinned, is_limited=False)
    assert read(table, 0).unknown_rates == unknown_rates


def test_a_rating_does_not_grade_by_what_is_not_in_the_table(table):
    after = slide_cells(cells(ELSEWHERE), UP)
    cell = after.cells.index(0)
    replay = Replay(tuple(cells(ELSEWHERE)), (ReplayMove(UP, cell, 1),))
    with Tablebase.open(table("442", 64)) as opened:
        rated = rate_by(opened, recording_of(replay))
    assert rated is not None
    assert rated.doubts[0].moves == {UP}
    assert rated.judgements == (None,)
    assert rated.score.match_rate == 1.0
    assert rated.luck[0] is None


def test_a_lost_game_is_rated_to_its_end(table):
    with Tablebase.open(table("44", 64)) as opened:
        found = next(filter(None, (lost_game(opened, seed) for seed in range(500))))
        rated = rate_by(opened, found)
    assert rated is not None
    assert not rated.doubts
    lost = [rates for rates in rated.rates if rates and 0.0 in rates and not any(rates)]
    assert lost, "a zero that is one stays one"


def lost_game(table: Tablebase, seed: int) -> Recording | None:
    """Return a game that plays on after all is lost, None when this one is not like that."""
    rng, start = Rng(seed), table.start_board(Rng(seed))
    board, n_lost = start, 0
    moves: list[ReplayMove] = []
    while (answer := table.get(board)) is not None and n_lost < 2:
        legal = [one for one, rate in enumerate(answer.rates) if rate is not None]
        legal = [one for one in legal if answer.rates[one] == 0.0] or legal
        direction = legal[rng.below(len(legal))] if legal else None
        if direction is None or answer.rates[direction] == 1.0:
            break
        n_lost += answer.best_rate == 0.0
        board, cell, exponent = spawn(slid(board, direction), rng, table.spawn4)
        moves.append(ReplayMove(direction, cell, exponent))
    replay = Replay(tuple(cells(start)), tuple(moves), merge_32768=False)
    return recording_of(replay) if n_lost else None


DOUBT = UnknownRates(frozenset({2}))


@pytest.mark.parametrize(
    ("rated", "best", "rate", "is_whole"),
    [
        (Rated.of((0.5, 0.5, None, 0.4)), 0, 0.5, True),
        (Rated((0.5, 0.5, None, None), best=1), 1, 0.5, True),
        (Rated.of((0.5, None, None, None), DOUBT), None, None, False),
        (Rated.of((0.5, None, None, None), replace(DOUBT, is_best_known=True)), 0, 0.5, False),
        (Rated.of((None, None, None, None), DOUBT), None, None, False),
        (Rated.of((0.5, None, None, None), LOWER_BOUNDS), 0, 0.5, True),
        (Rated(), None, 0.0, True),
        (Rated(error=ProbeError("outside")), None, None, False),
    ],
)
def test_an_answer_names_a_best_move_only_if_no_other_can_be_better(rated, best, rate, is_whole):
    assert (rated.certain_best, rated.certain_rate) == (best, rate)
    assert rated.is_whole is is_whole


def test_an_answer_is_final_unless_the_drive_failed():
    assert Rated().is_final
    assert Rated(error=ProbeError("outside")).is_final
    assert not Rated(error=DamagedTableError("a block")).is_final


def test_what_follows_a_move_is_known_only_if_the_whole_position_is():
    rates = (0.0, None, 0.5, None)
    assert [Rated.of(rates).is_followed(one) for one in range(4)] == [True, False, True, False]
    assert not Rated.of(rates, UnknownRates(frozenset({1}), is_best_known=True)).is_followed(2)
    assert not Rated(error=ProbeError("outside")).is_followed(0)
