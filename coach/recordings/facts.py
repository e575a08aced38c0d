"""The summary of a recorded game: `GameFacts` of a `Recording`."""

from coach.analysis.analyze import points_of
from coach.analysis.game_facts import N_WORST, CostlyMove, GameFacts, stretches_of
from coach.recordings.recording import FILE, Recording


def facts_of_recording(recording: Recording, name: str = "") -> GameFacts:
    """Return the key facts of a recorded game.

    Parameters
    ----------
    recording : Recording
    name : str
        The name to show; "" for its own name.
    """
    replay, score = recording.replay, recording.score
    judged = {i + 1: one for i, one in enumerate(recording.judgements) if one}
    n_moves = recording.n_moves
    final = recording.positions[-1]
    worst = sorted(judged, key=lambda number: (-judged[number].points_lost, number))
    costly = [number for number in worst if not judged[number].is_perfect][:N_WORST]
    return GameFacts(
        name=name or recording.name,
        n_moves=n_moves,
        points=points_of(replay, final, n_moves),
        largest_tile=1 << max([e for e in final if not (replay.walls and e == 15)], default=0),
        stretches=stretches_of(
            (i + 1, _table_at(recording, i), recording.best_rate(i)) for i in range(n_moves)
        ),
        n_judged=recording.n_judged,
        longest_streak=score.longest_combo,
        match_rate=score.match_rate,
        luck=recording.total_luck or 0.0,
        counts=score.counts,
        worst=tuple(
            CostlyMove(
                number,
                recording.positions[number - 1],
                judged[number].direction,
                judged[number].best,
                judged[number].rate,
                judged[number].best_rate,
                judged[number].grade,
            )
            for number in costly
        ),
    )


def _table_at(recording: Recording, position: int) -> str:
    rater = recording.rater_at(position)
    return (recording.table or "") if rater == FILE else rater
