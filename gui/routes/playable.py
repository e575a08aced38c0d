"""A table that routes are played on, as look-ups have it."""

from typing import Protocol

from coach.routes.run import RouteFormation
from gui.core.lookup import Table


class RoutePlayable(Table, Protocol):
    """A table whose formation says where it starts."""

    @property
    def formation(self) -> RouteFormation:
        """The formation that the table answers for."""
