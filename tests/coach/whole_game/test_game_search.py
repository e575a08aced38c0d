"""The order in which a game is searched, and what remains after a stop."""

import random
from dataclasses import dataclass

from coach.whole_game.game_search import KEEP_EVERY, ROUGHLY, GameSearch
from coach.whole_game.stored_chances import stored
from engine.trace import slide_cells
from tests.coach.games import random_game

NODES = 1600
GAME = random_game(600, seed=80, with_rates=False)
POSITIONS = tuple(GAME.positions())


@dataclass(frozen=True)
class Found:
    chances: tuple[float | None, ...]


class Looks:
    """Chances that follow from position and budget alone; rough ones are a little off."""

    def __init__(self):
        self.asked: list[tuple[tuple[int, ...], int]] = []

    def __call__(self, cells, nodes):
        self.asked.append((cells, nodes))
        chance = random.Random(repr(cells))
        exact = [chance.random() for _ in range(4)]
        off = 0.0 if nodes == NODES else 0.01
        return Found(
            tuple(
                max(0.0, one - off)
                if slide_cells(cells, d, merge_32768=True).cells != cells
                else None
                for d, one in enumerate(exact)
            )
        )

    def stored(self, i):
        return stored(Looks()(POSITIONS[i], NODES).chances)


def searched(known=None, left_out=(), most=None):
    """Search the game; return the search, who was asked, what was kept, piece by piece."""
    looks, kept = Looks(), []
    search = GameSearch(POSITIONS, GAME.moves, looks, NODES, known or {}, left_out)
    search.run(
        lambda found: kept.append(dict(found)),
        is_cancelled=lambda: most is not None and len(looks.asked) >= most,
    )
    return search, looks, kept


def test_all_is_found_in_full_and_kept():
    search, looks, kept = searched()
    assert search.is_done
    n = len(POSITIONS)
    assert [nodes for _, nodes in looks.asked] == [NODES // ROUGHLY] * n + [NODES] * n
    assert search.chances == {i: looks.stored(i) for i in range(n)}
    whole = {}
    for one in kept:
        assert not whole.keys() & one.keys()
        whole |= one
    assert whole == search.chances
    assert [len(one) for one in kept] == [KEEP_EVERY] * (n // KEEP_EVERY) + [n % KEEP_EVERY]


def loss(i, chances):
    known = [one for one in chances if one is not None]
    return max(known) - chances[GAME.moves[i].direction] if len(known) > 1 else -1


def test_what_seems_to_have_lost_most_comes_first():
    _, looks, _ = searched()
    n = len(POSITIONS)
    index = {cells: i for i, cells in enumerate(POSITIONS)}
    assert len(index) == n
    order = [index[cells] for cells, _ in looks.asked[n:]]
    roughly = {i: stored(Looks()(POSITIONS[i], NODES // ROUGHLY).chances) for i in range(n)}
    losses = [loss(i, roughly[i]) if i < len(GAME.moves) else -1 for i in order]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > 0.5 > losses[n // 2]


def test_who_stops_and_goes_on_ends_with_the_same():
    n = len(POSITIONS)
    part, _, kept = searched(most=n + 40)
    assert not part.is_done
    assert len(part.full) == 40
    assert set(part.chances) == set(range(n)), "roughly known, the others"
    known = {i: chances for one in kept for i, chances in one.items()}
    assert known == part.full, "what was found is kept when somebody stops"
    rest, looks, _ = searched(known)
    assert rest.is_done
    assert len(looks.asked) == 2 * (n - 40), "nothing is searched twice in full"
    assert rest.chances == searched()[0].chances


def test_what_tables_know_is_not_searched():
    left_out = set(range(70))
    search, looks, _ = searched(left_out=left_out)
    assert search.is_done
    assert {cells for cells, _ in looks.asked} == set(POSITIONS[70:])
    assert set(search.chances) == set(range(70, len(POSITIONS)))


def test_progress_goes_from_nothing_to_all():
    looks, shares = Looks(), []
    search = GameSearch(POSITIONS, GAME.moves, looks, NODES, {})
    search.run(lambda _: None, lambda stage: shares.append(stage.share))
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert 1 / (ROUGHLY + 1) in shares
    assert 0.95 < shares[-1] < 1.0
