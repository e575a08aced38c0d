"""Tables and formations in words: for their cards, forms and messages. No Qt."""

from engine.platform.language import mark, sentences, tr, trn
from engine.spawn import DEFAULT_SPAWN4, is_same_spawn4
from gui.text.numbers import NBSP, format_percentage
from tablebase.formation.formation import Formation
from tablebase.library.limits_text import length_words, limit_words
from tablebase.library.table_info import TableInfo
from tablebase.store.options import BuildOptions

RATE_NAMES = {
    "uint32": mark("32-bit rates"),
    "uint16": mark("16-bit rates"),
    "uint64": mark("64-bit rates"),
    "float32": mark("32-bit floating-point rates"),
    "float64": mark("64-bit floating-point rates"),
}
"""Descriptions of the rate types, in English."""


def content_words(table: TableInfo | BuildOptions) -> list[str]:
    """Return the non-default storage options, in a few words each."""
    is_usual = table.rate in ("", "uint32")
    words = [] if is_usual else [tr(RATE_NAMES.get(table.rate, table.rate))]
    if table.rate and not is_same_spawn4(table.spawn4, DEFAULT_SPAWN4):
        words.append(tr("{share} fours", share=format_percentage(table.spawn4)))
    if table.threshold > 0:
        words.append(tr("only chances above {rate}", rate=format_percentage(table.threshold)))
    if table.optimal_only:
        words.append(tr("best play only"))
    if table.sparse > 1:
        stored = tr("2 of every {n} layers stored", n=table.sparse)
        words.append(stored.replace(" ", NBSP))
    words += length_words(table.extra_steps)
    if limits := limit_words(table):
        words += [*limits, tr("rates are lower bounds")]
    return words


_CATEGORIES = {
    "10 space": mark("10 free cells"),
    "12 space": mark("12 free cells"),
    "Your own": mark("Your own"),  # no text: the key is as the file has it
    "others": mark("Other shapes"),
    "free": mark("Large tiles anywhere"),
    "variant": mark("Smaller boards"),
}
_GOOD_FOR = {
    "442": mark("Small and quick to build: a good first table."),
    "L3": mark("A block in the corner: a good second table, after 442."),
    "LL": mark("A block of four in the corner: earlier in a game than 442 and L3."),
    "444": mark("A row of four at the edge: earlier in a game than 442 and L3."),
    "L1": mark("As small as 44, with the large tiles around a corner."),
    "44": mark("The smallest of all, for a first look."),
}
_WHICH_ARRANGEMENTS = {
    "t": mark("a block in the corner, and a pair that may slide along the edge"),
    "442t": mark("442, and what it turns into when one of its tiles has to move"),
    "L3t": mark("L3, and what it turns into when its tiles slide along the edge"),
    "L3f": mark("L3, and most ways to leave it"),
}
_ANYWHERE = (1 << 64) - 1


def category_title(category: str) -> str:
    """Return the displayed name of a formation category; custom ones keep their names."""
    return tr(_CATEGORIES[category]) if category in _CATEGORIES else category


def describe_formation(formation: Formation) -> str:
    free = 16 - formation.n_large
    if formation.walls:
        return trn(
            "A board of {n} cell between walls.", "A board of {n} cells between walls.", free
        )
    if formation.target_cells == _ANYWHERE:
        where = tr("Reach the target anywhere.")
    else:
        where = tr("Reach the target on a marked cell.")
    good_for = _GOOD_FOR.get(formation.name)
    what = tr(good_for) if good_for else _allows_for(formation)
    return sentences(_large_tiles(formation, free), where, what)


def _large_tiles(formation: Formation, free: int) -> str:
    n_large, n_moving = formation.n_large, formation.n_movable
    if n_moving == 0:
        return tr("{n} large tiles stay in place, {free} free cells.", n=n_large, free=free)
    if n_moving == n_large:
        return tr(
            "{n} large tiles, anywhere on the board, {free} free cells.", n=n_large, free=free
        )
    return tr(
        "{n} large tiles stay in place, {moving} may move, {free} free cells.",
        n=n_large - n_moving,
        moving=n_moving,
        free=free,
    )


def _allows_for(formation: Formation) -> str:
    n_ways = len(formation.masks)
    if not n_ways:
        return tr("Covers every arrangement of the large tiles, so its tables are large.")
    if n_ways == 1:
        return ""
    if which := _WHICH_ARRANGEMENTS.get(formation.name):
        return tr("Covers {n} arrangements of the large tiles: {which}.", n=n_ways, which=tr(which))
    return tr(
        "Covers {n} arrangements of the large tiles, so play can go on after one has to move.",
        n=n_ways,
    )
