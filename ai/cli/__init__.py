"""The sub-commands of this package. They import their dependencies when they run."""

from ai.cli import engine, play, prepare, train
from engine.platform.cli.console import Commands


def add_commands(commands: Commands) -> None:
    play.add_to(commands)
    engine.add_to(commands)
    train.add_to(commands)
    prepare.add_to(commands)
