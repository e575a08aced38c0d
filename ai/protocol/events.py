"""Events of the engine: plain data for JSON, and the same as a line of words."""

from collections.abc import Sequence
from typing import Any

from ai.choice import kind_of
from ai.dispatch.thinker import AnalysisResult, Ply
from engine.bitboard import DIRECTIONS

Event = dict[str, Any]


def info(result: AnalysisResult, variation: Sequence[Ply]) -> Event:
    """Return the event with the results for a position so far.

    `line` is the principal variation; empty if no move is legal.
    """
    decision = result.decision
    plies: list[Event] = []
    for ply in variation:
        plies.append({"move": DIRECTIONS[ply.direction]})
        if ply.spawned:
            cell, exponent = ply.spawned
            plies[-1]["new_tile"] = [cell, 1 << exponent]
    return {
        "event": "info",
        "depth": decision.depth,
        "nodes": decision.nodes,
        "ms": round(result.ms, 1),
        "source": decision.source,
        "kind": kind_of(decision).name.lower(),
        "value": None if decision.direction is None else decision.values[decision.direction],
        "values": dict(zip(DIRECTIONS, decision.values, strict=True)),
        "pv": plies,
    }


def best_move(result: AnalysisResult) -> Event:
    direction = result.decision.direction
    move = None if direction is None else DIRECTIONS[direction]
    return {"event": "bestmove", "move": move, "source": result.decision.source}


def text_of(event: Event) -> str:
    match event["event"]:
        case "info":
            counts = " ".join(f"{name} {event[name]:.12g}" for name in ("depth", "nodes", "ms"))
            value, *values = map(_number, (event["value"], *event["values"].values()))
            words = ["info", counts, f"kind {event['kind']}", f"value {value}"]
            words += [f"values {' '.join(values)}", f"source {event['source']}"]
            if event["pv"]:
                words.append("pv " + " ".join(map(_ply_text, event["pv"])))
            return " ".join(words)
        case "bestmove":
            return f"bestmove {event['move'] or 'none'}"
        case "option":
            return f"option {event['name']} {event['value']}"
        case "error":
            return f"error {event['message']}"
        case "id":
            return f"id {event['name']} {event['version']}"
    return str(event["event"])  # no more fields: readyok, ready


def _ply_text(ply: Event) -> str:
    if "new_tile" not in ply:
        return str(ply["move"])
    cell, tile = ply["new_tile"]
    return f"{ply['move']} {tile}@{cell}"


def _number(value: float | None) -> str:
    """Return a number with all computed digits; "-" for none."""
    return "-" if value is None else f"{value:.10g}"
