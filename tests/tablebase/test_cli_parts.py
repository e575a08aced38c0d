"""The pieces below the commands: values, text, progress, stopping."""

import argparse
import doctest
import os
import signal
import threading
from pathlib import Path

import pytest

from engine.platform.cli import arguments as values
from engine.platform.cli import text
from engine.platform.cli.control import cancellable
from engine.platform.cli.status_line import Ticker
from engine.platform.cli.text import columns, side_by_side
from tablebase.cli.patterns import small_board
from tablebase.errors import BuildRefusedError
from tablebase.library import arguments
from tablebase.library import build_report as progress
from tablebase.store.options import TableOptions


@pytest.mark.parametrize("module", [text, progress])
def test_the_examples_are_true(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("parse", "given", "value"),
    [
        (values.memory_size, "1000000000", 10**9),
        (values.memory_size, "4G", 4 * 10**9),
        (values.memory_size, "1.5 GiB", 3 << 29),
        (values.memory_size, "512mb", 512 * 10**6),
        (values.probability, "0.1", 0.1),
        (values.probability, "1e-9", 1e-9),
        (arguments.typed("threads"), "2", 2),
        (values.sample_size, "0", 0),
        (values.seed, "18446744073709551615", 2**64 - 1),
        (arguments.tile, "256", 256),
        (arguments.typed("threshold"), "0", 0.0),
        (arguments.typed("threshold"), "0.05", 0.05),
        (arguments.typed("sparse"), "1", 1),
        (arguments.typed("sparse"), "16", 16),
        (values.directory, "~/tables", Path.home() / "tables"),
        (values.directory, "./~nosuchuser/x", Path("~nosuchuser/x")),
    ],
)
def test_good_values_are_taken(parse, given, value):
    assert parse(given) == value


@pytest.mark.parametrize(
    ("parse", "given"),
    [
        *((values.memory_size, given) for given in ("", "0", "-1", "4X", "GB", "1iB", "1e9", "9e")),
        *((values.probability, given) for given in ("0", "1", "nan", "inf", "-0.1", "", "1/10")),
        *((arguments.typed("threads"), given) for given in ("0", "257", "2.0", "", "\u0662")),
        *((values.seed, given) for given in ("-1", "18446744073709551616")),
        *((values.directory, given) for given in ("", "~nosuchuser/x")),
        *((arguments.typed("threshold"), given) for given in ("1", "-0.1", "nan", "5%", "")),
        *((arguments.typed("sparse"), given) for given in ("0", "2", "17", "3.0", "-4", "")),
        *((arguments.tile, given) for given in ("many", "-64", "64.0", "")),
    ],
)
def test_bad_values_are_refused_by_name(parse, given):
    with pytest.raises(argparse.ArgumentTypeError, match=r"expected|to build with") as error:
        parse(given)
    assert repr(given) in str(error.value)


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    arguments.add_content(parser)
    return parser.parse_args(words)


def test_the_content_of_a_table_is_the_usual_one_unless_told():
    assert arguments.content_of(parsed()) == TableOptions()
    words = ("--spawn4", "0.2", "--rate", "float32", "--threshold", "0.05", "--optimal-only")
    assert arguments.content_of(parsed(*words)) == TableOptions(0.2, "float32", 0.05, True, 1)
    assert arguments.content_of(parsed("--sparse", "8")) == TableOptions(sparse=8)


def test_options_that_contradict_each_other_are_refused():
    with pytest.raises(BuildRefusedError, match="a sparse table needs all boards"):
        arguments.content_of(parsed("--sparse", "3", "--threshold", "0.1"))


def test_columns_are_aligned():
    table = columns(("name", "n"), [("a", "1"), ("longer", "100")], right=[1])
    assert table.splitlines() == ["name      n", "a         1", "longer  100"]


def test_boards_stand_side_by_side_as_far_as_there_is_room():
    board = small_board(0x1000_0000_0000_000F)
    assert board.splitlines() == ["2 . . .", ". . . .", ". . . .", ". . . F"]
    drawn = side_by_side([("one", board), ("two", board), ("three", board)], width=20)
    rows = drawn.splitlines()
    assert rows[0] == "one        two"
    assert rows[1] == "2 . . .    2 . . ."
    assert rows[6] == "three"


def test_a_ticker_is_due_at_new_phases_and_after_its_interval():
    ticker = Ticker(0.5)
    asked = [("a", 0.0), ("a", 0.4), ("a", 0.5), ("b", 0.6), ("b", 0.9), ("b", 1.2)]
    assert [ticker.is_due(*when) for when in asked] == [True, False, True, True, False, True]


def test_ctrl_c_turns_the_switch_and_a_second_one_interrupts():
    before = signal.getsignal(signal.SIGINT)
    with cancellable() as switch:
        assert not switch.is_cancelled()
        signal.raise_signal(signal.SIGINT)
        assert switch.is_cancelled()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("said", [b"go on\ncancel\n", b"can", b""])
def test_stdin_turns_the_switch_when_told_or_closed(said, monkeypatch):
    reading, writing = os.pipe()
    monkeypatch.setattr("engine.platform.cli.control._STDIN", reading)
    with cancellable(listen_to_stdin=True) as switch:
        os.write(writing, b"hello\n")
        assert not switch.is_cancelled()
        os.write(writing, said)
        if not said.endswith(b"cancel\n"):
            os.close(writing)
        for thread in threading.enumerate():
            if thread.name == "stdin":
                thread.join(10)
        assert switch.is_cancelled()
