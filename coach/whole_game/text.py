"""A whole game in words: its phases and its moments, line by line, for a terminal."""

from collections.abc import Iterator

from coach.grading.grade import GRADES
from coach.grading.names import grade_word, move_word
from coach.recordings.recording import SEARCH, Recording
from coach.whole_game.report import Moment, Phase, What, WholeGame
from engine.language import listed, tr, trn
from engine.wording import points_text


def lines(found: WholeGame) -> Iterator[str]:
    """Yield what is told of a whole game."""
    recording, score = found.recording, found.recording.score
    n_searched = sum(recording.rater_at(i) == SEARCH for i in range(recording.n_moves))
    yield tr(
        "the whole game: {judged:,} moves judged, {searched:,} of them by search",
        judged=recording.n_judged,
        searched=n_searched,
    )
    counts = [f"{grade_word(grade)} {score.count(grade)}" for grade in GRADES if score.count(grade)]
    if counts:
        yield f"  {listed(counts)}"
    for phase in found.phases:
        yield f"  {phase_line(phase)}"
    if found.moments:
        yield tr("what decided it:")
    for moment in found.moments:
        yield f"  {moment_line(recording, moment)}"


def phase_line(phase: Phase) -> str:
    """Return a phase in one line."""
    where = {"first": phase.first + 1, "last": phase.last + 1}
    if phase.large:
        beside = " ".join(map(str, phase.large))
        head = tr("moves {first:,} to {last:,}, beside {tiles}", tiles=beside, **where)
    else:
        head = tr("moves {first:,} to {last:,}, to the first 2048", **where)
    parts = [head]
    if phase.chance_first is not None and phase.least_chance is not None:
        parts.append(
            tr(
                "chance {first:.1%} at first, {least:.1%} at least",
                first=phase.chance_first,
                least=phase.least_chance,
            )
        )
    parts.append(
        tr(
            "moves lost {lost}, new tiles gave {given}",
            lost=points_text(phase.points_lost),
            given=points_text(phase.points_of_luck),
        )
    )
    parts.append(tr("done") if phase.is_made else tr("not done"))
    return "; ".join(parts)


def moment_line(recording: Recording, moment: Moment) -> str:
    """Return a moment in one line."""
    move = recording.replay.moves[moment.index]
    chances = {"before": moment.before, "after": moment.after, "number": moment.index + 1}
    if moment.what is What.TILE:
        return tr(
            "move {number:,}: the new {tile} changed the chance from {before:.1%} to {after:.1%}",
            tile=1 << move.exponent,
            **chances,
        )
    judgement = recording.judgements[moment.index]
    best = move_word(judgement.best[0]) if judgement else ""
    return tr(
        "move {number:,}: {played} instead of {best}, {before:.1%} became {after:.1%}",
        played=move_word(move.direction),
        best=best,
        **chances,
    )


def cancelled_line(done: int, total: int) -> str:
    """Return how far a search that was canceled has come."""
    return trn(
        "canceled: {done:,} of {n:,} position searched; the same command goes on from there",
        "canceled: {done:,} of {n:,} positions searched; the same command goes on from there",
        total,
        done=done,
    )
