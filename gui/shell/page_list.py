"""The doors of the window but Home, their pages, and how each is made.

Each imports its page where it makes it, as that takes tens of milliseconds.
"""

from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.door import DoorSpec, PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.page import Page
    from gui.pages.services import Services
    from gui.play.services import PlayServices


def _to_play(services: "Services") -> "PlayServices":
    from gui.play.services import PlayServices

    return PlayServices(
        services.settings,
        services.open_table,
        services.lookups,
        services.tasks,
        services.data_dir,
        services.mistake_store.note,
        services.table_folders,
    )


def _game(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.game.page import GamePage

    return GamePage(replace(_to_play(services), files=services.thoughts))


def _practice(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.practice.page import PracticePage

    play = replace(_to_play(services), now=lambda: datetime.now().astimezone())
    page = PracticePage(play, services.facts.add_guess)
    page.frame.invitation.follow(services.builds)
    return page


def _exam(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.exam.page import ExamPage

    page = ExamPage(replace(_to_play(services), lookups=services.questions), services.test_store)
    page.invitation.follow(services.builds)
    return page


def _review(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.review.page import ReviewPage
    from gui.review.work import WholeGames, open_analysis

    play = replace(_to_play(services), lookups=services.reviews, now=datetime.now)
    whole_games = WholeGames(services.analyzing, partial(open_analysis, services.data_dir))
    return ReviewPage(play, services.database, services.tables.formations, whole_games)


def _mistakes(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.mistakes.page import MistakesPage
    from gui.mistakes.rates import MissingRates

    page = MistakesPage(
        _to_play(services),
        services.mistake_store,
        services.tables.position_symmetry,
        MissingRates(services.mistake_store, services.tables.open, services.tasks),
    )
    services.due.counted.connect(page.show_due)
    return page


def _puzzles(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.puzzles.page import PuzzlesPage

    play = replace(_to_play(services), files=services.seeking)
    return PuzzlesPage(play, services.puzzle_store, services.mistake_store)


def _progress(services: "Services", _keys: "KeyBindings") -> "Page":
    from coach.mistakes.drill import DrillRules
    from gui.progress.page import ProfilePage
    from gui.progress.training import Training

    settings = services.settings
    training = Training(
        services.facts,
        services.mistake_store,
        services.puzzle_store,
        lambda mistakes: DrillRules.of(settings.get).drill(mistakes),
        lambda: DrillRules.of(settings.get).today(datetime.now(timezone.utc)),
        services.tables.formations,
        services.data_dir / "tests",
    )
    return ProfilePage(services.facts, lambda: datetime.now(timezone.utc), training)


def _games(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.review.games import AnalysisPage

    page = AnalysisPage(
        services.analysis_store,
        services.analyses,
        services.notes,
        services.settings,
        services.tables.folders,
        formations=services.tables.formations,
    )
    # The command has written to these; who shows them asks again.
    page.games_filed.connect(services.mistake_store.changed)
    page.games_filed.connect(services.facts.changed)
    return page


def _routes(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.routes.page import RoutesPage

    play = replace(_to_play(services), lookups=services.questions, files=services.notes)
    return RoutesPage(play, services.route_store, services.walks)


def _situations(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.situations.page import SituationsPage

    play = replace(_to_play(services), lookups=services.questions, folder=Path.home())
    return SituationsPage(play, services.situation_store)


def _minigames(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.minigames.page import MinigamesPage

    folder, settings = services.data_dir / "minigames", services.settings
    return MinigamesPage(folder, services.tasks, services.thoughts, settings)


def _tables(services: "Services", _keys: "KeyBindings") -> "Page":
    from gui.tables.changes import TablesWork
    from gui.tables.page import TablesPage

    return TablesPage(
        TablesWork(
            service=services.tables,
            tasks=services.tasks,
            settings=services.settings,
            library=services.library,
            builds=services.builds,
            checks=services.checks,
            adviser=services.adviser,
            sizes=services.sizes,
            reports=services.reports,
            drawings=services.drawings,
            estimates=services.estimates,
            places=services.places,
        )
    )


def _settings(services: "Services", keys: "KeyBindings") -> "Page":
    from gui.settings.data_section import DataSection
    from gui.settings.page import SettingsPage

    settings, themes, tables = services.settings, services.themes, services.tables
    data = DataSection(
        settings, themes, tables, services.mistake_store, services.data_dir, services.keeping
    )
    page = SettingsPage(settings, themes, tables, services.data_dir, keys, data, services.places)
    page.folders_changed.connect(services.library.refresh)
    return page


def _help(services: "Services", keys: "KeyBindings") -> "Page":
    from gui.help.page import HelpPage

    return HelpPage(services.settings, services.tasks, keys)


def _door(page: PageSpec, *, is_at_bottom: bool = False) -> DoorSpec:
    return DoorSpec(page.title, page.icon, (page,), is_at_bottom)


DOORS = (
    _door(
        PageSpec(
            mark("Game"), "game", _game, ("gui.board.pasting", "gui.game.session", "gui.game.page")
        )
    ),
    DoorSpec(
        mark("Practice"),
        "practice",
        (
            PageSpec(
                mark("Practice"),
                "practice",
                _practice,
                ("gui.practice.game", "gui.practice.tile_effects_view", "gui.practice.page"),
                tab=mark("Free"),
            ),
            PageSpec(mark("Situations"), "situations", _situations, ("gui.situations.page",)),
            PageSpec(mark("Routes"), "routes", _routes, ("gui.routes.page",)),
        ),
    ),
    _door(PageSpec(mark("Test"), "test", _exam, ("coach.play.player", "gui.exam.page"))),
    DoorSpec(
        mark("Train"),
        "train",
        (
            PageSpec(
                mark("Mistakes"),
                "mistakes",
                _mistakes,
                ("gui.mistakes.list", "gui.mistakes.drill", "gui.mistakes.page"),
            ),
            PageSpec(mark("Puzzles"), "puzzles", _puzzles, ("gui.puzzles.page",)),
            PageSpec(
                mark("Progress"),
                "profile",
                _progress,
                ("gui.progress.page",),
                former_title=mark("Profile"),
            ),
        ),
    ),
    DoorSpec(
        mark("Review"),
        "review",
        (
            PageSpec(
                mark("Games"),
                "analysis",
                _games,
                ("gui.review.games_tree", "gui.review.games"),
                former_title=mark("Analysis"),
            ),
            PageSpec(
                mark("Review"),
                "review",
                _review,
                ("gui.review.work", "gui.review.page"),
                tab=mark("This game"),
            ),
        ),
    ),
    _door(
        PageSpec(
            mark("Minigames"),
            "minigames",
            _minigames,
            ("gui.minigames.gallery", "gui.minigames.page"),
        )
    ),
    _door(
        PageSpec(mark("Tables"), "tables", _tables, ("gui.tables.build_panel", "gui.tables.page"))
    ),
    _door(
        PageSpec(
            mark("Settings"),
            "settings",
            _settings,
            ("gui.settings.data_section", "gui.settings.page"),
        )
    ),
    _door(
        PageSpec(mark("Help"), "help", _help, ("gui.help.browser", "gui.help.page")),
        is_at_bottom=True,
    ),
)
PAGES = tuple(page for door in DOORS for page in door.pages)
