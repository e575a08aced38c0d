"""``profile``: where your moves lose most, the trend, and what to train next."""

import argparse
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from engine.platform.cli.arguments import sample_size
from engine.platform.cli.console import DONE, Commands, Output, add_command, folders_of
from engine.platform.errors import AppError
from engine.platform.language import mark, tr, trn
from engine.platform.quantities import day_text, points_figure, span_text

if TYPE_CHECKING:
    from coach.days import Today
    from coach.profile.advice import Advice
    from coach.profile.profile import Profile, Share
    from coach.profile.session import Session
    from coach.record.user_database import UserDatabase

_DEFAULT_POSITIONS = 200


def add_to(commands: Commands) -> None:
    text = tr(
        "Adds up what your moves lost in tests and routes, and in your games that you trained "
        "from Review or analyzed whole with --mine: by phase, formation, kind of move, time "
        "taken and luck, and week by week. Says what to train next, and plans ten minutes of "
        "it."
    )
    parser = add_command(
        commands,
        "profile",
        run,
        tr("show where your moves lose most, and what to train next"),
        text,
    )
    text = tr("first ask the AI about N more of your moves (default: %(const)s)")
    parser.add_argument(
        "--ai", type=sample_size, nargs="?", const=_DEFAULT_POSITIONS, metavar="N", help=text
    )


def run(args: argparse.Namespace) -> int:
    from coach.backup.settings_file import day_begins
    from coach.days import today_of
    from coach.old_files.opening import open_for_command
    from coach.profile.advice import what_to_train
    from coach.profile.facts import JudgedMoves
    from coach.profile.profile import profile_of
    from tablebase.formation.patterns_file import load_formations

    output, folders = Output(args.json), folders_of(args)
    database = open_for_command(folders.data)
    if not database.is_there:  # don't create the file just by looking
        raise _nothing()
    with closing(JudgedMoves(database)) as facts:
        facts.judge_new(load_formations(own=folders.patterns))
        if args.ai:
            from coach.profile.ai_answers import ask_ai, search_look

            ask_ai(facts, search_look(), args.ai)
        begins = day_begins(folders.data)
        today = today_of(datetime.now(timezone.utc), begins)
        profile = profile_of(facts.all(), today.day, begins)
    if not profile.whole.n:
        raise _nothing()
    advice = what_to_train(profile)
    session = _session(database, today, advice[0] if advice else None)
    output.report(_to_json(profile, advice, session), *_lines(profile, advice, session))
    return DONE


def _nothing() -> AppError:
    return AppError(
        tr(
            "nothing is known about your moves yet: take a test in the window, or analyze one of "
            "your games with analyze --engine --mine"
        )
    )


def _session(database: "UserDatabase", today: "Today", advice: "Advice | None") -> "Session":
    from coach.mistakes.drill import Drill
    from coach.mistakes.mistakes import Mistakes
    from coach.profile.session import mistake_candidates, session_of, with_puzzles
    from coach.puzzles.puzzles import Puzzles

    with closing(Mistakes(database)) as mistakes, closing(Puzzles(database)) as puzzles:
        candidates = mistake_candidates(mistakes, today, Drill(mistakes), advice)
        candidates = with_puzzles(candidates, puzzles, today)
    return session_of(candidates, advice)


def _lines(profile: "Profile", advice: "tuple[Advice, ...]", session: "Session") -> Iterator[str]:
    from coach.profile.profile import PER
    from coach.profile.words import CUT_TITLES, advice_text, rate_text, session_text, share_name

    whole = profile.whole
    yield trn(
        "{moves:,} moves with a choice in {n} game", "{moves:,} moves with a choice in {n:,} games",
        profile.n_games,
        moves=whole.n,
    )  # fmt: skip
    yield tr("lost per move: {figure}", figure=rate_text(whole))
    beside = profile.beside_ai
    if beside.own.n:
        text = mark("on {n:,} of them: you {own}, the AI {ai}, a table 0 points")
        yield tr(text, n=beside.own.n, own=rate_text(beside.own), ai=rate_text(beside.ai))
    for cut, shares in profile.cuts.items():
        yield ""
        yield tr("{title}:", title=tr(CUT_TITLES[cut]))
        for share in shares:
            name = share_name(cut, share.key)
            yield tr(
                "  {name}: {figure} ({n:,} moves)", name=name, figure=rate_text(share), n=share.n
            )
    yield ""
    yield tr("Week by week:")
    for week in profile.weeks:
        if week.share.n:
            yield tr(
                "  from {day}: {points} points per move ({n:,} moves)",
                day=day_text(week.begins),
                points=points_figure(week.share.rate / PER),
                n=week.share.n,
            )
    yield ""
    yield tr("What to train next:") if advice else tr("Nothing stands out yet.")
    for advised in advice:
        yield f"  {advice_text(advised)}"
    if session.n:
        message = mark("A session in the window, about {time}: {parts}")
        minutes = max(1, round(session.seconds / 60))
        yield tr(message, time=span_text(60 * minutes), parts=session_text(session))


def _to_json(
    profile: "Profile", advice: "tuple[Advice, ...]", session: "Session"
) -> dict[str, Any]:
    beside = profile.beside_ai
    return {
        "games": profile.n_games,
        "whole": _share(profile.whole),
        "cuts": {
            cut.value: [{"key": one.key, **_share(one)} for one in shares]
            for cut, shares in profile.cuts.items()
        },
        "weeks": [
            {"monday": week.begins.isoformat(), **_share(week.share)} for week in profile.weeks
        ],
        "beside_ai": {"you": _share(beside.own), "ai": _share(beside.ai)},
        "quick_ms": profile.quick_ms,
        "slow_ms": profile.slow_ms,
        "advice": [
            {
                "cut": one.cut.value,
                "key": one.share.key,
                "cost_per_1000": one.cost,
                "sure": one.is_sure,
            }
            for one in advice
        ],
        "session": {
            "seconds": session.seconds,
            "due": len(session.due),
            "worst": len(session.worst),
            "puzzles": len(session.puzzles),
        },
    }


def _share(share: "Share") -> dict[str, Any]:
    return {
        "moves": share.n,
        "wrong": share.n_wrong,
        "lost": share.lost,
        "lost_per_1000": share.rate,
        "margin": share.margin,
        "enough": share.has_enough,
    }
