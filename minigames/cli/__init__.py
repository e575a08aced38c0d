"""The sub-commands of this package. They import their dependencies when they run."""

from engine.platform.cli.console import Commands
from minigames.cli import minigame


def add_commands(commands: Commands) -> None:
    minigame.add_to(commands)
