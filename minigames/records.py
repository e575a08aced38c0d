"""Records of runs: the best results, trophies, counts, and the latest runs one by one."""

from dataclasses import dataclass, replace
from datetime import date
from statistics import median

from minigames.run import MinigameRun
from minigames.state import State
from minigames.trophies import figure, trophy

KEPT = 200  # runs that are kept one by one


@dataclass(frozen=True)
class FinishedRun:
    """A run that ended or was given up."""

    seed: int
    score: int
    n_moves: int
    best: int  # the exponent of its largest tile
    figure: int  # the figure that trophies of this variant are based on
    over: str  # "stuck", "time", or "" when it was given up
    is_assisted: bool  # whether a move was taken back
    day: str  # the date of a daily run, else ""
    ended: str  # when, ISO 8601 with time zone


@dataclass(frozen=True)
class MinigameRecord:
    """A person's best results in one variant and mode; they never decrease."""

    best_score: int = 0
    best: int = 0  # the exponent of the largest tile
    best_figure: int = 0
    trophy: int = 0  # 0 none, 1 bronze, 2 silver, 3 gold, 4 grand
    # Of runs that ended or were given up.
    n_runs: int = 0
    n_moves: int = 0
    runs: tuple[FinishedRun, ...] = ()  # the latest runs, newest last

    @property
    def median_score(self) -> int:
        """The median score of the latest runs; 0 if there are none."""
        return int(median(run.score for run in self.runs)) if self.runs else 0

    def with_run(self, run: MinigameRun) -> "MinigameRecord":
        """Return the record updated by a run's results so far; assisted runs don't count."""
        if run.is_assisted:
            return self
        spec, state = run.rules.spec, run.state
        return replace(
            self,
            best_score=max(self.best_score, state.score),
            best=max(self.best, state.best),
            best_figure=max(self.best_figure, figure(spec, state)),
            trophy=max(self.trophy, trophy(spec, state)),
        )

    def with_finished(self, run: MinigameRun, ended: str) -> "MinigameRecord":
        """Return the record with a finished run; `ended` is ISO 8601 with time zone."""
        state: State = run.state
        done = FinishedRun(
            run.seed,
            state.score,
            state.n_moves,
            state.best,
            figure(run.rules.spec, state),
            state.over,
            run.is_assisted,
            run.day,
            ended,
        )
        return replace(
            self.with_run(run),
            n_runs=self.n_runs + 1,
            n_moves=self.n_moves + state.n_moves,
            runs=(*self.runs, done)[-KEPT:],
        )


@dataclass(frozen=True)
class DailyResult:
    """The result of a day's run."""

    score: int
    best: int  # the exponent of the largest tile
    is_over: bool  # whether it ended or was given up


def daily_result(record: MinigameRecord, run: MinigameRun | None, day: date) -> DailyResult | None:
    """Return the best result of a day's run in one variant and mode; None before the first move.

    The run in play counts if none was finished.
    """
    today = day.isoformat()
    runs = [(run.is_assisted, run.score, run.best) for run in record.runs if run.day == today]
    if run and run.day == today and run.state.n_moves:
        state = run.state
        if state.over:
            runs.append((run.is_assisted, state.score, state.best))
        elif not runs:
            return DailyResult(state.score, state.best, is_over=False)
    fair = [run for run in runs if not run[0]] or runs
    best = max(fair, key=lambda run: run[1], default=None)
    return best and DailyResult(best[1], best[2], is_over=True)
