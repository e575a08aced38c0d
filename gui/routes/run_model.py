"""Runs along routes as rows of a table."""

from coach.routes.code import code_of
from coach.routes.results import StoredRun
from coach.routes.words import describe_route, length_text, route_title
from engine.platform.language import sentences, tr, trc
from gui.routes.text import outcome_text, pace_text
from gui.text.dates import format_moment
from gui.text.routes import figure_text, who_text
from gui.widgets.row_model import Column, RowModel


def run_model() -> RowModel[StoredRun]:
    """Return an empty model of runs."""
    columns: tuple[Column[StoredRun], ...] = (
        Column(tr("Date"), lambda run: format_moment(run.played)),
        Column(tr("Route"), lambda run: route_title(run.result.route)),
        Column(tr("Length"), lambda run: length_text(run.result.route), is_spare=True),
        Column(tr("By"), lambda run: who_text(run.result.who)),
        Column(tr("Result"), lambda run: figure_text(run.result), is_number=True),
        Column(trc("in a route", "Mistakes"), _mistakes, is_number=True),
        Column(tr("Moves"), lambda run: f"{run.result.n_moves:,}", is_number=True, is_spare=True),
        Column(tr("Time"), lambda run: pace_text(run.result), is_number=True, is_spare=True),
        Column(tr("End"), lambda run: outcome_text(run.result)),
    )
    return RowModel(columns, _tip)


def _mistakes(run: StoredRun) -> str:
    return "" if run.result.route.is_game else f"{run.result.n_mistakes:,}"


def _tip(run: StoredRun) -> str:
    route = run.result.route
    return sentences(f"{describe_route(route)}.", code_of(route))
