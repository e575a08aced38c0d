"""The side panel of a route: its code, the progress, the last move, the score."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from coach.grading.names import grade_title
from coach.grading.rated import UnknownRates, breaking_moves
from coach.play.run import PlayedMove, Run
from coach.routes.setup import route_of
from coach.routes.words import describe_route
from engine.platform.language import tr
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark
from gui.play.run_page import lost_series, wrong_moves
from gui.routes.text import correction_lines, end_text, end_title, progress_text, verdict_text
from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.text.rates import POINT_TIP, points_lost
from gui.widgets.labels import ElidedLabel, Figure, label, reserve_lines, set_property
from gui.widgets.notice import Message, Notice
from gui.widgets.rate_cross import RateCross
from gui.widgets.result_card import CardButton, CardContents, ResultCard

_BOTTOM_PX = 24


class CorrectionCard(QFrame):
    """A card over the lower part of a board; the mouse goes through it."""

    def __init__(self, board: QWidget) -> None:
        super().__init__(board)
        self._board = board
        self.setProperty("card", True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.mark, self.title = GradeMark(), label("", "strong")
        self.yours, self.best, self.lost = label(""), label("", "strong"), label("", "muted")
        column(
            row(self.mark, self.title, STRETCH),
            self.yours,
            self.best,
            self.lost,
            space=4,
            margins=(16, 12, 16, 12),
            parent=self,
        )
        board.installEventFilter(self)
        self.hide()

    def show_move(self, move: PlayedMove, run: Run) -> None:
        yours, best, lost = correction_lines(move, run)
        grade = move.judgement.grade
        self.mark.show_grade(grade)
        self.title.setText(grade_title(grade))
        for part, text in ((self.yours, yours), (self.best, best), (self.lost, lost)):
            part.setText(text)
        announce_verdict(self, grade, f"{yours}. {best}")
        self._place()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        size = self.sizeHint().boundedTo(self._board.size())
        left = (self._board.width() - size.width()) // 2
        top = max(0, self._board.height() - size.height() - _BOTTOM_PX)
        self.setGeometry(left, top, size.width(), size.height())


class RouteResultCard(ResultCard):
    """The result of a run, with buttons to share, compare, review, and play again."""

    def __init__(self) -> None:
        buttons = (
            CardButton("new", tr("New"), tr("Another route of this kind, with different tiles")),
            CardButton("again", tr("Again"), tr("Play the same route again")),
            CardButton("copy_result", tr("Share"), tr("Copy a line to pass on by mail or chat")),
            CardButton("review", tr("Review"), tr("Go through this route move by move")),
            CardButton(
                "practice",
                tr("Practice"),
                tr("Practice from the position shown, with success rates"),
            ),
            CardButton("compare", tr("Let the AI play"), tr("How the AI does on this route")),
        )
        super().__init__(buttons)
        self.title_label.setProperty("role", "title")
        self.standing_label = label("", "strong", wraps=True)
        self.ranking_label = label("", wraps=True)
        reserve_lines(self.standing_label, 1)  # the AI's result comes later
        self.column.insertWidget(self.column.indexOf(self.chart_label), self.standing_label)
        self.column.addWidget(self.ranking_label)

    def show_result(self, run: Run) -> None:
        self.show_ranking("", [])
        self.buttons["compare"].setVisible(not run.setup.is_judged)  # else it has played
        text, wrong = end_text(run), wrong_moves(run)
        self.show_contents(CardContents(end_title(run), text, lost_series(run), wrong))

    def show_ranking(self, standing: str, lines: Sequence[str]) -> None:
        self.standing_label.setText(standing)
        self.ranking_label.setText("\n".join(lines))
        self.ranking_label.setVisible(len(lines) > 1)  # one alone is the card's own


class RoutePanel(QWidget):
    """The side panel of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.notice, self.result = Notice(), RouteResultCard()
        self.route_label = ElidedLabel("", "muted")  # in the header
        self.route_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.progress_label, self.progress_bar = label("", "caption"), QProgressBar()
        self.progress_bar.setTextVisible(False)
        self.progress_bar.setAccessibleName(tr("Progress"))
        self.right, self.lost = Figure(tr("Correct moves"), "figure"), Figure(tr("Lost"))
        self.lost.setToolTip(tr(POINT_TIP))
        self.points = Figure(tr("Points"), "figure")
        self.line = label("", wraps=True)
        self.cross_label, self.cross = label("", "caption"), RateCross()
        self._lay_out()
        set_property(self.line, "tone", "warning")
        reserve_lines(self.line)

    def lay_flat(self, flat: bool) -> None:
        self.cross.lay_flat(flat)

    def show_notice(self, message: Message) -> None:
        self.notice.show_message(message)
        self._show_parts(has_run=False)

    def show_run(self, run: Run) -> None:
        self._show_parts(has_run=True)
        self.score.show()
        self.route_label.setText(describe_route(route_of(run)))
        self.route_label.setToolTip(run.setup.code)
        self.points.setVisible(not run.setup.is_judged)
        self.show_score(run)

    def show_score(self, run: Run) -> None:
        n, lost = run.n_moves, points_lost(run.totals.points_lost)
        self.right.show_value(tr("{n:,} of {of:,}", n=n - run.totals.n_mistakes, of=n))
        self.right.setVisible(n > 0 and run.setup.is_judged)
        self.lost.show_value(lost)
        self.lost.setVisible(bool(lost))
        self.points.show_value(f"{run.totals.points:,}")
        self.progress_label.setText(progress_text(run))
        self.progress_bar.setVisible(bool(run.setup.goal.moves) and not run.setup.is_judged)
        self.progress_bar.setMaximum(max(1, run.setup.goal.moves))
        self.progress_bar.setValue(run.n_moves)

    def show_move(self, move: PlayedMove | None, run: Run, is_past: bool = False) -> None:
        """Show a move and the figures of the position before it; `is_past`: the one shown."""
        self.cross_label.setText(tr("Your move here") if is_past else tr("Your last move"))
        judged = move.judged if move else None
        for part in (self.cross_label, self.cross):
            part.setVisible(judged is not None)
        if move is None or judged is None:
            return
        doubt = UnknownRates(frozenset(move.unknown), True) if move.unknown else None
        breaking = breaking_moves(move.board, move.rates, run.setup.walls, move.unknown)
        self.cross.show_rates(
            move.rates, unknown_rates=doubt, tolerance=run.setup.tolerance, breaking=breaking
        )
        self.cross.show_played(move.direction, judged.grade)
        self.cross.sentence.setText(verdict_text(move, run))

    def _show_parts(self, has_run: bool) -> None:
        self.notice.setVisible(not has_run)
        self.body.setVisible(has_run)
        self.result.hide()
        self.line.setText("")

    def _lay_out(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        parts = (self.right, 5), (self.points, 5), (self.lost, 4)
        figures = row(*(placed(part, n, top) for part, n in parts), space=16)
        progress = row(placed(self.progress_bar, 1), self.progress_label, space=12)
        self.score = laid_out(column(progress, figures, space=10))
        last = self.cross_label, self.cross
        self.body = laid_out(column(self.score, self.result, self.line, *last, space=10))
        column(self.notice, self.body, placed(STRETCH, stretch=1), space=6, parent=self)
