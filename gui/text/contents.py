"""The contents of a table in words: for its card, its form and its messages."""

from engine.platform.language import mark, tr
from gui.text.numbers import NBSP
from tablebase.library.limits_text import length_words, limit_words
from tablebase.library.table_info import TableInfo
from tablebase.store.options import DEFAULT_SPAWN4, BuildOptions

RATE_NAMES = {
    "uint32": mark("32-bit rates"),
    "uint16": mark("16-bit rates"),
    "uint64": mark("64-bit rates"),
    "float32": mark("32-bit floating-point rates"),
    "float64": mark("64-bit floating-point rates"),
}
"""Descriptions of the rate types, in English."""


def percent_text(share: float) -> str:
    """Return a share as a percentage without trailing zeros: `5 %`, `0.25 %`."""
    return f"{share * 100:.6g}{NBSP}%"


def content_words(table: TableInfo | BuildOptions) -> list[str]:
    """Return the non-default storage options, in a few words each."""
    is_usual = table.rate in ("", "uint32")
    words = [] if is_usual else [tr(RATE_NAMES.get(table.rate, table.rate))]
    if table.rate and abs(table.spawn4 - DEFAULT_SPAWN4) > 1e-9:
        words.append(tr("{share} fours", share=percent_text(table.spawn4)))
    if table.threshold > 0:
        words.append(tr("only chances above {rate}", rate=percent_text(table.threshold)))
    if table.optimal_only:
        words.append(tr("best play only"))
    if table.sparse > 1:
        stored = tr("2 of every {n} layers stored", n=table.sparse)
        words.append(stored.replace(" ", NBSP))
    words += length_words(table.extra_steps)
    if limits := limit_words(table):
        words += [*limits, tr("rates are lower bounds")]
    return words
