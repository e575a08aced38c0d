"""One interface for all board evaluations: the search is compiled for each kind."""

from typing import Any

import numpy as np
from numba import extending  # not its part first: a thread that imports numba would fail

from ai.evaluation.game_net import GameNet, game_net_spawns_value, game_net_value
from ai.evaluation.line_tables import LineTables, line_spawns_value, line_value
from ai.evaluation.tuple_net import TupleNet, net_spawns_value, net_value
from ai.evaluation.walls import walls_of

_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "_nrt": False, "forceinline": True}


def after_value(after: Any, evaluator: Any) -> Any:
    """Return the value of an after-state as float32; for kernels only."""
    raise NotImplementedError("compiled code has a version for each kind of evaluator")


def spawns_value(after: Any, tiles: Any, evaluator: Any, rules: Any) -> Any:
    """Return the sum, over spawns, of the best move's value as float32; for kernels only.

    `tiles` has bit 0 of each cell set where a 2 may appear, or bit 1 where a 4 may.
    """
    raise NotImplementedError("compiled code has a version for each kind of evaluator")


def held_at_root(board: Any, evaluator: Any) -> Any:
    """Return a mask of F in the cells whose tiles a move must not remove; for kernels only."""
    raise NotImplementedError("compiled code has a version for each kind of evaluator")


def locks_large_tiles(evaluator: Any) -> Any:
    """Return whether a search keeps large tiles in their cells below the root; for kernels.

    Values by lines and beside walls are only right as long as they stay. A network for whole games
    has learned the effect of moving them.
    """
    raise NotImplementedError("compiled code has a version for each kind of evaluator")


def _is_kind(evaluator: Any, kind: type) -> bool:
    return getattr(evaluator, "instance_class", None) is kind


@extending.overload(after_value, jit_options=_OPTIONS)
def _after_value(after, evaluator):  # noqa: ARG001, the names must be those above
    if _is_kind(evaluator, LineTables):
        return lambda after, evaluator: np.float32(line_value(after, evaluator))
    if _is_kind(evaluator, TupleNet):
        return lambda after, evaluator: net_value(after, evaluator)
    if _is_kind(evaluator, GameNet):
        return lambda after, evaluator: game_net_value(after, evaluator)
    return None


@extending.overload(spawns_value, jit_options=_OPTIONS)
def _spawns_value(after, tiles, evaluator, rules):  # noqa: ARG001
    if _is_kind(evaluator, LineTables):
        return lambda after, tiles, evaluator, rules: line_spawns_value(
            after, tiles, evaluator, rules.dead
        )
    if _is_kind(evaluator, TupleNet):
        return lambda after, tiles, evaluator, rules: net_spawns_value(
            after, tiles, evaluator, rules
        )
    if _is_kind(evaluator, GameNet):
        return lambda after, tiles, evaluator, rules: game_net_spawns_value(
            after, tiles, evaluator, rules
        )
    return None


@extending.overload(locks_large_tiles, jit_options=_OPTIONS)
def _locks_large_tiles(evaluator):
    if _is_kind(evaluator, LineTables) or _is_kind(evaluator, TupleNet):
        return lambda evaluator: True  # noqa: ARG005
    if _is_kind(evaluator, GameNet):
        return lambda evaluator: False  # noqa: ARG005
    return None


@extending.overload(held_at_root, jit_options=_OPTIONS)
def _held_at_root(board, evaluator):  # noqa: ARG001
    if _is_kind(evaluator, LineTables) or _is_kind(evaluator, GameNet):
        return lambda board, evaluator: np.uint64(0)  # noqa: ARG005
    if _is_kind(evaluator, TupleNet):
        return lambda board, evaluator: walls_of(board)  # noqa: ARG005
    return None
