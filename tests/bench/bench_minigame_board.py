"""How long a frame of a minigame takes: ``python -m tests.bench.bench_minigame_board``.

The board fills the height of a screen of 1920 x 1080 and is painted off screen, frame by frame as
an animation is painted, for the variants with the most to paint. 60 frames a second leave 16.7 ms
for each.
"""

import os
import statistics
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from gui.minigames.board import MinigameBoard
from gui.minigames.session import MinigameStep
from gui.style.theme import body_font
from minigames.registry import rules_of
from minigames.state import move

SIDE_PX = 1000
GAMES = ("ice_age", "endless_hybrid", "gravity_twist_2", "column_chaos", "shape_shifter")
N_MOVES = 40
FRAME_S = 1 / 120


class Clock:
    """A clock that shows the time it is set to."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def main() -> None:
    """Paint moves with all their frames; print the times."""
    app = QApplication([])
    app.setFont(body_font())
    print("game, frames, median ms, 99 % ms, worst ms")
    for name in GAMES:
        clock = Clock()
        board = MinigameBoard(clock=clock)
        board.resize(SIDE_PX, SIDE_PX)
        board.show()
        image = QImage(SIDE_PX, SIDE_PX, QImage.Format.Format_ARGB32_Premultiplied)
        rules = rules_of(name, hard=True)
        state, seed = rules.start(1), 1
        board.show_view(rules.view(state))
        board.render(image)
        times = []
        for i in range(N_MOVES):
            if state.over:
                seed += 1
                state = rules.start(seed)
                board.show_view(rules.view(state))
            before = rules.view(state)
            legal = rules.legal(state)
            state, events = rules.play(state, move(legal[i % len(legal)]))
            clock.seconds += 1.0
            board.animate(MinigameStep(before, rules.view(state), events))
            for _ in range(50):
                if not board.is_moving:
                    break
                clock.seconds += FRAME_S
                began = time.perf_counter()
                board.render(image)
                times.append((time.perf_counter() - began) * 1000)
        worst = sorted(times)
        print(
            f"{name}, {len(times)}, {statistics.median(times):.2f}, "
            f"{worst[len(worst) * 99 // 100]:.2f}, {worst[-1]:.2f}",
            flush=True,
        )
        board.close()


if __name__ == "__main__":
    main()
