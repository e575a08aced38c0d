"""The sub-commands of this package. They import what they need when they run."""

from engine.platform.cli.console import Commands
from web.cli import serve


def add_commands(commands: Commands) -> None:
    serve.add_to(commands)
