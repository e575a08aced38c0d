"""The formations of the other program that this one does not have, as own ones of the user."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path

from coach.foreign.config import ForeignSettingsError
from engine.platform.language import tr
from tablebase.errors import FormationError
from tablebase.formation.formation import Formation
from tablebase.formation.json_file import read_json
from tablebase.formation.own_file import why_taken
from tablebase.formation.patterns_file import is_same_definition, parse_reference
from tablebase.formation.reference_file import is_reference

_MAX_STEM_LENGTH = 26  # of 32 letters, with room for the ending


@dataclass(frozen=True)
class NewFormation:
    """A formation that can be imported.

    Attributes
    ----------
    formation : Formation
        By the name that it gets here.
    name : str
        Its name in the other program.
    """

    formation: Formation
    name: str

    @property
    def line(self) -> str:
        """The formation in a line of text."""
        if self.formation.name == self.name:
            return self.name
        return tr("{name}, as {new}: ours is another one", name=self.name, new=self.formation.name)


def new_formations(
    path: Path, known: Mapping[str, Formation]
) -> tuple[list[NewFormation], list[str]]:
    """Return the formations of a patterns_config.json that are not known, and the problems.

    One with the name of another definition gets a name of its own, so that nothing is replaced:
    tables that were made with it are still recognized by their boards.

    Raises
    ------
    ForeignSettingsError
        The file cannot be read, or is something else.
    """
    try:
        data = read_json(path)
    except FormationError as error:
        raise ForeignSettingsError(str(error)) from error
    if not is_reference(data):
        raise ForeignSettingsError(
            tr("{path} has no formations of 2048EndgameTablebase", path=path)
        )
    theirs, problems = parse_reference(data)
    here = dict(known)
    new = []
    for name, formation in theirs.items():
        if any(is_same_definition(formation, one) for one in here.values()):
            continue
        stem = name[:_MAX_STEM_LENGTH]
        names = chain([name, f"{stem}alt"], (f"{stem}alt{n}" for n in count(2)))
        free = next(one for one in names if not why_taken(one, here))
        here[free] = replace(formation, name=free)
        new.append(NewFormation(here[free], name))
    return new, problems
