"""An player without a window: a screen, a clock, a test on a fake table."""

from dataclasses import dataclass, field
from datetime import datetime, timezone

from coach.exam.starts import ExamRules, ExamStarts
from coach.grading.grade import Grade
from coach.play.judge import exact
from coach.play.player import Player
from coach.play.rules import End, Refusal
from coach.play.run import PlayedMove, Run
from engine.spawn import Rng
from tests.gui.practice_fakes import TABLE_PATH, FakeClock, FakeOpener, FakeTable, FakeTasks

LEFT, RIGHT, UP, DOWN = range(4)
NOW = datetime(2026, 5, 1, tzinfo=timezone.utc)


class StagedPlayer(Player):
    """A player and how its tests begin, as the page has them."""

    def __init__(self, opener: FakeOpener, tasks: FakeTasks, screen: "Screen", clock: FakeClock):
        super().__init__(exact(opener), tasks, screen, clock, lambda: NOW)
        self.starts = ExamStarts(self, Rng(1), lambda: NOW, screen.show_failure)
        self.screen, screen.player = screen, self

    def start_at(self, text: str) -> None:
        self.starts.start_at(text, self.screen.told.append)


@dataclass
class Screen:
    """Records its messages, in order."""

    told: list[object] = field(default_factory=list)
    kept: list[Run] = field(default_factory=list)
    mistakes: list[tuple[int, Grade, int]] = field(default_factory=list)
    player: StagedPlayer = field(init=False)

    def show_start(self) -> None:
        self.told.append("start")

    def show_move(self, move: PlayedMove) -> None:
        self.told.append(move)
        if not move.judgement.is_perfect:
            number = playing(self.player).n_moves
            self.mistakes.append((move.board, move.judgement.grade, number))

    def show_undo(self) -> None:
        self.told.append("undo")

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        self.told.append((direction, refusal))

    def show_ready(self) -> None:
        self.told.append("ready")

    def show_end(self, end: End) -> None:
        self.told.append(end)

    def show_failure(self, error: BaseException) -> None:
        self.told.append(str(error))

    def keep(self, session: Run) -> None:
        self.kept.append(session)


def new_player(
    table: FakeTable | FakeOpener,
    tasks: FakeTasks,
    screen: Screen,
    clock: FakeClock,
    rules: ExamRules | None = None,
) -> StagedPlayer:
    """Return an player in a test that starts where the table says."""
    opener = table if isinstance(table, FakeOpener) else FakeOpener(table)
    player = StagedPlayer(opener, tasks, screen, clock)
    player.starts.rules = rules or ExamRules(is_turned=False)
    player.starts.open(TABLE_PATH, "L3_256")
    return player


def playing(player: StagedPlayer) -> Run:
    assert player.run is not None
    return player.run


def moves(player: StagedPlayer) -> tuple[PlayedMove, ...]:
    return playing(player).moves
