"""Importing situations from lines of text."""

from collections.abc import Callable, Sequence
from datetime import datetime

from coach.situations.situation import Situation
from coach.situations.situations import Situations
from coach.situations.text_line import checked, read_text
from engine.platform.language import mark, tr, trn
from gui.widgets.line_import import LineKind

_FILES = mark("Situations (*.txt);;All files (*)")


def situation_lines(now: Callable[[], datetime]) -> LineKind[Situations, Situation]:
    """Return the description of situation lines for import, in the current language."""

    def keep(situations: Situations, found: Sequence[Situation]) -> tuple[int, int]:
        return situations.add(found, now())

    return LineKind(
        check=lambda text, open_table: checked(read_text(text), open_table),
        keep=keep,
        title=tr("Import situations"),
        files=tr(_FILES),
        file=tr("a file of situations"),
        nothing=tr("There's no situation in it."),
        no_text=tr("There's no text on the clipboard. Copy one or more lines with situations."),
        bad_lines=lambda n, problems: trn(
            "{n} line isn't a situation. {problems}",
            "{n:,} lines aren't situations. {problems}",
            n,
            problems=problems,
        ),
    )
