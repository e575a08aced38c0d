"""The limits of a table in words, and what they and its last layer do to its rates."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.platform.language import listed, mark, tr
from engine.platform.quantities import bytes_text
from tablebase.formation.extra_steps import FULL
from tablebase.store.options import Contents

if TYPE_CHECKING:
    from tablebase.store.manifest import Manifest

LOWER_BOUNDS = mark("All rates of this table are lower bounds: what its limits leave out counts 0.")

CUT_OFF = mark(
    "Rates below 100 % are lower bounds: boards left at the end of the table count 0, but later "
    "layers might save some."
)


CHAINED = mark(
    "Chained to {table}: the target is worth what that table says of the board that is left, so "
    "rates are the chance of both."
)


def content_words(table: Contents) -> list[str]:
    """Return what a table keeps, if not all."""
    words = []
    if table.threshold > 0:
        words.append(tr("rate > {threshold:g}", threshold=table.threshold))
    if table.optimal_only:
        words.append(tr("optimal play"))
    if table.sparse > 1:
        words.append(tr("2 layers of {sparse}", sparse=table.sparse))
    return words + limit_words(table)


def limit_words(table: Contents) -> list[str]:
    words = []
    if table.most_equal:
        n, tile = table.most_equal, table.large_from
        words.append(tr("at most {n} equal tiles from {tile} on", n=n, tile=tile))
    if table.small_sum:
        most, tile = table.small_sum, table.large_from
        words.append(tr("tiles below {tile} up to {most} in all", tile=tile, most=most))
    return words


def chain_words(then: str) -> list[str]:
    return [tr("then {table}", table=then)] if then else []


def chain_size_text(n_bytes: int, after: Sequence["Manifest"]) -> str:
    """Return the size of a table of `n_bytes` together with those that it continues in."""
    return tr(
        "with {tables}, which it needs beside it: {size}",
        tables=listed(table.name for table in after),
        size=bytes_text(n_bytes + sum(table.bytes for table in after)),
    )


def length_words(extra_steps: str) -> list[str]:
    if not extra_steps:
        return []
    if extra_steps == FULL:
        return [tr("all layers")]
    return [tr("{n} extra layers", n=extra_steps)]
