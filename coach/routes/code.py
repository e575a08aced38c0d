"""The code of a route: one line that describes it fully, to mail, type or read aloud.

``442-512-08C2T0-4G1ZK3-VWM7E``, or ``GAME-...`` for a whole game: the formation and the target,
then 15 digits in base 32 and two check digits over everything before them. The digits are those of
Douglas Crockford (https://www.crockford.com/base32.html): no I, L, O or U, but these are understood
when typed. Case and hyphens among the digits are ignored. The 75 bits::

    4 version | 1 corrected | 12 moves | 10 fours per mille | 10 fingerprint | 38 seed

The check: with each character as a number (`_VALUES`), the code is a polynomial in 32 that is 0
modulo the prime 1021. A wrong character changes it by less than 1021 times a power of 32, two
swapped ones by a multiple of the difference of two powers; both are never 0 modulo 1021 for the
lengths that a code can have, so both errors are always detected.
"""

import re
import secrets
import zlib
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.spawn import PER_MILLE, is_same_spawn4
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal, read_goal

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GAME = "GAME"
MAX_MOVES = (1 << 12) - 1
LARGEST_SEED = (1 << 38) - 1
VERSION = 1
EXAMPLE = "442-512-08C2T0-4G1ZK3-VWM7E"  # no text
"""What a code looks like; not one."""

_VALUES = {char: value for value, char in enumerate(f"{DIGITS}ILOU-")}
_READ_AS = str.maketrans("ILO", "110")
_PRIME = 1021
_N_DATA, _N_DIGITS = 15, 17
_GROUPS_END_AT = (0, 6, 12, 17)
_NAME = re.compile(r"[A-Z0-9]{1,32}")
_FIELDS = (("version", 4), ("is_corrected", 1), ("n_moves", 12), ("fours", 10), ("print", 10))
_SEED_BITS = 38


class RouteCodeError(AppError, ValueError):
    """A text is not the code of a route; the message says what was expected."""


@dataclass(frozen=True)
class Route:
    """The parameters shared by everybody who plays a route."""

    formation: str  # its name in capital letters, "" for a whole game
    target: str  # as spelled in table names: "512", "sum1800"; "" for a whole game
    seed: int  # 0 to `LARGEST_SEED`
    n_moves: int = 0  # number of moves after which it ends, 0 for no limit; at most `MAX_MOVES`
    is_corrected: bool = True  # whether the best move replaces a mistake
    fours: int = 100  # number of fours per 1000 new tiles
    fingerprint: int = 0  # of the formation, see `fingerprint_of`

    @property
    def is_game(self) -> bool:
        """Whether it is a whole game, which needs no table."""
        return not self.formation

    @property
    def goal(self) -> Goal | None:
        return read_goal(self.target)

    @property
    def spawn4(self) -> float:
        return self.fours / PER_MILLE

    @property
    def table(self) -> str:
        """The name of its table, such as "442_512", the letters of the formation as capitals."""
        return f"{self.formation}_{self.target}"

    def is_on(self, name: str, spawn4: float) -> bool:
        """Return whether it is played on a table with this name and probability of fours."""
        formation, _, target = name.rpartition("_")
        same_name = (formation.upper(), target) == (self.formation, self.target)
        return same_name and fours_of(spawn4) == self.fours

    def again(self) -> "Route":
        return replace(self, seed=secrets.randbits(_SEED_BITS))


def fours_of(spawn4: float) -> int | None:
    """Return the number of fours per 1000 new tiles; None if that is not an integer."""
    fours = round(spawn4 * PER_MILLE)
    return fours if is_same_spawn4(fours / PER_MILLE, spawn4) else None


def fingerprint_of(formation: Formation) -> int:
    """Return 10 bits that distinguish a formation from others with the same name."""
    facts = (
        *(formation.masks, (formation.target_cells,), formation.seeds),
        (formation.extra_steps, int(formation.walls)),
    )
    text = ";".join(",".join(f"{number:x}" for number in numbers) for numbers in facts)
    return zlib.crc32(text.encode("ascii")) & 1023


def code_of(route: Route) -> str:
    number = 0
    values = (VERSION, route.is_corrected, route.n_moves, route.fours, route.fingerprint)
    for value, (_, bits) in zip(values, _FIELDS, strict=True):
        number = number << bits | int(value)
    number = number << _SEED_BITS | route.seed
    data = digits_of(number, _N_DATA)
    head = f"{GAME}-" if route.is_game else f"{route.formation}-{route.target.upper()}-"
    return head + grouped(data + check_digits(head + data))


def read_code(text: str) -> Route:
    """Return the route of a typed or pasted code.

    RouteCodeError: it is not a code, has a typing error, or is of a later version.
    """
    code = "".join(text.split()).upper()
    if not code:
        raise RouteCodeError("expected the code of a route, such as {code}", code=EXAMPLE)
    if len(code) > 80 or not code.isascii():
        shown = code[:20].encode("ascii", "replace").decode("ascii")
        raise RouteCodeError(
            "{text!r} is not a route code; one looks like {code}", text=shown, code=EXAMPLE
        )
    parts = code.split("-")
    n_names = 1 if parts[0] == GAME else 2
    names, digits = parts[:n_names], "".join(parts[n_names:]).translate(_READ_AS)
    if wrong := next((one for one in digits if one not in DIGITS), ""):
        raise RouteCodeError(
            "a code never has {character!r} in it; one looks like {code}",
            character=wrong,
            code=EXAMPLE,
        )
    if len(digits) != _N_DIGITS:
        raise RouteCodeError(
            "this code has {n} letters and digits after its name, but {wanted} are expected: "
            "was all of it copied?",
            n=len(digits),
            wanted=_N_DIGITS,
        )
    head = "".join(f"{name}-" for name in names)
    if any(char not in _VALUES for char in head) or not is_checked(head + digits):
        raise RouteCodeError(
            tr("this code has a typing error: compare it with the one that you were given")
        )
    return _route(names, number_of(digits[:_N_DATA]))


def _route(names: list[str], number: int) -> Route:
    """Return the route of fields that pass the check; they may still be made up."""
    seed, number = number & LARGEST_SEED, number >> _SEED_BITS
    found: dict[str, int] = {}
    for name, bits in reversed(_FIELDS):
        found[name], number = number & (1 << bits) - 1, number >> bits
    if found["version"] != VERSION:
        raise RouteCodeError(
            "this code is of version {version}, and this program knows version {known}: a "
            "later version of the program reads it",
            version=found["version"],
            known=VERSION,
        )
    formation, target = ("", "") if len(names) == 1 else (names[0], names[1].lower())
    goal = read_goal(target)
    is_table = bool(_NAME.fullmatch(formation)) and goal is not None and goal.is_possible
    is_game = not formation and not found["is_corrected"] and not found["print"]
    if not (is_table or is_game) or found["fours"] > PER_MILLE or (goal and str(goal) != target):
        raise RouteCodeError(tr("this code passes its check, but there is no such route"))
    return Route(
        formation,
        target,
        seed,
        found["n_moves"],
        bool(found["is_corrected"]),
        found["fours"],
        found["print"],
    )


def grouped(digits: str) -> str:
    """Return digits in groups that are easy to read aloud."""
    return "-".join(digits[at:end] for at, end in pairwise(_GROUPS_END_AT))


def digits_of(number: int, n_digits: int) -> str:
    return "".join(DIGITS[number >> 5 * i & 31] for i in reversed(range(n_digits)))


def number_of(digits: str) -> int:
    number = 0
    for one in digits:
        number = number << 5 | DIGITS.index(one)
    return number


def check_digits(text: str) -> str:
    """Return two digits that make a text pass `is_checked`; capitals, digits and hyphens only."""
    return digits_of(-_polynomial(f"{text}00") % _PRIME, 2)


def is_checked(text: str) -> bool:
    return _polynomial(text) == 0


def _polynomial(text: str) -> int:
    value = 0
    for char in text:
        value = (value * 32 + _VALUES[char]) % _PRIME
    return value
