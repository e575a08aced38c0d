"""How long search looks at a move unless somebody says it, in milliseconds or nodes."""

HINT_MS = 200.0
"""For one position that somebody waits for."""
ROUTE_MS = 50.0
"""For a move of a route that an AI plays."""
MATCH_MS = 3.0
"""CPU time for a move of a game that is played without a window, on average."""
WHOLE_GAME_MS = 3.0
"""For each move of a game that is judged or played as a whole while somebody looks on."""
EXPLAIN_MS = 1.0
"""For each board that a move may lead to, when the move is explained."""
NODES_PER_MS = 4000
"""The nodes that stand for a millisecond, so that every computer finds the same."""


def nodes_of(ms: float) -> int:
    return max(1, round(ms * NODES_PER_MS))
