"""Analyzing a whole game: tables first, then search, storing results on the way."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from coach.recordings.recording import Recording
from coach.whole_game.game_search import GameSearch, Look, Stage
from coach.whole_game.rating import rate_by_tables, with_chances
from coach.whole_game.stored_chances import Key, digest_of
from engine.formats.replay import Rates
from engine.platform.errors import AppError
from engine.platform.language import mark, tr
from engine.platform.quantities import percent_text
from engine.spawn import DEFAULT_SPAWN4, is_same_spawn4
from tablebase.errors import TableError
from tablebase.probe.table import Table

_SURE = math.log(1e9)


class ChanceStore(Protocol):
    """A store of results, such as `coach.whole_game.stored_chances.StoredChances`."""

    def known(self, key: Key) -> dict[int, Rates]: ...

    def keep(self, key: Key, chances: Mapping[int, Rates], now: datetime, /) -> None: ...


class NotWholeError(AppError):
    """A game that search cannot judge."""


@dataclass(frozen=True)
class Analyzed:
    """The result of an analysis."""

    recording: Recording  # with the known rates
    is_done: bool  # False if it was canceled before everything was searched in full
    # Positions searched in full, and all that no table rates.
    n_searched: int
    n_to_search: int


@dataclass(frozen=True)
class WholeGameAnalysis:
    """The components needed to analyze games."""

    look: Look  # searches a position; see `ai.chances.chance_search.ChanceSearch.look`
    nodes: int  # for each position
    stored: ChanceStore
    now: Callable[[], datetime]  # returns the time, with its time zone
    spawn4: float = DEFAULT_SPAWN4  # the probability of fours that search's chances apply to

    def run(
        self,
        recording: Recording,
        tables: Sequence[Table],
        on_progress: Callable[[Stage], None] = lambda _: None,
        is_cancelled: Callable[[], bool] = lambda: False,
        shown: Callable[[Recording], None] = lambda _: None,
        broken: Callable[[TableError], None] = lambda _: None,
    ) -> Analyzed:
        """Analyze a game until everything is known or it is canceled.

        `shown` is called with the roughly judged game, a few seconds after the start, `broken` with
        the reason why a table cannot be read. Raises NotWholeError if the game has walls, large
        tiles without values, or another share of fours, or a table is one of games that have; and
        DatabaseError.
        """
        check_whole(recording)
        check_fours(recording, self.spawn4)
        for table in tables:
            _check_table(table, self.spawn4)
        rated = rate_by_tables(tables, recording, is_cancelled, broken)
        if rated is None:
            return Analyzed(recording, False, 0, 0)
        key = Key(digest_of(recording.replay), self.nodes)
        left = [i for i, rater in enumerate(rated.raters) if rater is None]
        left_out = set(range(len(rated.positions))) - set(left)
        moves = recording.replay.moves
        known = self.stored.known(key)
        search = GameSearch(rated.positions, moves, self.look, self.nodes, known, left_out)
        search.run(
            lambda chances: self.stored.keep(key, chances, self.now()),
            on_progress,
            is_cancelled,
            lambda: shown(with_chances(rated, search.chances)),
        )
        n_searched = sum(i in search.full for i in left)
        whole = with_chances(rated, search.chances)
        return Analyzed(whole, search.is_done, n_searched, len(left))


def is_whole(recording: Recording) -> bool:
    """Return whether search can judge a game: on the 4 x 4 board, all tiles with their values."""
    return recording.replay.merge_32768 and not recording.replay.walls


def refusal(recording: Recording, spawn4: float = DEFAULT_SPAWN4) -> str:
    """Return the reason why search cannot judge a game; "" if it can."""
    try:
        check_whole(recording)
        check_fours(recording, spawn4)
    except NotWholeError as error:
        return str(error)
    return ""


def check_whole(recording: Recording) -> None:
    problem = ""
    if recording.replay.walls:
        problem = mark(
            "{name} is on a small board: search knows chances of the 4 x 4 board only; "
            "build a table of its formation to rate it"
        )
    elif not recording.replay.merge_32768:
        problem = mark(
            "{name} is a recording of a table: its large tiles have no values, so it can't be "
            "judged as a whole game; rate it by its table"
        )
    if problem:
        raise NotWholeError(problem, name=recording.name)


def check_fours(recording: Recording, spawn4: float) -> None:
    """Raise NotWholeError for a game whose tiles hardly fit a probability of fours.

    No recording stores its probability. The deviation from the expected number must occur in at
    most one game in a billion: by the Chernoff bound, the chance of a share q among n tiles is no
    more than exp(-n D), D the relative entropy of q to what was expected.
    """
    n = recording.n_moves
    share = sum(move.exponent == 2 for move in recording.replay.moves) / max(n, 1)
    pairs = ((share, spawn4), (1.0 - share, 1.0 - spawn4))
    if n * sum(q * math.log(q / expected) for q, expected in pairs if q > 0.0) > _SURE:
        text = mark(
            "{share} of the new tiles in this game are 4s, as in a game with difficulty or "
            "another share of fours; search can only rate games with {expected}"
        )
        raise NotWholeError(text, share=percent_text(share), expected=percent_text(spawn4))


def _check_table(table: Table, spawn4: float) -> None:
    if not is_same_spawn4(table.spawn4, spawn4):
        text = tr(
            "{name} is a table of games in which {share} of the new tiles are 4s; search "
            "knows chances of games with {expected}: leave the table out",
            name=table.name,
            share=percent_text(table.spawn4),
            expected=percent_text(spawn4),
        )
        raise NotWholeError(text)
