"""All that a person can see of a data folder, as plain data: lists, exports, figures, moves."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date, datetime, timedelta, timezone
from enum import Enum
from pathlib import PurePath
from typing import Any

from coach.analysis.analyses import Analyses
from coach.days import today_of
from coach.exam.history import ExamQuery, History
from coach.mistakes.drill import Drill
from coach.mistakes.files import csv_pieces, json_pieces
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import SORTS, Query
from coach.mistakes.statistics import statistics
from coach.profile.advice import what_to_train
from coach.profile.facts import JudgedMoves
from coach.profile.profile import profile_of
from coach.puzzles.puzzles import Puzzles
from coach.puzzles.text_line import to_line as puzzle_line
from coach.routes.code import code_of
from coach.routes.daily import daily_record
from coach.routes.result import line_of
from coach.routes.results import RouteResults, played_table, run_of
from coach.situations.situations import Situations
from coach.situations.text_line import to_line as situation_line
from tablebase.formation.formation import Formation

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=timezone.utc)
BEGINS = 5  # the hour at which a day begins
_SETUP = (
    *("table", "target", "spawn4", "rate", "seed", "start", "walls", "symmetry", "is_given"),
    *("allows_undo", "leaves_out_forced", "seconds_per_move", "perfect_within", "goal"),
)


def plain(value: Any) -> Any:
    """Return a value as JSON knows it, with the fields of classes by name."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, PurePath):
        return ascii(value.name)
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def digest(values: Any) -> str:
    return hashlib.sha256(json.dumps(plain(values), sort_keys=True).encode()).hexdigest()[:16]


def contents_of_mistakes(mistakes: Mistakes) -> dict[str, Any]:
    ids = mistakes.ids(Query(sort="board", descending=False))
    today, drill = today_of(NOW, BEGINS), Drill(mistakes)
    keys = [None, *mistakes.tables()]
    return {
        "json": b"".join(json_pieces(mistakes, ids)).decode().splitlines(),
        "csv": digest(b"".join(csv_pieces(mistakes, ids)).decode()),
        "sorts": {
            sort: digest(mistakes.ids(Query(sort=sort))) for sort in SORTS if sort != "count"
        },
        "due": mistakes.ids(Query(state="due", now=NOW)),
        "retired": mistakes.ids(Query(state="retired")),
        "tags": {tag: mistakes.ids(Query(tag=tag)) for tag in mistakes.tags()},
        "progress": plain(drill.progress(today)),
        "next": [drill.next_due(today), plain(drill.next_review(today)), drill.count_due(today)],
        "statistics": [plain(statistics(mistakes, timezone.utc, BEGINS, key)) for key in keys],
        "seconds": mistakes.latest_seconds(50),
    }


def contents_of_puzzles(puzzles: Puzzles) -> dict[str, Any]:
    stored = puzzles.get(puzzles.ids())
    days = [today_of(NOW - timedelta(days=ago), BEGINS) for ago in range(5)]
    return {
        "lines": [puzzle_line(one.puzzle) for one in stored.values()],
        "all": plain(stored),
        "known": {key.name: len(puzzles.boards(key)) for key in puzzles.tables()},
        "person": plain(puzzles.person(NOW)),
        "near": puzzles.near(NOW, 10),
        "seconds": puzzles.latest_seconds(50),
        "daily": [plain(puzzles.daily(day)) for day in days],
    }


def contents_of_situations(situations: Situations) -> list[Any]:
    return [
        {
            "line": situation_line(one.situation),
            "stored": [
                *plain([one.number, one.asked, one.wanted, one.n_left]),
                {**plain(one.statistics), "chance": one.situation.chance},
            ],
            "is_open": one.open_attempt is not None,
            "attempts": [
                {
                    **plain(replace(attempt, number=0)),  # the runs share their numbers now
                    "moves": contents_of_run(situations.session(attempt.number)),
                }
                for attempt in one.attempts
            ],
        }
        for one in situations.all()
    ]


def contents_of_routes(
    results: RouteResults, formations: Mapping[str, Formation]
) -> dict[str, Any]:
    brief = results.all_in_brief()
    runs = []
    for number in [one.number for one in brief]:
        one = results.get(number)
        assert one is not None
        table = played_table(one, formations)
        is_shown = bool(one.moves) and (table is not None or one.result.route.is_game)
        runs.append(
            {
                "line": line_of(one.result),
                "result": {**plain(one.result), "route": code_of(one.result.route)},
                "stored": plain([one.played, one.rate, one.is_unfinished]),
                "moves": contents_of_route_moves(run_of(one, table)) if is_shown else None,
            }
        )
    of_route = {
        code_of(one.result.route): sorted(
            line_of(it.result) for it in results.runs_of(one.result.route)
        )
        for one in brief
    }
    return {
        "runs": runs,
        "best_first": of_route,  # which is the best was another question then
        "daily": plain(daily_record(brief, NOW, BEGINS)),
    }


def contents_of_tests(history: History) -> dict[str, Any]:
    finished = ExamQuery(leaves_out_abandoned=True)
    return {
        "tests": plain(history.tests()),
        "finished": len(history.tests(finished)),
        "tables": plain(history.tables()),
        "allowances": history.allowances(),
        "goals": plain(history.goals()),
    }


def contents_of_analyses(analyses: Analyses) -> list[Any]:
    found = [
        {**plain(one), "path": ascii(str(one.path)), "files": plain(one.files)}
        for one in analyses.latest()
    ]
    for segment in [one for analysis in found for one in analysis["segments"]]:
        segment["ended"], segment["recording"] = segment.pop("end"), segment.pop("rpl")
    return found


def contents_of_profile(facts: JudgedMoves) -> dict[str, Any]:
    moves = facts.all()
    profile = profile_of(moves, today_of(NOW, BEGINS).day, BEGINS)
    told = plain(profile)
    told["weeks"] = [{"monday": one["begins"], "share": one["share"]} for one in told["weeks"]]
    each = sorted(json.dumps(plain({**one._asdict(), "game": 0}), sort_keys=True) for one in moves)
    return {
        "moves": digest(each),
        "profile": told,
        "advice": plain(what_to_train(profile)),
        "asked": sum(one.ai_lost is not None for one in moves),
    }


def contents_of_run(run: Any) -> dict[str, Any]:
    return {
        "setup": {name: plain(getattr(run.setup, name)) for name in _SETUP},
        "ends": plain([run.started, run.ended, run.end, run.n_undos]),
        "score": plain([run.score.match_rate, run.n_moves, run.played_ms]),
        "moves": digest(
            [
                (
                    *(one.board, one.direction, one.cell, one.exponent, one.rates, one.ms),
                    *(one.is_retry, one.unknown, one.judgement.loss, one.judgement.grade),
                )
                for one in run.moves
            ]
        ),
    }


def contents_of_route_moves(run: Any) -> dict[str, Any]:
    figures = run.totals
    return {
        "figures": [figures.points, figures.points_lost, figures.n_mistakes, run.played_ms],
        "end": plain([run.end, run.cells]),
        "moves": digest([[one.before, one.made, one.cell, one.exponent] for one in run.moves]),
    }


def differences(wanted: Any, found: Any, at: str = "") -> Iterable[str]:
    """Yield where the plain data differs; what is new in a class does not count."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name, value in wanted.items():
            if name in found:
                yield from differences(value, found[name], f"{at}.{name}")
            else:
                yield f"{at}.{name} is missing"
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for i, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from differences(one, other, f"{at}[{i}]")
    elif isinstance(wanted, float) and isinstance(found, (int, float)):
        if abs(wanted - found) > 1e-9 * max(1.0, abs(wanted)):  # sums in another order
            yield f"{at}: {found} instead of {wanted}"
    elif wanted != found:
        yield f"{at}: {found!r:.200} instead of {wanted!r:.200}"
