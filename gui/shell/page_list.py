"""The pages of the window but Home, in their order."""

from gui.analysis.spec import SPEC as ANALYSIS
from gui.exam.spec import SPEC as EXAM
from gui.game.spec import SPEC as GAME
from gui.help.spec import SPEC as HELP
from gui.minigames.spec import SPEC as MINIGAMES
from gui.mistakes.spec import SPEC as MISTAKES
from gui.practice.spec import SPEC as PRACTICE
from gui.profile.spec import SPEC as PROFILE
from gui.puzzles.spec import SPEC as PUZZLES
from gui.review.spec import SPEC as REVIEW
from gui.routes.spec import SPEC as ROUTES
from gui.settings.spec import SPEC as SETTINGS
from gui.situations.spec import SPEC as SITUATIONS
from gui.tables.spec import SPEC as TABLES

PAGES = (
    GAME,
    PRACTICE,
    EXAM,
    REVIEW,
    MISTAKES,
    PUZZLES,
    PROFILE,
    ANALYSIS,
    ROUTES,
    SITUATIONS,
    MINIGAMES,
    TABLES,
    SETTINGS,
    HELP,
)
