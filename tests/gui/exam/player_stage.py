"""An player without a window: a screen, a clock, a test on a fake table."""

from dataclasses import dataclass, field
from datetime import datetime, timezone

from coach.grading.grade import Grade
from coach.play.rules import End, Refusal
from coach.play.run import PlayedMove, Run
from engine.spawn import Rng
from gui.exam.player import ExamPlayer, ExamRules
from tests.gui.practice_fakes import TABLE_PATH, FakeClock, FakeOpener, FakeTable, FakeTasks

LEFT, RIGHT, UP, DOWN = range(4)
NOW = datetime(2026, 5, 1, tzinfo=timezone.utc)


@dataclass
class Screen:
    """Records its messages, in order."""

    told: list[object] = field(default_factory=list)
    kept: list[Run] = field(default_factory=list)
    mistakes: list[tuple[int, Grade, int]] = field(default_factory=list)

    def show_start(self) -> None:
        self.told.append("start")

    def show_move(self, move: PlayedMove) -> None:
        self.told.append(move)

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

    def show_bad_start(self, reason: str) -> None:
        self.told.append(reason)

    def keep(self, session: Run) -> None:
        self.kept.append(session)

    def note(self, _session: Run, move: PlayedMove, number: int) -> None:
        self.mistakes.append((move.board, move.judgement.grade, number))


def new_player(
    table: FakeTable | FakeOpener,
    tasks: FakeTasks,
    screen: Screen,
    clock: FakeClock,
    rules: ExamRules | None = None,
) -> ExamPlayer:
    """Return an player in a test that starts where the table says."""
    opener = table if isinstance(table, FakeOpener) else FakeOpener(table)
    player = ExamPlayer(opener, tasks, screen, Rng(1), clock, lambda: NOW)
    player.rules = rules or ExamRules(is_turned=False)
    player.open(TABLE_PATH, "L3_256")
    return player


def playing(player: ExamPlayer) -> Run:
    assert player.session is not None
    return player.session


def moves(player: ExamPlayer) -> tuple[PlayedMove, ...]:
    return playing(player).moves
