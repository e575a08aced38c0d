"""What routes are called, and their codes: what goes in comes out, slips are noticed."""

import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.routes.code import (
    EXAMPLE,
    LARGEST_SEED,
    MAX_MOVES,
    Route,
    RouteCodeError,
    code_of,
    read_code,
)
from coach.routes.words import route_title
from tests.coach.routes import route_twin as twin

ON_TABLE = Route("442", "512", 123_456_789_012, 100, True, 100, 777)
ON_SUM = Route("3X3", "sum1800", 7, 0, False, 250, 3)
GAME = Route("", "", LARGEST_SEED, 0, False, 100, 0)
ROUTES = (ON_TABLE, ON_SUM, GAME)
TYPED = twin.ALPHABET + "ILOU-"

tables = st.builds(
    Route,
    formation=st.from_regex(r"[A-Z0-9]{1,32}", fullmatch=True).filter(lambda name: name != "GAME"),
    target=st.sampled_from(["64", "512", "16384", "sum96", "sum1800"]),
    seed=st.integers(0, LARGEST_SEED),
    n_moves=st.integers(0, MAX_MOVES),
    is_corrected=st.booleans(),
    fours=st.integers(0, 1000),
    fingerprint=st.integers(0, 1023),
)
games = st.builds(
    lambda seed, n_moves, fours: Route("", "", seed, n_moves, False, fours),
    st.integers(0, LARGEST_SEED),
    st.integers(0, MAX_MOVES),
    st.integers(0, 1000),
)


@given(tables | games)
def test_a_code_is_read_as_the_route_it_was_made_of(route):
    code = code_of(route)
    assert read_code(code) == route
    assert read_code(f"  {code.lower()}\n") == route


@pytest.mark.thorough
@given(tables)
def test_a_code_is_that_of_the_twin(route):
    fields = [
        *((1, 4), (int(route.is_corrected), 1), (route.n_moves, 12), (route.fours, 10)),
        *((route.fingerprint, 10), (route.seed, 38)),
    ]
    head = f"{route.formation}-{route.target.upper()}-"
    digits = code_of(route)[len(head) :].replace("-", "")
    assert head + digits == twin.code(head, fields)


def test_codes_that_were_written_down_once():
    assert [code_of(route) for route in ROUTES] == [
        "442-512-30S0S6-2BJZ9J-6GMC9",
        "3X3-SUM1800-2001YG-0R0000-007BR",
        "GAME-2000S0-07ZZZZ-ZZZN8",
    ]


def is_noticed(text: str, route: Route) -> bool:
    """Whether a typing error leads to a message; or it means the same, as O does for 0."""
    try:
        return read_code(text) == route
    except RouteCodeError:
        return True


@pytest.mark.parametrize("route", ROUTES)
def test_every_wrong_character_is_noticed(route):
    code = code_of(route)
    for at, right in enumerate(code):
        for wrong in TYPED:
            if wrong != right:
                assert is_noticed(code[:at] + wrong + code[at + 1 :], route), (at, wrong)


@pytest.mark.parametrize("route", ROUTES)
def test_any_two_characters_that_changed_places_are_noticed(route):
    code = code_of(route)
    for i, j in combinations(range(len(code)), 2):
        swapped = list(code)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        assert is_noticed("".join(swapped), route), (i, j)


@pytest.mark.parametrize("route", ROUTES)
def test_every_lost_and_every_doubled_character_is_noticed(route):
    code = code_of(route)
    for at in range(len(code)):
        assert is_noticed(code[:at] + code[at + 1 :], route), at
        assert is_noticed(code[: at + 1] + code[at:], route), at


def test_powers_of_32_are_told_apart_in_the_longest_code():
    longest = code_of(Route("A" * 32, "sum32758", 1))
    powers = {pow(32, i, 1021) for i in range(len(longest))}
    assert len(powers) == len(longest)
    assert all(1021 % n for n in range(2, 1021))


def test_letters_that_look_like_digits_are_read_as_these():
    code = code_of(replace(ON_TABLE, seed=0))
    head, digits = code[:8], code[8:]
    assert "0" in digits
    assert read_code(head + digits.replace("0", "O")) == replace(ON_TABLE, seed=0)
    ones = replace(ON_TABLE, seed=1 << 5 | 1)
    digits = code_of(ones)[len(head) :]
    assert "1" in digits
    for letter in "iIlL":
        assert read_code(head + digits.replace("1", letter).replace("0", "o")) == ones


def test_groups_do_not_count():
    head, digits = code_of(ON_TABLE)[:8], code_of(ON_TABLE)[8:]
    assert read_code(head + digits.replace("-", "")) == ON_TABLE
    assert read_code(head + " - ".join(digits.replace("-", ""))) == ON_TABLE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected the code"),
        ("   ", "expected the code"),
        ("x" * 500, "is not a route code"),
        ("442-512-\u00e4\u00f6", "is not a route code"),
        ("\N{FULLWIDTH DIGIT FOUR}42-512", "is not a route code"),
        ("442-512", "letters and digits after its name"),
        ("442-512-08C2T0-4G1ZK3", "was all of it copied"),
        ("442-512-08C2T0-4G1ZK3-VWM7U", "never has 'U'"),
        ("442-512-08C2T0-4G1Z\x003-VWM7E", "never has"),
        (EXAMPLE, "typing error"),
        ("4_2-512-08C2T0-4G1ZK3-VWM7E", "typing error"),
    ],
)
def test_what_is_no_code_is_told(text, said):
    with pytest.raises(RouteCodeError, match=re.escape(said)):
        read_code(text)


@given(st.text(max_size=60) | st.text(alphabet=TYPED, max_size=60))
def test_any_text_gets_a_message(text):
    with pytest.raises(RouteCodeError):
        read_code(text)


def made_up(head: str, version: int = 1, corrected: int = 1, fours: int = 100, prints: int = 5):
    return twin.code(
        head, [(version, 4), (corrected, 1), (9, 12), (fours, 10), (prints, 10), (1, 38)]
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (made_up("442-512-", version=2), "later version"),
        (made_up("442-512-", fours=1001), "no such route"),
        (made_up("442-0-"), "no such route"),
        (made_up("442-1-"), "no such route"),
        (made_up("442-0512-"), "no such route"),
        (made_up("442-SUM7-"), "no such route"),
        (made_up("442-X-"), "no such route"),
        (made_up("-512-"), "no such route"),
        (made_up("GAME-", corrected=1, prints=0), "no such route"),
        (made_up("GAME-", corrected=0, prints=5), "no such route"),
    ],
)
def test_what_passes_the_check_and_is_none_is_told(code, said):
    with pytest.raises(RouteCodeError, match=said):
        read_code(code)


def test_what_was_made_up_well_is_read():
    assert read_code(made_up("442-512-")) == Route("442", "512", 1, 9, True, 100, 5)
    assert read_code(made_up("GAME-", corrected=0, prints=0)).is_game


@pytest.mark.parametrize(
    ("name", "spawn4", "is_on"),
    [
        ("442_512", 0.1, True),
        ("442_256", 0.1, False),
        ("444_512", 0.1, False),
        ("442_512", 0.2, False),
        ("442_512", 0.1004, False),
    ],
)
def test_its_table_is_found_by_name_and_share_of_fours(name, spawn4, is_on):
    assert ON_TABLE.is_on(name, spawn4) is is_on


def test_small_letters_of_a_formation_come_back():
    assert Route("FREE10", "256", 1).is_on("free10_256", 0.1)


@pytest.mark.parametrize(
    ("formation", "spelled"), [("2X4", "2x4"), ("L3T", "L3t"), ("FREE9", "free9"), ("MINE", "MINE")]
)
def test_formations_are_written_as_everywhere_else(formation, spelled):
    route = Route(formation, "64", 5, 12, is_corrected=False)
    assert route_title(route) == f"{spelled} \N{RIGHTWARDS ARROW} 64"
