"""Whole games against one table and many: segments, grades, rates and luck."""

import math
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from coach.analysis.analyze import Analysis, analyze
from coach.analysis.coverage import Coverage, LargeTiles
from coach.analysis.segments import End
from coach.grading.grade import Grade, Tolerance
from coach.recordings.comparison import compare
from coach.recordings.many_tables import rate_by, rate_by_many
from coach.recordings.recording import FILE, MANY_TABLES, Recording, recording_of
from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.formats.replay import Replay, ReplayMove, replay_of
from engine.formats.replay_rules import cut
from engine.game import Game
from tablebase.errors import DamagedTableError, ProbeError
from tablebase.probe.probes import Probe
from tablebase.probe.reader import Tablebase
from tests.coach.games import FixedTable, NamedTable, random_game, with_gap
from tests.coach.played_games import played_game
from tests.coach.slow_analysis import analyze as slowly

N_GAMES = 40


@pytest.fixture(scope="module", params=["44", pytest.param("442", marks=pytest.mark.thorough)])
def opened(table, request):
    with Tablebase.open(table(request.param, 64)) as found:
        yield found


@pytest.fixture(scope="module")
def games(opened):
    return [played_game(opened, seed) for seed in range(10)]


@pytest.fixture(scope="module")
def many_games(opened, games):
    return [*games, *(played_game(opened, seed) for seed in range(10, N_GAMES))]


def plain(replay):
    return [(move.direction, move.cell, move.exponent) for move in replay.moves]


@pytest.mark.thorough
def test_segments_rates_and_grades_are_those_of_the_slow_twin(opened, many_games):
    ends: Counter[str] = Counter()
    for replay in many_games:
        wanted = slowly(replay.start, plain(replay), opened)
        found = analyze(replay, [opened], least_moves=0).segments
        assert [(s.segment.first, s.segment.end.name) for s in found] == [
            (segment["first"], segment["end"]) for segment in wanted
        ]
        for ours, theirs in zip(found, wanted, strict=True):
            assert [list(one.rates) for one in ours.segment.positions] == theirs["rates"]
            assert [grade_and_ratio(one) for one in ours.moves] == theirs["grades"]
            ends[ours.segment.end.name] += 1
    assert set(ends) >= {"REACHED", "LOST", "LEFT"}, ends


def grade_and_ratio(move):
    judgement = move.judgement
    return judgement and (judgement.grade.value, judgement.ratio)


@pytest.mark.thorough
def test_the_end_is_explained_by_skill_and_luck(opened, many_games):
    n_checked = 0
    for replay in many_games:
        wanted = slowly(replay.start, plain(replay), opened)
        for ours, theirs in zip(
            analyze(replay, [opened], least_moves=0).segments, wanted, strict=True
        ):
            fortune, start = ours.fortune, ours.segment.positions[0].best_rate
            assert (fortune.start, fortune.end) == (start, theirs["last"])
            assert fortune.end == pytest.approx(
                start - fortune.points_lost + fortune.points_of_luck, abs=1e-12
            )
            if fortune.end > 0:
                explained = math.log(start) + fortune.skill + fortune.luck
                assert math.log(fortune.end) == pytest.approx(explained, abs=1e-11)
                assert fortune.luck == pytest.approx(theirs["luck"], abs=1e-11)
                n_checked += 1
            if ours.score.match_rate > 0 and fortune.n_tiles == len(ours.moves):
                assert math.exp(fortune.skill) == pytest.approx(ours.score.match_rate, abs=1e-7)
    assert n_checked > 10


@pytest.mark.thorough
def test_the_score_counts_judged_moves_alone(opened, games):
    for replay in games:
        for one in analyze(replay, [opened]).segments:
            judged = [move for move in one.moves if move.judgement]
            assert one.score.n_moves == len(judged) >= 1
            assert one.n_certain == sum(
                move.position.best_rate == 1 == move.position.rate for move in one.moves
            )
            ratios = [move.judgement.ratio for move in judged]
            assert one.score.match_rate == pytest.approx(math.prod(ratios))
            lost = [move.judgement.points_lost for move in one.worst]
            assert lost == sorted(lost, reverse=True)
            assert len(lost) == sum(not move.judgement.is_perfect for move in judged)


def test_an_analysis_and_review_count_the_same_moves(opened, games):
    """Those of a certain win, too; none after it."""
    n_certain = n_after = 0
    for replay in games:
        (segment, *others) = analyze(replay, [opened]).segments
        last = segment.moves[-1].number
        rated = rate_by(opened, recording_of(replay))
        assert rated.scores[last].counts == segment.score.counts
        if segment.segment.end is End.REACHED and not others and last < rated.n_moves:
            n_after += rated.judgements[last] is None
            assert rated.rater_at(last) == ""
        n_certain += segment.n_certain
    assert n_certain
    assert n_after


@pytest.mark.thorough
def test_an_analysis_that_is_stopped_keeps_what_is_done(opened, games, monkeypatch):
    every = 16
    monkeypatch.setattr("coach.analysis.analyze.PROGRESS_EVERY", every)
    replay = max(games, key=lambda one: len(one.moves))
    assert len(replay.moves) > 2 * every
    whole, analysis = analyze(replay, [opened]), Analysis(replay, [opened])
    assert whole.is_complete
    steps = analysis.run()
    progress = next(steps)
    steps.close()
    report = analysis.report
    assert (progress.done, progress.total) == (every, len(replay.moves) + 1)
    assert (report.is_complete, report.n_positions) == (False, every)
    assert report.segments
    for part, full in zip(report.segments, whole.segments, strict=False):
        n = len(part.moves)
        assert part.moves[: n - 1] == full.moves[: n - 1]
    last = report.segments[-1].segment
    assert last.positions[-1].index < every
    assert analysis.report == report  # asked twice, nothing changes


@pytest.mark.sample(1)
def test_segments_with_few_judged_moves_are_counted_and_not_told(opened, games):
    for replay in games:
        every = analyze(replay, [opened], least_moves=1).segments
        some = analyze(replay, [opened], least_moves=12)
        long = [one for one in every if one.score.n_moves >= 12]
        assert some.segments == tuple(long)
        assert some.n_short == len(every) - len(long)


def test_the_points_of_a_game_are_counted_from_its_tiles():
    game = Game.new(7)
    while not game.is_over:
        game.move(game.legal_moves()[0])
    assert analyze(replay_of(game), []).points == game.score


@pytest.mark.thorough
def test_a_zero_that_is_none_is_never_judged(opened, many_games):
    """A position that does not come up in the table may have moves that it does not hold."""
    n_hidden = 0
    for replay in many_games:
        for one in analyze(replay, [opened], least_moves=0).segments:
            for move in one.moves:
                assert move.position.rate != 0 or not move.best_after
        n_hidden += has_false_zero(replay, opened)
    assert n_hidden or opened.pattern == "44"


def has_false_zero(replay, opened):
    """Whether somewhere a move of rate 0 was followed by a position that is not lost."""
    positions, played = list(replay.positions()), None
    for i, cells in enumerate(positions):
        answer = Coverage(opened).answer(LargeTiles(cells), follows=True)
        rates = answer and answer.rates
        best = max((rate for rate in rates or () if rate is not None), default=0.0)
        if played == 0.0 and best > 0:
            return True
        played = rates and i < len(replay.moves) and rates[replay.moves[i].direction]
    return False


def test_a_thinned_table_does_not_know_what_its_zeros_mean():
    table = FakeTable((0.9, 0.8, None, 0.1), (0.5, None, 0.4, 0.3), (0.5,) * 4, (0.5,) * 4)
    table.is_thinned, table.unknown = True, [(2,), (1,)]
    start = (9, 8, 0, 0) + (0,) * 8 + (0, 0, 0, 1)
    replay = replayed(start, (LEFT, 15, 1), (RIGHT, 0, 1), (UP, 15, 1))
    first, _ = analyze(replay, [table]).segments
    assert first.segment.end is End.UNKNOWN
    assert [bool(move.judgement) for move in first.moves] == [True, False]
    assert (first.fortune.end, first.score.match_rate) == (0.5, 1.0)
    assert not first.moves[0].judgement.is_forced
    assert table.follows == [False, True, False, True]


class FakeTable:
    """Two large tiles in the top left, target 64; the rates are in the order of the questions."""

    name, pattern, target, spawn4, rate, n_large = "two_64", "two", 64, 0.1, "float64", 2
    formation = SimpleNamespace(walls=False)
    is_thinned = is_limited = False

    def __init__(self, *rates) -> None:
        self._rates = list(rates)
        self.asked: list[int] = []
        self.unknown: list[tuple[int, ...]] = []
        self.follows: list[bool] = []

    def probe(self, board, comes_up=False):
        self.asked.append(board)
        self.follows.append(comes_up)
        found = self._rates.pop(0)
        if isinstance(found, Exception):
            raise found
        if found is None:
            raise ProbeError("outside")
        unknown = self.unknown.pop(0) if self.unknown else ()
        best = max((rate, -one) for one, rate in enumerate(found) if rate is not None)
        is_certain = self.is_thinned or not unknown
        return SimpleNamespace(rates=found, best=-best[1] if is_certain else None, unknown=unknown)


def replayed(start, *moves):
    return Replay(tuple(start), tuple(ReplayMove(*move) for move in moves))


START = (9, 8, 0, 0) + (0,) * 8 + (1, 0, 0, 0)
AROUND = [(RIGHT, 0, 1), (LEFT, 15, 1), (RIGHT, 12, 1)]


def test_a_blunder_from_certainty_is_graded_and_certainty_kept_is_perfect():
    table = FakeTable(
        (None, 1.0, 0.5, None), (0.5, 1.0, None, None), (None, 0.25, None, None), (0.25,) * 4
    )
    (segment,) = analyze(replayed(START, *AROUND), [table]).segments
    kept, lost, forced = segment.moves
    assert kept.judgement.is_perfect
    assert kept.is_certain
    assert (lost.judgement.grade, lost.judgement.ratio) == (Grade.DISASTER, 0.5)
    assert forced.judgement.is_forced
    assert (segment.n_certain, segment.score.n_moves) == (1, 3)
    assert segment.segment.end is End.RECORD
    assert segment.fortune.end == 0.25
    assert segment.fortune.luck == pytest.approx(math.log(0.25 / 0.5))


def test_the_large_tiles_are_asked_as_f():
    table = FakeTable((0.5,) * 4)
    analyze(replayed(START), [table])
    assert table.asked == [0xFF00_0000_0000_1000]


def test_a_move_that_leaves_the_formation_ends_the_segment_and_is_noted():
    table = FakeTable((0.5, 0.4, 0.3, 0.2), (0.5, None, 0.3, 0.2), (0.5,) * 4, (0.5,) * 4)
    start = (9, 8, 0, 0) + (0,) * 8 + (0, 0, 0, 1)
    replay = replayed(start, (LEFT, 15, 1), (RIGHT, 0, 1), (UP, 15, 1))
    first, second = analyze(replay, [table]).segments
    assert first.segment.end is End.LEFT
    assert [move.leaves for move in first.moves] == [False, True]
    assert first.moves[1].judgement is None
    assert (second.segment.first, second.segment.end) == (2, End.RECORD)


def test_two_tables_have_their_own_segments():
    other = FakeTable((None, 0.2, 0.1, None), None, (0.1,) * 4, None)
    table = FakeTable(*[(0.5,) * 4] * 4)
    other.name = "other_64"
    report = analyze(replayed(START, *AROUND), [table, other])
    found = [(s.segment.table, s.segment.first, len(s.moves)) for s in report.segments]
    assert found == [("other_64", 0, 1), ("two_64", 0, 3), ("other_64", 2, 1)]
    assert report.tables == ("two_64", "other_64")
    assert report.n_covered == 6


def test_a_table_that_cannot_be_read_any_more_keeps_what_it_said():
    table = FakeTable((0.1, 0.5, 0.5, 0.5), (0.5,) * 4, DamagedTableError("layer 7 is damaged"))
    report = analyze(replayed(START, *AROUND), [table])
    assert report.problems == ("layer 7 is damaged",)
    assert [len(one.segment.positions) for one in report.segments] == [2]
    assert report.segments[0].segment.end is End.OUTSIDE
    assert report.is_complete


def test_a_record_that_cannot_be_followed_is_analyzed_up_to_there():
    table = FakeTable(*[(0.5,) * 4] * 9)
    report = analyze(replayed(START, *AROUND, (UP, 0, 1)), [table])
    assert report.n_positions == 4
    assert len(report.segments[0].moves) == 4
    assert "move 4" in report.problems[0]


@pytest.mark.parametrize(
    ("large", "others", "is_strict", "is_covered"),
    [
        ((9, 8), (5, 5), False, True),
        ((9, 8), (6, 1), False, False),  # the target is there already
        ((8, 8), (5, 1), False, False),  # two equal ones should merge
        ((9, 5), (1, 1), False, False),  # too small
        ((9, 6), (1, 1), False, True),
        ((17, 16), (1, 1), False, True),
        ((9, 8), (5, 5), True, False),
        ((9, 6), (5, 5), True, True),
    ],
)
def test_which_positions_are_covered(large, others, is_strict, is_covered):
    cells = (*others, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, *large)
    masked = LargeTiles(cells).masked(2, 6, is_strict)
    wanted = int("".join(map(str, (*others, 0, 0, 1, 1, *[0] * 8))) + "ff", 16)
    assert masked == (wanted if is_covered else None)


def as_recorded(replay):
    """The same game with its large tiles as F, as recordings of tables have them."""
    start = tuple(15 if exponent > 5 else exponent for exponent in replay.start)
    return cut(Replay(start, replay.moves, merge_32768=False))


def test_large_tiles_written_as_f_are_covered_like_real_ones(opened, games):
    for replay in games:
        recorded = as_recorded(replay)
        n = len(recorded.moves)
        of_f = analyze(recorded, [opened], least_moves=0).segments
        real = analyze(replace(replay, moves=replay.moves[:n]), [opened], least_moves=0).segments
        assert [[one.rates for one in part.segment.positions] for part in of_f[:1]] == [
            [one.rates for one in part.segment.positions] for part in real[:1]
        ]
        assert of_f


def test_f_of_a_recording_never_merge_and_32768_of_a_game_do():
    start = (15, 15, 0, 0) + (0,) * 8 + (1, 0, 0, 0)
    tables = FakeTable((0.5,) * 4), FakeTable((0.5,) * 4)
    locked = analyze(Replay(start, (), merge_32768=False), tables[:1])
    merging = analyze(Replay(start, (), merge_32768=True), tables[1:])
    assert (locked.n_covered, merging.n_covered) == (1, 0)
    assert tables[0].asked == [0xFF00_0000_0000_1000]


def test_a_game_with_walls_is_for_tables_with_walls():
    table, walled = FakeTable((0.5,) * 4), FakeTable((0.25,) * 4)
    walled.formation, walled.n_large = SimpleNamespace(walls=True), 8
    start = (15,) * 4 + (1, 1) + (0,) * 6 + (15,) * 4
    report = analyze(Replay(start, (), walls=True), [table, walled])
    assert (table.asked, walled.asked) == ([], [0xFFFF_1100_0000_FFFF])
    assert report.n_covered == 1


@pytest.mark.sample(1)
@pytest.mark.thorough
def test_a_gap_ends_the_segment_and_the_analysis_goes_on(opened, games):
    whole = max(games, key=lambda one: analyze(one, [opened]).n_covered)
    (longest, *_) = sorted(analyze(whole, [opened]).segments, key=lambda one: -len(one.moves))
    first = longest.segment.first + 2
    gapped = with_gap(whole, first, first + 3)
    report = analyze(gapped, [opened], least_moves=0)
    assert report.n_positions == len(whole.moves) - 3 + 1
    before = next(one for one in report.segments if one.segment.end is End.GAP)
    assert before.segment.positions[-1].index == first - 1
    assert before.moves[-1].luck is None
    assert any(one.segment.first >= first for one in report.segments)
    parts = (replace(whole, moves=whole.moves[:first]), replace(
        whole, start=gapped.gaps[0][1], moves=whole.moves[first + 3 :]
    ))  # fmt: skip
    assert report.points == sum(analyze(one, []).points for one in parts)


def test_down_is_a_direction_like_any_other():
    """A table's four rates are in the order of the game's directions."""
    table = FakeTable((0.9, 0.8, 0.7, 0.6), (0.5,) * 4)
    (segment,) = analyze(replayed(START, (DOWN, 0, 1)), [table]).segments
    assert segment.moves[0].judgement.rate == 0.6


@pytest.fixture
def bare() -> Recording:
    return recording_of(random_game(40, with_rates=False))


def raters(rated: Recording | None) -> list[str]:
    assert rated is not None
    return [rated.rater_at(i) for i in range(rated.n_moves + 1)]


def test_each_position_is_rated_by_the_table_that_covers_it(bare):
    early = NamedTable("L3_128", target=128, outside=set(bare.boards[20:]))
    late = NamedTable("442_256", "uint32", target=256, outside=set(bare.boards[:25]))
    steps: list[tuple[int, int]] = []
    rated = rate_by_many([early, late], bare, lambda *step: steps.append(step))
    assert rated is not None
    assert raters(rated) == ["L3_128"] * 20 + [""] * 5 + ["442_256"] * 16
    assert [one is None for one in rated.rates] == [20 <= i < 25 for i in range(41)]
    assert rated.source == MANY_TABLES
    assert rated.table is None
    assert rated.table_at(3) == "L3_128"
    assert rated.table_at(22) is None
    assert rated.tolerance_at(3) == Tolerance.of_type("float64")
    assert rated.tolerance_at(30) == Tolerance.of_type("uint32")
    assert steps[-1] == (41, 41)
    assert sum(one is not None for one in rated.judgements) > 30


def test_alone_a_table_says_what_it_says_among_others(bare):
    alone = rate_by(NamedTable(), bare)
    among = rate_by_many([NamedTable()], bare)
    assert alone is not None
    assert among is not None
    assert (among.rates, among.judgements, among.luck) == (
        alone.rates,
        alone.judgements,
        alone.luck,
    )


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        (FixedTable("a", target=128), FixedTable("b", target=256)),
        (FixedTable("a", n_large=7), FixedTable("b", n_large=6)),
        (FixedTable("a", target=512, rates=(0.0, 0.0, None, None)), FixedTable("b", target=128)),
        (FixedTable("a", target=512, unknown=(2,)), FixedTable("b", unknown=(1,), best=0)),
        (FixedTable("a", target=512, unknown=(2,), best=0), FixedTable("b", target=128)),
    ],
)  # fmt: skip
def test_the_best_of_those_that_cover_a_position_counts(bare, worse, better):
    for tables in ([worse, better], [better, worse]):
        assert set(raters(rate_by_many(tables, bare))) == {"b"}


def test_no_luck_is_told_where_another_table_takes_over(bare):
    early = FixedTable("a", outside=set(bare.boards[20:]))
    late = FixedTable("b", outside=set(bare.boards[:20]))
    rated = rate_by_many([early, late], bare)
    assert rated is not None
    assert rated.luck[19] is None
    assert rated.luck[18] is not None
    assert rated.luck[20] is not None


def test_rates_of_the_file_stay_where_no_table_covers():
    old = recording_of(random_game(40), table="L3_512")
    rated = rate_by_many([NamedTable(outside=set(old.boards[:30]))], old)
    assert rated is not None
    assert rated.rates[:30] == old.rates[:30]
    assert raters(rated)[:30] == [FILE] * 30
    assert raters(rated)[30:] == ["L3_512"] * 11
    again = rate_by_many([NamedTable(outside=set(old.boards))], rated)
    assert raters(again) == [FILE] * 30 + [""] * 11


def test_only_rates_of_one_table_are_compared():
    old = recording_of(random_game(40), table="L3_512")
    tables = [
        NamedTable(outside=set(old.boards[10:])),
        NamedTable("442_128", outside=set(old.boards[:10])),
    ]
    rated = rate_by_many(tables, old)
    assert rated is not None
    assert compare(old, rated).n_common == 10


def test_a_table_that_breaks_is_left_out_and_the_others_go_on(bare):
    class Broken(NamedTable):
        def probe(self, board: int, comes_up: bool = False) -> Probe:
            if len(self.asked) == 5:
                raise DamagedTableError("layer 3 is damaged")
            return super().probe(board, comes_up)

    told: list[str] = []
    tables = [Broken("big", target=1024), NamedTable("small", target=64)]
    rated = rate_by_many(tables, bare, broken=lambda error: told.append(str(error)))
    assert raters(rated) == ["big"] * 5 + ["small"] * 36
    assert told == ["layer 3 is damaged"]


def test_it_can_be_cancelled():
    table, game = NamedTable(), recording_of(random_game(200, with_rates=False))
    assert rate_by_many([table], game, cancelled=lambda: len(table.asked) >= 64) is None
    assert len(table.asked) == 64


def test_the_end_of_the_game_counts_only_for_its_own_table():
    old = replace(recording_of(random_game(12), table="a"), end_rate=1.0)
    for name, is_known in (("a", True), ("b", False)):
        table = FixedTable(name, outside={old.boards[-1]})
        rated = rate_by_many([table], old)
        assert rated is not None
        assert (rated.luck[-1] is not None) is is_known
