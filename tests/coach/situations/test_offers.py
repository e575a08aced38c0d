"""Positions to begin with: the start of a table, harder ones, the latest mistakes."""

from datetime import timedelta

from coach.grading.grade import UINT32, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.record.user_database import UserDatabase
from coach.situations.offers import OfferKind, offers_on
from coach.situations.situations import Situations
from engine.spawn import Rng
from tablebase.library.opening import open_table
from tests.coach.situations.stage import NOON


def test_offers_are_the_start_then_harder_positions_easiest_first(table):
    opened = open_table(table("2x4", 128))
    start, *harder = offers_on(opened, Rng(1), 3, lambda: False)
    assert start.kind is OfferKind.START
    assert start.chance > 0.9
    assert len(harder) == 3
    chances = [offer.chance for offer in harder]
    assert chances == sorted(chances, reverse=True)
    assert all(0.4 <= chance <= 0.85 for chance in chances)
    for offer in (start, *harder):
        rates = opened.probe(offer.board).rates
        assert max(rate for rate in rates if rate is not None) == offer.chance
    opened.close()


def test_latest_mistakes_come_first_but_no_sure_wins(tmp_path):
    database = UserDatabase(tmp_path)
    mistakes, situations = Mistakes(database), Situations(database)
    for number, chance in enumerate((0.9, 0.8, 0.7, 1.0, 0.9998)):
        rates = (chance, 0.1, None, None)
        mistakes.note(
            NotedMove(
                key=TableKey("2x4_128", 0.1),
                board=0x1200 + number,
                symmetry="identity",
                rates=rates,
                judgement=judge(rates, 1, UINT32),
                when=NOON + timedelta(days=number),
                source="",
                number=1,
            )
        )
    found = situations.latest_mistakes(2)
    assert [round(offer.chance, 1) for offer in found] == [0.7, 0.8]
    assert {offer.kind for offer in found} == {OfferKind.MISTAKE}
    for store in (mistakes, situations):
        store.close()


def test_the_start_alone_is_wanted_or_there_is_time_for(table, monkeypatch):
    opened = open_table(table("2x4", 128))
    probe, probed = opened.probe, []
    monkeypatch.setattr(
        opened, "probe", lambda *args, **more: probed.append(1) or probe(*args, **more)
    )
    for n_harder, is_over in ((0, False), (-1, False), (3, True)):
        (start,) = offers_on(opened, Rng(1), n_harder, lambda is_over=is_over: is_over)
        assert start.kind is OfferKind.START
    assert len(probed) < 10
    opened.close()
