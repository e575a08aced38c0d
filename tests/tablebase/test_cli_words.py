"""The command line speaks the language in force, argparse's own words included."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import main
from engine.platform import language
from engine.platform.cli.console import MISTAKE, CommandParser
from engine.platform.cli.parser_words import message, wrapped
from engine.platform.cli.text import width_of

ROOT = Path(__file__).parent.parent.parent
WORD = re.compile("[A-Za-z]{3,}")
# What is typed, and names: options, commands, their choices, folders.
ARGPARSE = re.compile(r"\b(argument|expected|required|value|unrecognized|allowed|ignored)", re.I)
TYPED = re.compile(r"--?[a-z][\w-]*|\{[^}]*\}|2048\w+|WID|[\w./:-]*[_/.:][\w./:-]*")


@pytest.fixture(autouse=True)
def _english_again():
    yield
    language.use("en")


def parser() -> CommandParser:
    made = CommandParser(prog="demo")
    made.add_argument("number", type=int, metavar="N")
    made.add_argument("--one", choices=("a", "b"))
    made.add_argument("--two", nargs=2)
    made.add_argument("--flag", action="store_true")
    made.add_argument("--most", nargs="?")
    some = made.add_mutually_exclusive_group(required=True)
    some.add_argument("--up", action="store_true")
    some.add_argument("--down", action="store_true")
    return made


MISTAKES = {
    "--up": "the following arguments are required: N",
    "1": "one of the arguments --up --down is required",
    "x --up": "argument N: invalid int value: 'x'",
    "1 --up --one": "argument --one: expected one argument",
    "1 --up --two a": "argument --two: expected 2 arguments",
    "1 --up --flag=a": "argument --flag: ignored explicit argument 'a'",
    "1 --up --down": "argument --down: not allowed with argument --up",
    "1 2 --up": "unrecognized arguments: 2",
}


def told(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as left:
        parser().parse_args(words.split())
    assert left.value.code == MISTAKE
    return capsys.readouterr().err


@pytest.mark.parametrize("words", MISTAKES)
def test_mistakes_are_told_in_one_line_in_every_language(words, capsys):
    assert told(words, capsys) == f"error: {MISTAKES[words]} (see demo --help)\n"
    language.use(language.PSEUDO)
    assert not ARGPARSE.search(told(words, capsys))


def test_a_wrong_choice_names_the_others():
    assert message("invalid choice: 'c' (choose from 'a', 'b')") == (
        "invalid choice: 'c' (choose from 'a', 'b')"
    )
    language.use(language.PSEUDO)
    assert message("invalid choice: 'c' (choose from 'a', 'b')").startswith("[íñválíd")
    assert message("what a parser of ours says") == "what a parser of ours says"


def test_the_whole_help_is_translated(capsys):
    language.use(language.PSEUDO)
    with pytest.raises(SystemExit):
        main.build_parser().parse_args(["--help"])
    usage = capsys.readouterr().out
    assert usage.startswith("[úšáğé: ")
    for english in ("usage", "options", "show this", "show program", "COMMAND", "DIR"):
        assert english not in usage


def run(*words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {language.ENVIRONMENT: "zh_CN", "COLUMNS": "80"}
    return subprocess.run(
        [sys.executable, "main.py", *words],
        cwd=ROOT, env=environment | {"PYTHONIOENCODING": "utf-8"}, capture_output=True,
        encoding="utf-8", timeout=600, check=False,
    )  # fmt: skip


def test_the_help_in_chinese_has_no_english_and_fits_the_terminal():
    out = run("--help").stdout
    assert out.startswith("用法：")
    commands = out.splitlines()
    texts = [line for line in commands if not line.startswith("    ")]
    plain = TYPED.sub("", "\n".join(texts)).replace("main.py", "")
    assert not WORD.search(plain), plain
    # Two columns in a row, so that nothing is broken off at half the width either.
    assert max(width_of(line) for line in commands) <= 80


def test_a_wrong_call_in_chinese():
    done = run("build")
    assert done.returncode == MISTAKE
    assert done.stderr == "error: 缺少参数：定式, 目标（参见 main.py build --help）\n"


def test_lines_break_between_wide_characters():
    lines = list(wrapped("计算一张表，或继续未完成的计算。", 10))
    assert "".join(lines) == "计算一张表，或继续未完成的计算。"
    assert max(map(width_of, lines)) <= 12  # a full stop hangs over
    assert not any(line.startswith(("，", "。")) for line in lines)
