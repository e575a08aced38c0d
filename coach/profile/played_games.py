"""The tests and routes that a person has played, by the paths under which Review opens them.

They are in the database: their files are only there if the person has exported them.
"""

from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from coach.exam.history import FOLDER, FinishedTest, History
from coach.record.user_database import UserDatabase
from coach.recordings.heading import Heading, heading_of
from coach.recordings.recording import Recording, recording_of_run
from coach.routes.result import YOU
from coach.routes.results import RouteResults, played_table, run_of
from engine.platform.errors import AppError
from engine.platform.language import tr
from tablebase.formation.formation import Formation

_ROUTES = "routes"
_MAX_TESTS, _MAX_ROUTES = 200, 50  # routes are replayed to count their perfect moves

_route_headings: dict[tuple[object, ...], Heading] = {}
"""By path, time and formations: a run that is over stays as it is."""


def played_games(
    database: UserDatabase, formations: Mapping[str, Formation]
) -> list[tuple[Path, Heading]]:
    """Return the latest tests and routes that are over, newest first."""
    if not database.is_there:
        return []
    with closing(History(database)) as history:
        found = [
            (database.folder / FOLDER / test.name, _of_test(test))
            for test in history.tests(most=_MAX_TESTS)
            if test.n_moves
        ]
    with closing(RouteResults(database)) as results:
        own = [run for run in results.runs() if run.result.who == YOU and run.has_moves]
        for run in [run for run in own if run.result.outcome][:_MAX_ROUTES]:
            path, result = database.folder / _ROUTES / str(run.number), run.result
            with suppress(AppError):  # Routes says what is wrong with it
                if heading := _route_heading(results, path, run.played, formations):
                    heading = replace(heading, name=tr("Route"), outcome=result.outcome)
                    if result.route.is_game:
                        heading = replace(heading, points=result.points)
                    else:
                        heading = replace(heading, points_lost=result.points_lost)
                    found.append((path, heading))
    return sorted(found, key=lambda one: str(one[1].played_at), reverse=True)


def open_played(
    database: UserDatabase, path: Path, formations: Mapping[str, Formation]
) -> Recording | None:
    """Return the test or the route that a path stands for; None if it stands for none."""
    if not database.is_there:
        return None
    if path.parent == database.folder / FOLDER:
        with closing(History(database)) as history:
            if history.has(path.name):
                return recording_of_run(history.session(path.name), path.name, path)
    elif path.parent == database.folder / _ROUTES and path.name.isdecimal():
        with closing(RouteResults(database)) as results:
            return _route_recording(results, path, formations)
    return None


def _route_recording(
    results: RouteResults, path: Path, formations: Mapping[str, Formation]
) -> Recording | None:
    run = results.get(int(path.name))
    table = played_table(run, formations) if run else None
    if run and (table or run.result.route.is_game):
        return recording_of_run(run_of(run, table), tr("Route"), path, run.played)
    return None


def _route_heading(
    results: RouteResults, path: Path, played: object, formations: Mapping[str, Formation]
) -> Heading | None:
    key = (path, played, tuple(formations.items()))
    if key not in _route_headings:
        if (recording := _route_recording(results, path, formations)) is None:
            return None
        _route_headings[key] = heading_of(recording)
    return _route_headings[key]


def _of_test(test: FinishedTest) -> Heading:
    share = test.perfect_share if sum(test.counts) else None
    return Heading(
        tr("Test"),
        test.table,
        test.started,
        share,
        test.n_moves,
        points_lost=test.points_lost,
        outcome=test.outcome or "stopped",
    )
