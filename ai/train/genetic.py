"""A genetic algorithm: genomes, and the step from one generation to the next.

A genome is a tuple of weights in the order of `ai.baselines.linear_value.FEATURES`. All randomness
comes from the program's own generator, reseeded for each generation, so an interrupted run
continues exactly as it would have.
"""

import math
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ai.baselines.linear_value import FEATURES, MAX_WEIGHT
from ai.errors import WeightsError
from engine.platform.files.input_file import is_number
from engine.platform.language import mark, tr
from engine.spawn import Rng

Genome = tuple[float, ...]
CROSSOVERS = ("uniform", "blend", "mixed")
_DEFAULT_RANGES = {
    "empty": (0.0, 3000.0),
    "max": (-1000.0, 1000.0),
    "smooth": (0.0, 1000.0),
    "mono": (0.0, 3000.0),
    "merge_potential": (0.0, 3000.0),
    "corner_max": (0.0, 10000.0),
}


@dataclass(frozen=True)
class TrainingConfig:
    """The configuration of a training."""

    seed: int = 1
    # Genomes, generations, games by which each genome is judged.
    population: int = 64
    generations: int = 30
    games: int = 10
    elites: int = 4  # number of best genomes kept unchanged
    tournament: int = 3  # number of randomly drawn genomes of which the best becomes a parent
    # Uniform: each weight from one parent or the other; blend: from the range between them, widened
    # at both ends by `blend_alpha` of it (BLX-alpha); mixed: one or the other.
    crossover: str = "mixed"
    # BLX-alpha; probability that a weight mutates; standard deviation as a share of its range.
    blend_alpha: float = 0.3
    mutation_rate: float = 0.25
    mutation_sigma: float = 0.1
    # Fitness is the mean score plus this times the mean exponent of the largest tile.
    tile_bonus: float = 1000.0
    # The search, see `ai.baselines.ladder_players.LinearPlayer`.
    depth: int = 3
    few_empty: int = 0
    sample: int = 4
    # dict of str to (float, float): range that each weight is kept within.
    ranges: dict[str, tuple[float, float]] = field(default_factory=lambda: dict(_DEFAULT_RANGES))


_BOUNDS: dict[str, tuple[float, float]] = {
    "seed": (0, (1 << 63) - 1),
    "population": (2, 100_000),
    "generations": (1, 1_000_000),
    "games": (1, 999_999),
    "elites": (0, 100_000),
    "tournament": (1, 100_000),
    "blend_alpha": (0.0, 10.0),
    "mutation_rate": (0.0, 1.0),
    "mutation_sigma": (0.0, 10.0),
    "tile_bonus": (-1e9, 1e9),
    "depth": (1, 9),
    "few_empty": (0, 16),
    "sample": (1, 16),
}


def checked_config(data: Any) -> TrainingConfig:
    names = set(TrainingConfig.__dataclass_fields__)
    if not isinstance(data, dict) or not set(data) <= names:
        wrong = sorted(set(data) - names) if isinstance(data, dict) else [type(data).__name__]
        shown = ", ".join(map(repr, wrong))
        raise WeightsError("unknown in a configuration: {names}", names=shown)
    for name, (low, high) in _BOUNDS.items():
        value = data.get(name, getattr(TrainingConfig, name))
        kind = int if isinstance(getattr(TrainingConfig, name), int) else (int, float)
        if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
            if kind is int:
                problem = mark("{name} is {value!r}; expected a whole number from {low} to {high}")
            else:
                problem = mark("{name} is {value!r}; expected a number from {low} to {high}")
            raise WeightsError(problem, name=name, value=value, low=low, high=high)
    if data.get("crossover", "mixed") not in CROSSOVERS:
        known = ", ".join(CROSSOVERS)
        text = tr("crossover is {found!r}; expected {known}", found=data["crossover"], known=known)
        raise WeightsError(text)
    ranges = _checked_ranges(data.get("ranges", _DEFAULT_RANGES))
    config = TrainingConfig(**(data | {"ranges": ranges}))
    if config.elites >= config.population:
        raise WeightsError("elites is {n}; expected fewer than the population", n=config.elites)
    return config


def _checked_ranges(ranges: Any) -> dict[str, tuple[float, float]]:
    if not isinstance(ranges, dict) or set(ranges) != set(FEATURES):
        names = ", ".join(FEATURES)
        raise WeightsError("ranges must have {names}, each with [least, most]", names=names)
    found = {}
    for name in FEATURES:
        ends = ranges[name]
        is_pair = isinstance(ends, list | tuple) and len(ends) == 2
        are_numbers = is_pair and all(is_number(end, -MAX_WEIGHT, MAX_WEIGHT) for end in ends)
        if not are_numbers or not ends[0] < ends[1]:
            text = mark(
                "the range of {name} is {ends}; expected [least, most], two numbers from "
                "{low:g} to {high:g}"
            )
            text = tr(text, name=name, ends=reprlib.repr(ends), low=-MAX_WEIGHT, high=MAX_WEIGHT)
            raise WeightsError(text)
        found[name] = (float(ends[0]), float(ends[1]))
    return found


def game_seed(config: TrainingConfig, i_genome: int, i_game: int) -> int:
    return config.seed + i_genome * 1_000_000 + i_game


def first_population(config: TrainingConfig) -> list[Genome]:
    rng = _generator(config, 0)
    ranges = config.ranges.values()
    return [
        tuple(low + (high - low) * rng.random() for low, high in ranges)
        for _ in range(config.population)
    ]


def next_population(
    config: TrainingConfig, generation: int, population: Sequence[Genome], fitness: Sequence[float]
) -> list[Genome]:
    rng = _generator(config, generation)
    ranked = ranking(fitness)
    genomes = [population[i] for i in ranked[: config.elites]]
    while len(genomes) < config.population:
        mother = population[select(fitness, config.tournament, rng)]
        father = population[select(fitness, config.tournament, rng)]
        genomes.append(mutated(config, crossed(config, mother, father, rng), rng))
    return genomes


def ranking(fitness: Sequence[float]) -> list[int]:
    """Return the indices of genomes, fittest first; ties keep their order."""
    return sorted(range(len(fitness)), key=lambda i: -fitness[i])


def select(fitness: Sequence[float], size: int, rng: Rng) -> int:
    """Return the winner of a tournament: the fittest of `size` indices drawn with replacement."""
    drawn = [rng.below(len(fitness)) for _ in range(size)]
    return max(drawn, key=lambda i: fitness[i])


def crossed(config: TrainingConfig, mother: Genome, father: Genome, rng: Rng) -> Genome:
    kind = config.crossover
    if kind == "mixed":
        kind = CROSSOVERS[rng.below(2)]
    if kind == "uniform":
        return tuple(pair[rng.below(2)] for pair in zip(mother, father, strict=True))
    child = []
    for a, b in zip(mother, father, strict=True):
        low, high = min(a, b), max(a, b)
        margin = config.blend_alpha * (high - low)
        child.append(low - margin + (high - low + 2 * margin) * rng.random())
    return clipped(config, child)


def mutated(config: TrainingConfig, genome: Genome, rng: Rng) -> Genome:
    changed = list(genome)
    for i, (low, high) in enumerate(config.ranges.values()):
        if rng.random() < config.mutation_rate:
            changed[i] += config.mutation_sigma * (high - low) * gaussian(rng)
    return clipped(config, changed)


def clipped(config: TrainingConfig, weights: Sequence[float]) -> Genome:
    ends = config.ranges.values()
    return tuple(min(high, max(low, w)) for w, (low, high) in zip(weights, ends, strict=True))


def gaussian(rng: Rng) -> float:
    """Draw from the standard normal distribution.

    Box, Muller: A note on the generation of random normal deviates, Ann. Math. Stat. 29, 1958.
    """
    radius = math.sqrt(-2.0 * math.log(1.0 - rng.random()))
    return radius * math.cos(2.0 * math.pi * rng.random())


def _generator(config: TrainingConfig, generation: int) -> Rng:
    return Rng(Rng(config.seed).next_u64() ^ Rng(generation).next_u64())
