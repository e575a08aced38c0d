"""What Situations says of chances: figures in lists, words in sentences."""

from coach.situations.situation import given_situation
from coach.situations.situations import Attempt, StoredSituation
from gui.situations.text import about_text, best_play_text, summary_text
from tablebase.formation.goal import goal_of
from tests.coach.situations.stage import NOON

NEARLY = given_situation("2x4_64", goal_of(64), 0.1, "uint32", 0x10, False, 1 - 3.6e-6, 0)


def test_a_chance_near_one_is_told_in_words_in_a_sentence() -> None:
    assert "works in more than 99.99 % of games" in about_text(NEARLY)
    attempt = Attempt("reached", 12, 0.0, 1, 7, NOON, 1.0, 900)
    told = summary_text(StoredSituation(1, NEARLY, NOON, 10, (attempt,)))
    assert "Best play: more than 99.99 %, or 1.0 of 1." in told


def test_its_figure_has_a_real_minus() -> None:
    assert best_play_text(NEARLY) == "1 \N{MINUS SIGN} 3.6e-6"
