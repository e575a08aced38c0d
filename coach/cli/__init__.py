"""The sub-commands of this package. They import their dependencies when they run."""

from coach.cli import analyze, backup, explain, hint, profile, puzzles, restore, route, situations
from engine.platform.cli.console import Commands


def add_commands(commands: Commands) -> None:
    training = (puzzles, profile, route, situations)
    for module in (analyze, hint, explain, *training, backup, restore):
        module.add_to(commands)
