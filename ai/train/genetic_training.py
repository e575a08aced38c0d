"""Running a training by `genetic`: games in several processes, files, and resuming.

Next to ``weights.json``, rewritten after every generation, are

    weights.json.csv      a line for each generation: fitness and weights of its best genome
    weights.json.state    the data to resume: configuration, generation, genomes (JSON)
"""

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.baselines.linear_value import FEATURES, write_linear_weights, write_text
from ai.errors import PlayError, WeightsError
from ai.parent_watch import end_with_parent
from ai.train.genetic import (
    Genome,
    TrainingConfig,
    checked_config,
    first_population,
    game_seed,
    next_population,
    ranking,
)
from ai.train.training_files import beside, check_curve, of_another_training, reading_state
from engine.platform.files.input_file import read_limited
from engine.platform.language import mark, tr

if TYPE_CHECKING:
    from tablebase.cluster.connection import Cluster

_VERSION = 1
_MAX_BYTES = 1 << 30  # bytes of a state: grows with every generation
COLUMNS = ("generation", "best", "mean", "std", "best_score", "best_max_exponent", *FEATURES)
Row = dict[str, Any]
JudgeAll = Callable[[Sequence[Genome]], "list[Fitness]"]
"""Returns the fitness of each genome of a population; where it is found out doesn't matter."""


@dataclass(frozen=True)
class Fitness:
    """The results of a genome: means over its games."""

    fitness: float
    score: float
    max_exponent: float


@dataclass
class TrainingState:
    """The state of a training."""

    population: list[Genome]  # genomes of the next generation to judge
    rows: list[Row] = field(default_factory=list)  # the lines of the judged generations

    @property
    def generation(self) -> int:
        return len(self.rows)


def judge(numbered: tuple[int, Genome], config: TrainingConfig) -> Fitness:
    from ai.baselines.ladder_game import play_game
    from ai.baselines.ladder_players import LinearPlayer
    from ai.baselines.linear_value import make_value

    i_genome, genome = numbered
    value = make_value(dict(zip(FEATURES, genome, strict=True)))
    player = LinearPlayer(value, config.depth, config.few_empty, config.sample)
    games = [play_game(player, game_seed(config, i_genome, i)) for i in range(config.games)]
    score = sum(game.score for game in games) / config.games
    exponent = sum(game.max_exponent for game in games) / config.games
    return Fitness(score + config.tile_bonus * exponent, score, exponent)


def train(
    config: TrainingConfig,
    out: Path,
    judge_all: JudgeAll,
    now: Callable[[], str],
    on_generation: Callable[[Row], object],
) -> TrainingState:
    """Train, or resume from the files of `out`, the file of weights; return the final state.

    Raises WeightsError if a file cannot be written, or belongs to a training with another
    configuration.
    """
    state = _read_state(config, out)
    if state is None:
        check_curve(beside(out, ".csv"), COLUMNS)
        state = TrainingState(first_population(config))
    elif not out.exists() and state.rows:
        _write_best(config, out, state.rows[-1], now())
    while state.generation < config.generations:
        results = judge_all(state.population)
        row = _row(state, results)
        fitness = [result.fitness for result in results]
        state.population = next_population(config, state.generation + 1, state.population, fitness)
        state.rows.append(row)
        _write_best(config, out, row, now())
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(state.rows)
        write_text(beside(out, ".csv"), text.getvalue())
        data = {"version": _VERSION, "config": asdict(config)}
        data |= {"population": state.population, "rows": state.rows}
        write_text(beside(out, ".state"), json.dumps(data) + "\n")
        on_generation(row)
    return state


@contextmanager
def judges(config: TrainingConfig, jobs: int) -> Iterator[JudgeAll]:
    judge_one = partial(judge, config=config)
    if jobs == 1:
        yield lambda population: list(map(judge_one, enumerate(population)))
        return
    import multiprocessing  # slow to import, and --help needs the rest of this module

    context = multiprocessing.get_context("spawn")  # a fork would inherit threads and locks
    try:
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=end_with_parent) as pool:
            yield lambda population: list(pool.map(judge_one, enumerate(population)))
    except BrokenProcessPool as error:
        text = tr("a process that played ended early; what is finished is kept, try fewer --jobs")
        raise PlayError(text) from error


def judges_over(cluster: "Cluster", config: TrainingConfig) -> JudgeAll:
    return lambda population: list(cluster.map(judge, enumerate(population), config))


def _row(state: TrainingState, results: Sequence[Fitness]) -> Row:
    fitness = [result.fitness for result in results]
    i_best = ranking(fitness)[0]
    best = state.population[i_best]
    mean = sum(fitness) / len(fitness)
    variance = sum((value - mean) ** 2 for value in fitness) / len(fitness)
    row = {
        "generation": state.generation,
        "best": fitness[i_best],
        "mean": mean,
        "std": math.sqrt(variance),
        "best_score": results[i_best].score,
        "best_max_exponent": results[i_best].max_exponent,
    }
    return row | dict(zip(FEATURES, best, strict=True))


def _write_best(config: TrainingConfig, out: Path, row: Row, when: str) -> None:
    figures = {name: row[name] for name in ("generation", "best", "mean", "best_score")}
    training = {"by": "genetic algorithm", **figures, "config": asdict(config)}  # no text
    write_linear_weights(out, {name: row[name] for name in FEATURES}, when, training)


def _read_state(config: TrainingConfig, out: Path) -> TrainingState | None:
    path = beside(out, ".state")
    with reading_state(path, AttributeError) as damaged:
        try:
            raw = read_limited(path, _MAX_BYTES)
        except FileNotFoundError:
            return None
        if raw.strip()[:1] not in (b"{", b""):
            text = mark(
                "{path} is not a training: expected what train train writes; choose another --out"
            )
            raise WeightsError(text, path=path)
        data = json.loads(raw)
        if data["version"] != _VERSION:
            text = mark("{path} has version {found!r}; expected {known}")
            raise WeightsError(text, path=path, found=data["version"], known=_VERSION)
        saved = checked_config(data["config"])
        population = [tuple(map(float, genome)) for genome in data["population"]]
        state = TrainingState(population, list(data["rows"]))
        if not _is_sound(state, saved.population):
            raise damaged
    # More generations may be requested than before.
    if asdict(saved) | {"generations": 0} != asdict(config) | {"generations": 0}:
        raise of_another_training(path)
    return state


def _is_sound(state: TrainingState, n_genomes: int) -> bool:
    """Return whether a state has all numbers that a training needs to go on."""
    numbers = [number for genome in state.population for number in genome]
    rows = [[row[name] for name in COLUMNS] for row in state.rows if row.keys() == set(COLUMNS)]
    numbers += [float(number) for row in rows for number in row]
    return (
        len(state.population) == n_genomes
        and all(len(genome) == len(FEATURES) for genome in state.population)
        and len(rows) == len(state.rows)
        and all(abs(number) <= 1e18 for number in numbers)
    )
