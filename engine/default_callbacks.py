"""What long work is given by whoever wants to hear nothing of it and lets it go on to its end."""


def ignore_progress(*_told: object) -> None:
    """Do nothing with what is told of how far it is."""


def never_cancelled() -> bool:
    """Return False: nobody asks it to stop."""
    return False
