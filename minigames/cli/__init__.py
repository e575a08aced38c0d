"""The sub-commands of this package. They import their dependencies when they run."""

from minigames.cli import minigame
from tablebase.cli.console import Commands


def add_commands(commands: Commands) -> None:
    """Add the sub-commands of this package to the parser's `commands`."""
    minigame.add_to(commands)
