"""The limits of a table in words, and what they make of its rates."""

from typing import Protocol

from engine.language import mark, tr

LOWER_BOUNDS = mark("All rates of this table are lower bounds: what its limits leave out counts 0.")


class Limited(Protocol):
    """What tables, their options and the wish to build one have in common."""

    @property
    def most_equal(self) -> int:
        """Return how many equal large tiles a board may hold, 0 for any number."""

    @property
    def small_sum(self) -> int:
        """Return what the other tiles may add up to beside large ones, 0 for anything."""

    @property
    def large_from(self) -> int:
        """Return the least tile that these two call large."""


def limit_words(table: Limited) -> list[str]:
    """Return the limits of a table, in a few words each; none without any."""
    words = []
    if table.most_equal:
        n, tile = table.most_equal, table.large_from
        words.append(tr("at most {n} equal tiles from {tile} on", n=n, tile=tile))
    if table.small_sum:
        most, tile = table.small_sum, table.large_from
        words.append(tr("tiles below {tile} up to {most} in all", tile=tile, most=most))
    return words
