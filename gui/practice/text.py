"""Notices in place of missing rates: a title, a sentence, what to do."""

from coach.grading.names import move_title
from engine.platform.language import mark, sentences, tr
from gui.practice.game import PracticeGame
from gui.text.messages import message_of, sentence
from gui.text.numbers import table_title
from gui.widgets.notice import Message
from tablebase.errors import ProbeError
from tablebase.formation.goal import goal_of

_NEW_START = {"new_start": mark("New")}
_BACK = {"new_start": mark("New"), "undo": mark("Undo")}
_UNDO_FIRST = {"undo": mark("Undo"), "new_start": mark("New")}
TABLES = {"tables": mark("Show tables")}
PLACE_HINT = mark("Place the new tile: click for a 2, right click for a 4.")

NOTHING_TO_COMPARE = mark("Play a move first, or choose one under Why.")

INVITATION = Message(
    mark("Practice against perfect answers"),
    mark("A table knows the success rate of every move in an endgame. Build one and play it here."),
    {"tables": mark("Build a table")},
)


def missing_rates_message(game: PracticeGame, next_table: str = "") -> Message | None:
    """Return the message in place of the position's rates; None if the rates can be shown.

    `next_table` is the name of the table that a chained one continues in.
    """
    session, table, answer = game.session, game.table, game.answer
    if session is None or table is None:
        return None
    target, remedies = goal_of(table.target).words(), _BACK if session.can_undo else _NEW_START
    is_reached = game.is_reached
    if is_reached and next_table:
        name = table_title(next_table)
        text = tr("Go on with {table}: the new tile is one more large tile there.", table=name)
        remedies = {"next_table": mark("Continue"), **_NEW_START}
        return Message(tr("{target} reached", target=target), text, remedies)
    if is_reached:
        text = tr("Keep playing, or start again.")
        return Message(tr("{target} reached", target=target), text, _NEW_START)
    if (answer is None or answer.best is None) and game.is_over:
        text = tr("You didn't reach the {target}.", target=target)
        return Message(tr("No moves left"), text, remedies)
    if answer is None or not answer.error:
        return None
    error = answer.error
    reason = sentence(error.why if isinstance(error, ProbeError) else str(error))
    if isinstance(error, ProbeError) and game.has_left:
        pattern = table.name.rpartition("_")[0]
        reason = tr("The large tiles are no longer in the {pattern} shape.", pattern=pattern)
    end = tr("Keep playing, or start again.")
    if session.can_undo:
        end, remedies = tr("Keep playing, or undo."), _UNDO_FIRST
    return Message(tr("Not in this table"), sentences(reason, end), remedies)


def failure_message(error: BaseException) -> Message:
    return Message(tr("Can't open this table"), message_of(error), TABLES)


def closed_message(name: str) -> Message:
    text = tr("Choose another table above, or build one.")
    return Message(tr("{table} is closed", table=table_title(name)), text, TABLES)


def breaking_question(direction: int, table: str) -> str:
    return tr(
        "{move} breaks the formation, so the {table} table can't rate what follows. To play it "
        "anyway, press {move} again.",
        move=move_title(direction),
        table=table_title(table),
    )
