"""One position, many places that speak of it: on equal moves and on losses all say the same."""

import random
import re
from argparse import Namespace
from collections.abc import Iterator
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from coach.analysis.text import worst_line
from coach.exam.history import summary_of
from coach.grading.grade import Tolerance, judge
from coach.grading.names import move_title
from coach.grading.rated import breaking_moves
from coach.mistakes.to_drill import count_to_drill, is_to_drill
from coach.play.run import Run
from coach.play.setup import Setup
from coach.recordings.recording import recording_of
from engine.bitboard import format_board
from engine.moves import move
from engine.spawn import Rng, spawn
from gui.exam.panel import RateRows
from gui.exam.text import log_of
from gui.text.rates import (
    DIRECTION_NAMES,
    RATE_SCALE,
    Rates,
    describe_judged,
    format_lost,
    format_rates,
    without_unit,
)
from gui.text.reviews import describe_played
from gui.widgets.rate_cross import RateCross
from tablebase.cli import probe as probe_command
from tablebase.errors import ProbeError
from tablebase.probe.reader import Tablebase

LOSES = re.compile(r"\b(loses?|lost)\b")
DECIMALS = re.compile(r"\.\d+ %$")
WITH_POWER = re.compile(r"\de-?\d")
NEAR, TINY = 1e-5, 1e-10  # so near to 0 or 100, a percentage has its own decimals, or is too small
N_BOARDS = 10_000
TABLES = (("44", 64, "uint32"), ("tinycorner", 64, "float32"), ("tinyangle", 64, "float64"))
_TYPES = ("uint32", "float32", "float64")


def made_up(rng: random.Random, tolerance: Tolerance) -> Rates:
    """Return rates as close to each other as tables have them, and as far apart."""
    best = rng.choice((1.0, 1 - 10 ** -rng.uniform(1, 10), 10 ** -rng.uniform(0, 10), rng.random()))
    steps = (0.0, 0.5, 0.99, 1.5, 3.0, 20.0, 1e3, 1e6)
    rates: list[float | None] = [
        max(0.0, best - rng.choice(steps) * tolerance.slack(best)),
        max(0.0, best * (1 - 10 ** -rng.uniform(0, 12))),
        rng.choice((None, 0.0, best / 2)),
        best,
    ]
    rng.shuffle(rates)
    return tuple(rates)


def check(rates: Rates, tolerance: Tolerance) -> None:
    """Compare what is said of a position with how its moves are graded."""
    legal = [d for d, rate in enumerate(rates) if rate is not None]
    figures, losses = format_rates(rates, tolerance), RATE_SCALE.losses(rates, tolerance)
    starred = RATE_SCALE.winners(rates, tolerance)
    shown = [one for one in figures if DECIMALS.search(one) and NEAR < share_of(one) < 1 - NEAR]
    assert len({len(one.partition(".")[2]) for one in shown}) <= 1, figures
    assert not any(WITH_POWER.search(figures[d]) for d in legal if (rates[d] or 1.0) > TINY), (
        figures
    )
    assert not starred or max(rate or 0.0 for rate in rates) in [rates[d] for d in starred]
    for d in legal:
        judgement = judge(rates, d, tolerance)
        if judgement is None:
            assert not starred
            continue
        verdict = describe_judged(d, rates, judgement, tolerance=tolerance)
        assert not WITH_POWER.search(verdict), verdict
        assert (d in starred) == judgement.is_perfect == (d in judgement.best)
        assert (losses[d] == "best") == judgement.is_perfect != bool(LOSES.search(verdict))
        if not judgement.is_perfect:
            points = without_unit(losses[d]).strip("\N{MINUS SIGN}<")
            assert points in verdict or verdict.startswith(f"{move_title(d)} lost everything.")
            assert format_lost(judgement) not in ("", "nothing", "0 points")
            check_difference(figures[judgement.best[0]], figures[d], losses[d])
    for one in legal:
        for other in legal:
            if figures[one] == figures[other]:
                assert (one in starred) == (other in starred), (rates, figures)
            elif one in starred:
                assert other not in starred, (rates, figures)


def share_of(figure: str) -> float:
    return float(figure.removesuffix(" %")) / 100


def check_difference(best: str, figure: str, loss: str) -> None:
    """Compare a loss with the difference of the shown percentages: half a unit at most apart.

    Beside a figure next to 100, a loss is that of 100 as rounded with the others' decimals.
    """
    shown = [DECIMALS.search(text) for text in (best, figure)]
    if all(shown) and loss.startswith("\N{MINUS SIGN}"):
        number = without_unit(loss)[1:]
        decimals = len(number.partition(".")[2])
        difference = float(best.split()[0]) - float(figure.split()[0])
        rounded = 100 * NEAR if share_of(best) >= 1 - NEAR else 1e-9
        assert abs(difference - float(number)) <= 0.5 * 10**-decimals + rounded, (
            best,
            figure,
            loss,
        )


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", _TYPES)
@pytest.mark.thorough
def test_made_up_rates_are_told_apart_as_they_are_graded(kind):
    rng, tolerance = random.Random(17), Tolerance.of_type(kind)
    for _ in range(2000):
        check(made_up(rng, tolerance), tolerance)


def test_the_cross_marks_what_grading_takes_for_best(qtbot):
    """Cases of real tables: apart by a step of rounding, by next to nothing, by a little."""
    cross, tolerance = RateCross(), Tolerance.of_type("uint32")
    qtbot.addWidget(cross)
    rates = (0.9997, 0.9997 - 1 / 4e9, 0.5, None)
    cross.show_rates(rates, tolerance=tolerance)
    assert [cell.is_best for cell in cross.cells] == [True, True, False, False]
    assert cross.cells[0].text() == cross.cells[1].text() == "99.97 %"
    assert [cell.loss for cell in cross.cells[:2]] == ["best", "best"]
    cross.show_rates((0.9997127, 0.9997126, 0.5, None), tolerance=tolerance)
    assert [cell.text() for cell in cross.cells[:2]] == ["99.97 %", "99.97 %"], "as good"
    assert [cell.loss for cell in cross.cells[:2]] == ["best", "best"]
    cross.show_rates((0.9997, 0.9997 - 3e-5, 0.5, None), tolerance=tolerance)
    assert [cell.is_best for cell in cross.cells] == [True, False, False, False]
    assert [cell.text() for cell in cross.cells[:2]] == ["99.970 %", "99.967 %"]
    assert cross.cells[1].loss == "\N{MINUS SIGN}0.003 pts"


def boards_of(found: Tablebase, seed: int) -> Iterator[int]:
    """Yield the positions of games in which any move may be played, from start to end."""
    rng, walls = Rng(seed), found.formation.walls
    while True:
        board = found.start_board(rng)
        while True:
            try:
                rates = found.probe(board, comes_up=True).rates
            except ProbeError:
                break
            yield board
            kept = [d for d, rate in enumerate(rates) if rate is not None]
            if not kept:
                break
            board = spawn(move(board, kept[rng.below(len(kept))], walls), rng, found.spawn4)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "target", "rate"), TABLES)
def test_real_positions_are_told_apart_as_they_are_graded(table, name, target, rate):
    found = Tablebase.open(table(name, target, rate))
    tolerance, seen, with_choice = Tolerance.of_type(rate), set(), 0
    try:
        for board in islice(boards_of(found, 5), N_BOARDS // len(TABLES)):
            answer = found.probe(board, comes_up=True)
            check(answer.rates, tolerance)
            if answer.best is not None and RATE_SCALE.winners(answer.rates, tolerance):
                assert answer.best in RATE_SCALE.winners(answer.rates, tolerance), "as `probe` says"
            with_choice += sum(rate is not None for rate in answer.rates) > 1
            seen.add(board)
    finally:
        found.close()
    assert with_choice > len(seen) / 4, "positions with something to choose"


class Everywhere:
    """All that speaks of a position, asked of the same one."""

    def __init__(self, qtbot: QtBot, found: Tablebase, within: float) -> None:
        self.found, self.within = found, within
        self.tolerance = Tolerance.of_type(found.rate).allowing(within / 100)
        self.cross, self.rows = RateCross(), RateRows()
        for widget in (self.cross, self.rows):
            qtbot.addWidget(widget)

    def fine(self, rates: Rates) -> tuple[int, ...]:
        """Return the best moves without those that only the user's rules allow."""
        return RATE_SCALE.winners(rates, self.tolerance.allowing(0.0))

    def check(self, board: int, rates: Rates) -> None:
        """Compare cross, rows, sentence, verdict, score, history, Review and report."""
        walls, tolerance = self.found.formation.walls, self.tolerance
        breaking = breaking_moves(board, rates, walls)
        self.cross.show_rates(rates, tolerance=tolerance, breaking=breaking)
        cells = self.cross.cells
        figures = format_rates(rates, tolerance)
        for d in range(4):
            is_legal = move(board, d, walls) != board
            assert cells[d].is_legal == is_legal
            assert (cells[d].text() == "breaks the formation") == (d in breaking)
            assert cells[d].text() == (figures[d] or ("breaks the formation" if is_legal else ""))
        for d in [one for one, rate in enumerate(rates) if rate is not None]:
            judgement = judge(rates, d, tolerance)
            if judgement is None:
                assert not any(cell.is_best for cell in cells)
                continue
            assert cells[d].is_best == judgement.is_perfect
            assert (cells[d].loss == "best") == (d in self.fine(rates))
            assert (cells[d].bar == 0) == judgement.is_perfect
            self._check_move(board, rates, d, judgement)
        self._check_figures(figures, [cell.is_best for cell in cells], rates)

    def _check_move(self, board: int, rates: Rates, d: int, judgement: Any) -> None:
        name = DIRECTION_NAMES[d].capitalize()
        self.rows.show_move(rates, judgement, self.tolerance)
        (line,) = [one for one in self.rows.lines() if one.startswith(name)]
        assert line.startswith(f"{name} {self.cross.cells[d].text()}, ")
        assert line.endswith(", best, played") == (d in self.fine(rates))
        session = self._taken(board, rates, d)
        (played,) = session.moves
        assert played.judgement == judgement
        log = log_of(session)
        verdict = log.split("\n" + judgement.grade.value.capitalize() + ". ")[1].split("\n")[0]
        assert bool(LOSES.search(verdict)) != judgement.is_perfect
        test = summary_of(session, "x", session.started)
        assert test.match_rate == judgement.ratio
        assert judgement.is_perfect or judgement.ratio < 1.0
        assert test.longest_combo == test.perfect_share == int(judgement.is_perfect)
        assert count_to_drill(test.counts) == int(is_to_drill(judgement))
        assert not (is_to_drill(judgement) and judgement.is_perfect)
        recording = recording_of(session.replay(), tolerance=session.setup.tolerance)
        assert recording.score == session.score
        grade, told = describe_played(recording, 0)
        assert grade is judgement.grade
        if not judgement.is_forced:
            assert told == verdict
        if not judgement.is_perfect:
            report = worst_line(SimpleNamespace(judgement=judgement, number=1))  # type: ignore[arg-type]
            figure, best_figure = re.findall(r": (.+) of (.+?), ", report)[0]
            assert figure != best_figure, report

    def _taken(self, board: int, rates: Rates, d: int) -> Run:
        found = self.found
        setup = Setup(
            table="T_64",
            target=found.target,
            spawn4=found.spawn4,
            rate=found.rate,
            seed=5,
            start=board,
            walls=found.formation.walls,
            perfect_within=self.within,
        )
        session = Run(setup, datetime(2026, 5, 1, tzinfo=timezone.utc))
        session.play(d, rates)
        return session

    @staticmethod
    def _check_figures(figures: list[str], are_best: list[bool], rates: Rates) -> None:
        for one in range(4):
            for other in range(4):
                if figures[one] and figures[one] == figures[other]:
                    assert are_best[one] == are_best[other], (rates, figures)

    def check_command_line(self, boards: list[int], path: Path, capsys: Any) -> int:
        """Compare what `probe` prints with the cross; return how many lines could be."""
        texts = [format_board(board) for board in boards]
        capsys.readouterr()
        table = [str(path)]
        args = Namespace(json=False, table=table, board=texts, after=False, data_dir=path.parent)
        assert probe_command.run(args) == 0
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == len(boards)
        n_compared = 0
        for board, line in zip(boards, lines, strict=True):
            if "unknown" in line or "error" in line:
                continue
            rates = self.found.probe(board).rates
            _, _, *four, last = line.split("  masked ")[0].split("  ")
            figures = [one.split(" ", 1)[1].replace("-", "\N{MINUS SIGN}", 1) for one in four]
            exact = format_rates(rates, Tolerance.of_type(self.found.rate))
            wanted = [one.replace("-", "\N{MINUS SIGN}", 1) for one in exact]
            assert figures == [one or "\N{MINUS SIGN}" for one in wanted], line
            winners = RATE_SCALE.winners(rates, Tolerance.of_type(self.found.rate))
            if winners:
                assert last == "best " + ", ".join(DIRECTION_NAMES[d] for d in winners), line
            n_compared += 1
        return n_compared


def check_all_places(
    qtbot: QtBot, capsys: Any, path: Path, n_boards: int, withins: tuple[float, ...]
) -> None:
    found = Tablebase.open(path)
    try:
        boards = list(islice(boards_of(found, 9), n_boards))
        for within in withins:
            everywhere = Everywhere(qtbot, found, within)
            for board in boards:
                everywhere.check(board, found.probe(board, comes_up=True).rates)
        n_compared = everywhere.check_command_line(boards, path, capsys)
        assert n_compared > n_boards / 2
    finally:
        found.close()


@pytest.mark.sample(1)
@pytest.mark.parametrize("within", [0.0, 0.1])
def test_all_places_agree_on_some_positions(qtbot, capsys, table, within):
    check_all_places(qtbot, capsys, table("44", 64), 150, (within,))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("name", "target", "rate"), TABLES)
def test_all_places_agree_on_many_positions(qtbot, capsys, table, name, target, rate):
    path = table(name, target, rate)
    check_all_places(qtbot, capsys, path, N_BOARDS // len(TABLES), (0.0, 0.01))
