"""A person's own games: what is known of one is never replaced by less."""

from contextlib import ExitStack, closing
from dataclasses import replace

from coach.analysis.analyze import analyze
from coach.mistakes.mistakes import Mistakes
from coach.profile.facts import JudgedMoves
from coach.profile.own_games import OwnGames
from coach.record.user_database import UserDatabase
from coach.recordings.recording import recording_of_run
from coach.whole_game.analysis import Analyzed
from tests.coach.made_sessions import played


def test_a_canceled_analysis_leaves_what_an_earlier_one_found(tmp_path):
    whole = recording_of_run(played(20))
    begun = replace(whole, rates=(*whole.rates[:5], *[None] * (len(whole.rates) - 5)))
    path = tmp_path / "game.vrs"
    path.touch()
    report = analyze(whole.replay, [])
    with ExitStack() as stack:
        mistakes = stack.enter_context(closing(Mistakes(UserDatabase(tmp_path))))
        facts = stack.enter_context(closing(JudgedMoves(UserDatabase(tmp_path))))
        own = OwnGames(mistakes, facts, {})
        part = own.keep(path, report, Analyzed(begun, False, 5, 21)).n_moves
        assert part == len(facts.all())
        found = own.keep(path, report, Analyzed(whole, True, 21, 21)).n_moves
        assert found == len(facts.all()) > part > 0
        assert own.keep(path, report, Analyzed(begun, False, 5, 21)).n_moves == found
        assert len(facts.all()) == found
