"""Replays copied from chats and mails: read where all their characters are there."""

import random
import unicodedata
from base64 import b64encode
from contextlib import suppress

import pytest
from recorded_games import random_game
from test_reading import WRITERS

from engine.formats.reading import read_replay
from engine.formats.replay import ReplayError

GAME = random_game(random.Random(5), "4x4", 150)
NEW, OLD = (WRITERS[name](GAME).decode() for name in ("verse-new", "verse-old"))
NEXT = "REPLAY_v1RPL_B64_" + b64encode(WRITERS["2048next"](GAME)).decode()
TEXTS = {"verse-new": NEW, "verse-old": OLD, "2048next": NEXT}


def encoded_twice(text: str) -> str:
    """Read UTF-8 as Windows-1252, in which browsers leave five bytes as they are."""
    left = {0x81, 0x8D, 0x8F, 0x90, 0x9D}
    return "".join(chr(b) if b in left else bytes([b]).decode("cp1252") for b in text.encode())


def wrapped(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line[at : at + 80] for line in lines for at in range(0, len(line) or 1, 80))


COPIES = {
    "code block": lambda text: f"```\n{text}\n```\n",
    "code block with words around": lambda text: f"my best\n\n```text\n{text}\n```\nthanks!\n",
    "quotes": lambda text: f'"{text}"',
    "curly quotes": lambda text: f"\u201c{text}\u201d\n",
    "title": lambda text: f"my best game\n{text}",
    "title and farewell": lambda text: f"Hi, this is it:\n\n{text}\n\nBye, A. 4x4\n",
    "zero-width spaces": lambda text: f"\u200b{text[:20]}\u200b{text[20:70]}\u2060{text[70:]}",
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "encoded twice": encoded_twice,
    "wrapped": wrapped,
    "wrapped by Windows": lambda text: wrapped(text).replace("\n", "\r\n"),
    "wrapped and quoted": lambda text: "> " + wrapped(text).replace("\n", "\n> "),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", TEXTS)
def test_a_copy_with_all_its_characters_is_read(name, how):
    found_name, found = read_replay(COPIES[how](TEXTS[name]).encode())
    assert (found_name, found.moves, found.problem) == (name, GAME.moves, "")


PAIRS = {
    "line by line": "{}\n{}\n",
    "a blank line between": "{}\n\n{}\n",
    "words between": "Hi, mine is this:\n{}\n\nand hers:\n{}\nBye",
    "words before each": "Hi, mine is this: {}\nand hers is this: {}\nBye",
    "a list": "1. {}\n2. {}\n",
    "a chat": "[12:01] Ann: {}\n[12:05] Bob: {}\n",
    "an answer": "On Monday, Ann wrote:\n> {}\n>\n> 1290 points\n\nMine:\n{}\n",
}


@pytest.mark.sample(7)
@pytest.mark.parametrize("how", ["as it is", *COPIES])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", TEXTS)
def test_of_two_games_the_first_is_read_and_the_other_is_told(name, pair, how):
    text = PAIRS[pair].format(TEXTS[name], NEXT)
    found_name, found = read_replay(COPIES.get(how, str)(text).encode())
    assert (found_name, found.moves) == (name, GAME.moves)
    assert found.problem == "the text holds 2 games, of which this is the first"


@pytest.mark.parametrize("words", [" and hers is {}", ", {}"])
@pytest.mark.parametrize("name", ["verse-new", "2048next"])  # the other has letters for blanks
def test_of_two_games_on_a_line_the_first_is_read(name, words):
    line = TEXTS[name] + words.format(NEW)
    for text in (line, wrapped(line)):
        found_name, found = read_replay(text.encode())
        assert (found_name, found.moves) == (name, GAME.moves)
        assert found.problem == "the text holds 2 games, of which this is the first"


@pytest.mark.parametrize("name", ["verse-new", "verse-old"])
def test_a_damaged_copy_is_not_taken_for_a_shorter_game(name):
    width = 7 + 3 * 24 if name == "verse-new" else 80  # a line ends where a move does
    text = TEXTS[name]
    lines = [text[at : at + width] for at in range(0, len(text), width)]
    assert len(lines) > 1
    lines[1] = lines[1][:30] + ("!?!?!?" if name == "verse-new" else "~~~~~~") + lines[1][36:]
    found = read_replay("\n".join(lines).encode())[1]
    assert found.problem
    assert found.moves == GAME.moves[: len(found.moves)]


def test_what_is_lost_is_lost():
    lines = wrapped(NEW).split("\n")
    found = read_replay("\n".join([*lines[:2], lines[2] + "!?", *lines[3:]]).encode())[1]
    assert found.problem
    assert found.moves == GAME.moves[: len(found.moves)]
    assert len(found.moves) > 70
    with pytest.raises(ReplayError, match="its version is '2'"):
        read_replay(NEW.replace("-1_", "-2_").encode())


@pytest.mark.parametrize("piece", ["4x4-1_", "4x4-", "\n", "\n \n", " ", "1", "replay_", "\u00c3"])
def test_texts_full_of_beginnings_do_not_take_long(piece):
    with suppress(ReplayError):
        read_replay((piece * 20_000).encode())[1].check()
