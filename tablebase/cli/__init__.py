"""The sub-commands of this package: build, probe, verify, tables, import, estimate, patterns, demo.

One file each. They import what they need when they run, so that ``--help`` needs neither numba nor
anything else that takes long; `console` is what all share, `text` how numbers are written.
"""

from tablebase.cli import build, demo, estimate, import_, patterns, probe, tables, verify
from tablebase.cli.console import Commands


def add_commands(commands: Commands) -> None:
    """Add the sub-commands of this package to the parser's `commands`."""
    for module in (demo, build, probe, verify, tables, import_, estimate, patterns):
        module.add_to(commands)
