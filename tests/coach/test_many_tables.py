"""A game rated by all tables at once: which one counts where, and what that means for luck."""

from dataclasses import replace

import pytest

from coach.grading.grade import Tolerance
from coach.recordings.comparison import compare
from coach.recordings.many_tables import rate_by, rate_by_many
from coach.recordings.recording import FILE, MANY_TABLES, Recording, recording_of
from tablebase.errors import DamagedTableError
from tablebase.probe.probes import Probe
from tests.coach.games import FixedTable, NamedTable, random_game


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
