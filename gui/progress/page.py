"""Progress: where moves lose most, the weekly trend, and what to train next."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from coach.grading.grade import MIN_JUDGED_MOVES, MIN_WRONG_MOVES
from coach.profile.advice import Advice, n_moves_missing
from coach.profile.profile import Cut, Profile, Share
from coach.profile.session import Session
from coach.profile.words import CUT_TITLES, advice_text, cost_text, rate_text, share_name
from coach.record.database import DamagedDatabaseError
from engine.platform.language import mark, tr, trn
from engine.platform.quantities import day_text, points_figure
from gui.board.board_paint import mixed
from gui.charts.line_chart import LineChart, Series
from gui.keys.key_bindings import add_key_tip
from gui.pages.page import Answers, ScrolledPage
from gui.progress.training import Training
from gui.style.layout import STRETCH, card, clear_layout, placed
from gui.style.theme import CAPTION, app_theme, smooth_painter, theme_source, with_tabular_figures
from gui.text.lists import fact_list
from gui.text.messages import message_of, sentence
from gui.text.numbers import format_whole
from gui.widgets.buttons import button
from gui.widgets.empty_state import EmptyState
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import Figure, label
from gui.work.profile_service import ProfileAndAdvice, ProfileService

_LINE_PX, _BAR_PX, _ROW_PX = 20, 8, 40
_WHISKER_PX = 3
_CHART_PX, _COLUMN_PX, _FIGURE_PX = 140, 340, 230
_MAX_ADVICE = 4
_MANY = 20  # number of tests that are read almost instantly
_READING, _NOTHING, _AI = "reading", "nothing", "ai"
_UNKNOWN = "\N{EN DASH}"


class CutChart(QWidget):
    """A row for each share: its name and figure, and under them a bar with its interval.

    A share with too few moves has no bar, and says so.
    """

    def __init__(self, cut: Cut) -> None:
        super().__init__()
        self.cut = cut
        theme_source().changed.connect(self.update)
        self.shares: Sequence[Share] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr(CUT_TITLES[cut]))

    def show_shares(self, shares: Sequence[Share]) -> None:
        self.shares = tuple(shares)
        text = fact_list(self.row_text(share) for share in shares)
        self.setAccessibleDescription(text)
        self.setToolTip("\n".join(map(self.row_text, shares)))
        self.updateGeometry()
        self.update()

    def row_text(self, share: Share) -> str:
        """Return a share in words: `Last quarter: 310 ± 84 points (812 moves)`."""
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
        font = with_tabular_figures(painter.font())
        font.setPixelSize(CAPTION)
        painter.setFont(font)
        shown = [share for share in self.shares if share.has_enough]
        most = max((share.rate + share.margin for share in shown), default=0.0)
        worst = max((share.rate for share in shown), default=0.0)
        for i, share in enumerate(self.shares):
            row = QRectF(0, i * _ROW_PX, self.width(), _ROW_PX)
            self._draw_texts(painter, row, share)
            if share.has_enough and most > 0:
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
        painter.setPen(app_theme().text if share.has_enough else app_theme().text_muted)
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
    """Figures, bars and a chart, with ten-minute trainings based on them."""

    title = mark("Progress")
    icon = "profile"
    training_requested = Signal(object)  # an Advice; None for what costs most
    first_test_requested = Signal()  # nothing is known yet
    mistake_training_requested = Signal(object)  # a Session
    puzzles_requested = Signal(object, int, int)  # numbers, after 0 of 0 positions

    def __init__(
        self, facts: ProfileService, now: Callable[[], datetime], training: Training | None = None
    ) -> None:
        super().__init__()
        self._training = training
        self._facts, self._now = facts, now
        self._latest: ProfileAndAdvice | None = None
        self.empty = EmptyState("", "", tr("Take a test"), tr("Train for 10 minutes"))
        self.headline, self.advice_label = label("", "title", wraps=True), label("", wraps=True)
        self.train_button = button(tr("Train this (10 min)"), "primary large")
        self.others = QGridLayout()
        self.other_buttons: list[QPushButton] = []
        self.figures = {
            "rate": Figure(tr("You lose in 1,000 moves")),
            "moves": Figure(tr("Moves with a choice")),
            "ai": Figure(tr("The AI, on the same moves")),
        }
        self.ai_button = button(tr("Ask the AI"))
        trend = tr("Points lost in 1,000 moves, week by week")
        self.chart = LineChart(trend, tr("Week"), place_text=self._week_text)
        self.chart.setFixedHeight(_CHART_PX)
        self.cuts = {cut: CutChart(cut) for cut in Cut}
        self.cut_cards: dict[Cut, QWidget] = {}
        self.rule_label = label("", "caption", wraps=True)
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
        self.banners.remove(_READING)
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
        self._facts.read(self._take, self.show_failure)

    def _take(self, latest: ProfileAndAdvice | None) -> None:
        self.banners.remove(_READING)
        if latest != self._latest:
            self._latest = latest
            self._show()

    def _show(self) -> None:
        latest = self._latest
        front = self.focusProxy()
        had_keyboard = front is not None and front.hasFocus()
        n_missing = n_moves_missing(latest.profile) if latest else 0
        is_known = latest is not None and (latest.profile.whole.has_enough or not n_missing)
        self.setFocusProxy(self.train_button if is_known else self.empty.button)
        for part in self._parts:
            part.setVisible(is_known)
        self._show_missing(latest, n_missing)
        self.empty.setVisible(not is_known)
        if had_keyboard:  # before the focused widget is hidden, or the rail would get the focus
            self.setFocus()
        if latest is None:
            return
        self._show_advice(latest, n_missing)
        self._show_figures(latest.profile)
        self._show_weeks(latest.profile)
        n_weeks = sum(week.share.n > 0 for week in latest.profile.weeks)
        self.trend_card.setVisible(is_known and n_weeks > 1)  # a single one is not a trend
        for cut, chart in self.cuts.items():
            shares = latest.profile.cuts[cut]
            chart.show_shares(shares)
            n = latest.profile.whole.n
            has_bar = any(share.has_enough and share.n < n for share in shares)
            self.cut_cards[cut].setVisible(is_known and has_bar)

    def _show_missing(self, latest: ProfileAndAdvice | None, n_missing: int) -> None:
        self.empty.other_button.setVisible(latest is not None)
        if latest is None:
            self.empty.show_progress(0, 1)
            self.empty.show_text(
                tr("What do your moves lose, and where?"),
                tr(
                    "Tests, guesses in Practice, situations and games that you train from Review "
                    "add to your progress. Take a test to begin."
                ),
            )
            return
        n = latest.profile.whole.n
        self.empty.show_progress(n, n + n_missing)
        text = trn(
            "{n} move with a choice so far, too few to tell where you lose most. Tests, guesses in "
            "Practice, situations and games that you train from Review count.",
            "{n:,} moves with a choice so far, too few to tell where you lose most. Tests, guesses "
            "in Practice, situations and games that you train from Review count.",
            n,
        )
        self.empty.show_text(_missing_title(n_missing), text)

    def _show_advice(self, latest: ProfileAndAdvice, n_missing: int) -> None:
        clear_layout(self.others)
        self.other_buttons = []
        if n_missing:
            self.headline.setText(_missing_title(n_missing))
            self.advice_label.setText(
                tr(
                    "Then there are enough to tell where you lose most. You can't go wrong with "
                    "ten minutes of what's due and your costliest mistakes."
                )
            )
            return
        if not latest.advice:
            self.headline.setText(tr("Nothing stands out yet"))
            self.advice_label.setText(
                tr(
                    "Where there are enough moves to tell, none cost you more than the others. "
                    "You can't go wrong with ten minutes of what's due and your costliest mistakes."
                )
            )
            return
        first, *others = latest.advice[:_MAX_ADVICE]
        self.headline.setText(tr("Train next: {name}", name=share_name(first.cut, first.share.key)))
        self.advice_label.setText(sentence(cost_text(first)))
        for row, advice in enumerate(others):
            self._show_other(row, advice)

    def _show_other(self, row: int, advice: Advice) -> None:
        share = share_name(advice.cut, advice.share.key)
        name = tr("Train {name} for 10 minutes", name=share)
        train = button(tr("Train"), "quiet", name=name, work=partial(self._train, advice))
        self.other_buttons.append(train)
        self.others.addWidget(label(advice_text(advice), "muted", wraps=True), row, 0)
        self.others.addWidget(train, row, 1, Qt.AlignmentFlag.AlignTop)

    def _show_figures(self, profile: Profile) -> None:
        games = trn("in {n} game", "in {n:,} games", profile.n_games)
        self._show_rate("rate", profile.whole)
        self.figures["moves"].show_value(format_whole(profile.whole.n), games)
        beside = profile.beside_ai
        own = tr("you there: {figure}", figure=rate_text(beside.own)) if beside.own.n else ""
        if beside.own.n:
            self._show_rate("ai", beside.ai, own)
        else:
            self.figures["ai"].show_value(_UNKNOWN)

    def _show_rate(self, name: str, share: Share, note: str = "") -> None:
        if share.has_enough:
            self.figures[name].show_value(rate_text(share), note)
        else:
            self.figures[name].show_value(_UNKNOWN, rate_text(share))

    def _show_weeks(self, profile: Profile) -> None:
        rates = [week.share.rate if week.share.n else None for week in profile.weeks]
        series = Series(
            tr("Points"), rates, "accent", figure=points_figure, tick=points_figure, has_zero=True
        )
        self.chart.show_series([series])

    def _week_text(self, index: int) -> str:
        return day_text(self._latest.profile.weeks[index].monday) if self._latest else ""

    def _show_progress(self, done: int, n: int) -> None:
        text = tr("Reading your games: {done} of {n}.", done=format_whole(done), n=format_whole(n))
        if self.isVisible() and n > _MANY:
            self.banners.show_message("info", text, key=_READING)

    def _train(self, advice: Advice | None = None) -> None:
        self.banners.remove(_NOTHING)
        self.training_requested.emit(advice)

    def _train_first(self) -> None:
        latest = self._latest
        self._train(latest.advice[0] if latest and latest.advice else None)

    def _ask_ai(self) -> None:
        self.ai_button.setEnabled(False)

        def done(n: int) -> None:
            self.banners.remove(_READING)
            self.ai_button.setEnabled(True)
            text = trn("The AI was asked about {n} move.", "The AI was asked about {n:,} moves.", n)
            self.banners.show_message("good", text, key=_AI)

        def failed(error: BaseException) -> None:
            self.ai_button.setEnabled(True)
            self.show_failure(error)

        self._facts.ask_ai(done, failed)

    def _lay_out(self) -> None:
        grid = QWidget()
        flow = FlowLayout(grid, 16, _COLUMN_PX)
        for cut, chart in self.cuts.items():
            frame = card(label(tr(CUT_TITLES[cut]), "strong", wraps=True), chart, STRETCH)
            self.cut_cards[cut] = frame
            flow.addWidget(frame)
        self.rule_label.setText(_rule())
        self.trend_card = card(
            label(tr("Points lost in 1,000 moves, week by week"), "strong", wraps=True), self.chart
        )
        figures = QWidget()
        flow = FlowLayout(figures, 16, _FIGURE_PX)
        for figure in self.figures.values():
            flow.addWidget(figure)
        left = Qt.AlignmentFlag.AlignLeft
        self.others.setColumnStretch(0, 1)
        self._parts = (
            card(
                self.headline,
                self.advice_label,
                placed(self.train_button, align=left),
                self.others,
                margins=24,
            ),
            card(figures, placed(self.ai_button, align=left)),
            self.trend_card,
            grid,
            self.rule_label,
        )
        for part in (self.empty, *self._parts):
            part.setMinimumHeight(1)  # not the height for its minimum width
            self.body.addWidget(part)
        self.body.addStretch()

    def _make_actions(self) -> None:
        train, ask = tr("Train for 10 minutes"), tr("Ask the AI about your moves")
        self.train_action = self.new_action("train", train, self._train_first, "play", "train")
        self.ai_action = self.new_action("ask_ai", ask, self._ask_ai, "refresh")
        add_key_tip(self.train_button, self.train_action)

    def _connect(self) -> None:
        self.train_button.clicked.connect(self.train_action.trigger)
        self.ai_button.clicked.connect(self.ai_action.trigger)
        if self._training:
            self._training.setParent(self)
            self._training.ready.connect(self._begin_training)
            self._training.failed.connect(self.in_front(self.show_failure))
        self.empty.clicked.connect(self.first_test_requested)
        self.empty.other_clicked.connect(self.train_action.trigger)
        self._facts.changed.connect(self._follow)
        self._facts.progressed.connect(self._show_progress)
        self._facts.failed.connect(self.show_failure)

    def _follow(self) -> None:
        if self.isVisible():
            self._refresh()


def _missing_title(n: int) -> str:
    return tr("Play about {n:,} more moves", n=n)


def _rule() -> str:
    return tr(
        "A point is one percentage point of the chance to reach the next goal. Figures appear "
        "once there are {moves} moves, {wrong} of which lost something; \N{PLUS-MINUS SIGN} is "
        "the range in which the true figure lies 19 times out of 20. Only moves with a choice "
        "count. Quick and slow are the fastest and slowest third of your own moves; bad luck "
        "means that one of the last three tiles took a twentieth of your chance.",
        moves=MIN_JUDGED_MOVES,
        wrong=MIN_WRONG_MOVES,
    )
