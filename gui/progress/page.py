"""Progress: where moves lose most, the weekly trend, and what to train next."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from coach.profile.advice import Advice, n_moves_missing
from coach.profile.profile import PER, Cut, Profile, Share, Span
from coach.profile.session import Session
from coach.profile.words import CUT_TITLES, cost_text, rate_text, share_name
from coach.record.database import DamagedDatabaseError
from engine.platform.language import mark, tr, trn
from engine.platform.quantities import day_text, points_figure
from gui.board.board_paint import mixed
from gui.charts.line_chart import LineChart, Series
from gui.pages.page import Answers, ScrolledPage
from gui.progress.training import Training
from gui.style.layout import STRETCH, card, column, laid_out, placed, row
from gui.style.theme import (
    CAPTION,
    app_theme,
    resized,
    smooth_painter,
    theme_source,
    with_tabular_figures,
)
from gui.text.lists import fact_list
from gui.text.messages import message_of
from gui.text.numbers import format_whole, moves_text
from gui.widgets.buttons import button
from gui.widgets.disclosure import Disclosure
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import Figure, label, show_text
from gui.work.profile_service import ProfileAndAdvice, ProfileService

_LINE_PX, _BAR_PX, _ROW_PX = 20, 8, 40
_WHISKER_PX = 3
_CHART_PX, _COLUMN_PX, _MISSING_PX = 220, 340, 240
_NOTHING, _AI = "nothing", "ai"
_LOWER = mark(
    "From your first moves to your latest; lower is better. A point is one percentage point of the "
    "chance to reach the next goal."
)
_COMING = (
    (
        mark("Your curve"),
        mark("The points you lose per move, from your first moves to your latest."),
    ),
    (mark("What costs you most"), mark("Moves near the goal, for example, or on one formation.")),
    (mark("Ten minutes that help"), mark("Your costliest mistakes of that kind, and puzzles.")),
)
_RULE = mark(
    "Only moves with a choice count. \N{PLUS-MINUS SIGN} is the range in which the true figure "
    "lies 19 times out of 20."
)


class CutChart(QWidget):
    """A row for each share with enough moves: its name and figure, a bar with its interval."""

    def __init__(self, cut: Cut) -> None:
        super().__init__()
        self.cut = cut
        theme_source().changed.connect(self.update)
        self.shares: Sequence[Share] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr(CUT_TITLES[cut]))

    def show_shares(self, shares: Sequence[Share]) -> None:
        self.shares = [share for share in shares if share.has_enough]
        texts = [self.row_text(share) for share in self.shares]
        self.setAccessibleDescription(fact_list(texts))
        self.setToolTip("\n".join(texts))
        self.updateGeometry()
        self.update()

    def row_text(self, share: Share) -> str:
        """Return a share in words: `Near the goal: 0.31 ± 0.084 points (812 moves)`."""
        return tr(
            "{name}: {figure} ({n} moves)",
            name=share_name(self.cut, share.key),
            figure=rate_text(share),
            n=format_whole(share.n),
        )

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(320, max(1, len(self.shares)) * _ROW_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = smooth_painter(self)
        painter.setFont(with_tabular_figures(resized(painter.font(), CAPTION)))
        most = max((share.rate + share.margin for share in self.shares), default=0.0)
        worst = max((share.rate for share in self.shares), default=0.0)
        for i, share in enumerate(self.shares):
            row = QRectF(0, i * _ROW_PX, self.width(), _ROW_PX)
            self._draw_texts(painter, row, share)
            if most > 0:
                self._draw_bar(painter, row, share, most, share.rate == worst)

    def _draw_texts(self, painter: QPainter, row: QRectF, share: Share) -> None:
        line = QRectF(row.left(), row.top(), row.width(), _LINE_PX)
        figure = rate_text(share)
        metrics = QFontMetricsF(painter.font())
        room = line.width() - metrics.horizontalAdvance(figure) - 8
        name = metrics.elidedText(
            share_name(self.cut, share.key), Qt.TextElideMode.ElideRight, room
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(app_theme().text)
        painter.drawText(line, int(middle | Qt.AlignmentFlag.AlignLeft), name)
        painter.drawText(line, int(middle | Qt.AlignmentFlag.AlignRight), figure)

    def _draw_bar(
        self, painter: QPainter, row: QRectF, share: Share, most: float, is_worst: bool
    ) -> None:
        theme, scale = app_theme(), row.width() / most
        top = row.top() + _LINE_PX + 2
        ground = QRectF(row.left(), top, row.width(), _BAR_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(theme.raised, theme.text, 0.1))
        painter.drawRoundedRect(ground, 3, 3)
        painter.setBrush(theme.accent if is_worst else mixed(theme.raised, theme.text, 0.5))
        bar = QRectF(row.left(), top, max(2.0, share.rate * scale), _BAR_PX)
        painter.drawRoundedRect(bar, 3, 3)
        painter.setPen(QPen(theme.text, 1.5))
        y = ground.center().y()
        low, high = max(0.0, share.rate - share.margin) * scale, (share.rate + share.margin) * scale
        painter.drawLine(QPointF(low, y), QPointF(high, y))
        for x in (low, high):
            painter.drawLine(QPointF(x, y - _WHISKER_PX), QPointF(x, y + _WHISKER_PX))


class ProfilePage(ScrolledPage):
    """What costs most, with a training of ten minutes; a curve; all figures folded away.

    Until there are enough moves, it says how many are missing.
    """

    title = mark("Progress")
    icon = "profile"
    training_requested = Signal(object)  # an Advice; None for what costs most
    first_test_requested = Signal()
    mistake_training_requested = Signal(object)  # a Session
    puzzles_requested = Signal(object, int, int)  # numbers, after 0 of 0 positions

    def __init__(
        self, facts: ProfileService, now: Callable[[], datetime], training: Training | None = None
    ) -> None:
        super().__init__()
        self._training = training
        self._facts, self._now = facts, now
        self._latest: ProfileAndAdvice | None = None
        self._is_reading = False
        self._parts: Sequence[Span] = ()
        self._needs_test = True
        self.next_label, self.next_title = label("", "caption"), label("", "title", wraps=True)
        self.next_text, self.bar = label("", "muted", wraps=True), QProgressBar()
        self.bar_label = label("", "caption")
        self.button = button(tr("Train for 10 minutes"), "primary", work=self._begin_next)
        self.rate_figure = Figure(tr("Points lost per move"), "figure")
        self.lately_figure = Figure(tr("Lately"), "figure")
        self.chart = LineChart(
            tr("Points lost per move"), tr("Moves"), has_names=False, place_text=self._part_text
        )
        self.lower_label = label(tr(_LOWER), "caption", wraps=True)
        self.cuts = {cut: CutChart(cut) for cut in Cut}
        self.cut_cards = {
            cut: card(label(tr(CUT_TITLES[cut]), "strong", wraps=True), chart, STRETCH)
            for cut, chart in self.cuts.items()
        }
        self.ai_label, self.ai_button = label("", wraps=True), button(tr("Ask the AI"))
        self._lay_out()
        self._make_actions()
        self._connect()
        self._show()

    def answers(self) -> Answers:
        answers: dict[str, Callable[..., object]] = {"profile_requested": self.in_front()}
        if self._training:
            answers["training_requested"] = self._training.begin
            answers["game_training_requested"] = self._training.begin_with
        return answers

    def page_shown(self) -> None:
        self._refresh()

    def show_nothing_to_train(self) -> None:
        text = tr("Nothing to train yet: there are no mistakes and no puzzles.")
        remedy = (tr("Take a test"), self.first_test_requested.emit)
        self.banners.show_message("info", text, [remedy], _NOTHING)

    def show_failure(self, error: BaseException) -> None:
        self._is_reading = False
        self._show()
        remedies = []
        if isinstance(error, DamagedDatabaseError) and error.path == self._facts.path:

            def start_over() -> None:
                self._facts.start_over(self._now(), lambda _: self._refresh(), self.show_failure)

            remedies = [(tr("Set aside and start over"), start_over)]
        self.banners.show_message("bad", message_of(error), remedies)

    def _begin_training(self, session: Session) -> None:
        if not session.n:
            self.front_needed.emit()
            self.show_nothing_to_train()
        elif session.mistakes:
            self.mistake_training_requested.emit(session)
        else:
            self.puzzles_requested.emit(session.puzzles, 0, 0)

    def _refresh(self) -> None:
        self._is_reading = self._latest is None and self._facts.is_there
        if self._is_reading:
            self._show()
        self._facts.read(self._take, self.show_failure)

    def _take(self, latest: ProfileAndAdvice | None) -> None:
        if latest != self._latest or self._is_reading:
            self._latest, self._is_reading = latest, False
            self._show()

    def _show(self) -> None:
        latest = self._latest
        whole = latest.profile.whole if latest else Share()
        self._show_next(latest, whole.n)
        has_curve = bool(latest and latest.profile.parts)
        self.coming.setVisible(not has_curve and not self._is_reading)
        self.curve.setVisible(whole.n > 0)
        for part in (self.chart, self.lower_label):
            part.setVisible(has_curve)
        self.details.setVisible(whole.has_enough)
        self._show_curve(latest.profile if latest and whole.n else None)
        if latest and whole.has_enough:
            self._show_details(latest.profile)

    def _show_next(self, latest: ProfileAndAdvice | None, n: int) -> None:
        n_missing = n_moves_missing(latest.profile) if latest else 0
        advice = latest.advice[0] if latest and latest.advice and not n_missing else None
        self._needs_test = not latest or n_missing > 0
        caption, action = "", tr("Take a test") if self._needs_test else tr("Train for 10 minutes")
        text = tr(
            "Each is compared with perfect play, and you see what costs you most. Moves in tests, "
            "routes, situations and guesses in Practice count."
        )
        if self._is_reading:
            title, text = tr("Reading your games"), tr("This takes a moment the first time.")
        elif advice:
            caption, title = tr("What costs you most"), title_of(advice)
            text, action = cost_text(advice), tr("Train this for 10 minutes")
        elif n_missing:
            title = tr("Play up to {n:,} more moves with a choice", n=n_missing)
        elif latest:
            title = tr("Nothing stands out yet")
            text = tr(
                "None of your kinds of moves has 100 moves, 5 of them with a loss, and loses more "
                "than the others. Ten minutes with what's due and your costliest mistakes help."
            )
        else:
            title = tr("Play your first 100 moves")
        show_text(self.next_label, caption)
        self.next_title.setText(title)
        self.next_text.setText(text)
        self.button.setText(action)
        self.button.setVisible(not self._is_reading)
        self.setFocusProxy(self.scroller if self._is_reading else self.button)
        self._show_bar(n, n + n_missing if n_missing else 0)
        if n_missing and not self._is_reading:
            done = tr("{done} of {n} moves with a choice", done=format_whole(n), n=n + n_missing)
            self.bar_label.setText(done)

    def _show_bar(self, done: int, n: int) -> None:
        self.bar.setVisible(n > 0)
        self.bar_label.setVisible(n > 0)
        self.bar.setMaximum(max(1, n))
        self.bar.setValue(done)
        self.bar_label.setText(tr("{done} of {n}", done=format_whole(done), n=format_whole(n)))

    def _show_curve(self, profile: Profile | None) -> None:
        self._parts = profile.parts if profile else ()
        rates = [part.share.rate / PER for part in self._parts]
        series = Series(
            tr("Points"), rates, "accent", figure=points_figure, tick=points_figure, has_zero=True
        )
        self.chart.show_series([series])
        self.lately_figure.setVisible(bool(rates))
        if profile:
            moves = moves_text(profile.whole.n)
            games = trn(
                "{moves} in {n} game", "{moves} in {n:,} games", profile.n_games, moves=moves
            )
            early = "" if profile.whole.has_enough else tr("still a rough figure")
            text = fact_list([games, early])
            self.rate_figure.show_value(points_figure(profile.whole.rate / PER), text)
        if rates:
            n = moves_text(self._parts[-1].share.n)
            self.lately_figure.show_value(
                points_figure(rates[-1]), tr("your last {moves}", moves=n)
            )

    def _show_details(self, profile: Profile) -> None:
        for cut, chart in self.cuts.items():
            chart.show_shares(profile.cuts[cut])
            self.cut_cards[cut].setVisible(len(chart.shares) > 1)  # one has nothing beside it
        beside = profile.beside_ai
        text = tr(
            "On {n} of these moves the AI loses {ai}, you {own}.",
            n=format_whole(beside.own.n),
            ai=rate_text(beside.ai),
            own=rate_text(beside.own),
        )
        show_text(self.ai_label, text if beside.own.n else "")

    def _part_text(self, index: int) -> str:
        """Return which moves a part has: `1\u2013333, from May 6`."""
        part = self._parts[index]
        return tr(
            "{first}\N{EN DASH}{last}, from {day}",
            first=format_whole(part.first),
            last=format_whole(part.first + part.share.n - 1),
            day=day_text(part.begins),
        )

    def _show_progress(self, done: int, n: int) -> None:
        if not self.ai_button.isEnabled():
            self.ai_button.setText(tr("{done} of {n}", done=format_whole(done), n=format_whole(n)))
        elif self._is_reading:
            self._show_bar(done, n)

    def _begin_next(self) -> None:
        if self._needs_test:
            self.first_test_requested.emit()
        else:
            self._train_first()

    def _train_first(self) -> None:
        self.banners.remove(_NOTHING)
        latest = self._latest
        self.training_requested.emit(latest.advice[0] if latest and latest.advice else None)

    def _ask_ai(self) -> None:
        self.ai_button.setEnabled(False)

        def done(n: int) -> None:
            self._end_asking()
            text = trn("The AI was asked about {n} move.", "The AI was asked about {n:,} moves.", n)
            self.banners.show_message("good", text, key=_AI)

        def failed(error: BaseException) -> None:
            self._end_asking()
            self.show_failure(error)

        self._facts.ask_ai(done, failed)

    def _end_asking(self) -> None:
        self.ai_button.setEnabled(True)
        self.ai_button.setText(tr("Ask the AI"))

    def _lay_out(self) -> None:
        left = Qt.AlignmentFlag.AlignLeft
        charts = flowing(*self.cut_cards.values(), space=16, column_width=_COLUMN_PX)
        details = column(
            charts,
            self.ai_label,
            placed(self.ai_button, align=left),
            label(tr(_RULE), "caption", wraps=True),
            space=12,
        )
        self.details = Disclosure(tr("All figures"), laid_out(details))
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(_MISSING_PX)
        self.chart.setMinimumHeight(_CHART_PX)
        told = column(
            self.next_label,
            self.next_title,
            self.next_text,
            row(self.bar, self.bar_label, STRETCH, space=12),
            space=4,
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        self.next = card(row(placed(told, stretch=1), placed(self.button, align=middle)))
        coming = [
            laid_out(column(label(tr(title), "strong"), label(tr(text), "muted", wraps=True)))
            for title, text in _COMING
        ]
        self.coming = flowing(*coming, space=16, column_width=_COLUMN_PX)
        self.curve = card(
            row(placed(self.rate_figure, stretch=1), placed(self.lately_figure, stretch=2)),
            placed(self.chart, stretch=1),
            self.lower_label,
        )
        for part in (self.next, self.coming, self.curve, self.details):
            part.setMinimumHeight(1)  # not the height for its minimum width
            self.body.addWidget(part, int(part is self.curve))
        self.body.addStretch()

    def _make_actions(self) -> None:
        train, ask = tr("Train for 10 minutes"), tr("Ask the AI about your moves")
        self.train_action = self.new_action("train", train, self._train_first, "play", "train")
        self.ai_action = self.new_action("ask_ai", ask, self._ask_ai, "refresh")

    def _connect(self) -> None:
        self.ai_button.clicked.connect(self.ai_action.trigger)
        if self._training:
            self._training.setParent(self)
            self._training.ready.connect(self._begin_training)
            self._training.failed.connect(self.in_front(self.show_failure))
        self._facts.changed.connect(self._follow)
        self._facts.progressed.connect(self._show_progress)
        self._facts.failed.connect(self.show_failure)

    def _follow(self) -> None:
        if self.isVisible():
            self._refresh()


def title_of(advice: Advice) -> str:
    name = share_name(advice.cut, advice.share.key)
    return tr("Formation {name}", name=name) if advice.cut is Cut.FORMATION else name
