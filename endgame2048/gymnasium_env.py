"""The endgames as environments of Gymnasium, with exact rewards: ``pip install endgame2048[gym]``.

>>> import gymnasium
>>> import endgame2048.gymnasium_env  # makes the name known
>>> env = gymnasium.make("Endgame2048-v0", table="tables/2x4_64")
>>> observation, info = env.reset(seed=3)
>>> observation
array([[15, 15, 15, 15],
       [ 0,  0,  0,  0],
       [ 1,  0,  0,  0],
       [15, 15, 15, 15]], dtype=uint8)
>>> total = 0.0
>>> terminated = False
>>> while not terminated:  # by perfect play
...     observation, reward, terminated, truncated, info = env.step(info["best"])
...     total += reward
>>> total, info["is_success"]
(0.0, True)
>>> env.close()

An episode begins with one of the seeds of the table's formation and a new tile, and ends when the
goal is reached or no move is left that stays in the formation. A move that leaves it ends the
episode too: from there on a table knows nothing, and counts the game as lost. A direction that
moves nothing changes nothing and costs `illegal_reward`.

Three kinds of reward, all of them from the table's success rates:

``"regret"``
    The rate after the move, less that after the best one: 0 for a perfect move, never more. The sum
    is what the player's mistakes cost.
``"gain"``
    How much more likely success is than before the move, with the new tile that came. The sum is 1
    less the rate of the first position when the goal is reached, and less that rate otherwise: as
    the outcome, but told at once, tile by tile.
``"outcome"``
    1 when the goal is reached, else 0.

`EndgameVectorEnv`, which ``gymnasium.make_vec`` makes, plays many games side by side and asks the
table for all of them together.
"""

from pathlib import Path
from typing import Any, Literal

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from endgame2048.tables import Table, open_table
from engine.bitboard import draw_board
from engine.kernels.bulk_moves import slide_all
from tablebase.formation.formation import Formation, half_sums
from tablebase.formation.goal import Goal, goal_of, read_goal

U64 = npt.NDArray[np.uint64]
F64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Reward = Literal["regret", "gain", "outcome"]
Info = dict[str, Any]

ENV_ID = "Endgame2048-v0"
REWARDS = ("regret", "gain", "outcome")
_SHIFTS = np.arange(60, -4, -4, dtype=np.uint64)
_ONES = np.uint64(0x1111_1111_1111_1111)


class _Games:
    """Games side by side on one table, from start to end.

    Attributes
    ----------
    boards : uint64[n]
    rates : float64[n, 4]
        What the table tells of them.
    best : int8[n]
    is_success : bool[n]
        Which of them have reached the goal.
    """

    def __init__(
        self, table: Table | Path | str | None, n: int, reward: str, illegal_reward: float
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"reward is {reward!r}; expected one of {', '.join(REWARDS)}")
        if table is None:
            raise ValueError('a table is needed: gymnasium.make(..., table="tables/2x4_64")')
        self.owns_table = not isinstance(table, Table)
        self.table = table if isinstance(table, Table) else open_table(table)
        if not self.table.is_whole:
            self.close()
            raise ValueError(
                f"{self.table.name} leaves boards out, so its rates are no exact rewards: expected "
                "a table built without limits, threshold or optimal_only"
            )
        self._reward, self._illegal_reward = reward, illegal_reward
        self.boards = np.zeros(n, np.uint64)
        self.rates = np.full((n, 4), np.nan)
        self.best = np.full(n, -1, np.int8)
        self.is_success = np.zeros(n, np.bool_)

    @property
    def formation(self) -> Formation:
        return self.table.formation

    @property
    def observations(self) -> npt.NDArray[np.uint8]:
        """The exponents of the tiles: uint8[n, 4, 4]."""
        cells = self.boards[:, np.newaxis] >> _SHIFTS & np.uint64(15)
        return cells.astype(np.uint8).reshape(-1, 4, 4)

    def start(self, which: npt.NDArray[np.intp], rng: np.random.Generator) -> None:
        """Begin some games anew."""
        seeds = np.array(self.formation.starts, np.uint64)
        self.boards[which] = self._spawned(rng.choice(seeds, which.size), rng)
        self.is_success[which] = False
        self._ask(which)

    def step(
        self,
        actions: npt.NDArray[np.integer],
        which: npt.NDArray[np.intp],
        rng: np.random.Generator,
    ) -> tuple[F64, Bools]:
        """Make a move in some games; return their rewards and which of them are over."""
        boards, rates = self.boards[which], self.rates[which]
        moved = slide_all(boards, self.formation.walls)
        after = moved[actions, np.arange(which.size)]
        is_legal = after != boards
        value = _most(rates)
        rate = np.nan_to_num(rates[np.arange(which.size), actions])  # out of the formation: lost
        is_inside = ~np.isnan(rates[np.arange(which.size), actions])
        is_success = is_inside & self._has_reached(after)
        goes_on = is_inside & ~is_success
        self.boards[which] = np.where(is_legal, after, boards)
        self.is_success[which] = is_success
        self.rates[which[is_legal]], self.best[which[is_legal]] = np.nan, -1
        left = which[goes_on]
        if left.size:
            self.boards[left] = self._spawned(self.boards[left], rng)
            self._ask(left)
        is_over = is_legal & np.isnan(self.rates[which]).all(axis=1)
        rewards: F64 = {
            "regret": rate - value,
            "gain": np.where(is_success, 1.0, _most(self.rates[which])) - value,
            "outcome": is_success.astype(np.float64),
        }[self._reward]
        rewards[~is_legal] = self._illegal_reward
        return rewards, is_over

    def info(self) -> Info:
        """Return what is known besides: arrays of n each."""
        return {
            "board": self.boards.copy(),
            "rates": self.rates.copy(),
            "action_mask": (~np.isnan(self.rates)).astype(np.int8),
            "best": self.best.astype(np.int64),
            "is_success": self.is_success.copy(),
        }

    def close(self) -> None:
        if self.owns_table:
            self.table.close()

    def _ask(self, which: npt.NDArray[np.intp]) -> None:
        answers = self.table.probe(self.boards[which], comes_up=True)
        self.rates[which], self.best[which] = answers.rates, answers.best

    def _spawned(self, boards: U64, rng: np.random.Generator) -> U64:
        """Return boards with a new tile, each in an empty cell, all of which are as likely."""
        is_empty = (boards[:, np.newaxis] >> _SHIFTS & np.uint64(15)) == 0
        cell = np.where(is_empty, rng.random(is_empty.shape), -1.0).argmax(axis=1)
        tile = 1 + (rng.random(boards.size) < self.table.spawn4).astype(np.uint64)
        spawned: U64 = boards | tile << _SHIFTS[cell]
        return spawned

    def _has_reached(self, afters: U64) -> Bools:
        """Tell which after-states have reached the goal, or are sure of it."""
        goal = _goal_of(self.table)
        if not goal.tile:
            return np.array([goal.is_sure_after(half) for half in half_sums(afters).tolist()])
        apart = afters ^ _ONES * np.uint64(goal.tile.bit_length() - 1)
        apart |= apart >> np.uint64(1)
        apart |= apart >> np.uint64(2)
        cells = np.uint64(goal.cells(self.formation))
        found: Bools = (~apart & _ONES & cells) != 0
        return found


class EndgameEnv(gym.Env[npt.NDArray[np.uint8], np.int64]):
    """One endgame at a time: a player's move, then a new tile.

    Parameters
    ----------
    table : Table, Path or str
        The table that tells the rewards, or its folder. It must hold all boards.
    reward : str
        "regret", "gain" or "outcome"; see the module.
    illegal_reward : float
        For a direction that moves nothing.
    render_mode : str, optional
        "ansi": `render` returns the board as text.

    Attributes
    ----------
    observation_space : Box
        uint8[4, 4]: the exponent of each tile (3 is the tile 8), 0 for an empty cell, 15 for a
        large tile or a wall of the formation.
    action_space : Discrete
        LEFT, RIGHT, UP, DOWN: 0 to 3.

    Notes
    -----
    `info` holds the "board" as a number, its four "rates" (NaN for a move that is illegal or leaves
    the formation), the "action_mask" (int8[4]), the "best" direction (-1 without one) and
    "is_success".

    Raises
    ------
    ValueError
        The table leaves boards out, or there is no such kind of reward.
    TableError
        The table cannot be read.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        table: Table | Path | str | None = None,
        reward: Reward = "regret",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self._games = _Games(table, 1, reward, illegal_reward)
        self.observation_space = gym.spaces.Box(0, 15, (4, 4), np.uint8)
        self.action_space = gym.spaces.Discrete(4)

    def reset(
        self, *, seed: int | None = None, options: Info | None = None
    ) -> tuple[npt.NDArray[np.uint8], Info]:
        """Begin an episode; the same seed gives the same new tiles for the same moves."""
        super().reset(seed=seed, options=options)
        self._games.start(np.zeros(1, np.intp), self.np_random)
        return self._games.observations[0], self._info()

    def step(self, action: int | np.int64) -> tuple[npt.NDArray[np.uint8], float, bool, bool, Info]:
        """Move and let a new tile come; return observation, reward, whether it is over, info."""
        if not self.action_space.contains(action):
            raise ValueError(f"action is {action!r}; expected 0 to 3: LEFT, RIGHT, UP, DOWN")
        actions = np.array([action], np.int64)
        rewards, is_over = self._games.step(actions, np.zeros(1, np.intp), self.np_random)
        observation = self._games.observations[0]
        return observation, float(rewards[0]), bool(is_over[0]), False, self._info()

    def render(self) -> str | None:
        """Return the board as text."""
        if self.render_mode is None:
            return None
        board = int(self._games.boards[0])
        return draw_board(board, walls=self._games.formation.walls)

    def close(self) -> None:
        """Close the table, if it was opened here."""
        self._games.close()

    def _info(self) -> Info:
        info = {name: value[0] for name, value in self._games.info().items()}
        return info | {
            "board": int(info["board"]),
            "best": int(info["best"]),
            "is_success": bool(info["is_success"]),
        }


class EndgameVectorEnv(
    gym.vector.VectorEnv[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[Any]]
):
    """Many endgames side by side; a game that is over begins anew with the next step.

    Parameters
    ----------
    num_envs : int
    table, reward, illegal_reward
        As for `EndgameEnv`.

    Notes
    -----
    `info` holds what that of `EndgameEnv` does, as arrays of `num_envs` each. In the step after the
    end of a game its action is not looked at and its reward is 0 (``AutoresetMode.NEXT_STEP``).
    """

    metadata = {"autoreset_mode": gym.vector.AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        table: Table | Path | str | None = None,
        reward: Reward = "regret",
        illegal_reward: float = -1.0,
    ) -> None:
        self.num_envs = num_envs
        self._games = _Games(table, num_envs, reward, illegal_reward)
        self.single_observation_space = gym.spaces.Box(0, 15, (4, 4), np.uint8)
        self.single_action_space = gym.spaces.Discrete(4)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._was_over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Info | None = None
    ) -> tuple[npt.NDArray[np.uint8], Info]:
        """Begin all games; the same seed gives the same new tiles for the same moves."""
        if isinstance(seed, list):
            raise ValueError("expected one seed for all games")
        super().reset(seed=seed, options=options)
        self._was_over[:] = False
        self._games.start(np.arange(self.num_envs), self.np_random)
        return self._games.observations, self._games.info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint8], F64, Bools, Bools, Info]:
        """Move in all games; return observations, rewards, which are over, none cut off, infos."""
        if not self.action_space.contains(np.asarray(actions, np.int64)):
            raise ValueError(f"expected {self.num_envs} actions from 0 to 3")
        rewards, is_over = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        again, on = np.flatnonzero(self._was_over), np.flatnonzero(~self._was_over)
        if again.size:
            self._games.start(again, self.np_random)
        if on.size:
            chosen = np.asarray(actions, np.int64)[on]
            rewards[on], is_over[on] = self._games.step(chosen, on, self.np_random)
        self._was_over = is_over.copy()
        none = np.zeros(self.num_envs, np.bool_)
        return self._games.observations, rewards, is_over, none, self._games.info()

    def close_extras(self, **_options: Any) -> None:
        """Close the table, if it was opened here."""
        self._games.close()


def _most(rates: F64) -> F64:
    """Return the highest rate of each position, 0 where there is none."""
    return np.nan_to_num(rates, nan=0.0).max(axis=1)


def _goal_of(table: Table) -> Goal:
    target = table.target
    goal = read_goal(target) if isinstance(target, str) else goal_of(target)
    assert goal is not None  # a table's own
    return goal


if ENV_ID not in gym.registry:
    gym.register(
        ENV_ID,
        entry_point=f"{__name__}:{EndgameEnv.__name__}",
        vector_entry_point=f"{__name__}:{EndgameVectorEnv.__name__}",
    )
