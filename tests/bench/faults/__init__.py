"""The fault campaign: all that can happen to a build or to a table's file, hundreds of times.

By hand: ``python -m tests.bench.faults --help``. Kills, full disks, rivals, clocks that jump,
folders that vanish and mutated files; zero wrong things is the only good result.
"""
