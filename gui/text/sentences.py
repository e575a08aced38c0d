"""Sentences that stand after each other. No Qt."""

from engine.language import tr


def join_sentences(*sentences: str) -> str:
    """Return sentences as one text; empty ones are left out.

    Examples
    --------
    >>> join_sentences("Left was best.", "", "Try again.")
    'Left was best. Try again.'
    """
    text = ""
    for one in filter(None, sentences):
        text = tr("{sentences} {next}", sentences=text, next=one) if text else one
    return text
