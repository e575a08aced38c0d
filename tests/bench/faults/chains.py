"""Tables converted again and again, in any order, against a solver that knows only the rules."""

import random
import sys
from pathlib import Path
from typing import Any

from engine.platform.errors import AppError
from tablebase.build.builder import BuildPlan, build
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify

from .campaign import Campaign
from .tally import Tally

_TESTS = Path(__file__).parents[2]
_MAX_ERROR = {"uint32": 5e-10, "uint64": 1e-15, "float32": 1e-7, "float64": 1e-15, "uint16": 2e-2}


def chains(campaign: Campaign, tally: Tally) -> None:
    """Convert a table up to five times; each time, rates of boards that come up are right."""
    for folder in (_TESTS, _TESTS / "tablebase"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    import brute_force
    from small_formations import TINY, rules_of

    rng = campaign.rng("chains")
    names = ("tinymirror", "tinycorner", *sorted(TINY))
    for i in range(max(campaign.steps // 20, 2)):
        name = names[i % len(names)]
        solved = brute_force.solve(rules_of(TINY[name], 64))
        with campaign.room() as room:
            folder = room / "tables" / f"{name}_64"
            build(BuildPlan(TINY[name], 64, folder, threads=1))
            _check(tally, rng, folder, solved, f"chain {i}: built")
            what = f"chain {i} ({name})"
            for _ in range(rng.randrange(1, 6)):
                options = _options(rng)
                what += f", {options}"
                try:
                    convert(ConvertPlan([folder], threads=1, **options))
                    tally.count("conversions")
                except AppError:
                    tally.count("refused")
                _check(tally, rng, folder, solved, what)


def _options(rng: random.Random) -> dict[str, Any]:
    return rng.choice(
        (
            {"rate": rng.choice(("uint32", "uint16", "float32"))},
            {"sparse": rng.choice((3, 4, 6, 8))},
            {"threshold": rng.choice((0.01, 0.2))},
            {"optimal_only": True},
            {"level": rng.choice(("fast", "normal", "small"))},
        )
    )


def _check(tally: Tally, rng: random.Random, folder: Path, solved: Any, what: str) -> None:
    """Compare boards that the solver generated with what the table says of them."""
    with Tablebase.open(folder) as table:
        options = table.manifest.options
        slack = _MAX_ERROR[options.rate] * (1 if options.sparse == 1 else 4 * options.sparse)
        for layer, rates in enumerate(solved.rates[:-2]):
            reached = solved.reached[layer]
            for board in rng.sample(sorted(rates), min(6, len(rates))):
                want = 1.0 if board in reached else rates[board]
                try:
                    got = table.rate_of(board)
                except AppError:
                    tally.count("unknown")
                    continue
                may_lack = want <= options.threshold + slack or options.optimal_only
                is_right = abs(got - want) <= slack or (may_lack and got == 0.0)
                # What a table lacks makes those that lead to it worth less, where it recomputes.
                is_lower = (options.threshold or options.optimal_only) and got <= want + slack
                tally.expect(
                    is_right or (options.sparse > 1 and is_lower),
                    f"{what}: {board:016x} in layer {layer} is {want}, not {got}",
                )
                tally.count("rates compared")
    tally.expect(verify([folder], 50).ok, f"{what}: verify finds damage")
