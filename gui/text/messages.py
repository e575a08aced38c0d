"""Errors as a person reads them."""

from engine.errors import AppError


def message_of(error: BaseException) -> str:
    """Return what to tell a person of an error."""
    text = str(error) if isinstance(error, AppError) else f"something failed unexpectedly ({error})"
    return f"{text[:1].upper()}{text[1:]}."
