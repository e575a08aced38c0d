"""A table that routes are played on, for lookups."""

from typing import Protocol

from coach.routes.run import RouteFormation
from gui.play.lookup import Table


class RoutePlayable(Table, Protocol):
    """A table whose formation has start boards."""

    @property
    def formation(self) -> RouteFormation:
        """The formation that the table covers."""
