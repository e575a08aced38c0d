"""Progress: where moves lose most, the weekly trend, and what to train next."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import dropwhile

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from coach.profile.advice import Advice, n_moves_missing
from coach.profile.profile import PER, Cut, Profile, Share, Week
from coach.profile.session import Session
from coach.profile.words import CUT_TITLES, cost_text, rate_text, share_name
from coach.record.database import DamagedDatabaseError
from engine.platform.language import mark, tr, trn
from engine.platform.quantities import day_text, points_figure
from gui.board.board_paint import mixed
from gui.charts.line_chart import LineChart, Series
from gui.keys.key_bindings import add_key_tip
from gui.pages.page import Answers, ScrolledPage
from gui.progress.training import Training
from gui.style.layout import STRETCH, card, clear_layout, column, laid_out, placed
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
from gui.text.numbers import format_whole
from gui.widgets.buttons import button
from gui.widgets.disclosure import Disclosure
from gui.widgets.empty_state import EmptyState
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import Figure, label, show_text
from gui.work.profile_service import ProfileAndAdvice, ProfileService

_LINE_PX, _BAR_PX, _ROW_PX = 20, 8, 40
_WHISKER_PX = 3
_CHART_PX, _COLUMN_PX = 220, 340
_MAX_ADVICE = 3
_MANY = 20  # number of tests that are read almost instantly
_READING, _NOTHING, _AI = "reading", "nothing", "ai"
_RULE = mark(
    "A point is one percentage point of the chance to reach the next goal. Only moves with a "
    "choice count. \N{PLUS-MINUS SIGN} is the range in which the true figure lies 19 times out of "
    "20."
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
    """A curve, and the weak spots with a ten-minute training for each."""

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
        self._weeks: Sequence[Week] = ()
        self.empty = EmptyState("", "", tr("Take a test"), tr("Train for 10 minutes"))
        self.rate_figure = Figure(tr("Points lost per move"), "figure")
        self.chart = LineChart(
            tr("Points lost per move, week by week"),
            tr("Week"),
            has_names=False,
            place_text=self._week_text,
        )
        self.chart.setFixedHeight(_CHART_PX)
        self.spots = QGridLayout()
        self.spots.setColumnStretch(0, 1)
        self.train_buttons: list[QPushButton] = []
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
        if latest and is_known:
            self._show_spots(latest, n_missing)
            self._show_curve(latest.profile)
            self._show_details(latest.profile)
        else:
            self._show_missing(latest, n_missing)
        self.setFocusProxy(self.train_buttons[0] if is_known else self.empty.button)
        for part in self._parts:
            part.setVisible(is_known)
        self.empty.setVisible(not is_known)
        if had_keyboard:  # before the focused widget is hidden, or the rail would get the focus
            self.setFocus()

    def _show_missing(self, latest: ProfileAndAdvice | None, n_missing: int) -> None:
        n = latest.profile.whole.n if latest else 0
        self.empty.other_button.setVisible(latest is not None)
        self.empty.show_progress(n, n + n_missing)
        title = _missing_title(n_missing) if latest else tr("Play a few hundred moves")
        text = tr(
            "You'll then see how much you lose per move, and where. Tests, routes, situations "
            "and guesses in Practice count."
        )
        self.empty.show_text(title, text)

    def _show_spots(self, latest: ProfileAndAdvice, n_missing: int) -> None:
        clear_layout(self.spots)
        self.train_buttons = []
        for advice in latest.advice[:_MAX_ADVICE] if not n_missing else ():
            name = share_name(advice.cut, advice.share.key)
            self._add_spot(name, cost_text(advice), tr("Train this"), advice)
        if not self.train_buttons:
            title = _missing_title(n_missing) if n_missing else tr("Nothing stands out yet")
            text = tr("Ten minutes with what's due and your costliest mistakes always help.")
            self._add_spot(title, text, tr("Train for 10 minutes"))

    def _add_spot(self, title: str, text: str, caption: str, advice: Advice | None = None) -> None:
        look = "" if self.train_buttons else "primary"
        name = tr("Train {name} for 10 minutes", name=title) if advice else caption
        train = button(caption, look, name=name, work=partial(self._train, advice))
        if not self.train_buttons:
            add_key_tip(train, self.train_action)
        spot = laid_out(column(label(title, "strong"), label(text, "muted", wraps=True), space=2))
        row = len(self.train_buttons)
        self.spots.addWidget(spot, row, 0)
        self.spots.addWidget(train, row, 1, Qt.AlignmentFlag.AlignVCenter)
        self.train_buttons.append(train)

    def _show_curve(self, profile: Profile) -> None:
        n = format_whole(profile.whole.n)
        games = trn(
            "{moves} moves in {n} game", "{moves} moves in {n:,} games", profile.n_games, moves=n
        )
        self.rate_figure.show_value(points_figure(profile.whole.rate / PER), games)
        self._weeks = list(dropwhile(lambda week: not week.share.n, profile.weeks))
        rates = [week.share.rate / PER if week.share.n else None for week in self._weeks]
        series = Series(
            tr("Points"), rates, "accent", figure=points_figure, tick=points_figure, has_zero=True
        )
        self.chart.show_series([series])
        self.chart.setVisible(sum(rate is not None for rate in rates) > 1)  # one is not a trend

    def _show_details(self, profile: Profile) -> None:
        for cut, chart in self.cuts.items():
            chart.show_shares(profile.cuts[cut])
            self.cut_cards[cut].setVisible(any(share.n < profile.whole.n for share in chart.shares))
        beside = profile.beside_ai
        text = tr(
            "On {n} of these moves the AI loses {ai}, you {own}.",
            n=format_whole(beside.own.n),
            ai=rate_text(beside.ai),
            own=rate_text(beside.own),
        )
        show_text(self.ai_label, text if beside.own.n else "")

    def _week_text(self, index: int) -> str:
        return day_text(self._weeks[index].monday)

    def _show_progress(self, done: int, n: int) -> None:
        text = tr("Reading your games: {done} of {n}.", done=format_whole(done), n=format_whole(n))
        if self.isVisible() and n > _MANY:
            self.banners.show_message("info", text, key=_READING)

    def _train(self, advice: Advice | None) -> None:
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
        left = Qt.AlignmentFlag.AlignLeft
        charts = flowing(*self.cut_cards.values(), space=16, column_width=_COLUMN_PX)
        details = column(
            charts,
            self.ai_label,
            placed(self.ai_button, align=left),
            label(tr(_RULE), "caption", wraps=True),
            space=12,
        )
        heading = label(tr("Where you lose most"), "caption")
        self.details = Disclosure(tr("All figures"), laid_out(details))
        self._parts = (card(self.rate_figure, self.chart), card(heading, self.spots), self.details)
        self.body.addWidget(self.empty, 1)
        for part in self._parts:
            part.setMinimumHeight(1)  # not the height for its minimum width
            self.body.addWidget(part)
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
