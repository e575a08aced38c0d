"""The answers about boards as JSON objects: of several tables, the first that covers a board."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from engine.bitboard import DIRECTIONS, format_board
from engine.formats.board_text import read_board
from engine.platform.errors import AppError, InvalidBoardError
from tablebase.probe.probes import NO_BEST, WORTH_A_LAYER, Probe, best_of
from tablebase.probe.reader import Tablebase
from tablebase.store.rates import find_rate_type

Answer = dict[str, Any]
"""What the command `probe` prints for a board with ``--json``."""
Slack = Callable[[float], float]
"""Returns how much rates that count as equal may differ, given the best one."""


def look_up(
    text: str, tables: Sequence[Tablebase], after: bool, message_of: Callable[[AppError], str] = str
) -> tuple[Answer, Slack]:
    try:
        board = read_board(text).board
    except InvalidBoardError as error:
        return {"board": text, "error": str(error)}, _no_slack
    answer_of = _answer_after if after else _answer_board
    problems = []
    for table in tables:
        try:
            return {**_head(table, board), **answer_of(table, board)}, find_rate_type(
                table.rate.removeprefix("1-")
            ).slack
        except AppError as error:
            problem = message_of(error)
            problems.append(problem if len(tables) == 1 else f"{table.name}: {problem}")
    return {"board": format_board(board), "error": "; ".join(problems)}, _no_slack


def quick_answers(
    boards: Sequence[int], tables: Sequence[Tablebase], after: bool
) -> dict[int, Answer]:
    answers: dict[int, Answer] = {}
    left = dict(enumerate(boards))
    many = _many_afters if after else _many_boards
    for table in tables:
        places = {i: fitting for i, board in left.items() if (fitting := table.places(board))}
        sole = {i: fitting[0] for i, fitting in places.items() if len(fitting) == 1}
        with suppress(AppError):  # `look_up` reports it
            replies = many(table, [boards[i] for i in sole], list(sole.values()))
            for i, answer in zip(sole, replies, strict=True):
                if answer is not None:
                    answers[i] = {**_head(table, boards[i]), **answer}
        left = {i: board for i, board in left.items() if i not in places}
    return answers


def _head(table: Tablebase, board: int) -> Answer:
    return {"board": format_board(board), "table": table.name}


def _no_slack(_best: float) -> float:
    return 0.0


def _answer_board(table: Tablebase, board: int) -> Answer:
    return _answer_of(table, table.probe(board))


def _many_boards(table: Tablebase, boards: list[int], places: list[int]) -> Iterator[Answer | None]:
    rates, is_complete = table.many_probes(np.array(boards, np.uint64), at_least=WORTH_A_LAYER)
    best = [None if direction == NO_BEST else direction for direction in best_of(rates).tolist()]
    for i, row in enumerate(rates.tolist()):
        left, right, up, down = (None if math.isnan(rate) else rate for rate in row)
        probe = Probe(boards[i], table.name, (left, right, up, down), best[i], places[i])
        yield _answer_of(table, probe) if is_complete[i] else None


def _answer_of(table: Tablebase, probe: Probe) -> Answer:
    answer: Answer = {
        **dict(zip(DIRECTIONS, probe.rates, strict=True)),
        "best": None if probe.best is None else DIRECTIONS[probe.best],
        "masked": format_board(probe.masked),
    }
    if probe.unknown:
        answer["unknown"] = [DIRECTIONS[direction] for direction in probe.unknown]
    return {**answer, **_bounds(table, probe.rates)}


def _answer_after(table: Tablebase, board: int) -> Answer:
    rate = table.rate_of(board)
    if rate is None:
        return {"rate": None, "unknown": True}
    return {"rate": rate, **_bounds(table, [rate])}


def _many_afters(
    table: Tablebase, afters: list[int], _places: list[int]
) -> Iterator[Answer | None]:
    if not table.is_quick:
        yield from [None] * len(afters)
        return
    for rate in table.many_rates(np.array(afters, np.uint64), best_way=False).tolist():
        yield None if math.isnan(rate) else {"rate": rate, **_bounds(table, [rate])}


def _bounds(table: Tablebase, rates: Iterable[float | None]) -> Answer:
    """Return extra fields that mark rates as lower bounds; empty for exact rates."""
    marks = {"at_least": True} if table.is_limited else {}
    if table.is_cut_off and any(rate is not None and rate < 1 for rate in rates):
        marks["cut_off"] = True
    return marks
