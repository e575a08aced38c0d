"""One page of the help: text, tables, pictures, links, and highlighted search hits."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QPoint, QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from gui.help.contents import picture_path
from gui.help.help_pages import Article
from gui.help.html import Ink, page_parts, style_of
from gui.help.search import marks_in
from gui.style.oklch import from_hex, to_hex
from gui.style.theme import Theme, app_theme, mono_font
from gui.work.chunked_work import ChunkedWork

_WIDEST = 760  # pixels of a line that is easily read
_MARGIN = 20
_AFTER_RESIZE_MS = 80
_ABOVE = 12  # free pixels above a heading
_MAX_CACHED = 24
_PALE = 128
# So that white becomes the ground of a dark window, and ink nearly white.
_FROM, _SLOPE = 1.06, 0.87
_COLOR = re.compile(r'(?<=[":\s])#([0-9a-f]{6}|[0-9a-f]{3,4})(?=["; }])', re.IGNORECASE)


class HelpBrowser(QTextBrowser):
    """Shows an article, and tracks the visible section."""

    link_clicked = Signal(str)
    section_reached = Signal(int)
    hits_found = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._theme: Theme | None = None  # that the article is written in
        self._article: Article | None = None
        self._language = "en"
        self._headings: list[QTextBlock] = []
        self._terms: Sequence[str] = ()
        self._hits: list[QTextCursor] = []
        self.current_hit = -1  # from 0; -1 for none
        self._is_placing = self._has_pictures = False
        self._steps = ChunkedWork(self)
        self._afterwards: list[Callable[[], None]] = []
        self.section = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        # A scroll bar that comes and goes would change the width, which re-renders the page.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.document().setDocumentMargin(_MARGIN)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.anchorClicked.connect(self._follow)
        self._resized = QTimer(self, singleShot=True, interval=_AFTER_RESIZE_MS)
        self._resized.timeout.connect(self._fit)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    def show_article(self, article: Article, language: str, section: int = 0) -> None:
        self._article, self._language = article, language
        self._terms, self._hits, self.current_hit = (), [], -1
        self._write()
        self.setAccessibleName(article.title)
        self.go_to(section)

    @property
    def is_written(self) -> bool:
        """Whether the article is fully rendered; a long one is rendered in steps."""
        return self._steps.is_done

    def go_to(self, section: int) -> None:
        self.section = section
        self._when_written(lambda: self._go_to(section))

    def _go_to(self, section: int) -> None:
        if section == 0 or section >= len(self._headings):
            self._scroll_to(0)
        else:
            self._scroll_to(self._top_of(self._headings[section]) - _ABOVE)

    @property
    def scrolled(self) -> int:
        """How far it is scrolled, in pixels."""
        return self.verticalScrollBar().value()

    def scroll(self, y: int, section: int) -> None:  # type: ignore[override]
        self.section = section
        self._when_written(lambda: self._scroll_to(y))

    @property
    def hits(self) -> list[str]:
        return [cursor.selectedText() for cursor in self._hits]

    def show_hits(self, terms: Sequence[str]) -> None:
        """Highlight the terms, and scroll to the first one from the current section on."""
        self._terms = terms
        self._when_written(self._show_first_hit)

    def _show_first_hit(self) -> None:
        self._find_hits()
        start = self._headings[self.section].position() if self._headings else 0
        after = [i for i, hit in enumerate(self._hits) if hit.selectionEnd() > start]
        if self._hits:
            self._show_hit((after or [0])[0])
        self.hits_found.emit()

    def forget_hits(self) -> None:
        self._terms, self._hits, self.current_hit = (), [], -1
        self.setExtraSelections([])

    def step_hit(self, step: int) -> bool:
        """Go to the next hit, or the previous one for -1; return whether there is any."""
        if self._hits:
            self._show_hit((self.current_hit + step) % len(self._hits))
        return bool(self._hits)

    def _find_hits(self) -> None:
        text = self.document().toPlainText()
        # Qt counts UTF-16 code units.
        wide = [i for i, letter in enumerate(text) if ord(letter) > 0xFFFF]
        self._hits = []
        for start, end in marks_in(text, self._terms):
            cursor = QTextCursor(self.document())
            cursor.setPosition(start + sum(i < start for i in wide))
            cursor.setPosition(end + sum(i < end for i in wide), QTextCursor.MoveMode.KeepAnchor)
            self._hits.append(cursor)

    def _show_hit(self, i: int) -> None:
        self.current_hit = i
        self._color_hits()
        rect = self.cursorRect(self._hits[i]).translated(0, self.scrolled)
        room = self.viewport().height()
        if not self.scrolled + _ABOVE <= rect.top() <= self.scrolled + room - 2 * rect.height():
            self._scroll_to(rect.top() - room // 3)
        self._on_scrolled()

    def _color_hits(self) -> None:
        selections = []
        for i, hit in enumerate(self._hits):
            selection = QTextEdit.ExtraSelection()
            look, theme = QTextCharFormat(), app_theme()
            if i == self.current_hit:
                look.setBackground(theme.accent)
                look.setForeground(theme.accent_text)
            else:
                color = QColor(theme.accent)
                color.setAlphaF(0.22)
                look.setBackground(color)
            selection.cursor, selection.format = hit, look
            selections.append(selection)
        self.setExtraSelections(selections)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Rewrap the text at the same place, and once the size is stable, fit the pictures."""
        is_wider = event.size().width() != event.oldSize().width()
        section, below = self.section, self._below_heading()
        self._is_placing = True  # nobody scrolls
        super().resizeEvent(event)
        if is_wider:
            self._wrap()
        self._is_placing = False
        if is_wider:
            self._resized.start()
            if self.is_written:
                self._restore_place(section, below)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Stay at the place: on the first show, Qt scrolls to its cursor at the top."""
        y = self.scrolled
        self._is_placing = True
        super().showEvent(event)
        self._is_placing = False
        if self.is_written:
            self._scroll_to(y)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Write the article in other colors, at the same place, once the style sheet has them."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._theme is not app_theme():
            self._write_again()

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802
        """Return a picture at the screen's resolution; nothing is ever downloaded."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        is_dark = app_theme().text.lightness() > _PALE
        path = picture_path(QUrl(name).toString(), self._language, is_dark)
        size = picture_size(path, self._text_width)
        return draw_picture(path, size, self.devicePixelRatioF(), app_theme().text.name())

    @property
    def _text_width(self) -> int:
        return max(160, min(_WIDEST, self.viewport().width() - 2 * _MARGIN))

    def _wrap(self) -> None:
        self.setLineWrapColumnOrWidth(self._text_width + 2 * _MARGIN)

    def _fit(self) -> None:
        if self._article and self._has_pictures:
            self._write_again()

    def _write_again(self) -> None:
        if self._article is None:
            return
        if not self.is_written:
            if self._write_again not in self._afterwards:
                self._afterwards.append(self._write_again)
            return
        section, terms, at_hit = self.section, self._terms, self.current_hit
        below = self._below_heading()
        self._write()
        self._when_written(lambda: self._restore(section, below, terms, at_hit))

    def _restore(self, section: int, below: int, terms: Sequence[str], at_hit: int) -> None:
        if terms:
            self._terms = terms
            self._find_hits()
            self.current_hit = at_hit
            self._color_hits()
        self._restore_place(section, below)

    def _below_heading(self) -> int:
        if self.section >= len(self._headings):
            return 0
        return self.scrolled - self._top_of(self._headings[self.section])

    def _restore_place(self, section: int, below: int) -> None:
        self.section = section
        if section < len(self._headings):
            self._scroll_to(self._top_of(self._headings[section]) + below)

    def _write(self) -> None:
        assert self._article is not None
        self._is_placing = True
        self._wrap()
        document, theme = self.document(), app_theme()
        self._theme = theme
        ink = Ink(
            text=theme.text.name(),
            muted=theme.text_muted.name(),
            accent=theme.accent.name(),
            border=theme.border.name(),
            raised=theme.raised.name(),
            mono=", ".join(f"'{name}'" for name in mono_font().families()),
        )
        document.setDefaultStyleSheet(style_of(ink))
        document.setDefaultFont(self.font())
        width = self._text_width

        def size_of(name: str) -> tuple[int, int]:
            return picture_size(picture_path(name, self._language), width)

        parts = page_parts(self._article.blocks, ink, size_of)
        self._has_pictures = any("<img" in part for part in parts)
        self.setHtml(parts[0])
        self._list_headings()
        self._afterwards = []
        steps = [partial(self._append, part) for part in parts[1:]]
        self._steps.do([*steps, self._end_writing] if steps else [])
        self._is_placing = False

    def _append(self, part: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertHtml(part)
        self.document().documentLayout().documentSize()

    def _end_writing(self) -> None:
        self._list_headings()
        works, self._afterwards = self._afterwards, []
        while works and self.is_written:  # one of them may re-render the page
            works.pop(0)()
        self._afterwards += works

    def _when_written(self, work: Callable[[], None]) -> None:
        if self.is_written:
            work()
        else:
            self._afterwards.append(work)

    def _list_headings(self) -> None:
        self._headings = []
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                self._headings.append(block)
            block = block.next()

    def _top_of(self, block: QTextBlock) -> int:
        return int(self.document().documentLayout().blockBoundingRect(block).top())

    def _scroll_to(self, y: int) -> None:
        self._is_placing = True
        self.document().documentLayout().documentSize()  # lay out all, for the bar's range
        self.verticalScrollBar().setValue(max(0, y))
        self._is_placing = False

    def _on_scrolled(self) -> None:
        if self._is_placing or not self.is_written or not self._headings:
            return  # automatic movement is not scrolling by the user
        cursor = self.cursorForPosition(QPoint(_MARGIN, _ABOVE + 4))
        at = cursor.position()
        before = [i for i, block in enumerate(self._headings) if block.position() <= at]
        section = before[-1] if before else 0
        if section != self.section:
            self.section = section
            self.section_reached.emit(section)

    def _follow(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
        elif not url.scheme():
            self.link_clicked.emit(QUrl.fromPercentEncoding(url.toEncoded()))


def picture_size(path: Path, widest: int) -> tuple[int, int]:
    """Return the display size of a picture: its own, or as wide as there is room."""
    size = _natural_size(path)
    if size.isEmpty():
        return 1, 1
    width = min(widest, size.width())
    return width, max(1, round(size.height() * width / size.width()))


@lru_cache(maxsize=256)
def _natural_size(path: Path) -> QSize:
    from PySide6.QtSvg import QSvgRenderer

    if path.suffix == ".svg":
        return QSvgRenderer(str(path)).defaultSize()
    return QImage(str(path)).size()


@lru_cache(maxsize=_MAX_CACHED)
def draw_picture(path: Path, size: tuple[int, int], ratio: float, ink: str) -> QImage:
    """Return a picture of `size`, in as many pixels as the screen has there (`ratio` for each).

    It is a PNG, or an SVG whose `currentColor` is `ink` and whose other colors are for
    a light page, which are converted if `ink` is pale. A PNG keeps the colors of the window.
    """
    is_dark = QColor(ink).lightness() > _PALE  # the page
    pixels = QSize(max(1, round(size[0] * ratio)), max(1, round(size[1] * ratio)))
    if path.suffix == ".svg":
        image = _drawn_lines(path, pixels, ink, is_dark)
    else:
        mode = Qt.AspectRatioMode.IgnoreAspectRatio
        smooth = Qt.TransformationMode.SmoothTransformation
        image = QImage(str(path))
        image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        if image.isNull():  # none with that name
            image = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
            image.fill(Qt.GlobalColor.transparent)
        image = image.scaled(pixels, mode, smooth)
        painter = QPainter(image)  # a frame: the ground of a window is nearly that of the page
        painter.setPen(QColor(128, 128, 128, 96))
        painter.drawRect(image.rect().adjusted(0, 0, -1, -1))
        painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def _drawn_lines(path: Path, pixels: QSize, ink: str, is_dark: bool) -> QImage:
    from PySide6.QtSvg import QSvgRenderer

    drawn = path.read_text(encoding="utf-8")
    if is_dark:
        drawn = _COLOR.sub(lambda match: _darkened_digits(match[1]), drawn)
    source = drawn.replace("currentColor", ink)
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, *pixels.toTuple()))
    painter.end()
    return image


def _darkened_digits(digits: str) -> str:
    if len(digits) == 6:
        return _darkened(f"#{digits}")
    pairs = [2 * digit for digit in digits]
    return _darkened("#" + "".join(pairs[:3])) + "".join(pairs[3:])


@lru_cache(maxsize=4096)
def _darkened(color: str) -> str:
    light = from_hex(color)
    return to_hex(light._replace(lightness=_FROM - _SLOPE * light.lightness))
