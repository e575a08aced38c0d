"""Default callbacks for long work: they ignore progress and never cancel."""


def ignore_progress(*_told: object) -> None: ...


def never_cancelled() -> bool:
    return False
