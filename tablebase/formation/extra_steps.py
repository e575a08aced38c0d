"""The length of a table: how many layers follow those that its target takes at least.

By default a formation says it. A board that has not reached the target in the last two layers
counts as lost, even if it may still reach it, so a longer table has higher rates; in a full one no
board is left by then, and all rates are exact.
"""

from dataclasses import replace

from tablebase.errors import FormationError
from tablebase.formation.checks import check_steps
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal, goal_of

FULL = "full"


def with_extra_steps(
    formation: Formation, target: Goal | int, steps: int | str | None
) -> Formation:
    """Return the formation of a table for a goal that has other extra steps than usual.

    `steps` is "full" for as many as it takes, None for the formation's own number. Raises
    FormationError if it has no tables of that length.
    """
    goal = goal_of(target)
    if steps is None:
        return formation
    if not goal.tile:  # its table ends where the sum is reached, so it is full
        if steps == FULL:
            return formation
        raise FormationError(
            "a table for {target} ends at the sum: it has no extra steps", target=goal
        )
    n = goal.full_layers(formation) - goal.tile // 2 if steps == FULL else int(steps)
    longer = replace(formation, extra_steps=n)
    check_steps(longer)
    return longer


def steps_of(table: Formation, target: Goal | int, usual: Formation | None) -> str:
    """Return the choice of extra steps that a table was built with: "" for the usual number.

    `table` is the formation that the table's manifest gives, `usual` the present one of that name;
    None if there is none any more.
    """
    goal, steps = goal_of(target), table.extra_steps
    if usual is None or not goal.tile or steps == usual.extra_steps:
        return ""
    return FULL if steps == goal.full_layers(usual) - goal.tile // 2 else str(steps)
