"""The history and its actions: save it, open a recording, play it back."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from coach.grading.rated import Rated
from coach.play.judge import answer_of
from coach.recordings.practice_file import PracticeRecording
from coach.recordings.recording import Recording, recording_of
from engine.formats.replay import Rates
from engine.platform.language import mark, sentences, tr, trn
from gui.practice.parts import PracticeParts
from gui.practice.recordings import (
    FILTER_IN,
    FILTER_OUT,
    branch_of,
    open_recording,
    recorded_moves,
    replay_of,
    save_recording,
    suggested_name,
)
from gui.practice.tree import Node
from gui.text.messages import message_of, sentence
from gui.text.numbers import table_title
from gui.text.rates import best_rate

_N_AT_ONCE = 50  # boards; then other requests get their turn

NOTHING_TO_SAVE = mark("Nothing to save yet. Play a move first.")
NOTHING_TO_REVIEW = mark("Nothing to review yet. Play a move first.")
NO_VARIATION = mark("No other move was played here. Go back and try one.")
NO_BOOKMARK = mark("No bookmarks on this line. Press M to set one.")


class HistoryView(QObject):
    """The functions of the list, its buttons and its keys."""

    review_ready = Signal(object, int)  # Recording, the number of its moves

    def __init__(self, parts: PracticeParts) -> None:
        super().__init__(parts)
        self._parts, self._game, self._demo = parts, parts.game, parts.demo
        self._tasks, self._dialogs = parts.services.files, parts.services.dialogs
        self._remembered, self._show_message = parts.remembered, parts.show_message
        panel = self.panel = parts.panel.history
        panel.list.node_chosen.connect(self.go)
        panel.save_button.clicked.connect(self.save)
        panel.open_button.clicked.connect(self.open)
        panel.play_button.clicked.connect(self.play)
        parts.demo.toggled.connect(lambda _: self._name_play_button())

    def follow(self) -> None:
        session = self._game.session
        here = session.tree.here if session else None
        self.panel.list.follow(session.tree if session else None)
        self.panel.show_recording(here.n_moves if here else 0, bool(here and here.recorded))
        self.panel.play_button.setEnabled(bool(here and here.next))

    def go(self, node: Node) -> None:
        self._parts.settle()
        self._game.walk(lambda session: session.go(node))

    def go_to_start(self) -> None:
        if session := self._game.session:
            self.go(session.tree.root)

    def go_to_end(self) -> None:
        if session := self._game.session:
            self.go(session.tree.line()[-1])

    def next_variation(self) -> None:
        session = self._game.session
        fork = session and next((n for n in session.tree.here.way() if len(n.siblings) > 1), None)
        if not fork:
            self._show_message("info", tr(NO_VARIATION))
            return
        ways = fork.siblings
        at = next(i for i, way in enumerate(ways) if way is fork)
        self.go(ways[(at + 1) % len(ways)])

    def bookmark(self) -> None:
        if session := self._game.session:
            here = session.tree.here
            here.is_marked = not here.is_marked
            self.panel.list.refresh()

    def go_to_next_bookmark(self) -> None:
        """Go to the next bookmark of the line shown, wrapping around at the end."""
        session = self._game.session
        if session is None:
            return
        line, at = session.tree.line(), session.tree.depth
        marked = [node for node in [*line[at + 1 :], *line[: at + 1]] if node.is_marked]
        if marked:
            self.go(marked[0])
        else:
            self._show_message("info", tr(NO_BOOKMARK))

    def play(self) -> None:
        if self._demo.is_running:
            self._demo.stop()
        else:
            self._parts.settle()
            self._demo.start(playback=True)

    def save(self) -> None:
        self._demo.stop()
        session, table = self._game.session, self._game.table
        if session is None or not session.tree.here.n_moves:
            self._show_message("info", tr(NOTHING_TO_SAVE))
            return
        here = session.tree.here
        name = suggested_name(table.name if table else "", datetime.now())
        path = self._dialogs.ask_save(
            self.panel, tr("Save the moves"), self._remembered.folder / name, tr(FILTER_OUT)
        )
        if path is not None:
            self._remembered.folder = path.parent
            self._ask_then(self._unrated(here), lambda: self._write(path, here))

    def review(self) -> None:
        self._demo.stop()
        session, table = self._game.session, self._game.table
        if session is None or table is None or not recorded_moves(session.tree.here):
            self._show_message("info", tr(NOTHING_TO_REVIEW))
            return
        here, walls = session.tree.here, bool(table.formation.walls)
        judge = partial(
            recording_of,
            name=tr("Practice"),
            table=table.name,
            tolerance=self._game.lookup.tolerance,
            played_at=datetime.now().astimezone(),
        )

        def send() -> None:
            known, last = self._known_rates(here), self._game.rates_of(here)

            def work() -> Recording:
                replay = replay_of(here, walls, known.__getitem__)
                return judge(replay, end_rate=best_rate(last) if last else None)

            self._tasks.run(
                work,
                lambda recording: self.review_ready.emit(recording, recording.n_moves),
                lambda error: self._show_message("bad", message_of(error)),
            )

        self._ask_then(self._unrated(here), send)

    def open(self) -> None:
        self._demo.stop()
        path = self._dialogs.ask_open(
            self.panel, tr("Open a recording"), self._remembered.folder, tr(FILTER_IN)
        )
        if path is not None:
            self._remembered.folder = path.parent
            self.load(path)

    def load(self, path: Path) -> None:
        """Read a recording and go to its start; undo leads back."""

        def work() -> tuple[PracticeRecording, Node]:
            recording = open_recording(path)
            return recording, branch_of(recording.replay, path.name)

        def failed(error: BaseException) -> None:
            self._show_message(
                "bad",
                tr("{name} is not opened. {reason}", name=path.name, reason=message_of(error)),
            )

        self._tasks.run(work, lambda result: self._take(*result), failed)

    def _ask_then(self, boards: list[int], then: Callable[[], None]) -> None:
        """Query the table for positions played too fast for a lookup, then continue."""
        if not boards or self._game.table is None:
            then()
            return
        now, rest = boards[:_N_AT_ONCE], boards[_N_AT_ONCE:]

        def keep(answers: dict[int, Rated]) -> None:
            self._game.lookup.keep(answers)
            self._ask_then(rest, then)

        self._game.lookup.run(
            lambda table: {board: answer_of(table, board) for board in now},
            keep,
            lambda _: then(),  # without those rates
        )

    def _unrated(self, here: Node) -> list[int]:
        known = self._known_rates(here)
        return [node.step.board for node, rates in known.items() if rates is None]

    def _known_rates(self, here: Node) -> dict[Node, Rates | None]:
        """Return the known rates of the positions up to a node, for use on another thread."""
        return {before: self._game.rates_of(before) for before, _ in recorded_moves(here)}

    def _write(self, path: Path, here: Node) -> None:
        table = self._game.table
        walls = bool(table and table.formation.walls)
        name, spawn4 = (table.name, table.spawn4) if table else ("", 0.1)
        known = self._known_rates(here)

        def work() -> Path:
            replay = replay_of(here, walls, known.__getitem__)
            return save_recording(path, PracticeRecording(replay, name, spawn4))

        self._tasks.run(
            work,
            lambda written: self._show_message("good", tr("Saved as {path}", path=written)),
            lambda error: self._show_message(
                "bad", tr("Couldn't save. {reason}", reason=message_of(error))
            ),
        )

    def _take(self, recording: PracticeRecording, branch: Node) -> None:
        session, table = self._game.session, self._game.table
        replay = recording.replay
        if session is None or table is None:
            self._show_message("bad", tr("Open a table first, then the recording."))
            return
        if replay.walls != session.walls:
            self._show_message(
                "bad",
                tr(
                    "{name} is not opened. It has other walls than {table}.",
                    name=branch.name,
                    table=table.name,
                ),
            )
            return
        self._parts.settle()
        self._game.walk(lambda session: session.load(branch))
        n_moves = len(replay.moves)
        words = [trn("{name}: {n} move.", "{name}: {n:,} moves.", n_moves, name=branch.name)]
        if replay.problem:
            words.append(sentence(replay.problem))
        if recording.table and recording.table != table.name:
            there, here = table_title(recording.table), table_title(table.name)
            words.append(
                tr(
                    "It was recorded on {table}, but {open_table} is open.",
                    table=there,
                    open_table=here,
                )
            )
        self._show_message("warning" if len(words) > 1 else "info", sentences(*words))
        self.panel.list.refresh()

    def _name_play_button(self) -> None:
        is_playing = self._demo.is_playback
        self.panel.play_button.setText(tr("Stop") if is_playing else tr("Play back"))
