"""The sub-commands of this package. They import what they need when they run."""

from coach.cli import analyze, backup, hint, puzzles, restore, route
from tablebase.cli.console import Commands


def add_commands(commands: Commands) -> None:
    """Add the sub-commands of this package to the parser's `commands`."""
    for module in (analyze, hint, puzzles, route, backup, restore):
        module.add_to(commands)
