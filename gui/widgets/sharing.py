"""Sharing a graded game: its card as a picture, to a file or the clipboard, and its page."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from coach.analysis.files import stem_of
from coach.analysis.game_facts import GameFacts
from engine.platform.files.atomic_file import write_file, writing
from engine.platform.language import mark, tr
from engine.platform.tasks import Tasks
from gui.settings_model.settings import Settings
from gui.style.icons import icon
from gui.style.theme import app_theme
from gui.text.messages import message_of
from gui.widgets.banner import BannerStack
from gui.widgets.buttons import attach_menu, button
from gui.widgets.file_dialogs import FileDialogs, open_folder, write_png
from gui.widgets.share_card import draw_card

T = TypeVar("T")
_CARDS, _PAGES = mark("Picture (*.png)"), mark("Web page (*.html)")
_NEWS = "share"


class SharedGame(NamedTuple):
    """A game that can be shared."""

    name: str  # base of file names
    # Return the data of the card, and the page; they run off the GUI thread.
    facts: Callable[[], GameFacts]
    page: Callable[[], str]


class Sharing(QObject):
    """The actions to share the game on a page."""

    def __init__(
        self,
        page: QWidget,
        banners: BannerStack,
        tasks: Tasks,
        settings: Settings,
        game: Callable[[], SharedGame | None],
        dialogs: FileDialogs | None = None,
    ) -> None:
        super().__init__(page)
        self._page, self._banners, self._tasks = page, banners, tasks
        self._settings, self._game = settings, game
        self.dialogs = dialogs or FileDialogs()
        self.actions = {
            name: self._action(name, icon_name, text, work)
            for name, icon_name, text, work in (
                ("copy_card", "copy", tr("Copy the card"), self.copy_card),
                ("save_card", "picture", tr("Save the card\u2026"), self.save_card),
                ("save_page", "report", tr("Save the page\u2026"), self.save_page),
            )
        }
        tip = tr("Share this game as a picture or as a web page")
        self.button = button(tr("Share"), tip=tip, by_tab=True)
        menu = QMenu(self.button)
        menu.addActions([*self.actions.values()])
        attach_menu(self.button, menu)

    def enable(self, can_share: bool) -> None:
        for action in self.actions.values():
            action.setEnabled(can_share)
        self.button.setEnabled(can_share)

    def copy_card(self) -> None:
        if game := self._game():
            self._tasks.run(game.facts, self._copy, self._report_failure)

    def save_card(self) -> None:
        if (game := self._game()) and (path := self._ask(game, ".png", tr(_CARDS))):
            self._tasks.run(game.facts, partial(self._write_card, path), self._report_failure)

    def save_page(self) -> None:
        if (game := self._game()) and (path := self._ask(game, ".html", tr(_PAGES))):

            def work() -> None:
                with writing(path):
                    write_file(path, [game.page().encode("utf-8")])

            self._tasks.run(work, lambda _: self._report_saved(path), self._report_failure)

    def _copy(self, facts: GameFacts) -> None:
        QGuiApplication.clipboard().setImage(draw_card(facts, app_theme()))
        self._banners.show_message("good", tr("Card copied: paste it where you like."), key=_NEWS)

    def _write_card(self, path: Path, facts: GameFacts) -> None:
        image = draw_card(facts, app_theme())  # icons are only drawn on the GUI thread

        def work() -> None:
            write_png(image, path)

        self._tasks.run(work, lambda _: self._report_saved(path), self._report_failure)

    def _ask(self, game: SharedGame, suffix: str, names: str) -> Path | None:
        folder = Path(self._settings.state.get("share.folder") or Path.home())
        name = f"{stem_of(Path(game.name), set())}{suffix}"
        path = self.dialogs.ask_save(self._page, tr("Share"), folder / name, names)
        if path is None:
            return None
        self._settings.state.set("share.folder", str(path.parent))
        return path.with_suffix(suffix)

    def _report_saved(self, path: Path) -> None:
        remedies = [(tr("Show in folder"), lambda: open_folder(path))]
        text = tr("Saved as {path}", path=path)
        self._banners.show_message("good", text, remedies, key=_NEWS)

    def _report_failure(self, error: BaseException) -> None:
        self._banners.show_message("bad", message_of(error), key=_NEWS)

    def _action(self, name: str, icon_name: str, text: str, work: Callable[[], None]) -> QAction:
        action = QAction(icon(icon_name), text, self._page)
        action.setObjectName(name)
        action.triggered.connect(lambda _=False: work())
        return action
