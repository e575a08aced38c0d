"""Players by strength: one table, and the document that has it."""

import sys
from pathlib import Path

from ai.baselines.ladder import LADDER
from ai.choice import CHOOSERS
from ai.standings import OURS, PUBLISHED, by_strength, cells_of, heads
from tablebase.formation.patterns_file import load_formations

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
import standings_document  # noqa: E402


def test_the_document_has_the_table_and_its_figures():
    text = (ROOT / standings_document.PATH).read_text(encoding="utf-8")
    assert standings_document.document(text) == text, "make documents writes it anew"
    for name in ("tables", "search"):
        figures = f"{OURS[name].mean_score:,} ({OURS[name].interval[0]:,} to "
        assert text.count(figures) == 2, "in its own table and in that of all players"


def test_a_document_that_is_out_of_date_is_told_from_the_present_one():
    text = (ROOT / standings_document.PATH).read_text(encoding="utf-8")
    stale = text.replace("| 772,353 |", "| 772,354 |")
    assert stale != text
    assert standings_document.document(stale) == text


def test_every_player_is_told_with_its_source_and_what_it_needs():
    means = [one.mean_score for one in by_strength()]
    assert means == sorted(means, reverse=True)
    assert len(means) == len(OURS) + len(PUBLISHED)
    for one in by_strength():
        cells = cells_of(one)
        assert len(cells) == len(heads())
        assert cells[-1].startswith("measured" if one.is_ours else "published: ")
        assert one.interval is None or one.interval[0] < one.mean_score < one.interval[1]
        has_tables = one.is_ours and one.needs not in ("no tables", "a network that one trains")
        assert bool(one.tables) == has_tables


def test_the_menu_and_the_ladder_take_their_figures_from_it():
    assert {kind.mean_score for kind in CHOOSERS.values()} <= {s.mean_score for s in OURS.values()}
    for name, rung in LADDER.items():
        assert (name in OURS) is not bool(rung.few_games)


def test_the_tables_of_a_player_can_be_built():
    formations = load_formations()
    for one in OURS.values():
        for table in one.tables:
            pattern, _, target = table.rpartition("_")
            assert pattern in formations
            assert int(target).bit_count() == 1
