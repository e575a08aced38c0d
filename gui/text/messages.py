"""Errors as a person reads them."""

from engine.errors import AppError


def message_of(error: BaseException) -> str:
    """Return what to tell a person of an error."""
    text = str(error) if isinstance(error, AppError) else f"something failed unexpectedly ({error})"
    return f"{text[:1].upper()}{text[1:]}."


def reason_of(error: BaseException) -> str:
    """Return what to tell the person about an error."""
    return str(error) if isinstance(error, AppError) else "This is a bug; the log has the details."


def sentence(text: str) -> str:
    """Return an error message, which begins in lower case, as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
